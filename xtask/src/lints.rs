//! `cargo xtask lints`: the pages of `docs/lints.md`, made from the table of lints.

use crate::generated_page::GeneratedPage;

/// The page that holds the pages of all lints.
const PAGE: GeneratedPage = GeneratedPage {
    path: "docs/lints.md",
    command: "lints",
};

/// Writes the pages.
pub(crate) fn write() -> Result<(), String> {
    PAGE.write(&pages())
}

/// Fails where the pages are not those that would be written.
pub(crate) fn check() -> Result<(), String> {
    PAGE.check(&pages())
}

/// A table of all lints, then the page of each.
fn pages() -> String {
    let rows = verger_lint::all().iter().map(|lint| {
        let (code, severity, summary) = (lint.code(), lint.severity(), lint.summary());
        format!("| [`{code}`](#{code}) | {severity} | {summary} |\n")
    });
    let pages = verger_lint::all().iter().map(|lint| format!("\n{lint}"));
    let head = "| lint | severity | what it finds |\n|---|---|---|\n".to_owned();
    std::iter::once(head).chain(rows).chain(pages).collect()
}
