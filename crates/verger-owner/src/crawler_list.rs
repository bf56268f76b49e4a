//! The crawlers that whole files are compared for.

use std::collections::BTreeSet;

use verger::dialect::AgentValue;
use verger::{DiagnosticKind, RobotsTxt, legible};
use verger_answer::{ReadAs, ResolvedCrawler};
use verger_crawlers::{KnownCrawler, Registry};

const NAMES_MAX: usize = 12;

/// Returns the crawlers whose rules these files can affect: an unnamed crawler, all known crawlers
/// in use, and any others that the files name. Each is judged as `read_as` says.
///
/// Each name can appear on a user-agent line in the file's reading: `User-agent: Foo Bar` yields
/// `Foo`. [`ResolvedCrawler::from_name`] resolves it to the same crawler. `User-agent: AI2Bot` also
/// applies to a crawler called `AI`, but nobody wrote that name, so it is not listed.
pub fn crawlers_of<'r>(
    files: impl IntoIterator<Item = &'r RobotsTxt>,
    read_as: ReadAs,
) -> Vec<ResolvedCrawler> {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut written: Vec<ResolvedCrawler> = files.into_iter().flat_map(on_lines).collect();
    written.retain(|it| seen.insert(it.name().to_ascii_lowercase()));
    let listed = |known: &'static KnownCrawler| {
        // A registry name that the file uses refers to the crawler on that line.
        let is_taken = !is_named(known, known.name()) && seen.contains(known.name());
        let name = if is_taken {
            known.own_token().as_str()
        } else {
            known.name()
        };
        ResolvedCrawler::from_known(known, name).judged(read_as)
    };
    let registry = Registry::bundled();
    let in_use = registry.iter().filter(|known| !known.is_retired());
    let mut crawlers = vec![ResolvedCrawler::unnamed()];
    crawlers.extend(in_use.map(listed));
    for token in written {
        let known = registry.by_name(token.name());
        match known.filter(|known| is_named(known, token.name())) {
            Some(known) if known.is_retired() => crawlers.push(listed(known)),
            Some(_) => {}
            None => crawlers.push(token),
        }
    }
    crawlers
}

fn is_named(known: &KnownCrawler, name: &str) -> bool {
    known.own_token().as_str().eq_ignore_ascii_case(name)
}

/// Returns the product tokens on the user-agent lines of a file.
fn on_lines(robots: &RobotsTxt) -> Vec<ResolvedCrawler> {
    let reading = *robots.reading();
    let texts: Vec<&[u8]> = robots
        .groups()
        .flat_map(|group| group.named_texts())
        .collect();
    let is_cut = |nth: usize| {
        let rest = texts
            .get(nth + 1)
            .and_then(|it| it.strip_prefix(texts[nth]));
        let goes_on = matches!(rest, Some([b'0'..=b'9', ..] | [b'.', _, ..]));
        goes_on && reading.agent_value() == AgentValue::LeadingToken
    };
    let whole = texts.iter().enumerate().filter(|(nth, _)| !is_cut(*nth));
    let tokens = whole.filter_map(|(_, text)| {
        // In `koster1996` a line may contain any text.
        ResolvedCrawler::from_token(&String::from_utf8_lossy(text), reading).ok()
    });
    tokens.collect()
}

/// Returns the name as its operator spells it: `GPTBot`, `Kangaroo Bot`. Other names stay.
pub(crate) fn spelt(name: &str) -> &str {
    let Some(known) = Registry::bundled().by_name(name) else {
        return name;
    };
    let (token, in_header) = (known.own_token().as_str(), known.header_name());
    let rest = in_header.strip_prefix(token);
    let has_more_words = rest.is_some_and(|it| it.starts_with(' '));
    if has_more_words { in_header } else { token }
}

/// Returns the name of a crawler as its operator spells it. A literal token stays as it was given.
pub(crate) fn shown_name(crawler: &ResolvedCrawler) -> &str {
    match crawler.known() {
        Some(_) => spelt(crawler.label()),
        None => crawler.label(),
    }
}

