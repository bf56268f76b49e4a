//! What all fixes make of the files.

use super::fix_facts::FixFacts;
use super::markdown::table;
use super::part::Part;
use super::sample::Sample;

/// Something that may be true of a file with all its fixes.
type Row = (&'static str, fn(&FixFacts) -> bool);

const ROWS: [Row; 7] = [
    ("have a fix", |_| true),
    ("some URL is newly disallowed for a crawler", |it| {
        it.newly_disallowed
    }),
    ("some URL is newly allowed for a crawler", |it| {
        it.newly_allowed
    }),
    ("the home page is newly disallowed for a crawler", |it| {
        it.closes_home
    }),
    ("an answer changes that no fixed line decides", |it| {
        it.is_unexplained
    }),
    ("there are more warnings and errors than before", |it| {
        it.adds_findings
    }),
    ("the last line end comes or goes", |it| it.ends_otherwise),
];

/// The part about fixes.
pub(super) fn part(all: &Sample<'_>) -> Part {
    let rows = ROWS.iter().map(|(what, is_so)| {
        let share = all.share(|facts| facts.fixes.as_ref().is_some_and(is_so));
        vec![(*what).to_owned(), share.count.to_string()]
    });
    let text = "## Fixes\n\nAll files after `verger lint --fix-all`, compared with the files before as \
                `verger diff` compares them, for every crawler that either names (200 at most) and one that \
                none does.\n\n";
    Part {
        text: format!("{text}{}", table(1, &["of the files", "number"], rows)),
        charts: Vec::new(),
    }
}
