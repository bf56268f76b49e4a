//! `verger bulk`: captures and URLs by the million, as columns.
//!
//! | module | one line |
//! |---|---|
//! | `captures` | WARC files to a row for each capture |
//! | `capture_input` | a WARC file, or standard input |
//! | `capture_run` | several files through several threads |
//! | `capture_progress` | how far it is, and what there was |

mod capture_input;
mod capture_progress;
mod capture_run;
mod captures;

use clap::{Args, Subcommand};

use crate::outcome::CommandResult;
use captures::CapturesArguments;

/// Captures of robots.txt and URLs by the million, as columns of Parquet
///
/// docs/columns.md lists the columns.
#[derive(Args, Clone, Debug)]
pub(crate) struct BulkArguments {
    #[command(subcommand)]
    pub(crate) command: BulkCommand,
}

/// What is asked for.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum BulkCommand {
    Captures(CapturesArguments),
}

/// Runs the command.
pub(crate) fn run(command: BulkCommand) -> CommandResult {
    match command {
        BulkCommand::Captures(arguments) => captures::run(&arguments),
    }
}
