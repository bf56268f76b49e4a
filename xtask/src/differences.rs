//! `cargo xtask differences`: the table of `docs/reference/dialects.md`, generated from the cases in which the
//! dialects differ.

mod table;

use verger_testkit::case::{load_all, testdata_dir};

use crate::generated::Generated;

pub(crate) fn files() -> Result<Vec<Generated>, String> {
    let corpus = load_all(&testdata_dir()).map_err(|error| error.to_string())?;
    Ok(vec![Generated::part(
        "docs/reference/dialects.md",
        table::render(&corpus),
    )])
}
