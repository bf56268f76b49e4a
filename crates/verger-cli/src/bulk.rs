//! `verger bulk`: captures and URLs by the million, as columns.

use clap::{Args, Subcommand};

use crate::outcome::CommandResult;

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
pub(crate) enum BulkCommand {}

/// Runs the command.
pub(crate) fn run(command: BulkCommand) -> CommandResult {
    match command {}
}
