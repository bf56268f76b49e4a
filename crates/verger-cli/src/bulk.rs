//! `verger bulk`: captures and URLs by the million, to Parquet.
//!
//! | module | one line |
//! |---|---|
//! | `captures` | converts WARC files to a row for each capture |
//! | `bodies_arguments` | the source of rules: captures, a store, or given files |
//! | `column_arguments` | the format of lists of URLs, and their columns |
//! | `check` | answers about URLs |
//! | `classes` | everything, some or nothing, for each file and crawler |
//! | `rows_arguments` | the output and its format |

mod bodies_arguments;
mod captures;
mod check;
mod classes;
mod column_arguments;
mod rows_arguments;

use std::panic;
use std::sync::Once;

use clap::{Args, Subcommand};
use verger_bulk::is_panic_caught;

use crate::outcome::CommandResult;
use captures::CapturesArguments;

/// Process captures and URLs by the million, to Parquet
///
/// docs/columns.md describes the columns.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BulkArguments {
    #[command(subcommand)]
    command: BulkCommand,
}

const EXAMPLES: &str = "\
Examples:
  verger bulk captures robotstxt.warc.gz -o captures.parquet
  verger bulk check urls.csv --captures captures.parquet -o answers.parquet
  verger bulk classes --captures captures.parquet --report classes.html";

/// The command of `bulk` that was named.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum BulkCommand {
    Captures(CapturesArguments),
    Check(Box<check::BulkCheckArguments>),
    Classes(Box<classes::BulkClassesArguments>),
}

pub(crate) fn run(arguments: &BulkArguments) -> CommandResult {
    static HOOK: Once = Once::new();
    HOOK.call_once(hide_caught_panics);
    match &arguments.command {
        BulkCommand::Captures(arguments) => captures::run(arguments),
        BulkCommand::Check(arguments) => check::run(arguments),
        BulkCommand::Classes(arguments) => classes::run(arguments),
    }
}

/// Suppresses the output of panics that become errors about malformed Parquet files. A panic calls
/// the hook before it can be caught. Call it once in a process, which may run several commands.
fn hide_caught_panics() {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !is_panic_caught() {
            hook(info);
        }
    }));
}
