//! From the text of the scenario files to the typed corpus. Whatever is wrong is said with the
//! file and the id of the table.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;

use super::corpus::{FetchWhen, Location, Moment, Scenario, ScenarioCorpus, UserAgent};
use super::expected::ExpectedAnswer;
use super::profiles::by_profile;
use super::reply::ServerReply;
use super::seconds::read_seconds;
use super::shapes::{FileShape, LocationShape, MomentShape, ScenarioShape, UserAgentShape};

/// Why the scenario files cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioError {
    /// The file, without its directory.
    pub file: String,
    /// The table, where the fault is in one that has an id.
    pub id: Option<String>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.id {
            Some(id) => write!(f, "access/{}: {id}: {}", self.file, self.message),
            None => write!(f, "access/{}: {}", self.file, self.message),
        }
    }
}

impl std::error::Error for ScenarioError {}

/// Reads every `*.toml` in the directory `access` of `testdata`, in the order of their names.
///
/// # Errors
///
/// The first fault found: a file that cannot be read, a table that is not of its shape, an id that
/// occurs twice.
pub fn load_scenarios(testdata: &Path) -> Result<ScenarioCorpus, ScenarioError> {
    let unreadable = |path: &Path, error: &dyn fmt::Display| ScenarioError {
        file: path.display().to_string(),
        id: None,
        message: format!("cannot be read: {error}"),
    };
    let folder = testdata.join("access");
    let mut paths = Vec::new();
    for entry in fs::read_dir(&folder).map_err(|error| unreadable(&folder, &error))? {
        paths.push(entry.map_err(|error| unreadable(&folder, &error))?.path());
    }
    paths.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "toml")
    });
    paths.sort();
    let mut corpus = ScenarioCorpus::default();
    for path in &paths {
        let text = fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        read_file(&name.to_string_lossy(), &text, &mut corpus)?;
    }
    refuse_repeated_ids(&corpus)?;
    Ok(corpus)
}

/// Reads one text as if it were the only file.
///
/// # Errors
///
/// As [`load_scenarios`], apart from what concerns the directory.
pub fn load_scenario_text(file: &str, text: &str) -> Result<ScenarioCorpus, ScenarioError> {
    let mut corpus = ScenarioCorpus::default();
    read_file(file, text, &mut corpus)?;
    refuse_repeated_ids(&corpus)?;
    Ok(corpus)
}

fn read_file(file: &str, text: &str, corpus: &mut ScenarioCorpus) -> Result<(), ScenarioError> {
    let fault = |id: Option<String>, message: String| ScenarioError {
        file: file.to_owned(),
        id,
        message,
    };
    let shape: FileShape = toml::from_str(text).map_err(|error| fault(None, error.to_string()))?;
    for shape in shape.scenario {
        let id = shape.id.clone();
        let scenario = read_scenario(file, shape).map_err(|message| fault(Some(id), message))?;
        corpus.scenarios.push(scenario);
    }
    for shape in shape.location {
        let id = shape.id.clone();
        let location = read_location(file, shape).map_err(|message| fault(Some(id), message))?;
        corpus.locations.push(location);
    }
    for shape in shape.user_agent {
        corpus.user_agents.push(read_user_agent(file, shape));
    }
    if let Some((id, ..)) = corpus
        .citations()
        .find(|(_, _, clauses)| clauses.is_empty())
    {
        return Err(fault(Some(id.to_owned()), "cites no clause".to_owned()));
    }
    Ok(())
}

fn read_scenario(file: &str, shape: ScenarioShape) -> Result<Scenario, String> {
    let moments = shape.moments.into_iter().map(read_moment);
    let moments = moments.collect::<Result<Vec<_>, _>>()?;
    if moments.iter().all(|moment| moment.answers.is_empty()) {
        return Err("states no answer".to_owned());
    }
    Ok(Scenario {
        file: file.to_owned(),
        id: shape.id,
        clauses: shape.clauses,
        url: shape.url.unwrap_or_else(|| "https://h.example/".to_owned()),
        why: shape.why,
        moments,
    })
}

fn read_moment(shape: MomentShape) -> Result<Moment, String> {
    let mut answers = BTreeMap::new();
    for (profile, text) in by_profile(shape.all.as_ref(), &shape.own)? {
        answers.insert(profile, ExpectedAnswer::parse(&text)?);
    }
    let web = shape.web.into_iter().map(|(url, reply)| {
        let url = match url.strip_prefix('/') {
            Some(path) => format!("https://h.example/{path}"),
            None => url,
        };
        Ok((url, ServerReply::read(reply)?))
    });
    for verdict in shape.verdicts.values() {
        if !["allow", "disallow"].contains(&verdict.as_str()) {
            return Err(format!("`{verdict}` is no verdict"));
        }
    }
    Ok(Moment {
        at: read_seconds(&shape.at)?,
        web: web.collect::<Result<_, String>>()?,
        fetch: match shape.fetch.as_deref() {
            None => FetchWhen::Due,
            Some("always") => FetchWhen::Always,
            Some("never") => FetchWhen::Never,
            Some(other) => return Err(format!("`{other}` is neither `always` nor `never`")),
        },
        jitter: shape.jitter,
        rest_is_up: shape.rest_is_up,
        requests: shape.requests,
        warnings: shape.warnings,
        verdicts: shape.verdicts,
        answers,
    })
}

fn read_location(file: &str, shape: LocationShape) -> Result<Location, String> {
    let robots = match (shape.robots, shape.error) {
        (Some(robots), None) => Ok(robots),
        (None, Some(error)) => Err(error),
        _ => return Err("needs exactly one of `robots` and `error`".to_owned()),
    };
    Ok(Location {
        file: file.to_owned(),
        id: shape.id,
        clauses: shape.clauses,
        url: shape.url,
        robots,
        applies_to: shape.applies_to,
        not_applied_to: shape.not_applied_to,
    })
}

fn read_user_agent(file: &str, shape: UserAgentShape) -> UserAgent {
    UserAgent {
        file: file.to_owned(),
        id: shape.id,
        clauses: shape.clauses,
        tokens: shape.tokens,
        sent: shape.sent,
        warnings: shape.warnings,
    }
}

fn refuse_repeated_ids(corpus: &ScenarioCorpus) -> Result<(), ScenarioError> {
    let mut seen = BTreeSet::new();
    for (id, file, _) in corpus.citations() {
        if !seen.insert(id) {
            return Err(ScenarioError {
                file: file.to_owned(),
                id: Some(id.to_owned()),
                message: "the id occurs twice".to_owned(),
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        load_scenario_text("some.toml", text)
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
        let corpus = load_scenario_text("some.toml", &text).unwrap();
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
            "access/some.toml: one: the id occurs twice"
        );
        assert_eq!(
            message(&scenario("fetch = \"never\"")),
            "access/some.toml: one: states no answer"
        );
        assert_eq!(
            message(&scenario(
                "fetch = \"soon\", all = \"open unavailable; ask 1h\""
            )),
            "access/some.toml: one: `soon` is neither `always` nor `never`"
        );
        assert_eq!(
            message(&one.replace("\"X-1\"", "")),
            "access/some.toml: one: cites no clause"
        );
        assert!(message("[[scenarios]]").starts_with("access/some.toml: TOML parse error"));
    }
}
