//! The commands and their help.

use std::ffi::OsString;

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
    reason = "the commands that are left out depend on the features"
)]
use crate::left_out::commands::*;
#[cfg(feature = "lsp")]
use crate::lsp;
#[cfg(feature = "man")]
use crate::man;
use crate::outcome::CommandResult;
#[cfg(feature = "page")]
use crate::report;
use crate::screen::message::Message;
use crate::screen::palette;
use crate::{
    add, check, clause, command_groups, completions, crawlers, diff, lint, mistake, parse,
    profiles, robots, test_claims, who,
};
#[cfg(feature = "web")]
use crate::{fetch, history, hook, store, watch};

/// Check, lint, compare and audit robots.txt files
#[derive(Debug, Parser)]
#[command(name = "verger", version, after_help = EXIT_CODES)]
pub(crate) struct CommandLine {
    /// When to use colours
    ///
    /// `auto` uses them on a terminal unless `NO_COLOR` is set, and everywhere if `CLICOLOR_FORCE` is set.
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

pub(crate) enum NotRun {
    Page(clap::Error),
    Mistake(Message),
}

pub(crate) fn program() -> clap::Command {
    let program = CommandLine::command();
    let commands = command_groups::listed(&program);
    program.help_template(format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{commands}{{options}}{{after-help}}"
    ))
}

impl CommandLine {
    /// Reads the arguments, the name of the program first, and chooses colours.
    pub(crate) fn read(arguments: &[OsString]) -> Result<Command, NotRun> {
        let color = color_of_help(arguments);
        let mut program = program().color(color);
        let matches = program.try_get_matches_from_mut(arguments);
        match matches.and_then(|matches| Self::from_arg_matches(&matches)) {
            Ok(Self { color, command }) => {
                palette::choose(color);
                Ok(command)
            }
            Err(error) if is_page(&error) => Err(NotRun::Page(error)),
            Err(error) => {
                palette::choose(color);
                Err(NotRun::Mistake(mistake::message(
                    &error, arguments, &program,
                )))
            }
        }
    }
}

fn is_page(error: &clap::Error) -> bool {
    use clap::error::ErrorKind;
    let kind = error.kind();
    !error.use_stderr() || kind == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
}

/// Returns the value of `--color` before the arguments are read, because help and errors have
/// colours too.
fn color_of_help(arguments: &[OsString]) -> ColorChoice {
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

const EXIT_CODES: &str = "\
Exit codes:
  0     success: everything is allowed, or nothing was found
  1     the answer is no: disallowed, not indexed, found or changed
  2     an error, explained on standard error
  3, 4  no answer: nothing is known (3), or a robots.txt is unreachable (4)

`verger COMMAND -h` shows examples and options, `--help` every detail.";

/// The command that was named, in the order of [`command_groups::GROUPS`].
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(check::CheckArguments),
    Fetch(fetch::FetchCommandArguments),
    Filter(filter::FilterArguments),
    Lint(Box<lint::LintArguments>),
    Who(Box<who::WhoArguments>),
    Diff(Box<diff::DiffArguments>),
    Test(Box<test_claims::TestArguments>),
    Add(Box<add::AddArguments>),
    Watch(Box<watch::WatchArguments>),
    Hook(Box<hook::HookArguments>),
    Report(Box<report::ReportArguments>),
    History(history::HistoryArguments),
    Audit(Box<audit::AuditArguments>),
    Bulk(bulk::BulkArguments),
    Store(store::StoreCommandArguments),
    Parse(parse::ParseArguments),
    Crawlers(crawlers::CrawlersArguments),
    Clause(clause::ClauseArguments),
    Profiles(profiles::ProfilesArguments),
    Robots(robots::RobotsArguments),
    Lsp(lsp::LspArguments),
    Completions(completions::CompletionsArguments),
    Man(man::ManArguments),
}

