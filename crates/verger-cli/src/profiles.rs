//! `verger profiles`: what each profile makes of what happened to a fetch.

use std::io::{self, Write};

use clap::Args;
use verger_access::{Profile, ProfileTable};

use crate::outcome::{CommandResult, Outcome};
use crate::profile_names::profile_names;

/// Show what each access profile makes of statuses, redirects, failures and age
///
/// A profile says what follows from what happened to the fetch of a robots.txt: its rules, everything
/// allowed, everything disallowed, the last good copy, or not now.
#[derive(Args, Clone, Debug)]
pub(crate) struct ProfilesArguments {
    /// Only these; for a single one, also print the clause of each choice
    #[arg(value_name = "NAME", value_parser = profile_names())]
    names: Vec<String>,
}

/// Runs the command.
pub(crate) fn run(arguments: &ProfilesArguments) -> CommandResult {
    let chosen: Vec<Profile> = arguments
        .names
        .iter()
        .flat_map(|name| Profile::ALL.into_iter().filter(move |it| it.name == *name))
        .collect();
    let table = match chosen.as_slice() {
        [] => ProfileTable::of(&Profile::ALL),
        [one] => ProfileTable::with_clauses(one),
        several => ProfileTable::of(several),
    };
    let mut output = io::stdout().lock();
    write!(output, "{table}")?;
    output.flush()?;
    Ok(Outcome::Success)
}
