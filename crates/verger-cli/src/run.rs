//! A command line to its exit code.

use std::ffi::OsString;

use clap::CommandFactory;

#[cfg(feature = "bulk")]
use crate::bulk;
use crate::command_line::{Command, CommandLine};
use crate::{
    add, audit, check, clause, completions, crawlers, diff, fetch, filter, history, lint, lsp, man,
    outcome, parse, profiles, report, robots, store, test_claims, watch, who,
};

/// Runs the command that `arguments` name, the name of the program first, and returns its exit code. It
/// reads standard input, and writes to standard output and standard error.
///
/// A command that fetches listens to SIGINT and SIGTERM, gives its leases back and then ends the
/// process. `bulk` listens, too, and removes files that are not whole.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let command = match CommandLine::read(&arguments) {
        Ok(command) => command,
        Err(error) => return outcome::of_arguments(&error),
    };
    let outcome = match command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Fetch(arguments) => fetch::run(&arguments),
        Command::Filter(arguments) => filter::run(&arguments),
        Command::History(arguments) => history::run(&arguments),
        Command::Lint(arguments) => lint::run(&arguments),
        Command::Lsp(arguments) => lsp::run(&arguments),
        Command::Parse(arguments) => parse::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Robots(arguments) => robots::run(&arguments),
        Command::Crawlers(arguments) => crawlers::run(&arguments),
        Command::Clause(arguments) => clause::run(&arguments),
        Command::Profiles(arguments) => profiles::run(&arguments),
        Command::Who(arguments) => who::run(&arguments),
        Command::Add(arguments) => add::run(&arguments),
        Command::Test(arguments) => test_claims::run(&arguments),
        Command::Watch(arguments) => watch::run(&arguments),
        Command::Audit(arguments) => audit::run(&arguments),
        #[cfg(feature = "bulk")]
        Command::Bulk(arguments) => bulk::run(arguments.command),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Store(arguments) => store::run(arguments.command),
        Command::Completions(arguments) => completions::run(&arguments, CommandLine::command()),
        Command::Man(arguments) => man::run(&arguments, CommandLine::command()),
    };
    outcome::exit_code(outcome)
}
