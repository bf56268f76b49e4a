//! What all fixes make of the files.

use super::fix_facts::FixFact;
use super::markdown::table;
use super::part::Part;
use super::sample::Sample;

/// The part about fixes.
pub(super) fn part(all: &Sample<'_>) -> Part {
    let row = |what: &str, count: usize| vec![what.to_owned(), count.to_string()];
    let fixed = row("have a fix", all.share(|facts| facts.fixes.is_some()).count);
    let rows = FixFact::ALL.into_iter().map(|fact| {
        let share = all.share(|facts| facts.fixes.as_ref().is_some_and(|it| it.has(fact)));
        row(fact.as_str(), share.count)
    });
    let rows = std::iter::once(fixed).chain(rows);
    let text = "## Fixes\n\nAll files after `verger lint --fix-all`, compared with the files before as \
                `verger diff` compares them, for every crawler that either names (200 at most) and one that \
                none does.\n\n";
    Part {
        text: format!("{text}{}", table(1, &["of the files", "number"], rows)),
        charts: Vec::new(),
    }
}
