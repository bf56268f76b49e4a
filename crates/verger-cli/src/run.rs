//! From a command line to its exit code.

use std::ffi::OsString;

use crate::command_line::CommandLine;
use crate::outcome;

/// Runs the command that `arguments` name and returns its exit code. The first argument is the name of the
/// program. Reads standard input, and writes to standard output and standard error.
///
/// Commands that fetch handle SIGINT and SIGTERM: they give their leases back and end the process. `bulk`
/// handles them too, and removes unfinished files.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    match CommandLine::read(&arguments) {
        Ok(command) => outcome::exit_code(command.run()),
        Err(error) => outcome::of_arguments(&error),
    }
}
