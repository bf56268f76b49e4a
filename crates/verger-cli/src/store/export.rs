//! `verger store export`: the whole, or a part, as JSON Lines.

use std::ffi::OsString;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use verger_access::Timestamp;
use verger_answer::{CountOf, written_sites};
use verger_files::create_private_file;
use verger_store::{ExportError, ExportRange, Exported, Store, export};

use super::counted::Counted;
use crate::arguments::store::StoreArguments;
use crate::arguments::time::{any_time, past_time};
use crate::outcome::{CommandResult, Outcome};
use crate::screen::notice;
use crate::screen::octet_text::start_of;
use crate::screen::progress::Drawing;

const BUFFER_OCTETS: usize = 64 << 10;

/// Write what the store holds as JSON Lines (schema verger.store/1, in docs/json.md)
///
/// Exit code 3: the store has nothing about the authorities that are named, or nothing of that time;
/// no file is made then.
#[derive(Args, Clone, Debug)]
pub(crate) struct ExportArguments {
    /// A file that does not exist yet; standard output for `-`, and where none is named
    #[arg(value_name = "FILE")]
    file: Option<OsString>,

    /// Only of this authority: a URL, or a host for both https and http; may be repeated
    #[arg(long, value_name = "HOST|URL")]
    authority: Vec<String>,

    /// Only what was seen from this time on: 2026-11-20T17:02:11Z, 2026-11-20, 7d (before now),
    /// yesterday or @1795194131
    #[arg(long, value_name = "TIME", value_parser = past_time)]
    since: Option<Timestamp>,

    /// Only what was seen before this time
    #[arg(long, value_name = "TIME", value_parser = any_time)]
    until: Option<Timestamp>,

    #[command(flatten)]
    store: StoreArguments,
}

/// Runs the command.
pub(crate) fn run(arguments: &ExportArguments) -> CommandResult {
    let mut range = ExportRange::default();
    range.during.start = arguments.since.unwrap_or(range.during.start);
    range.during.end = arguments.until.unwrap_or(range.during.end);
    for name in &arguments.authority {
        range.authorities.extend(written_sites(name)?);
    }
    let store = arguments.store.read_existing()?;
    let file = arguments.file.as_ref().filter(|name| *name != "-");
    let file = file.map(PathBuf::from);
    let output: Box<dyn Write> = match &file {
        // A file that exists is not overwritten: it might be the store.
        Some(path) => Box::new(create_private_file(path).map_err(|why| {
            let path = path.to_string_lossy();
            format!("cannot write `{}`: {why}", start_of(&path))
        })?),
        None => Box::new(io::stdout().lock()),
    };
    let drawing = match &file {
        Some(_) => Drawing::Alone,
        None => Drawing::BesideAnswers,
    };
    let exported = match write(&*store, drawing, output, &range) {
        Ok(exported) => exported,
        // A closed output pipe has an exit code of its own.
        Err(ExportError::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            return Err(error.into());
        }
        Err(error) => {
            // A partial export could be taken for a whole one, and would prevent the next attempt.
            if let Some(path) = &file {
                let _ = fs::remove_file(path);
            }
            return Err(error.into());
        }
    };
    if exported.snapshots + exported.left_out == 0 && !arguments.authority.is_empty() {
        if let Some(path) = &file {
            let _ = fs::remove_file(path);
        }
        let names = arguments.authority.join(", ");
        let when = match (arguments.since, arguments.until) {
            (None, None) => "",
            _ => " at that time",
        };
        notice::error(format_args!(
            "the store has nothing about {}{when}",
            start_of(&names)
        ));
        return Ok(Outcome::Unknown);
    }
    if exported.left_out > 0 {
        notice::note(format_args!(
            "left out: {}, since bodies are damaged or were swept away meanwhile: `verger store stat \
             --check` says which",
            CountOf(exported.left_out, "snapshot", "snapshots")
        ));
    }
    if file.is_some() {
        notice::note(format_args!(
            "exported {} of {}, {}",
            CountOf(exported.snapshots, "snapshot", "snapshots"),
            CountOf(exported.authorities, "authority", "authorities"),
            CountOf(exported.bodies, "body", "bodies")
        ));
    }
    Ok(Outcome::Success)
}

fn write(
    store: &dyn Store,
    drawing: Drawing,
    output: Box<dyn Write>,
    range: &ExportRange,
) -> Result<Exported, ExportError> {
    let output = Counted::new(output, drawing, None);
    let mut output = BufWriter::with_capacity(BUFFER_OCTETS, output);
    let exported = export(store, &mut output, range)?;
    output.flush()?;
    Ok(exported)
}
