//! `cargo xtask clauses`: which requirements of the source documents no case, no scenario, no
//! behaviour of the hostile origin and no test function cites.

use std::collections::BTreeSet;

use verger_testkit::case::{
    Clause, ClauseStatus, Corpus, load_all, testdata_dir, unknown_citation,
};
use verger_testkit::origin_file::{Behaviour, bundled_behaviours};
use verger_testkit::scenario::{ScenarioCorpus, load_scenarios};

use crate::test_citations::{TestCitation, test_citations};

/// Fails where a requirement about text has no case, or where one about access has no test of any
/// kind.
pub(crate) fn run() -> Result<(), String> {
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
    let tests = test_citations()?;
    let cited = cited(&corpus, &scenarios, &behaviours, &tests);
    let untested = untested(&corpus, &cited);
    for clause in &untested {
        println!("nothing tests {} ({})", clause.id, clause.sentence);
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
        access - untested.len(),
        count(ClauseStatus::Prose),
    );
    match (uncovered.len(), untested.len()) {
        (0, 0) => Ok(()),
        (text, access) => Err(format!(
            "{text} requirements about text have no case, {access} about access have no test"
        )),
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

/// The ids that tests of any kind cite.
fn cited<'c>(
    corpus: &'c Corpus,
    scenarios: &'c ScenarioCorpus,
    behaviours: &'c [Behaviour],
    tests: &'c [TestCitation],
) -> BTreeSet<&'c str> {
    let tables = corpus.citations().chain(scenarios.citations());
    let of_tables = tables.flat_map(|(_, _, clauses)| clauses);
    let of_behaviours = behaviours.iter().flat_map(|it| &it.clauses);
    let of_tests = tests.iter().flat_map(|it| &it.clauses);
    let all = of_tables.chain(of_behaviours).chain(of_tests);
    all.map(String::as_str).collect()
}

/// The requirements about access that nothing cites.
fn untested<'c>(corpus: &'c Corpus, cited: &BTreeSet<&str>) -> Vec<&'c Clause> {
    let is_untested = |clause: &&Clause| {
        clause.status == ClauseStatus::Access && !cited.contains(clause.id.as_str())
    };
    corpus.clauses.iter().filter(is_untested).collect()
}

#[cfg(test)]
mod tests {
    use verger_testkit::case::load_text;
    use verger_testkit::origin_file::read_behaviours;
    use verger_testkit::scenario::load_scenario_text;

    use super::{TestCitation, cited, refuse_unknown, refuse_unknown_of_origin, untested};

    #[test]
    fn a_requirement_about_access_is_untested_until_a_table_or_a_test_cites_it() {
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
            sentence = "Another one for another port."
            [[clause]]
            id = "X-5"
            status = "access"
            sentence = "Shown."
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
        let function = TestCitation {
            file: "a.rs".to_owned(),
            function: "one".to_owned(),
            clauses: vec!["X-5".to_owned()],
        };
        let (scenarios, tests) = (location("X-3"), [function]);
        let untested = untested(&corpus, &cited(&corpus, &scenarios, &[], &tests));
        let ids: Vec<&str> = untested.iter().map(|it| it.id.as_str()).collect();
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
