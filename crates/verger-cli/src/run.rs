//! A command line to its exit code.

use std::ffi::OsString;

use clap::CommandFactory;

#[cfg(feature = "audit")]
use crate::audit;
#[cfg(feature = "bulk")]
use crate::bulk;
use crate::command_line::{Command, CommandLine};
#[cfg(feature = "filter")]
use crate::filter;
#[cfg(not(feature = "full"))]
use crate::left_out::LeftOut;
#[cfg(feature = "lsp")]
use crate::lsp;
#[cfg(feature = "man")]
use crate::man;
#[cfg(feature = "page")]
use crate::report;
use crate::{
    add, check, clause, completions, crawlers, diff, lint, outcome, parse, profiles, robots,
    test_claims, who,
};
#[cfg(feature = "web")]
use crate::{fetch, history, store, watch};

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
        #[cfg(feature = "web")]
        Command::Fetch(arguments) => fetch::run(&arguments),
        #[cfg(feature = "filter")]
        Command::Filter(arguments) => filter::run(&arguments),
        #[cfg(feature = "web")]
        Command::History(arguments) => history::run(&arguments),
        Command::Lint(arguments) => lint::run(&arguments),
        #[cfg(feature = "lsp")]
        Command::Lsp(arguments) => lsp::run(&arguments),
        Command::Parse(arguments) => parse::run(&arguments),
        #[cfg(feature = "page")]
        Command::Report(arguments) => report::run(&arguments),
        Command::Robots(arguments) => robots::run(&arguments),
        Command::Crawlers(arguments) => crawlers::run(&arguments),
        Command::Clause(arguments) => clause::run(&arguments),
        Command::Profiles(arguments) => profiles::run(&arguments),
        Command::Who(arguments) => who::run(&arguments),
        Command::Add(arguments) => add::run(&arguments),
        Command::Test(arguments) => test_claims::run(&arguments),
        #[cfg(feature = "web")]
        Command::Watch(arguments) => watch::run(&arguments),
        #[cfg(feature = "audit")]
        Command::Audit(arguments) => audit::run(&arguments),
        #[cfg(feature = "bulk")]
        Command::Bulk(arguments) => bulk::run(arguments.command),
        Command::Diff(arguments) => diff::run(&arguments),
        #[cfg(feature = "web")]
        Command::Store(arguments) => store::run(arguments.command),
        #[cfg(not(feature = "web"))]
        Command::Fetch(_) | Command::History(_) | Command::Watch(_) | Command::Store(_) => {
            Err(LeftOut("web").into())
        }
        #[cfg(not(feature = "audit"))]
        Command::Audit(_) => Err(LeftOut("audit").into()),
        #[cfg(not(feature = "page"))]
        Command::Report(_) => Err(LeftOut("page").into()),
        #[cfg(not(feature = "filter"))]
        Command::Filter(_) => Err(LeftOut("filter").into()),
        #[cfg(not(feature = "lsp"))]
        Command::Lsp(_) => Err(LeftOut("lsp").into()),
        #[cfg(not(feature = "man"))]
        Command::Man(_) => Err(LeftOut("man").into()),
        #[cfg(not(feature = "bulk"))]
        Command::Bulk(_) => Err(LeftOut("bulk").into()),
        Command::Completions(arguments) => completions::run(&arguments, CommandLine::command()),
        #[cfg(feature = "man")]
        Command::Man(arguments) => man::run(&arguments, CommandLine::command()),
    };
    outcome::exit_code(outcome)
}
