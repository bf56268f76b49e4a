use std::collections::BTreeMap;

use verger::{Clause, Crawler, Dialect, GroupIndex, GroupSelection, RobotsTxt};
use verger_crawlers::{KnownCrawler, Registry};

use crate::agent::obeys;
use crate::example::Example;
use crate::extent::{Policies, target};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::listed_crawlers;

/// Maximum number of crawlers that a message names.
const NAMES_MAX: usize = 12;

pub(super) const LINT: Lint = Lint {
    code: "managed-block",
    severity: Severity::Note,
    summary: "a content network added lines to the file",
    explanation: "\
Cloudflare can add a block of its own above the file of the owner. The owner's copy of the file does not show it,
and crawlers combine its groups with those of the owner. The lint judges the home page for each crawler of the
registry, with the block and without it. The message names the crawlers for which the answers differ. The block is
often switched on with a new site, so check that these crawlers should be kept out.

If the block decides as you would, there is nothing to do. Lines that are in the file but outside the block are yours.",
    wrong: Example::of(b"# BEGIN Cloudflare Managed content\n\nUser-agent: GPTBot\nDisallow: /\n\n# END Cloudflare Managed Content\n\nUser-agent: *\nDisallow: /private/\n"),
    right: Example::of(b"User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n"),
    clauses: &[Clause::new("R9309-2.2.1-7"), Clause::new("CS-1")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let mut blocks = file.network_blocks();
    let Some((network, block)) = blocks.next() else {
        return;
    };
    let message = match difference(file).map(|crawlers| listed_crawlers(crawlers, NAMES_MAX)) {
        [closed, opened] if closed.is_empty() && opened.is_empty() => {
            format!("{network} added lines that change no known crawler's answer for the home page")
        }
        [closed, opened] if opened.is_empty() => {
            format!("{network} added lines that close the home page to {closed}")
        }
        [closed, opened] if closed.is_empty() => {
            format!("{network} added lines that open the home page to {opened}")
        }
        [closed, opened] => format!(
            "{network} added lines that close the home page to {closed}, and open it to {opened}"
        ),
    };
    found.add(Draft::new(file.places.line(block.start), message));
}

/// Returns the crawlers to which the blocks close the home page, and those to which they open it.
/// Leaves out crawlers whose rules are too many.
fn difference(file: &Subject<'_>) -> [Vec<&'static KnownCrawler>; 2] {
    let body = without_blocks(file);
    let mut crawlers = [Vec::new(), Vec::new()];
    // The registry has no others.
    for dialect in [Dialect::Rfc9309, Dialect::Google] {
        let without = GroupIndex::new(RobotsTxt::parse(body.clone(), dialect));
        let mut with = HomePage::new(file.index_in(dialect), dialect);
        let mut without = HomePage::new(&without, dialect);
        let crawlers_of = |it: &&KnownCrawler| it.dialect() == dialect && obeys(it);
        for known in Registry::bundled().iter().filter(crawlers_of) {
            let crawler = known.crawler();
            match [&mut with, &mut without].map(|it| it.is_allowed(&crawler)) {
                [Some(false), Some(true)] => crawlers[0].push(known),
                [Some(true), Some(false)] => crawlers[1].push(known),
                _ => {}
            }
        }
    }
    crawlers
}

/// Returns the body as the owner wrote it.
fn without_blocks(file: &Subject<'_>) -> Vec<u8> {
    let (body, mut kept, mut start) = (file.robots.body(), Vec::new(), 0);
    for (_, block) in file.network_blocks() {
        kept.extend_from_slice(&body[start..block.start as usize]);
        start = block.end as usize;
    }
    kept.extend_from_slice(&body[start..]);
    kept
}

/// The answers of one file about the home page.
struct HomePage<'f> {
    index: &'f GroupIndex,
    dialect: Dialect,
    policies: Policies<'f>,
    /// Many crawlers obey the same groups.
    known: BTreeMap<GroupSelection, Option<bool>>,
}

impl<'f> HomePage<'f> {
    fn new(index: &'f GroupIndex, dialect: Dialect) -> Self {
        Self {
            index,
            dialect,
            policies: Policies::new(index),
            known: BTreeMap::new(),
        }
    }

    /// Returns whether a crawler may fetch the home page, or `None` after too many rules.
    fn is_allowed(&mut self, crawler: &Crawler) -> Option<bool> {
        let selection = self.index.selection(crawler);
        if let Some(known) = self.known.get(&selection) {
            return *known;
        }
        let allowed = match self.index.groups_for(crawler) {
            None => Some(true),
            Some(_) => self.policies.of(crawler).and_then(|policy| {
                let home = target(b"/", self.dialect)?;
                Some(policy.decide(&home).is_allowed())
            }),
        };
        self.known.insert(selection, allowed);
        allowed
    }
}
