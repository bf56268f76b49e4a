//! `verger history`: what was seen of a site's robots.txt, when, and what changed.
//!
//! | module | one line |
//! |---|---|
//! | `human` | for people |
//! | `graph` | as a graph for a terminal |

mod graph;
mod human;

use std::error::Error;
use std::io::{self, BufWriter, Write as _};
use std::ops::Range;

use clap::Args;
use verger_access::{Authority, Profile, Timestamp};
use verger_answer::{json, written_site};
use verger_owner::{HistoryDetail, HistoryEntry, HistoryLine, each_history_entry};
use verger_store::{Store, StoreError, Timeline, each_authority};

use crate::arguments::profile_names::profiles;
use crate::arguments::store::StoreArguments;
use crate::arguments::time::{any_time, past_time};
use crate::outcome::{CommandResult, Outcome};
use crate::screen::notice;
use crate::screen::output_format::{FormatArguments, Formats};
use crate::screen::palette;
use crate::screen::terminal::Terminal;
use human::Human;

/// Show what was seen of a site's robots.txt, oldest first, and what changed
///
/// Exit code 0: something was seen; 3: the store knows nothing about the site, or nothing of that
/// time.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "options of a command line, each by its name"
)]
pub(crate) struct HistoryArguments {
    /// A URL of the site, or its host, which means https
    #[arg(value_name = "URL|HOST", value_parser = written_site, required_unless_present = "all")]
    site: Option<Authority>,

    /// All sites of the store, in the order of their names
    #[arg(long, conflicts_with_all = ["site", "graph"])]
    all: bool,

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

    /// Write the heads, TLS and times of each request and its reply, where the store has them (JSON)
    #[arg(long, conflicts_with = "graph")]
    facts: bool,

    /// Draw the outcomes over time, as wide as the terminal, with the changes of the body marked
    #[arg(long, conflicts_with_all = ["diff", "json"])]
    graph: bool,

    /// The profile by which the graph tells unavailable from unreachable [default: rfc9309]
    #[arg(long, value_name = "NAME", requires = "graph", value_parser = profiles())]
    profile: Option<Box<Profile>>,

    #[command(flatten)]
    format: FormatArguments<Self>,
}

impl Formats for HistoryArguments {
    const HUMAN: &'static str = "A line for each thing that was seen";
    const JSON: &'static str = "JSON Lines (schema verger.history/1, in docs/json.md)";
}

const EXAMPLES: &str = "\
Examples:
  verger history example.com
  verger history --since 30d --diff https://example.com/page
  verger history --graph --since 90d example.com
  verger history --json --store crawl.db example.com
  verger history --json --facts example.com
  verger history --json --all --since yesterday > seen.jsonl";

/// Runs the command.
pub(crate) fn run(arguments: &HistoryArguments) -> CommandResult {
    let format = &arguments.format;
    if format.is_json() {
        format.refuse(&[(arguments.graph, "--graph")])?;
    } else {
        format.refuse(&[(arguments.all, "--all"), (arguments.facts, "--facts")])?;
    }
    let store = arguments.store.read_existing()?;
    let written = if arguments.graph {
        draw(arguments, &*store)?
    } else if format.is_json() {
        let mut output = BufWriter::new(io::stdout().lock());
        let written = each_entry(arguments, &*store, |entry| {
            let line = HistoryLine::new(entry, arguments.detail());
            Ok(json::write_line(&mut output, &line)?)
        })?;
        output.flush()?;
        written
    } else {
        let site = arguments.site.as_ref().map(Authority::to_string);
        let mut human = Human {
            output: palette::stdout(),
            shows_lines: arguments.diff,
            site,
        };
        let written = each_entry(arguments, &*store, |entry| Ok(human.write(entry)?))?;
        human.output.flush()?;
        written
    };
    if written > 0 {
        return Ok(Outcome::Success);
    }
    let when = match (arguments.since, arguments.until) {
        (None, None) => "",
        _ => " at that time",
    };
    let what = arguments.site.as_ref();
    let what = what.map_or_else(|| "any site".to_owned(), Authority::to_string);
    notice::error(format_args!("the store has nothing about {what}{when}"));
    Ok(Outcome::Unknown)
}

impl HistoryArguments {
    fn detail(&self) -> HistoryDetail {
        HistoryDetail {
            diff: self.diff,
            facts: self.facts,
        }
    }

    fn during(&self) -> Range<Timestamp> {
        let end = Timestamp::from_unix_seconds(u64::MAX);
        self.since.unwrap_or_default()..self.until.unwrap_or(end)
    }
}

/// Calls `visit` with the history of the site, or of all; returns how many snapshots it has.
fn each_entry(
    arguments: &HistoryArguments,
    store: &dyn Store,
    mut visit: impl FnMut(&HistoryEntry) -> Result<(), Box<dyn Error>>,
) -> Result<u64, Box<dyn Error>> {
    let mut visited = 0;
    let mut of_site = |site: &Authority| {
        let (during, facts) = (arguments.during(), arguments.detail().read_facts());
        each_history_entry(store, site, during, facts, |entry| {
            visited += 1;
            visit(entry)
        })
    };
    match &arguments.site {
        Some(site) => of_site(site)?,
        None => each_authority(store, of_site)?,
    }
    Ok(visited)
}

/// Draws the history; returns how many snapshots it has.
fn draw(arguments: &HistoryArguments, store: &dyn Store) -> Result<u64, Box<dyn Error>> {
    let terminal = Terminal::of_stdout();
    let profile = arguments.profile.as_deref().unwrap_or(&Profile::RFC9309);
    let shape = (profile, graph::columns(terminal));
    let Some(site) = &arguments.site else {
        return Ok(0);
    };
    let during = arguments.during();
    let timeline = Timeline::read(store, site, during, shape, |_, _| Ok::<_, StoreError>(()))?;
    let Some(timeline) = timeline else {
        return Ok(0);
    };
    let mut output = palette::stdout();
    graph::write(&mut output, site, &timeline, terminal.glyphs)?;
    output.flush()?;
    Ok(timeline.snapshots)
}