/// Returns the names of crawlers for people, without control characters.
#[must_use]
pub fn shown_names(crawlers: &[&ResolvedCrawler]) -> Vec<String> {
    let names = crawlers.iter().map(|it| match it.crawler().tokens() {
        [] => "any other".to_owned(),
        _ => legible(shown_name(it).as_bytes()),
    });
    names.collect()
}

/// Lists the first twelve of these names, and how many more there are.
#[must_use]
pub fn first_names(names: &[String]) -> String {
    let shown = names[..names.len().min(NAMES_MAX)].join(", ");
    match names.len().saturating_sub(NAMES_MAX) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Returns a warning for each user-agent line that names no crawler, or a different one than it
/// seems to.
#[must_use]
pub fn cut_names(robots: &RobotsTxt) -> Vec<String> {
    let diagnostics = robots.diagnostics().filter(|diagnostic| {
        matches!(
            diagnostic.kind,
            DiagnosticKind::AgentCut { .. }
                | DiagnosticKind::AgentListNotRead
                | DiagnosticKind::AgentNamesNoCrawler
        )
    });
    let lines = diagnostics.filter_map(|diagnostic| {
        let (line, kind) = (diagnostic.line?, diagnostic.kind);
        Some(format!("line {line}: {kind} ({})", kind.clause()))
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use verger::dialect::AgentList;
    use verger::{Dialect, ProductToken, Reading};
    use verger_testkit::generate::{Rng, body};

    fn assert_all_are_listed(body: &[u8], reading: Reading) {
        let robots = RobotsTxt::parse(body, reading);
        let crawlers = crawlers_of([&robots], reading.into());
        let tokens = crawlers.iter().flat_map(|it| it.crawler().tokens());
        let listed: BTreeSet<String> = tokens.map(|it| it.as_str().to_ascii_lowercase()).collect();
        for group in robots.groups() {
            for value in group.user_agents().map(|line| line.value()) {
                let starts = (0..value.len()).flat_map(|start| {
                    let ends = start + 1..=value.len().min(start + 20);
                    ends.map(move |end| &value[start..end])
                });
                let parts =
                    starts.filter_map(|part| ProductToken::new(str::from_utf8(part).ok()?).ok());
                // A line with `AI2Bot` also names `AI`, which is not listed.
                let is_cut = |token: &ProductToken| {
                    let lines = group
                        .user_agents()
                        .map(|it| it.value().to_ascii_lowercase());
                    let token = token.as_str().to_ascii_lowercase();
                    lines.into_iter().any(|line| {
                        let rest = line.strip_prefix(token.as_bytes());
                        matches!(rest, Some([b'0'..=b'9', ..] | [b'.', _, ..]))
                    })
                };
                for token in parts.filter(|token| group.names(token) && !is_cut(token)) {
                    let is_listed = listed.contains(&token.as_str().to_ascii_lowercase());
                    assert!(is_listed, "{reading:?} {token}: {}", body.escape_ascii());
                }
            }
        }
    }

    #[test]
    fn a_literal_token_is_shown_as_it_was_given() {
        let reading = Reading::new(Dialect::Rfc9309);
        let token = ResolvedCrawler::from_token("Sogou", reading).unwrap();
        let named = ResolvedCrawler::from_name("sogou", reading).unwrap();
        assert_eq!(
            shown_names(&[&token, &named]),
            ["Sogou", "Sogou web spider"]
        );
        let robots = RobotsTxt::parse("User-agent: *\nDisallow: /", reading);
        let crawlers = [token];
        let rows = crate::who(robots, &crawlers, verger_compare::Budget::default());
        assert_eq!(rows[0].name, "Sogou");
    }

    #[test]
    fn every_token_that_a_line_names_is_listed() {
        let lists =
            b"User-agent: Foo, Bar/1,b\nUser-agent: Baz.\nUser-agent: MJ12x/2, c d\nDisallow: /\n";
        for &dialect in Dialect::ALL {
            let reading = Reading::new(dialect);
            for reading in [reading, reading.with_agent_list(AgentList::CommaSeparated)] {
                assert_all_are_listed(lists, reading);
                for seed in 0..300 {
                    assert_all_are_listed(&body(&mut Rng::new(seed)), reading);
                }
            }
        }
    }
}
