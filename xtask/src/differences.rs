//! `cargo xtask differences`: the table of `docs/reference/dialects.md`, made from the cases on which the
//! dialects differ.

mod table;

use verger_testkit::case::{load_all, testdata_dir};

use crate::generated::Generated;

/// The page that holds the table.
pub(crate) fn files() -> Result<Vec<Generated>, String> {
    let corpus = load_all(&testdata_dir()).map_err(|error| error.to_string())?;
    Ok(vec![Generated::part(
        "docs/reference/dialects.md",
        table::render(&corpus),
    )])
}
