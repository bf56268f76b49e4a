//! `verger store stat`: the size of the store.

use std::io::{self, Write};

use clap::Args;
use verger_access::Timestamp;
use verger_answer::CountOf;
use verger_answer::json;
use verger_store::{Stat, StatAnswer};

use crate::arguments::store::StoreArguments;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::byte_text::legible;
use crate::screen::notice;
use crate::screen::output_format::{FormatArguments, Formats};
use crate::screen::palette::{self, FAINT};
use crate::screen::progress::during;

/// Show the size of the store
///
/// With `--check`, exit code 2: the store is damaged.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StatArguments {
    #[command(flatten)]
    store: StoreArguments,

    /// Read everything, and list damage and the sites that it affects
    #[arg(long)]
    check: bool,

    #[command(flatten)]
    format: FormatArguments<Self>,
}

impl Formats for StatArguments {
    const HUMAN: &'static str = "A line for each number";
    const JSON: &'static str = "JSON (schema verger.store-stat/1, in docs/json.md)";
}

const EXAMPLES: &str = "\
Examples:
  verger store stat
  verger store stat --check
  verger store stat --store crawl.db --json";

pub(crate) fn run(arguments: &StatArguments) -> CommandResult {
    let store = arguments.store.read_existing()?;
    let file = arguments.check.then(|| store.file()).transpose()?;
    let found = file.map(|file| during("reading the whole store", || file.check()));
    let found = found.transpose()?;
    let stat = store.stat();
    if stat.is_err() {
        // A file may be too damaged to be counted. Print what was found anyway.
        for damage in found.iter().flatten() {
            notice::note(legible(damage.to_string().as_bytes()));
        }
    }
    let answer = StatAnswer {
        path: store.name().to_owned(),
        stat: stat?,
        damage: found,
    };
    if arguments.format.is_json() {
        let mut output = io::stdout().lock();
        json::write_line(&mut output, &answer)?;
        output.flush()?;
    } else {
        write(&answer)?;
    }
    let is_whole = answer.damage.is_none_or(|found| found.is_empty());
    Ok(Outcome::Unanswered.unless(is_whole))
}

fn write(answer: &StatAnswer) -> io::Result<()> {
    let Stat {
        authorities,
        snapshots,
        bodies,
        body_bytes,
        leases,
        bytes,
        first_ended_at,
        last_ended_at,
    } = answer.stat;
    let time = |time: Option<Timestamp>| time.map_or_else(|| "-".to_owned(), |it| it.to_string());
    let checked = match &answer.damage {
        None => String::new(),
        Some(found) if found.is_empty() => "the whole store was read: it is not damaged".to_owned(),
        Some(found) => format!("{}:", CountOf(found.len(), "finding", "findings")),
    };
    let facts = [
        ("store", legible(answer.path.as_bytes())),
        ("authorities", authorities.to_string()),
        ("snapshots", snapshots.to_string()),
        ("first put", time(first_ended_at)),
        ("last put", time(last_ended_at)),
        (
            "bodies",
            format!("{bodies} of {}", CountOf(body_bytes, "byte", "bytes")),
        ),
        ("leases", leases.to_string()),
        ("file", format!("{bytes} bytes")),
        ("check", checked),
    ];
    let mut output = palette::stdout();
    for (what, fact) in facts.iter().filter(|(_, fact)| !fact.is_empty()) {
        writeln!(output, "{FAINT}{what:<11}{FAINT:#}  {fact}")?;
    }
    for damage in answer.damage.iter().flatten() {
        writeln!(output, "  {}", legible(damage.to_string().as_bytes()))?;
    }
    output.flush()
}
