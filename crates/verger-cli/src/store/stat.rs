//! `verger store stat`: how much there is.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use verger_access::Timestamp;
use verger_store::{Stat, Store, time_text};

use crate::octet_text::legible;
use crate::outcome::{CommandResult, Outcome};
use crate::palette::{self, FAINT};
use crate::store_arguments::StoreArguments;

const SCHEMA: &str = "verger.store-stat/1";

/// Tell how much the store has
#[derive(Args, Clone, Debug)]
pub(crate) struct StatArguments {
    #[command(flatten)]
    store: StoreArguments,

    /// Read the whole file, and fail where something is wrong with it
    #[arg(long)]
    check: bool,

    /// Answer in JSON (schema verger.store-stat/1, in docs/json.md)
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(arguments: &StatArguments) -> CommandResult {
    let store = arguments.store.open_existing()?;
    if arguments.check {
        store.check()?;
    }
    let told = Told {
        path: arguments.store.path()?.to_string_lossy().into_owned(),
        stat: store.stat()?,
        checked: arguments.check,
    };
    if arguments.json {
        told.write_json()?;
    } else {
        told.write()?;
    }
    Ok(Outcome::Success)
}

struct Told {
    path: String,
    stat: Stat,
    checked: bool,
}

impl Told {
    fn write_json(&self) -> io::Result<()> {
        #[derive(Serialize)]
        struct Document<'p> {
            schema: &'static str,
            path: &'p str,
            authorities: u64,
            snapshots: u64,
            bodies: u64,
            leases: u64,
            body_octets: u64,
            octets: u64,
            first_ended_at: Option<String>,
            last_ended_at: Option<String>,
            checked: bool,
        }
        let stat = self.stat;
        let document = Document {
            schema: SCHEMA,
            path: &self.path,
            authorities: stat.authorities,
            snapshots: stat.snapshots,
            bodies: stat.bodies,
            leases: stat.leases,
            body_octets: stat.body_octets,
            octets: stat.octets,
            first_ended_at: stat.first_ended_at.map(time_text),
            last_ended_at: stat.last_ended_at.map(time_text),
            checked: self.checked,
        };
        let mut output = io::stdout().lock();
        serde_json::to_writer(&mut output, &document)?;
        output.write_all(b"\n")?;
        output.flush()
    }

    fn write(&self) -> io::Result<()> {
        let Stat {
            authorities,
            snapshots,
            bodies,
            body_octets,
            leases,
            octets,
            first_ended_at,
            last_ended_at,
        } = self.stat;
        let time = |time: Option<Timestamp>| time.map_or_else(|| "-".to_owned(), time_text);
        let checked = if self.checked {
            "all of it read: nothing is wrong"
        } else {
            ""
        };
        let facts = [
            ("store", legible(self.path.as_bytes())),
            ("authorities", authorities.to_string()),
            ("snapshots", snapshots.to_string()),
            ("first put", time(first_ended_at)),
            ("last put", time(last_ended_at)),
            ("bodies", format!("{bodies} of {body_octets} octets")),
            ("leases", leases.to_string()),
            ("file", format!("{octets} octets")),
            ("check", checked.to_owned()),
        ];
        let mut output = palette::stdout();
        for (what, fact) in facts.iter().filter(|(_, fact)| !fact.is_empty()) {
            writeln!(output, "{FAINT}{what:<11}{FAINT:#}  {fact}")?;
        }
        output.flush()
    }
}
