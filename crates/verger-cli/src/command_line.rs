//! The commands and their help.

use std::error::Error as _;
use std::ffi::OsString;

use clap::error::{ContextKind, ErrorKind};
use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};

#[cfg(feature = "audit")]
use crate::audit;
#[cfg(feature = "bulk")]
use crate::bulk;
#[cfg(feature = "filter")]
use crate::filter;
#[cfg(not(feature = "full"))]
#[allow(
    clippy::wildcard_imports,
    reason = "those that are left out, whichever they are"
)]
use crate::left_out::commands::*;
#[cfg(feature = "lsp")]
use crate::lsp;
#[cfg(feature = "man")]
use crate::man;
use crate::outcome::CommandResult;
#[cfg(feature = "page")]
use crate::report;
use crate::screen::byte_text::{legible, legible_path};
use crate::screen::palette;
use crate::{
    add, check, clause, completions, crawlers, diff, lint, parse, profiles, robots, test_claims,
    who,
};
#[cfg(feature = "web")]
use crate::{fetch, history, store, watch};

/// Answers what a robots.txt allows to whom, and why
///
/// By RFC 9309, as Google's library does, or by the drafts of 2019 and 1996.
#[derive(Debug, Parser)]
#[command(name = "verger", version, after_help = EXAMPLES)]
pub(crate) struct CommandLine {
    /// When to colour what is printed; `auto` is on a terminal, unless `NO_COLOR` is set, and wherever
    /// `CLICOLOR_FORCE` is
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value_t,
        hide_short_help = true
    )]
    color: ColorChoice,

    #[command(subcommand)]
    command: Command,
}

impl CommandLine {
    /// Reads the arguments, the name of the program first, and chooses colours.
    ///
    /// # Errors
    ///
    /// Where they are wrong, or ask for help or the version.
    pub(crate) fn read(arguments: &[OsString]) -> Result<Command, clap::Error> {
        Self::read_as_given(arguments).map_err(|error| {
            // Messages repeat arguments, also in texts of their own: they are made again of what is safe to show.
            let shown = arguments.iter().map(|it| legible_path(it).into());
            let shown: Vec<OsString> = shown.collect();
            let again = Self::read_as_given(&shown).err();
            // As a host, `h\u{202e}` ends before the escape.
            again.unwrap_or_else(|| legible_error(&error, arguments))
        })
    }

    fn read_as_given(arguments: &[OsString]) -> Result<Command, clap::Error> {
        let command = Self::command().color(colour_of_help(arguments));
        let matches = command.try_get_matches_from(arguments)?;
        let Self { color, command } = Self::from_arg_matches(&matches)?;
        palette::choose(color);
        Ok(command)
    }
}

/// The error with the value and its reason in a form that is safe to show.
fn legible_error(error: &clap::Error, arguments: &[OsString]) -> clap::Error {
    if error.kind() == ErrorKind::InvalidUtf8 {
        let wrong = arguments.iter().filter(|it| it.to_str().is_none());
        let wrong: Vec<String> = wrong.map(legible_path).collect();
        let message = format!("an argument is not UTF-8: {}\n", wrong.join(" "));
        return clap::Error::raw(ErrorKind::InvalidUtf8, message);
    }
    let shown = |kind| {
        let text = error.get(kind).map(ToString::to_string);
        legible(text.unwrap_or_default().as_bytes())
    };
    let why = error.source().map(ToString::to_string);
    let message = format!(
        "invalid value '{}' for '{}': {}\n\nFor more information, try '--help'.\n",
        shown(ContextKind::InvalidValue),
        shown(ContextKind::InvalidArg),
        legible(why.unwrap_or_default().as_bytes())
    );
    clap::Error::raw(error.kind(), message)
}

/// What `--color` says, before the arguments are read: help and errors about them have colours, too.
fn colour_of_help(arguments: &[OsString]) -> ColorChoice {
    let mut arguments = arguments.iter().skip(1);
    let mut choice = ColorChoice::Auto;
    while let Some(argument) = arguments.next() {
        let argument = argument.to_string_lossy();
        let when = match argument.strip_prefix("--color") {
            Some("") => arguments
                .next()
                .map(|when| when.to_string_lossy().into_owned()),
            Some(when) => when.strip_prefix('=').map(str::to_owned),
            None if argument == "--" => break,
            None => None,
        };
        choice = when.and_then(|when| when.parse().ok()).unwrap_or(choice);
    }
    choice
}

const EXAMPLES: &str = "\
Examples:
  verger check -a GPTBot https://example.com/private/report.html
  verger check --robots robots.txt -a googlebot-news --explain https://example.com/
  verger filter --robots robots.txt -a GPTBot < urls.txt > allowed.txt
  verger fetch example.com
  verger history --diff example.com
  verger lint robots.txt
  verger parse robots.txt

Exit codes:
  0    all is well; of URLs, everything is allowed
  1    the answer is no: something is disallowed, found, changed or fails
  2    something could not be answered; standard error says what
  3    nothing is known about it
  4    a robots.txt is unreachable, or is to be fetched later, so nothing may
       be fetched for now
  141  the output pipe was closed
Of several the worst counts: 2, then 3, 4 and 1. docs/commands.md has those
of each command.";

/// What is asked for.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(check::CheckArguments),
    Fetch(fetch::FetchCommandArguments),
    Filter(filter::FilterArguments),
    History(history::HistoryArguments),
    Lint(Box<lint::LintArguments>),
    Lsp(lsp::LspArguments),
    Parse(parse::ParseArguments),
    Report(Box<report::ReportArguments>),
    Robots(robots::RobotsArguments),
    Diff(Box<diff::DiffArguments>),
    Add(Box<add::AddArguments>),
    Who(Box<who::WhoArguments>),
    Test(Box<test_claims::TestArguments>),
    Watch(Box<watch::WatchArguments>),
    Audit(Box<audit::AuditArguments>),
    Bulk(bulk::BulkArguments),
    Crawlers(crawlers::CrawlersArguments),
    Clause(clause::ClauseArguments),
    Profiles(profiles::ProfilesArguments),
    Store(store::StoreCommandArguments),
    Completions(completions::CompletionsArguments),
    Man(man::ManArguments),
}

impl Command {
    pub(crate) fn run(&self) -> CommandResult {
        match self {
            Self::Check(arguments) => check::run(arguments),
            Self::Fetch(arguments) => fetch::run(arguments),
            Self::Filter(arguments) => filter::run(arguments),
            Self::History(arguments) => history::run(arguments),
            Self::Lint(arguments) => lint::run(arguments),
            Self::Lsp(arguments) => lsp::run(arguments),
            Self::Parse(arguments) => parse::run(arguments),
            Self::Report(arguments) => report::run(arguments),
            Self::Robots(arguments) => robots::run(arguments),
            Self::Diff(arguments) => diff::run(arguments),
            Self::Add(arguments) => add::run(arguments),
            Self::Who(arguments) => who::run(arguments),
            Self::Test(arguments) => test_claims::run(arguments),
            Self::Watch(arguments) => watch::run(arguments),
            Self::Audit(arguments) => audit::run(arguments),
            Self::Bulk(arguments) => bulk::run(arguments),
            Self::Crawlers(arguments) => crawlers::run(arguments),
            Self::Clause(arguments) => clause::run(arguments),
            Self::Profiles(arguments) => profiles::run(arguments),
            Self::Store(arguments) => store::run(arguments),
            Self::Completions(arguments) => completions::run(arguments, CommandLine::command()),
            Self::Man(arguments) => man::run(arguments, CommandLine::command()),
        }
    }
}
