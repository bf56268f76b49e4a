//! `verger profiles`: how each access profile handles the result of a fetch.

use std::io::{self, Write};

use clap::Args;
use verger_access::{Profile, ProfileTable};
use verger_answer::ProfileLine;

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
    if arguments.format.is_json() {
        write_json(if chosen.is_empty() {
            Profile::ALL
        } else {
            &chosen
        })?;
        return Ok(Outcome::Success);
    }
    let table = match chosen.as_slice() {
        [] => ProfileTable::new(Profile::ALL),
        [one] => ProfileTable::with_clauses(one),
        several => ProfileTable::new(several),
    };
    let mut output = io::stdout().lock();
    write!(output, "{table}")?;
    output.flush()?;
    Ok(Outcome::Success)
}

fn write_json(profiles: &[Profile]) -> io::Result<()> {
    let mut output = io::stdout().lock();
    for profile in profiles {
        let line = verger_answer::json::to_string(&ProfileLine::new(profile))?;
        writeln!(output, "{line}")?;
    }
    output.flush()
}
