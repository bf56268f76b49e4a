//! The crawlers that a question about whole files is about.

use std::collections::BTreeSet;

use verger::{DiagnosticKind, Reading, RobotsTxt};
use verger_answer::ResolvedCrawler;
use verger_crawlers::{KnownCrawler, Registry};

/// The crawlers that files can say something about: one to which only `*` groups apply, all known
/// crawlers in use, and those that a file names besides.
///
/// A crawler is listed only under a name that a line can have for it in the reading of the file: what
/// `User-agent: Foo Bar` names is `Foo`. [`ResolvedCrawler::of_name`] reads each name as the same crawler.
pub fn crawlers_of<'r>(files: impl IntoIterator<Item = &'r RobotsTxt>) -> Vec<ResolvedCrawler> {
    let written: Vec<(String, Reading)> = files.into_iter().flat_map(names_on_lines).collect();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let names: Vec<&(String, Reading)> = written
        .iter()
        .filter(|(name, _)| seen.insert(name.to_ascii_lowercase()))
        .collect();
    let listed = |known: &'static KnownCrawler| {
        // A registry name on a line is that line's.
        let is_taken = !is_named(known, known.name()) && seen.contains(known.name());
        let name = if is_taken {
            known.own_token().as_str()
        } else {
            known.name()
        };
        ResolvedCrawler::of_known(known, name)
    };
    let registry = Registry::bundled();
    let in_use = registry.iter().filter(|known| !known.is_retired());
    let mut crawlers = vec![ResolvedCrawler::unnamed()];
    crawlers.extend(in_use.map(listed));
    for (name, reading) in names {
        match registry.by_name(name).filter(|known| is_named(known, name)) {
            Some(known) if known.is_retired() => crawlers.push(listed(known)),
            Some(_) => {}
            None => crawlers.extend(ResolvedCrawler::of_token(name, *reading)),
        }
    }
    crawlers
}

fn is_named(known: &KnownCrawler, name: &str) -> bool {
    known.own_token().as_str().eq_ignore_ascii_case(name)
}

/// The names that the user-agent lines of a file have, each with its reading.
fn names_on_lines(robots: &RobotsTxt) -> Vec<(String, Reading)> {
    let reading = *robots.reading();
    let lines = robots
        .groups()
        .flat_map(|group| group.user_agents().collect::<Vec<_>>());
    let written = lines.map(|line| line.value());
    let cut = robots
        .diagnostics()
        .filter_map(|diagnostic| match diagnostic.kind {
            DiagnosticKind::AgentCut { token } => Some(token),
            _ => None,
        });
    let names = written.chain(cut).filter_map(|name| {
        let name = String::from_utf8_lossy(name).into_owned();
        let crawler = ResolvedCrawler::of_token(&name, reading).ok()?;
        // `*` is no name, though Google's library takes any text for one.
        let is_named = !crawler.crawler().tokens().is_empty()
            && !name.starts_with('*')
            && crawler.unmatchable(reading).is_none();
        is_named.then_some((name, reading))
    });
    names.collect()
}

/// Returns the user-agent lines that name another crawler than they seem to, or none: `line 6: …`.
#[must_use]
pub fn cut_names(robots: &RobotsTxt) -> Vec<String> {
    let diagnostics = robots.diagnostics().filter(|diagnostic| {
        matches!(
            diagnostic.kind,
            DiagnosticKind::AgentCut { .. } | DiagnosticKind::AgentNamesNoCrawler
        )
    });
    let lines = diagnostics.filter_map(|diagnostic| {
        let (line, kind) = (diagnostic.line?, diagnostic.kind);
        Some(format!("line {line}: {kind} ({})", kind.clause()))
    });
    lines.collect()
}
