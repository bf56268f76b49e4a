//! `cargo xtask differences`: the table of `docs/dialects.md`, made from the cases on which the
//! dialects differ.

mod table;

use verger_testkit::case::{load_all, testdata_dir};

use crate::generated_page::GeneratedPage;

/// The page that holds the table.
pub(crate) const PAGE: GeneratedPage = GeneratedPage {
    path: "docs/dialects.md",
    command: "differences",
};

/// Writes the table into the page.
pub(crate) fn write() -> Result<(), String> {
    PAGE.write(&table()?)
}

/// Fails where the table in the page is not the one that would be written.
pub(crate) fn check() -> Result<(), String> {
    PAGE.check(&table()?)
}

fn table() -> Result<String, String> {
    let corpus = load_all(&testdata_dir()).map_err(|error| error.to_string())?;
    Ok(table::render(&corpus))
}
