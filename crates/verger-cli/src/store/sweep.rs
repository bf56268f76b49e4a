//! `verger store sweep`: giving up what is old.

use std::io::{self, Write};
use std::time::Duration;

use clap::Args;
use verger_access::Timestamp;
use verger_client::{Clock as _, SystemClock};
use verger_store::Store;

use crate::length_argument::length;
use crate::outcome::{CommandResult, Outcome};
use crate::store_arguments::StoreArguments;

/// Give up what has no say about the last so many days
///
/// Of every authority the latest snapshot is kept, however old, and with it the last good copy; so
/// is the one that was in force when the time to keep began. The file does not become smaller: what
/// comes takes the place of what went.
#[derive(Args, Clone, Debug)]
pub(crate) struct SweepArguments {
    /// How much history is kept, such as 400d, 4w or 12h
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    keep: Duration,

    #[command(flatten)]
    store: StoreArguments,
}

/// Runs the command.
pub(crate) fn run(arguments: &SweepArguments) -> CommandResult {
    let store = arguments.store.open_existing()?;
    let now = SystemClock.now();
    let kept = arguments.keep.as_secs();
    let keep_from = Timestamp::from_unix_seconds(now.unix_seconds().saturating_sub(kept));
    let swept = store.sweep(keep_from, now)?;
    let mut output = io::stdout().lock();
    writeln!(
        output,
        "gave up {} snapshots, {} bodies and {} expired leases",
        swept.snapshots, swept.bodies, swept.leases
    )?;
    output.flush()?;
    Ok(Outcome::Success)
}
