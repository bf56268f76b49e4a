//! `verger store`: what was seen of robots.txt files, when.
//!
//! | module | one line |
//! |---|---|
//! | `stat`, `list` | how much there is; what is known about each site |
//! | `sweep` | deleting what is old |
//! | `export`, `import` | the whole, or a part, as JSON Lines |
//! | `counted` | how much of that was read or written |

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

/// Make, show, list, sweep, export or import the store: what was seen of robots.txt files, when
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StoreCommandArguments {
    #[command(subcommand)]
    command: StoreCommand,
}

const EXAMPLES: &str = "\
Examples:
  verger store stat
  verger store stat --check
  verger store list --failing
  verger store sweep --keep 400d --site-bytes 50000000 --dry-run
  verger store sweep --keep 400d --site-bytes 50000000
  verger store export backup.jsonl
  verger store export --authority example.com --since 30d
  verger store import backup.jsonl --store copy.db
  verger store init --store postgres://crawler@db.example/robots";

/// What is asked for.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// Make the store in a database, or migrate one that an older version made
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

/// Runs the command.
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
