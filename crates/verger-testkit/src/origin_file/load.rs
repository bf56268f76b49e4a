use std::collections::{BTreeMap, BTreeSet};

use super::behaviour::{Behaviour, Expectation};
use super::shapes::{BehaviourShape, FileShape};
use crate::scenario::{ExpectedAnswer, by_profile, read_seconds, refuse_unknown};
use crate::test_file::TestFileError;

const TEXT: &str = include_str!("../../../../testdata/origin.toml");

const NAME: &str = "origin.toml";

/// Returns the behaviours of the bundled `testdata/origin.toml`, in file order.
///
/// # Errors
///
/// Returns the errors of [`read_behaviours`].
pub fn bundled_behaviours() -> Result<Vec<Behaviour>, TestFileError> {
    read_behaviours(TEXT)
}

/// Parses behaviours.
///
/// # Errors
///
/// Returns the first fault: a wrong shape, a repeated name, a behaviour without clauses or
/// outcomes, an unreadable answer, or an unknown profile.
pub fn read_behaviours(text: &str) -> Result<Vec<Behaviour>, TestFileError> {
    let shape: FileShape =
        toml::from_str(text).map_err(|error| TestFileError::new(NAME, None, error.to_string()))?;
    let mut names = BTreeSet::new();
    let mut behaviours = Vec::new();
    for shape in shape.behaviour {
        let name = shape.name.clone();
        let fault = |message| TestFileError::new(NAME, Some(&name), message);
        if !names.insert(name.clone()) {
            return Err(fault("the name occurs twice".to_owned()));
        }
        behaviours.push(read_behaviour(shape).map_err(fault)?);
    }
    Ok(behaviours)
}

fn read_behaviour(shape: BehaviourShape) -> Result<Behaviour, String> {
    let is_name = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if shape.name.is_empty() || !shape.name.bytes().all(is_name) {
        return Err("a name has small letters, digits and `-`".to_owned());
    }
    if shape.clauses.is_empty() {
        return Err("cites no clause".to_owned());
    }
    refuse_unknown(shape.other_outcomes.keys())?;
    let mut expected = BTreeMap::new();
    for (profile, answer_in_short) in by_profile(Some(&shape.all), &shape.own)? {
        let outcomes = shape.other_outcomes.get(profile).unwrap_or(&shape.outcomes);
        if outcomes.is_empty() {
            return Err(format!("states no outcome for {profile}"));
        }
        let expectation = Expectation {
            outcomes: outcomes.clone(),
            answer: ExpectedAnswer::parse(&answer_in_short)?,
            answer_in_short,
        };
        expected.insert(profile, expectation);
    }
    Ok(Behaviour {
        name: shape.name,
        scheme: shape.scheme,
        does: shape.does,
        clauses: shape.clauses,
        wire: shape.wire,
        note: shape.note,
        lifetime_seconds: seconds(shape.lifetime.as_deref())?,
        retry_after_seconds: seconds(shape.retry_after.as_deref())?,
        tolerance_seconds: seconds(shape.tolerance.as_deref())?.unwrap_or(0),
        expected,
    })
}

fn seconds(text: Option<&str>) -> Result<Option<i64>, String> {
    text.map(read_seconds).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = r#"
        [[behaviour]]
        name = "one"
        scheme = "http"
        does = "Serves"
        clauses = ["X-1"]
        wire = "answers"
        outcomes = ["successful http 200"]
        other_outcomes = { cautious = ["redirect other-host"] }
        tolerance = "2s"
        all = "rules successful; ask 24h"
        cautious = "closed unreachable; ask 24h"
    "#;

    fn message(text: &str) -> String {
        read_behaviours(text).unwrap_err().to_string()
    }

    #[test]
    fn what_a_profile_has_of_its_own_goes_before_what_all_have() {
        let behaviours = read_behaviours(ONE).unwrap();
        let expected = &behaviours[0].expected;
        assert_eq!(expected.len(), 6);
        assert_eq!(expected["google"].answer.stance, "rules");
        assert_eq!(expected["google"].outcomes, ["successful http 200"]);
        assert_eq!(expected["cautious"].answer.stance, "closed");
        assert_eq!(expected["cautious"].outcomes, ["redirect other-host"]);
        assert_eq!(behaviours[0].tolerance_seconds, 2);
    }

    #[test]
    fn whatever_is_wrong_is_said_with_its_name() {
        assert_eq!(
            message(&format!("{ONE}{ONE}")),
            "origin.toml: one: the name occurs twice"
        );
        assert_eq!(
            message(&ONE.replace("\"X-1\"", "")),
            "origin.toml: one: cites no clause"
        );
        assert_eq!(
            message(&ONE.replace("cautious = [", "careful = [")),
            "origin.toml: one: `careful` is no profile"
        );
        assert_eq!(
            message(&ONE.replace("\"one\"", "\"One\"")),
            "origin.toml: One: a name has small letters, digits and `-`"
        );
        assert_eq!(
            message(&ONE.replace("[\"successful http 200\"]", "[]")),
            "origin.toml: one: states no outcome for rfc9309"
        );
        assert!(message(&ONE.replace("24h", "soon")).starts_with("origin.toml: one: `soon`"));
        assert!(message("[[behaviours]]").starts_with("origin.toml: TOML parse error"));
    }
}
