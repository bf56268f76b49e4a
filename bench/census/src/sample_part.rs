//! How many files there are, and where they are from.

use super::markdown::table;
use super::part::Part;
use super::sample::Sample;

/// The part about the sample.
pub(super) fn part(all: &Sample<'_>) -> Part {
    let row = |name: String, files: &Sample<'_>| {
        let served = files.with(|file| file.provenance.is_real);
        let counts = [
            files.len(),
            served.len(),
            files.real().len(),
            files.drawn().len(),
        ];
        let counts = counts.map(|count| count.to_string());
        std::iter::once(name).chain(counts).collect()
    };
    let sources = all.by_source();
    let rows = sources
        .into_iter()
        .filter(|(source, _)| !source.contains(' '));
    let rows = rows.map(|(source, files)| row(source, &files));
    let rows: Vec<Vec<String>> = std::iter::once(row("all".to_owned(), all))
        .chain(rows)
        .collect();
    let head = [
        "source",
        "files",
        "served by a site",
        "of these a robots.txt",
        "of these drawn",
    ];
    Part {
        text: format!("## Files\n\n{}", table(1, &head, rows)),
        charts: Vec::new(),
    }
}