impl Command {
    pub(crate) fn run(&self) -> CommandResult {
        match self {
            Self::Check(arguments) => check::run(arguments),
            Self::Fetch(arguments) => fetch::run(arguments),
            Self::Filter(arguments) => filter::run(arguments),
            Self::Lint(arguments) => lint::run(arguments),
            Self::Who(arguments) => who::run(arguments),
            Self::Diff(arguments) => diff::run(arguments),
            Self::Test(arguments) => test_claims::run(arguments),
            Self::Add(arguments) => add::run(arguments),
            Self::Watch(arguments) => watch::run(arguments),
            Self::Hook(arguments) => hook::run(arguments),
            Self::Report(arguments) => report::run(arguments),
            Self::History(arguments) => history::run(arguments),
            Self::Audit(arguments) => audit::run(arguments),
            Self::Bulk(arguments) => bulk::run(arguments),
            Self::Store(arguments) => store::run(arguments),
            Self::Parse(arguments) => parse::run(arguments),
            Self::Crawlers(arguments) => crawlers::run(arguments),
            Self::Clause(arguments) => clause::run(arguments),
            Self::Profiles(arguments) => profiles::run(arguments),
            Self::Robots(arguments) => robots::run(arguments),
            Self::Lsp(arguments) => lsp::run(arguments),
            Self::Completions(arguments) => completions::run(arguments, CommandLine::command()),
            Self::Man(arguments) => man::run(arguments, CommandLine::command()),
        }
    }
}

#[cfg(all(test, feature = "full"))]
mod tests {
    use super::*;

    const COLUMNS: usize = 80;

    /// Visits every command, with the words that call it.
    fn each(command: &clap::Command, path: &str, visit: &mut impl FnMut(&str, &clap::Command)) {
        visit(path, command);
        for command in command.get_subcommands() {
            if command.get_name() != "help" {
                each(command, &format!("{path} {}", command.get_name()), visit);
            }
        }
    }

    fn built() -> clap::Command {
        let mut program = program().term_width(COLUMNS);
        program.build();
        program
    }

    /// Splits a command like a shell, up to a redirection or a pipe.
    fn words(command: &str) -> Vec<String> {
        let (mut words, mut quote) = (vec![String::new()], None);
        for character in command.chars() {
            match (quote, character) {
                (None, '\'' | '"') => quote = Some(character),
                (Some(open), close) if open == close => quote = None,
                (None, ' ') => words.push(String::new()),
                (_, character) => words.last_mut().unwrap().push(character),
            }
        }
        let ends = |word: &String| ["|", ">", "<", "2>", "&&"].contains(&word.as_str());
        let words = words.into_iter().take_while(|word| !ends(word));
        words.filter(|word| !word.is_empty()).collect()
    }

    fn examples(help: &str) -> Vec<&str> {
        let (_, examples) = help.split_once("Examples:\n").unwrap_or_default();
        let lines = examples.lines();
        lines
            .take_while(|line| line.starts_with("  "))
            .map(str::trim)
            .collect()
    }

    #[test]
    fn short_help_fits_a_screen() {
        each(&built(), "verger", &mut |path, command| {
            let help = command.clone().render_help().to_string();
            let lines_max = if path == "verger" { 50 } else { 40 };
            assert!(help.lines().count() <= lines_max, "{path}:\n{help}");
            for line in help.lines() {
                assert!(line.chars().count() <= COLUMNS, "{path}: {line}");
            }
            let about = command.get_about().unwrap().to_string();
            assert!(about.chars().count() < 70, "{path}: {about}");
            assert!(about.starts_with(char::is_uppercase), "{path}: {about}");
            assert!(!about.ends_with('.'), "{path}: {about}");
        });
    }

    #[test]
    fn short_help_has_three_examples_that_parse() {
        let mut seen = std::collections::BTreeSet::new();
        each(&built(), "verger", &mut |path, command| {
            if path == "verger" {
                return;
            }
            let help = command.get_after_help().unwrap().to_string();
            let examples = examples(&help);
            assert_eq!(examples.len(), 3, "{path}: {examples:?}");
            for example in examples {
                let own = example.rsplit(" | ").find(|it| it.starts_with("verger "));
                let own = own.or_else(|| example.split(" | ").find(|it| it.starts_with("verger ")));
                let own = own.unwrap_or_else(|| panic!("{path}: {example}"));
                assert!(own.starts_with(path), "{path}: {example}");
                let read = program().try_get_matches_from(words(own));
                assert!(read.is_ok(), "{example}: {}", read.unwrap_err());
                assert!(
                    command.has_subcommands() || seen.insert(example.to_owned()),
                    "{example}"
                );
            }
        });
    }

    #[test]
    fn all_examples_of_long_help_parse() {
        each(&built(), "verger", &mut |path, command| {
            let help = command.get_after_long_help().map(ToString::to_string);
            for example in examples(&help.unwrap_or_default()) {
                if !example.contains("verger ") || example.ends_with('\\') {
                    continue;
                }
                let own = example
                    .split(" | ")
                    .find(|it| it.starts_with("verger "))
                    .unwrap();
                let read = program().try_get_matches_from(words(own));
                assert!(read.is_ok(), "{path}: {example}: {}", read.unwrap_err());
            }
        });
    }
}
