//! `verger bulk`: captures and URLs by the million, as columns.
//!
//! | module | one line |
//! |---|---|
//! | `captures` | WARC files to a row for each capture |
//! | `bodies_arguments` | captures, a store, or bodies that are given |
//! | `column_arguments` | the form of lists of URLs, and their columns |
//! | `check` | answers about URLs |
//! | `classes` | everything, some or nothing, for each body and crawler |
//! | `rows_arguments` | where rows go, and in which form |

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

/// Captures of robots.txt and URLs by the million, as columns of Parquet
///
/// docs/columns.md lists the columns.
#[derive(Args, Clone, Debug)]
pub(crate) struct BulkArguments {
    #[command(subcommand)]
    command: BulkCommand,
}

/// What is asked for.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum BulkCommand {
    Captures(CapturesArguments),
    Check(Box<check::BulkCheckArguments>),
    Classes(Box<classes::BulkClassesArguments>),
}

/// Runs the command.
pub(crate) fn run(arguments: &BulkArguments) -> CommandResult {
    static HOOK: Once = Once::new();
    HOOK.call_once(hide_caught_panics);
    match &arguments.command {
        BulkCommand::Captures(arguments) => captures::run(arguments),
        BulkCommand::Check(arguments) => check::run(arguments),
        BulkCommand::Classes(arguments) => classes::run(arguments),
    }
}

/// Prints no panic that becomes an error of a malformed Parquet file. A panic calls the hook before it can be
/// caught, so that there is no other way. Call it once a process, which may run several commands.
fn hide_caught_panics() {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !is_panic_caught() {
            hook(info);
        }
    }));
}
