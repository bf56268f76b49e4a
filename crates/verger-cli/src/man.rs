//! `verger man`: the manual pages.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use clap_mangen::Man;

use crate::outcome::{CommandResult, Outcome};
use crate::screen::byte_text::legible_path;
use crate::screen::message::Message;

/// Print the manual page, or write all pages to a directory
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ManArguments {
    /// Existing directory for verger.1, verger-check.1 and so on
    #[arg(value_name = "DIR")]
    directory: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  verger man > verger.1
  verger man | man -l -
  verger man ~/.local/share/man/man1";

pub(crate) fn run(arguments: &ManArguments, command: clap::Command) -> CommandResult {
    if let Some(directory) = &arguments.directory {
        let command = command.disable_help_subcommand(true);
        clap_mangen::generate_to(command, directory)
            .map_err(|error| unwritable(directory, &error))?;
    } else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        io::stdout().lock().write_all(&page)?;
    }
    Ok(Outcome::Success)
}

fn unwritable(directory: &Path, error: &io::Error) -> Message {
    let shown = legible_path(directory);
    match error.kind() {
        io::ErrorKind::NotFound => {
            let why = format!("cannot write pages to `{shown}`: there is no such directory");
            Message::from(why).help(format_args!("run `mkdir -p {shown}`"))
        }
        _ => Message::new(format_args!("cannot write pages to `{shown}`: {error}")),
    }
}
