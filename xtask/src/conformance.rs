//! `cargo xtask conformance <dir>`: compares the engine with the test suites of other parsers and with recorded
//! verdicts of Google's library.
//!
//! Any difference from Google's library in dialect `google` is an error. A difference from another parser in
//! `rfc9309` needs a reason in `data/explained.toml`. Unexplained differences and unused reasons are errors.

mod case;
mod explanation;
mod google_question;
mod suite;
mod tally;
mod unit;

use std::path::{Path, PathBuf};

use self::explanation::Explanations;
pub(crate) use self::google_question::GoogleQuestion;
use self::suite::Suite;
use self::tally::Report;
use crate::workspace;

const EXPLAINED: &str = include_str!("../data/explained.toml");

/// Runs every suite in `dir`. With `listing`, prints every difference, explained or not.
pub(crate) fn run(dir: &Path, listing: bool) -> Result<(), String> {
    let mut explanations = Explanations::read(EXPLAINED)?;
    let mut report = Report::default();
    for path in json_lines_files(dir)? {
        let suite = Suite::open(&path)?;
        suite.ask(&mut report, &mut explanations)?;
    }
    report.print(&explanations, listing);
    let unexplained = report.unexplained.len();
    let idle = explanations.idle();
    for id in &idle {
        println!("data/explained.toml: {id} no longer differs, remove it");
    }
    match (unexplained, idle.len()) {
        (0, 0) => Ok(()),
        (unexplained, idle) => Err(format!(
            "{unexplained} unexplained differences, {idle} unused explanations"
        )),
    }
}

/// Returns all questions in `dir` that Google's library answered.
pub(crate) fn google_questions(dir: &Path) -> Result<Vec<GoogleQuestion>, String> {
    let mut questions = Vec::new();
    for path in json_lines_files(dir)? {
        questions.extend(Suite::open(&path)?.google_questions()?);
    }
    Ok(questions)
}

fn json_lines_files(dir: &Path) -> Result<Vec<PathBuf>, String> {
    let paths = workspace::files_in(dir, "jsonl")?;
    if paths.is_empty() {
        return Err(format!("no *.jsonl file in {}", dir.display()));
    }
    Ok(paths)
}
