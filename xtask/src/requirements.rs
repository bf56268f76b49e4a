//! `cargo xtask requirements`: `docs/reference/requirements.md`, `docs/reference/choices.md` and the sentences of
//! `verger_answer::KnownClause`, generated from `testdata/clauses.toml` and `testdata/choices.toml`.

mod pages;

use verger_testkit::case::{load_all, testdata_dir};

use crate::citations::Citations;
use crate::generated::Generated;

/// Returns the pages and the product's table of clauses, with a tab between id and sentence.
pub(crate) fn files() -> Result<Vec<Generated>, String> {
    let corpus = load_all(&testdata_dir()).map_err(|error| error.to_string())?;
    let citations = Citations::read(&corpus)?;
    let clauses = &corpus.clauses;
    Ok(vec![
        Generated::part(
            "docs/reference/requirements.md",
            pages::requirements(clauses, &citations)?,
        ),
        Generated::part(
            "docs/reference/choices.md",
            pages::choices(clauses, &citations),
        ),
        Generated::whole(
            "crates/verger-answer/data/clauses.tsv",
            pages::sentences(clauses),
        ),
    ])
}
