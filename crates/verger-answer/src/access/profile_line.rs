//! `ProfileLine`: the consequences of each outcome in a profile, as a line of JSON.

use serde::Serialize;
use verger::Clause;
use verger_access::{Profile, ProfileChoice, ProfileTable};

/// A profile as a line of JSON, schema `verger.profile/1`.
#[derive(Debug, Serialize)]
pub struct ProfileLine<'p> {
    schema: &'static str,
    name: &'p str,
    dialect: &'static str,
    choices: Vec<Choice>,
}

/// The consequence of an outcome.
#[derive(Debug, Serialize)]
struct Choice {
    what: &'static str,
    chosen: String,
    clause: Option<&'static str>,
}

impl<'p> ProfileLine<'p> {
    /// Makes the line.
    #[must_use]
    pub fn new(profile: &'p Profile) -> Self {
        let choices = ProfileTable::choices(profile).into_iter();
        let choice = |it: ProfileChoice| Choice {
            what: it.what,
            chosen: it.chosen,
            clause: it.clause.map(Clause::id),
        };
        Self {
            schema: "verger.profile/1",
            name: &profile.name,
            dialect: profile.reading.dialect().as_str(),
            choices: choices.map(choice).collect(),
        }
    }
}
