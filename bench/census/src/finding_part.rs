//! What lints find, and in how many files.

use std::cmp::Reverse;

use verger_lint::{Lint, Severity};

use super::charts::{About, PartedBar, parted_bars};
use super::file_facts::OTHER_DIALECTS;
use super::markdown::{picture, table};
use super::part::Part;
use super::sample::{Sample, Share};

/// So many lints are in the chart, and by year.
const LINTS_SHOWN_MAX: usize = 30;

/// Severities with the class of their colour and their name.
const SEVERITIES: [(Severity, char, &str); 3] = [
    (Severity::Error, 'a', "error"),
    (Severity::Warning, 'b', "warning"),
    (Severity::Note, 'c', "note"),
];

/// The part about findings.
pub(super) fn part(all: &Sample<'_>) -> Part {
    // A page has findings, too, but is no robots.txt.
    let (real, drawn) = (all.real(), all.drawn());
    let served = all.with(|file| file.provenance.is_real);
    let mut lints: Vec<&Lint> = verger_lint::all().iter().collect();
    lints.sort_by_key(|lint| (Reverse(with(&drawn, lint).count), lint.code()));
    let shown = &lints[..LINTS_SHOWN_MAX.min(lints.len())];
    let pages = ["html-page", "json-document", "not-text"].map(|code| {
        let share = served.share(|facts| facts.findings.contains_key(code));
        format!(
            "`{code}` is found in {} of {} files ({share})",
            share.count, share.of
        )
    });
    let text = [
        "## Findings\n\nShares are of files with at least one finding.\n".to_owned(),
        format!(
            "Of what sites served, {}; these are not among the files below.\n",
            pages.join(", ")
        ),
        picture(
            "findings",
            "Lints by the share of files in which they find something",
        ),
        by_lint(&lints, &real, &drawn),
        "### By severity and year\n\nA file counts by its most severe finding.\n".to_owned(),
        picture(
            "severities",
            "Files by their most severe finding and by year",
        ),
        by_severity(&drawn),
        "### The most frequent lints by year\n".to_owned(),
        by_year(shown, &drawn),
        "### Dialects\n".to_owned(),
        dialects(&drawn),
    ];
    Part {
        text: text.join("\n"),
        charts: vec![
            ("findings", lint_chart(shown, &drawn)),
            ("severities", severity_chart(&drawn)),
        ],
    }
}

fn with(files: &Sample<'_>, lint: &Lint) -> Share {
    files.share(|facts| facts.findings.contains_key(lint.code()))
}

/// The files in which a lint finds something of this severity, and nothing more severe.
fn at(files: &Sample<'_>, lint: &Lint, severity: Severity) -> Share {
    files.share(|facts| {
        let found = facts.findings.get(lint.code());
        found.is_some_and(|(_, greatest)| *greatest == severity)
    })
}

fn by_lint(lints: &[&Lint], real: &Sample<'_>, drawn: &Sample<'_>) -> String {
    let rows = lints.iter().map(|lint| {
        let code = lint.code();
        let in_real = with(real, lint);
        let findings = real.sum(|facts| facts.findings.get(code).map_or(0, |it| it.0));
        let link = format!("[`{code}`](lints.md#{code})");
        let counts = [findings, in_real.count].map(|it| it.to_string());
        let shares = [in_real, with(drawn, lint)].map(|it| it.to_string());
        let by_severity = SEVERITIES.map(|(severity, ..)| at(drawn, lint, severity).to_string());
        let cells = counts.into_iter().chain(shares).chain(by_severity);
        std::iter::once(link).chain(cells).collect()
    });
    let head = [
        "lint",
        "findings",
        "files",
        "share",
        "share of drawn files",
        "as error",
        "as warning",
        "as note",
    ];
    table(1, &head, rows)
}

fn lint_chart(lints: &[&Lint], drawn: &Sample<'_>) -> String {
    let rows = lints.iter().map(|lint| PartedBar {
        label: lint.code().to_owned(),
        of: drawn.len(),
        parts: SEVERITIES
            .map(|(severity, class, _)| (class, at(drawn, lint, severity).count))
            .to_vec(),
    });
    let about = About {
        title: "What lints find in robots.txt files",
        axis: "share of drawn files, by the most severe finding of the lint",
    };
    parted_bars(
        about,
        &rows.collect::<Vec<_>>(),
        &SEVERITIES.map(|it| (it.1, it.2)),
    )
}

