//! `verger parse`: what a file holds, and what was ignored.

use std::error::Error;
use std::ffi::OsString;
use std::io::Write;

use clap::Args;
use verger::{Dialect, RobotsTxt};

use crate::input::Source;
use crate::outcome::{CommandResult, Outcome};
use crate::reading_arguments::ReadingArguments;

/// Show what a robots.txt holds: groups, rules, values, and what was ignored
#[derive(Args, Clone, Debug)]
pub(crate) struct ParseArguments {
    /// The robots.txt; `-` for standard input
    #[arg(value_name = "FILE")]
    robots: OsString,

    /// Answer in JSON (schema verger.parse/1 or verger.report/1, in docs/json.md)
    #[arg(long)]
    json: bool,

    /// A line for each line, as Google's parsing report has it; read by google unless told
    #[arg(long)]
    report: bool,

    #[command(flatten)]
    reading: ReadingArguments,
}

/// Runs the command.
pub(crate) fn run(_arguments: &ParseArguments) -> CommandResult {
    Ok(Outcome::Success)
}
