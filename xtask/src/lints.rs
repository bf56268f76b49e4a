//! `cargo xtask lints`: `docs/lints.md`, generated from the table of lints.

use crate::generated::Generated;

/// Returns a table of all lints, followed by the page of each.
pub(crate) fn files() -> Vec<Generated> {
    let rows = verger_lint::all().iter().map(|lint| {
        let (code, severity, summary) = (lint.code(), lint.severity(), lint.summary());
        format!("| [`{code}`](#{code}) | {severity} | {summary} |\n")
    });
    let pages = verger_lint::all().iter().map(|lint| format!("\n{lint}"));
    let head = "| lint | severity | what it finds |\n|---|---|---|\n".to_owned();
    let page = std::iter::once(head).chain(rows).chain(pages).collect();
    vec![Generated::part("docs/lints.md", page)]
}
