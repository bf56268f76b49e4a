//! `cargo xtask clauses`: which requirements of the source documents neither a case nor a scenario
//! cites.

use std::collections::BTreeSet;

use verger_testkit::case::{
    Clause, ClauseStatus, Corpus, load_all, testdata_dir, unknown_citation,
};
use verger_testkit::origin_file::{Behaviour, bundled_behaviours};
use verger_testkit::scenario::{ScenarioCorpus, load_scenarios};

/// Fails where a requirement about text has no case; with `listing_waiting`, those about access
/// that wait for a scenario are listed as well.
pub(crate) fn run(listing_waiting: bool) -> Result<(), String> {
    // A case that cites an unknown requirement does not load.
    let corpus = load_all(&testdata_dir()).map_err(|error| error.to_string())?;
    let scenarios = load_scenarios(&testdata_dir()).map_err(|error| error.to_string())?;
    let behaviours = bundled_behaviours().map_err(|error| error.to_string())?;
    refuse_unknown(&corpus, &scenarios)?;
    refuse_unknown_of_origin(&corpus, &behaviours)?;
    let uncovered: Vec<&Clause> = corpus.uncovered_clauses().collect();
    for clause in &uncovered {
        println!("no case cites {} ({})", clause.id, clause.sentence);
    }
    let waiting = waiting(&corpus, &scenarios);
    if listing_waiting {
        for clause in &waiting {
            println!("waits for a scenario: {} ({})", clause.id, clause.sentence);
        }
    }
    let count = |status| {
        let of_status = |clause: &&Clause| clause.status == status;
        corpus.clauses.iter().filter(of_status).count()
    };
    let (text, access) = (count(ClauseStatus::Text), count(ClauseStatus::Access));
    println!(
        "{} requirements and choices: {} of {text} about text and {} of {access} about access are cited, {} \
         are prose",
        corpus.clauses.len(),
        text - uncovered.len(),
        access - waiting.len(),
        count(ClauseStatus::Prose),
    );
    match uncovered.len() {
        0 => Ok(()),
        count => Err(format!("{count} requirements about text have no case")),
    }
}

fn refuse_unknown(corpus: &Corpus, scenarios: &ScenarioCorpus) -> Result<(), String> {
    for (id, file, cited) in scenarios.citations() {
        if let Some(citation) = unknown_citation(&corpus.clauses, cited) {
            return Err(format!(
                "access/{file}: {id}: cites `{citation}`, which is no clause"
            ));
        }
    }
    Ok(())
}

fn refuse_unknown_of_origin(corpus: &Corpus, behaviours: &[Behaviour]) -> Result<(), String> {
    for behaviour in behaviours {
        if let Some(citation) = unknown_citation(&corpus.clauses, &behaviour.clauses) {
            let name = &behaviour.name;
            return Err(format!(
                "origin.toml: {name}: cites `{citation}`, which is no clause"
            ));
        }
    }
    Ok(())
}

/// The requirements about access that nothing cites yet.
fn waiting<'c>(corpus: &'c Corpus, scenarios: &ScenarioCorpus) -> Vec<&'c Clause> {
    let cited: BTreeSet<&str> = corpus
        .citations()
        .chain(scenarios.citations())
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
    use verger_testkit::origin_file::read_behaviours;
    use verger_testkit::scenario::load_scenario_text;

    use super::{refuse_unknown, refuse_unknown_of_origin, waiting};

    #[test]
    fn a_requirement_about_access_waits_until_a_case_or_a_scenario_cites_it() {
        let text = r#"
            [[clause]]
            id = "X-1"
            status = "access"
            sentence = "Fetched once."
            [[clause]]
            id = "X-2"
            status = "access"
            sentence = "Named by its token."
            [[clause]]
            id = "X-3"
            status = "access"
            sentence = "Told apart by its port."
            [[token]]
            id = "a-token"
            clauses = ["X-2"]
            text = "FooBot"
            identifier = true
            accepted = true
        "#;
        let corpus = load_text("a.toml", text).unwrap_or_else(|error| panic!("{error}"));
        let location = |citation| {
            let text = format!(
                "[[location]]\nid = \"a-port\"\nclauses = [\"{citation}\"]\nurl = \"x\"\nerror = \"no\"\n"
            );
            load_scenario_text("b.toml", &text).unwrap_or_else(|error| panic!("{error}"))
        };
        let waiting = waiting(&corpus, &location("X-3"));
        let ids: Vec<&str> = waiting.iter().map(|it| it.id.as_str()).collect();
        assert_eq!(ids, ["X-1"]);
        assert_eq!(
            refuse_unknown(&corpus, &location("X-4")),
            Err("access/b.toml: a-port: cites `X-4`, which is no clause".to_owned())
        );
    }

    #[test]
    fn a_behaviour_of_the_origin_cites_clauses_that_there_are() {
        let text = r#"
            [[behaviour]]
            name = "one"
            scheme = "http"
            does = "Serves"
            clauses = ["R9309-1-1", "X-9"]
            wire = "answers"
            outcomes = ["successful http 200"]
            all = "rules successful; ask 24h"
        "#;
        let known = "[[clause]]\nid = \"R9309-1-1\"\nstatus = \"prose\"\nsentence = \"Scope.\"\n";
        let corpus = load_text("a.toml", known).unwrap_or_else(|error| panic!("{error}"));
        let behaviours = read_behaviours(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            refuse_unknown_of_origin(&corpus, &behaviours),
            Err("origin.toml: one: cites `X-9`, which is no clause".to_owned())
        );
    }
}
