use serde::Serialize;
use verger::Clause;
use verger_access::{Profile, ProfileChoice, ProfileTable};

/// A profile as JSON: its choice for each outcome (`verger.profile/1`).
#[derive(Debug, Serialize)]
pub struct ProfileLine<'p> {
    schema: &'static str,
    name: &'p str,
    dialect: &'static str,
    choices: Vec<Choice>,
}

#[derive(Debug, Serialize)]
struct Choice {
    what: &'static str,
    chosen: String,
    clause: Option<&'static str>,
}

impl<'p> ProfileLine<'p> {
    /// Creates the line.
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
