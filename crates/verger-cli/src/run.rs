//! From a command line to its exit code.

use std::ffi::{OsStr, OsString};

use crate::command_line::{CommandLine, NotRun};
use crate::outcome;
use crate::screen::notice;

/// Runs the command that `arguments` name and returns its exit code. The first argument is the name of the
/// program. Reads standard input, and writes to standard output and standard error.
///
/// Commands that fetch handle SIGINT and SIGTERM: they give their leases back and end the process. `bulk`
/// handles them too, and removes unfinished files.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    // Wrong arguments must be annotations too, so they are not parsed yet.
    let written = arguments.join(OsStr::new("="));
    if written.to_string_lossy().contains("=--format=github") {
        notice::annotate_errors();
    }
    match CommandLine::read(&arguments) {
        Ok(command) => outcome::exit_code(command.run()),
        Err(error) => end_without_command(&error),
    }
}

/// Prints the help, the version or the error.
fn end_without_command(not_run: &NotRun) -> u8 {
    match not_run {
        NotRun::Page(page) => {
            // A closed pipe does not change the exit code here.
            let _ = page.print();
            u8::try_from(page.exit_code()).unwrap_or(2)
        }
        NotRun::Mistake(message) => {
            notice::error(message.clone());
            2
        }
    }
}
