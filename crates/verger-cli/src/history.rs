//! `verger history`: what was seen of a site's robots.txt, when, and what changed.
//!
//! | module | one line |
//! |---|---|
//! | `change` | what changed from one snapshot to the next |
//! | `entry` | one snapshot, and what changed with it |
//! | `showing` | whether lines that changed are shown |
//! | `human` | for people |
//! | `json` | as JSON Lines |

mod change;
mod entry;
mod human;
mod json;
mod showing;

use std::error::Error;

use clap::Args;
use verger_access::{Authority, Timestamp};
use verger_store::{SnapshotId, SqliteStore, Store};

use crate::authority_argument::authority;
use crate::notice;
use crate::outcome::{CommandResult, Outcome};
use crate::palette;
use crate::store_arguments::StoreArguments;
use crate::time_argument::{any_time, past_time};
use entry::{End, HistoryEntry, Rendering};
use human::Human;
use json::JsonLines;
use showing::Showing;

/// How many snapshots are read at once.
const PAGE_SNAPSHOTS: usize = 256;

/// Show what was seen of a site's robots.txt, oldest first, and what changed
///
/// Exit code 0: something was seen; 3: the store knows nothing about the site, or nothing of that
/// time.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct HistoryArguments {
    /// A URL of the site, or its host, which means https
    #[arg(value_name = "URL|HOST", value_parser = authority)]
    site: Authority,

    #[command(flatten)]
    store: StoreArguments,

    /// Only what was seen from this time on: 2026-11-20T17:02:11Z, 2026-11-20, 7d (before now),
    /// yesterday or @1795194131
    #[arg(long, value_name = "TIME", value_parser = past_time)]
    since: Option<Timestamp>,

    /// Only what was seen before this time
    #[arg(long, value_name = "TIME", value_parser = any_time)]
    until: Option<Timestamp>,

    /// Show the lines that changed
    #[arg(long)]
    diff: bool,

    /// Answer in JSON Lines (schema verger.history/1, in docs/json.md)
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  verger history example.com
  verger history --since 30d --diff https://example.com/page
  verger history --json --store crawl.db example.com";

/// Runs the command.
pub(crate) fn run(arguments: &HistoryArguments) -> CommandResult {
    let site = &arguments.site;
    let store = arguments.store.read_existing()?;
    let showing = if arguments.diff {
        Showing::Lines
    } else {
        Showing::Counts
    };
    let written = if arguments.json {
        write(arguments, &store, &mut JsonLines::new(showing))?
    } else {
        let output = palette::stdout();
        write(arguments, &store, &mut Human::new(output, showing))?
    };
    if written > 0 {
        return Ok(Outcome::Success);
    }
    let when = match (arguments.since, arguments.until) {
        (None, None) => "",
        _ => " at that time",
    };
    notice::error(format_args!("the store has nothing about {site}{when}"));
    Ok(Outcome::Unknown)
}

/// Writes the history; returns how many snapshots it has.
fn write(
    arguments: &HistoryArguments,
    store: &SqliteStore,
    rendering: &mut impl Rendering,
) -> Result<u64, Box<dyn Error>> {
    let HistoryArguments { site, until, .. } = arguments;
    let since = arguments.since.unwrap_or_default();
    let until = until.unwrap_or(Timestamp::from_unix_seconds(u64::MAX));
    let mut before = End::before(since, site, store)?;
    let mut written = 0;
    let mut after = SnapshotId::BEFORE_ALL;
    loop {
        let page = store.snapshots(site, since..until, after, PAGE_SNAPSHOTS)?;
        let Some(last) = page.last() else {
            break;
        };
        after = last.id;
        for snapshot in page {
            let entry = HistoryEntry::new(snapshot, before.as_ref(), store)?;
            rendering.entry(&entry)?;
            written += 1;
            before = Some(entry.end(before));
        }
    }
    rendering.flush()?;
    Ok(written)
}
