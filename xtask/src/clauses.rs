//! `cargo xtask clauses`: which requirements of the source documents no case cites.

use std::collections::BTreeSet;

use verger_testkit::case::{Clause, ClauseStatus, Corpus, load_all, testdata_dir};

/// Fails where a requirement about text has no case; with `listing_waiting`, those about access
/// that wait for theirs are listed as well.
pub(crate) fn run(listing_waiting: bool) -> Result<(), String> {
    // A case that cites an unknown requirement does not load.
    let corpus = load_all(&testdata_dir()).map_err(|error| error.to_string())?;
    let uncovered: Vec<&Clause> = corpus.uncovered_clauses().collect();
    for clause in &uncovered {
        println!("no case cites {} ({})", clause.id, clause.summary);
    }
    let waiting = waiting(&corpus);
    if listing_waiting {
        for clause in &waiting {
            println!(
                "waits for the access layer: {} ({})",
                clause.id, clause.summary
            );
        }
    }
    let count = |status| {
        let of_status = |clause: &&Clause| clause.status == status;
        corpus.clauses.iter().filter(of_status).count()
    };
    let text = count(ClauseStatus::Text);
    println!(
        "{} requirements: {} of {text} about text are cited, {} of {} about access wait, {} are \
         prose",
        corpus.clauses.len(),
        text - uncovered.len(),
        waiting.len(),
        count(ClauseStatus::Access),
        count(ClauseStatus::Prose),
    );
    match uncovered.len() {
        0 => Ok(()),
        count => Err(format!("{count} requirements about text have no case")),
    }
}

/// The requirements about access that no case cites yet.
fn waiting(corpus: &Corpus) -> Vec<&Clause> {
    let cited: BTreeSet<&str> = corpus
        .citations()
        .flat_map(|(_, _, clauses)| clauses)
        .map(String::as_str)
        .collect();
    let waits = |clause: &&Clause| {
        clause.status == ClauseStatus::Access && !cited.contains(clause.id.as_str())
    };
    corpus.clauses.iter().filter(waits).collect()
}

#[cfg(test)]
mod tests {
    use verger_testkit::case::load_text;

    use super::waiting;

    #[test]
    fn a_requirement_about_access_waits_until_a_case_cites_it() {
        let text = r#"
            [[clause]]
            id = "X-1"
            status = "access"
            summary = "fetched once"
            [[clause]]
            id = "X-2"
            status = "access"
            summary = "named by its token"
            [[token]]
            id = "a-token"
            clauses = ["X-2"]
            text = "FooBot"
            identifier = true
            accepted = true
        "#;
        let corpus = load_text("a.toml", text).unwrap_or_else(|error| panic!("{error}"));
        let ids: Vec<&str> = waiting(&corpus).iter().map(|it| it.id.as_str()).collect();
        assert_eq!(ids, ["X-1"]);
    }
}
