//! `verger store sweep`: deletes old history.

use std::error::Error;
use std::io::{self, Write};
use std::time::Duration;

use clap::{ArgGroup, Args};
use verger_access::Timestamp;
use verger_answer::CountOf;
use verger_client::{Clock as _, SystemClock};
use verger_store::{KeptStore, StoreSettings, Swept, length};

use crate::arguments::store::StoreArguments;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::progress::during;

const USAGE: &str = "\
verger store sweep --keep LENGTH [OPTIONS]
       verger store sweep --site-snapshots COUNT [OPTIONS]
       verger store sweep --site-bytes BYTES [OPTIONS]";

/// Delete history that is old, or beyond a limit for each site
///
/// The latest snapshot of each site stays, however old, with the last good copy and the snapshot that was in
/// force when the time to keep began. For sites that are not fetched any more, the records of what receivers of
/// `watch` got are deleted too. The file shrinks accordingly. A file of an older version is rewritten once, which
/// needs as much free space again.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
#[command(group = ArgGroup::new("bound").required(true).multiple(true), override_usage = USAGE)]
pub(crate) struct SweepArguments {
    /// Age of history to keep, such as 400d, 4w or 12h
    #[arg(long, value_name = "LENGTH", value_parser = length, group = "bound")]
    keep: Option<Duration>,

    /// Maximum number of snapshots for each site; the oldest are deleted
    #[arg(long, value_name = "COUNT", group = "bound")]
    site_snapshots: Option<u64>,

    /// Maximum size of each site, in bytes; the oldest snapshots are deleted
    #[arg(long, value_name = "BYTES", group = "bound")]
    site_bytes: Option<u64>,

    /// Print what would be deleted, and delete nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    store: StoreArguments,
}

const EXAMPLES: &str = "\
Examples:
  verger store sweep --keep 400d --dry-run
  verger store sweep --keep 400d --site-bytes 50000000
  verger store sweep --site-snapshots 100 --store crawl.db";

pub(crate) fn run(arguments: &SweepArguments) -> CommandResult {
    let now = SystemClock.now();
    let keep_from = arguments.keep.map(|keep| {
        let keep_from = now.unix_seconds().saturating_sub(keep.as_secs());
        Timestamp::from_unix_seconds(keep_from)
    });
    let mut quota = StoreSettings::default();
    quota.authority_snapshots_max = arguments.site_snapshots;
    quota.authority_bytes_max = arguments.site_bytes;
    let (verb, swept) = if arguments.dry_run {
        let store = arguments.store.read_existing()?;
        let file = store.file()?;
        let preview = || file.preview_sweep(keep_from, &quota, now);
        let swept = during("counting what would be deleted", preview)?;
        ("would be deleted", swept)
    } else {
        let store = arguments.store.open_existing()?;
        ("deleted", sweep(&store, keep_from, &quota, now)?)
    };
    let mut output = io::stdout().lock();
    write!(
        output,
        "{verb}: {}, {} and {}",
        CountOf(swept.snapshots, "snapshot", "snapshots"),
        CountOf(swept.bodies, "body", "bodies"),
        CountOf(swept.leases, "expired lease", "expired leases")
    )?;
    if swept.deliveries > 0 {
        let deliveries = CountOf(swept.deliveries, "delivery", "deliveries");
        write!(output, ", {deliveries} to receivers")?;
    }
    writeln!(output)?;
    output.flush()?;
    Ok(Outcome::Success)
}

fn sweep(
    store: &KeptStore,
    keep_from: Option<Timestamp>,
    quota: &StoreSettings,
    now: Timestamp,
) -> Result<Swept, Box<dyn Error>> {
    let mut swept = Swept::default();
    if let Some(keep_from) = keep_from {
        swept = during("deleting old history", || store.sweep(keep_from, now))?;
    }
    let file = match store.file() {
        // A database has no quotas, and reclaims space itself.
        Err(_) if *quota == StoreSettings::default() => return Ok(swept),
        file => file?,
    };
    let beyond_quota = during("deleting what a site has too much", || file.enforce(quota))?;
    swept.snapshots += beyond_quota.snapshots;
    swept.bodies += beyond_quota.bodies;
    during("shrinking the file", || file.compact())?;
    Ok(swept)
}
