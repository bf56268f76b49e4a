//! `cargo xtask requirements`: `docs/requirements.md`, `docs/choices.md` and the sentences of
//! `verger_answer::KnownClause`, made from `testdata/clauses.toml` and `testdata/choices.toml`.

mod pages;

use std::fs;

use verger_testkit::case::{load_all, testdata_dir};
use verger_testkit::origin_file::bundled_behaviours;
use verger_testkit::scenario::load_scenarios;

use crate::generated_page::GeneratedPage;
use crate::test_citations::test_citations;
use crate::workspace;

/// The page of the documents' requirements.
pub(crate) const REQUIREMENTS: GeneratedPage = GeneratedPage {
    path: "docs/requirements.md",
    command: "requirements",
};

/// The page of the choices.
pub(crate) const CHOICES: GeneratedPage = GeneratedPage {
    path: "docs/choices.md",
    command: "requirements",
};

/// The ids and sentences that the product holds: a line for each, a TAB between the two.
pub(crate) const SENTENCES: &str = "crates/verger-answer/data/clauses.tsv";

/// Writes the pages and the sentences.
pub(crate) fn write() -> Result<(), String> {
    let made = made()?;
    REQUIREMENTS.write(&made.requirements)?;
    CHOICES.write(&made.choices)?;
    fs::write(workspace::root().join(SENTENCES), made.sentences)
        .map_err(|error| format!("{SENTENCES}: cannot be written: {error}"))
}

/// Fails where a page or the sentences are not what would be written.
pub(crate) fn check() -> Result<(), String> {
    let made = made()?;
    REQUIREMENTS.check(&made.requirements)?;
    CHOICES.check(&made.choices)?;
    let kept = fs::read_to_string(workspace::root().join(SENTENCES));
    match kept {
        Ok(kept) if kept == made.sentences => Ok(()),
        _ => Err(format!(
            "{SENTENCES} is stale: run `cargo xtask requirements`"
        )),
    }
}

struct Made {
    requirements: String,
    choices: String,
    sentences: String,
}

fn made() -> Result<Made, String> {
    let corpus = load_all(&testdata_dir()).map_err(|error| error.to_string())?;
    let scenarios = load_scenarios(&testdata_dir()).map_err(|error| error.to_string())?;
    let behaviours = bundled_behaviours().map_err(|error| error.to_string())?;
    let mut citations = pages::Citations::default();
    for (id, file, cited) in corpus.citations() {
        citations.add(id, file, cited);
    }
    for (id, file, cited) in scenarios.citations() {
        citations.add(id, &format!("access/{file}"), cited);
    }
    for behaviour in &behaviours {
        citations.add(&behaviour.name, "origin.toml", &behaviour.clauses);
    }
    for test in test_citations()? {
        citations.add_test(&test);
    }
    Ok(Made {
        requirements: pages::requirements(&corpus.clauses, &citations)?,
        choices: pages::choices(&corpus.clauses, &citations),
        sentences: pages::sentences(&corpus.clauses),
    })
}
