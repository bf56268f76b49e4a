//! The commands and their help.

use std::error::Error as _;
use std::ffi::OsString;

use clap::error::ContextKind;
use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::add::AddArguments;
#[cfg(feature = "audit")]
use crate::audit::AuditArguments;
#[cfg(feature = "bulk")]
use crate::bulk::BulkArguments;
use crate::check::CheckArguments;
use crate::clause::ClauseArguments;
use crate::completions::CompletionsArguments;
use crate::crawlers::CrawlersArguments;
use crate::diff::DiffArguments;
#[cfg(feature = "web")]
use crate::fetch::FetchCommandArguments;
#[cfg(feature = "filter")]
use crate::filter::FilterArguments;
#[cfg(feature = "web")]
use crate::history::HistoryArguments;
#[cfg(not(feature = "full"))]
use crate::left_out::{LeftOutArguments, NOT_HERE};
use crate::lint::LintArguments;
#[cfg(feature = "lsp")]
use crate::lsp::LspArguments;
#[cfg(feature = "man")]
use crate::man::ManArguments;
use crate::octet_text::{legible, legible_path};
use crate::palette;
use crate::parse::ParseArguments;
use crate::profiles::ProfilesArguments;
#[cfg(feature = "page")]
use crate::report::ReportArguments;
use crate::robots::RobotsArguments;
#[cfg(feature = "web")]
use crate::store::StoreCommandArguments;
use crate::test_claims::TestArguments;
#[cfg(feature = "web")]
use crate::watch::WatchArguments;
use crate::who::WhoArguments;

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
            again.unwrap_or_else(|| legible_error(&error))
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
fn legible_error(error: &clap::Error) -> clap::Error {
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
Of several the worst counts: 2, then 3, 4 and 1. docs/exit-codes.md has those
of each command.";

/// What is asked for.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(CheckArguments),
    #[cfg(feature = "web")]
    Fetch(FetchCommandArguments),
    #[cfg(not(feature = "web"))]
    #[command(about = NOT_HERE)]
    Fetch(LeftOutArguments),
    #[cfg(feature = "filter")]
    Filter(FilterArguments),
    #[cfg(not(feature = "filter"))]
    #[command(about = NOT_HERE)]
    Filter(LeftOutArguments),
    #[cfg(feature = "web")]
    History(HistoryArguments),
    #[cfg(not(feature = "web"))]
    #[command(about = NOT_HERE)]
    History(LeftOutArguments),
    Lint(Box<LintArguments>),
    #[cfg(feature = "lsp")]
    Lsp(LspArguments),
    #[cfg(not(feature = "lsp"))]
    #[command(about = NOT_HERE)]
    Lsp(LeftOutArguments),
    Parse(ParseArguments),
    #[cfg(feature = "page")]
    Report(Box<ReportArguments>),
    #[cfg(not(feature = "page"))]
    #[command(about = NOT_HERE)]
    Report(LeftOutArguments),
    Robots(RobotsArguments),
    Diff(Box<DiffArguments>),
    Add(Box<AddArguments>),
    Who(Box<WhoArguments>),
    Test(Box<TestArguments>),
    #[cfg(feature = "web")]
    Watch(Box<WatchArguments>),
    #[cfg(not(feature = "web"))]
    #[command(about = NOT_HERE)]
    Watch(LeftOutArguments),
    #[cfg(feature = "audit")]
    Audit(Box<AuditArguments>),
    #[cfg(not(feature = "audit"))]
    #[command(about = NOT_HERE)]
    Audit(LeftOutArguments),
    #[cfg(feature = "bulk")]
    Bulk(BulkArguments),
    #[cfg(not(feature = "bulk"))]
    #[command(about = NOT_HERE)]
    Bulk(LeftOutArguments),
    Crawlers(CrawlersArguments),
    Clause(ClauseArguments),
    Profiles(ProfilesArguments),
    #[cfg(feature = "web")]
    Store(StoreCommandArguments),
    #[cfg(not(feature = "web"))]
    #[command(about = NOT_HERE)]
    Store(LeftOutArguments),
    Completions(CompletionsArguments),
    #[cfg(feature = "man")]
    Man(ManArguments),
    #[cfg(not(feature = "man"))]
    #[command(about = NOT_HERE)]
    Man(LeftOutArguments),
}
