//! `verger man`: the manual pages.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use clap_mangen::Man;

use crate::outcome::{CommandResult, Outcome};

/// Write the manual page to standard output, or all pages to a directory
#[derive(Args, Clone, Debug)]
pub(crate) struct ManArguments {
    /// Where to put verger.1, verger-check.1 and so on; it has to exist
    #[arg(value_name = "DIR")]
    directory: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(arguments: &ManArguments, command: clap::Command) -> CommandResult {
    if let Some(directory) = &arguments.directory {
        let command = command.disable_help_subcommand(true);
        clap_mangen::generate_to(command, directory).map_err(|error| {
            let directory = directory.clone();
            PagesError { directory, error }
        })?;
    } else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        io::stdout().lock().write_all(&page)?;
    }
    Ok(Outcome::Success)
}

/// The pages cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write pages to `{}`: {}", .directory.display(), reason(.error))]
struct PagesError {
    directory: PathBuf,
    error: io::Error,
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such directory".to_owned(),
        _ => error.to_string(),
    }
}
