//! `verger completions`: what a shell completes.

use std::io::{self, Write};

use clap::Args;
use clap_complete::Shell;

use crate::outcome::{CommandResult, Outcome};

/// Write the completions of a shell to standard output
#[derive(Args, Clone, Debug)]
pub(crate) struct CompletionsArguments {
    /// The shell
    shell: Shell,
}

/// Runs the command.
pub(crate) fn run(arguments: &CompletionsArguments, mut command: clap::Command) -> CommandResult {
    // The generator cannot report a closed output, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "verger", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(Outcome::Success)
}
