//! `verger profiles`: how each access profile handles the result of a fetch.

use std::io::{self, Write};

use clap::Args;
use verger_access::{Profile, ProfileTable};
use verger_answer::{ProfileLine, json};

use crate::arguments::profile_names::profile_names;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::output_format::{FormatArguments, Formats};

/// Show how each profile handles status codes, errors and expiry
///
/// A profile decides what follows from the result of a fetch: the rules of the file, everything allowed,
/// everything disallowed, the last good copy, or a later attempt.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ProfilesArguments {
    /// Show only these profiles; for one, also the clause of each choice
    #[arg(value_name = "NAME", value_parser = profile_names())]
    names: Vec<String>,

    #[command(flatten)]
    format: FormatArguments<Self>,
}

impl Formats for ProfilesArguments {
    const HUMAN: &'static str = "A table; with a single name, also its clauses";
    const JSON: &'static str = "JSON Lines (schema verger.profile/1, in docs/json.md)";
}

const EXAMPLES: &str = "\
Examples:
  verger profiles
  verger profiles google
  verger profiles rfc9309 google --json";

pub(crate) fn run(arguments: &ProfilesArguments) -> CommandResult {
    let chosen: Vec<Profile> = arguments
        .names
        .iter()
        .flat_map(|name| Profile::ALL.iter().filter(move |it| it.name == *name))
        .cloned()
        .collect();
    let (profiles, only) = match chosen.as_slice() {
        [] => (Profile::ALL, None),
        [one] => (&*chosen, Some(one)),
        several => (several, None),
    };
    let mut output = io::stdout().lock();
    if arguments.format.is_json() {
        let mut lines = profiles.iter().map(ProfileLine::new);
        lines.try_for_each(|line| json::write_line(&mut output, &line))?;
    } else {
        let all = || ProfileTable::new(profiles);
        write!(
            output,
            "{}",
            only.map_or_else(all, ProfileTable::with_clauses)
        )?;
    }
    output.flush()?;
    Ok(Outcome::Success)
}
