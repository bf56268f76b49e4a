//! A command line to its exit code.

use std::ffi::OsString;

use crate::command_line::CommandLine;
use crate::outcome;

/// Runs the command that `arguments` name, the name of the program first, and returns its exit code. It
/// reads standard input, and writes to standard output and standard error.
///
/// A command that fetches listens to SIGINT and SIGTERM, gives its leases back and then ends the
/// process. `bulk` listens, too, and removes files that are not whole.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    match CommandLine::read(&arguments) {
        Ok(command) => outcome::exit_code(command.run()),
        Err(error) => outcome::of_arguments(&error),
    }
}
