//! `verger history`: the stored history of a site's robots.txt.
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
use verger_store::{History, Store, StoreError, Timeline, each_authority};

use crate::arguments::profile_names::profiles;
use crate::arguments::store::StoreArguments;
use crate::arguments::time::{any_time, at_that_time, now, past_time};
use crate::outcome::{CommandResult, Outcome};
use crate::screen::byte_text::write_out;
use crate::screen::message::Message;
use crate::screen::notice;
use crate::screen::output_format::{FormatArguments, Formats};
use crate::screen::palette;
use crate::screen::terminal::Terminal;
use human::Human;

/// Show the stored history of a site's robots.txt
///
/// Lists every fetch, oldest first, and what changed. Exit code 0: there is history. 3: the store has nothing
/// about the site, or nothing of that time.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "options of a command line, each by its name"
)]
pub(crate) struct HistoryArguments {
    /// A URL of the site, or its host (which means https)
    #[arg(value_name = "URL|HOST", value_parser = written_site, required_unless_present = "all")]
    site: Option<Authority>,

    /// Show all sites of the store, in the order of their names
    #[arg(long, conflicts_with_all = ["site", "graph"])]
    all: bool,

    #[command(flatten)]
    store: StoreArguments,

    /// Show only fetches since this time: 2026-11-20, 7d, yesterday
    ///
    /// Other forms are 2026-11-20T17:02:11Z and @1795194131, in seconds since 1970.
    #[arg(long, value_name = "TIME", value_parser = past_time)]
    since: Option<Timestamp>,

    /// Show only fetches before this time
    #[arg(long, value_name = "TIME", value_parser = any_time)]
    until: Option<Timestamp>,

    /// Show changed lines and what they mean
    #[arg(long)]
    diff: bool,

    /// Include headers, TLS and timing of each request, if stored (JSON)
    #[arg(long, conflicts_with = "graph")]
    facts: bool,

    /// Draw results over time, with changes of the file marked
    #[arg(long, conflicts_with_all = ["diff", "json"])]
    graph: bool,

    /// Print the last good file, or that at the time of `--until`
    #[arg(long, conflicts_with_all = ["all", "since", "diff", "json", "facts", "graph"])]
    body: bool,

    /// Profile that tells unavailable from unreachable in the graph [default: rfc9309]
    #[arg(long, value_name = "NAME", requires = "graph", value_parser = profiles())]
    #[arg(hide_possible_values = true, hide_short_help = true)]
    profile: Option<Box<Profile>>,

    #[command(flatten)]
    format: FormatArguments<Self>,
}

impl Formats for HistoryArguments {
    const HUMAN: &'static str = "A line for each fetch";
    const JSON: &'static str = "JSON Lines (schema verger.history/1, in docs/json.md)";
}

const EXAMPLES: &str = "\
Examples:
  verger history example.com
  verger history --since 30d --diff example.com
  verger history --json --all --since yesterday > history.jsonl";

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
    } else if arguments.body {
        print_body(arguments, &*store)?
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
    let when = at_that_time([arguments.since, arguments.until]);
    let what = arguments.site.as_ref();
    let what = what.map_or_else(|| "any site".to_owned(), Authority::to_string);
    let message = Message::new(format_args!("the store has nothing about {what}{when}"));
    notice::error(message.help("`verger store list` lists its sites, `verger fetch` adds one"));
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

/// Visits each snapshot of the site, or of all sites. Returns their number.
fn each_entry(
    arguments: &HistoryArguments,
    store: &dyn History,
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

/// Prints the last good copy. Returns 0 if nothing is known about the site.
fn print_body(arguments: &HistoryArguments, store: &dyn Store) -> Result<u64, Box<dyn Error>> {
    let at = arguments.until.unwrap_or_else(now);
    let state = |site| store.state_at(site, at);
    let Some(state) = arguments.site.as_ref().map(state).transpose()?.flatten() else {
        return Ok(0);
    };
    match &state.knowledge.copy {
        Some(copy) => write_out(&copy.body)?,
        None => notice::note(format_args!(
            "there is no file: {}",
            state.snapshot.attempt.outcome
        )),
    }
    Ok(1)
}

/// Draws the history. Returns the number of snapshots.
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
