use std::path::Path;

use super::corpus::{Location, Scenario, ScenarioCorpus};
use crate::test_file::{TestFile, TestFileError, read_texts, refuse_repeated_ids};

const DIRECTORY: &str = "access/";

/// Loads every `*.toml` in the directory `access` of `testdata`, ordered by name.
///
/// # Errors
///
/// Returns the first fault: an unreadable file, a table of the wrong shape, or a repeated id.
pub fn load_scenarios(testdata: &Path) -> Result<ScenarioCorpus, TestFileError> {
    let texts = read_texts(&testdata.join(DIRECTORY), None)?;
    load(texts.iter().map(|(file, text)| (&**file, &**text)))
}

fn load<'a>(
    texts: impl Iterator<Item = (&'a str, &'a str)>,
) -> Result<ScenarioCorpus, TestFileError> {
    let mut corpus = ScenarioCorpus::default();
    for (file, text) in texts {
        let mut tables = TestFile::read(DIRECTORY, file, text)?;
        corpus
            .scenarios
            .extend(tables.take("scenario", check_scenario)?);
        corpus
            .locations
            .extend(tables.take("location", check_location)?);
        corpus
            .user_agents
            .extend(tables.take("user_agent", |_| Ok(()))?);
        tables.end()?;
    }
    let ids = corpus.citations().map(|(id, file, _)| (id, file));
    refuse_repeated_ids(DIRECTORY, ids)?;
    Ok(corpus)
}

fn check_scenario(scenario: &Scenario) -> Result<(), String> {
    if scenario
        .moments
        .iter()
        .all(|moment| moment.answers.is_empty())
    {
        return Err("states no answer".to_owned());
    }
    Ok(())
}

fn check_location(location: &Location) -> Result<(), String> {
    if location.robots.is_some() == location.error.is_some() {
        return Err("needs exactly one of `robots` and `error`".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        load(std::iter::once(("some.toml", text)))
            .unwrap_err()
            .to_string()
    }

    fn scenario(rest: &str) -> String {
        format!(
            "[[scenario]]\nid = \"one\"\nclauses = [\"X-1\"]\nmoments = [{{ at = \"0s\", {rest} }}]\n"
        )
    }

    #[test]
    fn an_own_answer_goes_before_the_common_one() {
        let text =
            scenario("all = \"open unavailable; ask 1h\", google = \"closed unreachable; ask 1m\"");
        let corpus = load(std::iter::once(("some.toml", &*text))).unwrap();
        let answers = &corpus.scenarios[0].moments[0].answers;
        assert_eq!(answers.len(), 6);
        assert_eq!(answers["google"].stance, "closed");
        assert_eq!(answers["cautious"].stance, "open");
    }

    #[test]
    fn whatever_is_wrong_is_said_with_file_and_id() {
        let one = scenario("all = \"open unavailable; ask 1h\"");
        assert_eq!(
            message(&format!("{one}{one}")),
            "access/some.toml: one: the id is taken in access/some.toml"
        );
        assert_eq!(
            message(&scenario("fetch = \"never\"")),
            "access/some.toml: one: states no answer"
        );
        let soon = message(&scenario(
            "fetch = \"soon\", all = \"open unavailable; ask 1h\"",
        ));
        assert!(
            soon.starts_with("access/some.toml: one: unknown variant `soon`"),
            "{soon}"
        );
        assert_eq!(
            message(&one.replace("\"X-1\"", "")),
            "access/some.toml: one: cites no clause"
        );
        assert!(message("[scenarios").starts_with("access/some.toml: is not TOML: "));
    }
}