/// How many files have this as their most severe finding.
fn most_severe(files: &Sample<'_>, severity: Option<Severity>) -> Share {
    files.share(|facts| facts.severity() == severity)
}

fn by_severity(drawn: &Sample<'_>) -> String {
    let row = |name: String, files: &Sample<'_>| {
        let severities = [Severity::Error, Severity::Warning, Severity::Note].map(Some);
        let shares = severities.into_iter().chain([None]);
        let shares = shares.map(|severity| most_severe(files, severity).to_string());
        [name, files.len().to_string()]
            .into_iter()
            .chain(shares)
            .collect()
    };
    let years = drawn.by_year();
    let years = years
        .iter()
        .map(|(year, files)| row(year.to_string(), files));
    let rows: Vec<Vec<String>> = years.chain([row("all".to_owned(), drawn)]).collect();
    table(
        1,
        &["year", "files", "error", "warning", "note", "no finding"],
        rows,
    )
}

fn severity_chart(drawn: &Sample<'_>) -> String {
    let rows = drawn
        .by_year_in_charts()
        .into_iter()
        .map(|(year, files)| PartedBar {
            label: year.to_string(),
            of: files.len(),
            parts: [
                ('a', Some(Severity::Error)),
                ('b', Some(Severity::Warning)),
                ('c', Some(Severity::Note)),
                ('d', None),
            ]
            .map(|(class, severity)| (class, most_severe(&files, severity).count))
            .to_vec(),
        });
    let about = About {
        title: "Files by their most severe finding",
        axis: "share of drawn files of the year",
    };
    let [error, warning, note] = SEVERITIES.map(|it| (it.1, it.2));
    let legend = [error, warning, note, ('d', "no finding")];
    parted_bars(about, &rows.collect::<Vec<_>>(), &legend)
}

fn by_year(lints: &[&Lint], drawn: &Sample<'_>) -> String {
    let years = drawn.by_year();
    let head = years
        .iter()
        .map(|(year, files)| format!("{year} ({} files)", files.len()));
    let head: Vec<String> = std::iter::once("lint".to_owned()).chain(head).collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let rows = lints.iter().map(|lint| {
        let shares = years.values().map(|files| with(files, lint).to_string());
        std::iter::once(format!("`{}`", lint.code()))
            .chain(shares)
            .collect()
    });
    table(1, &head, rows)
}

fn dialects(drawn: &Sample<'_>) -> String {
    let rows = OTHER_DIALECTS.into_iter().map(|dialect| {
        let share = drawn.share(|facts| facts.disagreeing.contains(&dialect));
        vec![
            format!("`{dialect}`"),
            share.count.to_string(),
            share.to_string(),
        ]
    });
    let any = drawn.share(|facts| !facts.disagreeing.is_empty());
    let any = vec![
        "any of them".to_owned(),
        any.count.to_string(),
        any.to_string(),
    ];
    let extents = others_extents(drawn);
    let text = "Files for which a dialect answers otherwise than RFC 9309 about a URL that \
                [`dialects-disagree`](lints.md#dialects-disagree) tried:\n\n";
    let rows: Vec<Vec<String>> = rows.chain([any]).collect();
    let tried = table(1, &["dialect", "files", "share"], rows);
    format!("{text}{tried}\n{extents}")
}

/// For how many files another dialect finds more or less disallowed for a crawler that no group names.
fn others_extents(drawn: &Sample<'_>) -> String {
    let rows = OTHER_DIALECTS.iter().zip(0..).map(|(dialect, place)| {
        let share =
            drawn.share(|facts| facts.other_classes.get::<usize>(place) != Some(&facts.class(0)));
        let (count, share) = (share.count.to_string(), share.to_string());
        vec![format!("`{dialect}`"), count, share]
    });
    let text = "Files of which a dialect disallows everything, some or nothing for a crawler that no \
                group names, where RFC 9309 disallows another of the three:\n\n";
    format!("{text}{}", table(1, &["dialect", "files", "share"], rows))
}
