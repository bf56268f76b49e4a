//! `cargo xtask clauses`: lists requirements that no case, scenario, behaviour of the hostile origin or test function
//! cites.

use verger_testkit::case::{Clause, ClauseStatus, load_all, testdata_dir};

use crate::citations::Citations;

/// Returns an error if a requirement about parsing has no case, or one about access has no test.
pub(crate) fn run() -> Result<(), String> {
    let corpus = load_all(&testdata_dir()).map_err(|error| error.to_string())?;
    let citations = Citations::read(&corpus)?;
    let uncovered: Vec<&Clause> = corpus.uncovered_clauses().collect();
    for clause in &uncovered {
        println!("no case for {} ({})", clause.id, clause.sentence);
    }
    let of_status = |status| corpus.clauses.iter().filter(move |it| it.status == status);
    let access = of_status(ClauseStatus::Access);
    let untested: Vec<&Clause> = access.filter(|it| !citations.has(&it.id)).collect();
    for clause in &untested {
        println!("no test for {} ({})", clause.id, clause.sentence);
    }
    let count = |status| of_status(status).count();
    let (text, access) = (count(ClauseStatus::Text), count(ClauseStatus::Access));
    println!(
        "{} requirements and choices: {} of {text} about text and {} of {access} about access are cited, {} \
         are prose",
        corpus.clauses.len(),
        text - uncovered.len(),
        access - untested.len(),
        count(ClauseStatus::Prose),
    );
    match (uncovered.len(), untested.len()) {
        (0, 0) => Ok(()),
        (text, access) => Err(format!(
            "{text} requirements about text without a case, {access} about access without a test"
        )),
    }
}
