//! `verger store stat`: how much there is.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use verger_access::Timestamp;
use verger_store::{Damage, DamageKind, Stat, Store, time_text};

use crate::count_of::CountOf;
use crate::notice;
use crate::octet_text::legible;
use crate::outcome::{CommandResult, Outcome};
use crate::palette::{self, FAINT};
use crate::progress::during;
use crate::store_arguments::StoreArguments;

const SCHEMA: &str = "verger.store-stat/1";

/// Print how much the store holds
///
/// With --check, exit code 2: the store is damaged.
#[derive(Args, Clone, Debug)]
pub(crate) struct StatArguments {
    #[command(flatten)]
    store: StoreArguments,

    /// Read everything, and print what is damaged and which sites that concerns
    #[arg(long)]
    check: bool,

    /// Answer in JSON (schema verger.store-stat/1, in docs/json.md)
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(arguments: &StatArguments) -> CommandResult {
    let store = arguments.store.read_existing()?;
    let check = || during("reading the whole store", || store.check());
    let found = arguments.check.then(check).transpose()?;
    let stat = store.stat();
    if stat.is_err() {
        // A file may be too damaged to be counted. What was found is said all the same.
        for damage in found.iter().flatten() {
            notice::note(legible(damage.to_string().as_bytes()));
        }
    }
    let report = Report {
        path: arguments.store.path()?.to_string_lossy().into_owned(),
        stat: stat?,
        found,
    };
    if arguments.json {
        report.write_json()?;
    } else {
        report.write()?;
    }
    let is_damaged = report.found.is_some_and(|found| !found.is_empty());
    Ok(if is_damaged {
        Outcome::Unanswered
    } else {
        Outcome::Success
    })
}

struct Report {
    path: String,
    stat: Stat,
    /// What is wrong, where that was asked.
    found: Option<Vec<Damage>>,
}

/// One finding.
#[derive(Serialize)]
struct Finding {
    kind: &'static str,
    body: Option<String>,
    snapshot: Option<u64>,
    authorities: Vec<String>,
    message: String,
}

impl Finding {
    fn of(damage: &Damage) -> Self {
        let (body, snapshot) = match &damage.kind {
            DamageKind::Body(hash) => (Some(hash.to_string()), None),
            DamageKind::Snapshot(id) => (None, Some(id.0)),
            _ => (None, None),
        };
        Self {
            kind: damage.kind.as_str(),
            body,
            snapshot,
            authorities: damage.authorities.iter().map(ToString::to_string).collect(),
            message: legible(damage.to_string().as_bytes()),
        }
    }
}

impl Report {
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
            damage: Option<Vec<Finding>>,
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
            checked: self.found.is_some(),
            damage: (self.found.as_ref()).map(|found| found.iter().map(Finding::of).collect()),
        };
        let mut output = io::stdout().lock();
        verger_answer::json::to_writer(&mut output, &document)?;
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
        let checked = match &self.found {
            None => String::new(),
            Some(found) if found.is_empty() => {
                "the whole store was read: it is not damaged".to_owned()
            }
            Some(found) => format!("{}:", CountOf(found.len(), "finding", "findings")),
        };
        let facts = [
            ("store", legible(self.path.as_bytes())),
            ("authorities", authorities.to_string()),
            ("snapshots", snapshots.to_string()),
            ("first put", time(first_ended_at)),
            ("last put", time(last_ended_at)),
            (
                "bodies",
                format!("{bodies} of {}", CountOf(body_octets, "byte", "bytes")),
            ),
            ("leases", leases.to_string()),
            ("file", format!("{octets} bytes")),
            ("check", checked),
        ];
        let mut output = palette::stdout();
        for (what, fact) in facts.iter().filter(|(_, fact)| !fact.is_empty()) {
            writeln!(output, "{FAINT}{what:<11}{FAINT:#}  {fact}")?;
        }
        for damage in self.found.iter().flatten() {
            writeln!(output, "  {}", legible(damage.to_string().as_bytes()))?;
        }
        output.flush()
    }
}
