//! `verger store`: the store of robots.txt files that were fetched.
//!
//! | module | one line |
//! |---|---|
//! | `stat`, `list` | the size of the store; the state of each site |
//! | `sweep` | deletes old history |
//! | `export`, `import` | all or part of the store as JSON Lines |
//! | `counted` | progress of both |

mod counted;
mod export;
mod import;
mod list;
mod stat;
mod sweep;

use clap::{Args, Subcommand};

use crate::arguments::store::StoreArguments;
use crate::outcome::CommandResult;
use export::ExportArguments;
use import::ImportArguments;
use list::ListArguments;
use stat::StatArguments;
use sweep::SweepArguments;

/// Inspect, sweep, export and import the store
///
/// The store has every robots.txt that was fetched, and when.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StoreCommandArguments {
    #[command(subcommand)]
    command: StoreCommand,
}

const EXAMPLES: &str = "\
Examples:
  verger store list --failing
  verger store sweep --keep 400d --dry-run
  verger store export backup.jsonl";

const INIT_EXAMPLES: &str = "\
Examples:
  verger store init
  verger store init --store store.db
  verger store init --store postgres://crawler@db.example/robots";

/// The command of `store` that was named.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// Create the store in a database, or migrate it from an older version
    #[command(after_help = INIT_EXAMPLES)]
    Init {
        #[command(flatten)]
        store: StoreArguments,
    },
    Stat(StatArguments),
    List(ListArguments),
    Sweep(SweepArguments),
    Export(ExportArguments),
    Import(ImportArguments),
}

pub(crate) fn run(arguments: &StoreCommandArguments) -> CommandResult {
    match &arguments.command {
        StoreCommand::Init { store } => store.init(),
        StoreCommand::Stat(arguments) => stat::run(arguments),
        StoreCommand::List(arguments) => list::run(arguments),
        StoreCommand::Sweep(arguments) => sweep::run(arguments),
        StoreCommand::Export(arguments) => export::run(arguments),
        StoreCommand::Import(arguments) => import::run(arguments),
    }
}
