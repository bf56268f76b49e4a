//! `verger store export`: the whole, or a part, as JSON Lines.

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use verger_access::Timestamp;
use verger_answer::{CountOf, written_sites};
use verger_files::{NotWritten, WholeFile};
use verger_store::{ExportError, ExportRange, Exported, Store, export};

use super::counted::Counted;
use crate::arguments::store::StoreArguments;
use crate::arguments::time::{any_time, past_time};
use crate::outcome::{CommandResult, Outcome};
use crate::screen::byte_text::start_of;
use crate::screen::notice;
use crate::screen::progress::Drawing;

const BUFFER_BYTES: usize = 64 << 10;

/// Write what the store holds as JSON Lines (schema verger.store/1, in docs/json.md)
///
/// Exit code 3: the store has nothing about the authorities that are named, or nothing of that time;
/// no file is made then. Exit code 2: snapshots whose bodies are damaged are left out.
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
    // A file that exists is not overwritten: it might be the store.
    let whole = file
        .as_ref()
        .map(|path| WholeFile::create_new(path).map_err(|error| NotWritten::at(path, error)));
    let mut whole = whole.transpose()?;
    let (drawing, output): (_, &mut dyn Write) = match &mut whole {
        Some(whole) => (Drawing::Alone, whole),
        None => (Drawing::BesideAnswers, &mut io::stdout().lock()),
    };
    let exported = match write(&*store, drawing, output, &range) {
        Ok(exported) => exported,
        // A closed output pipe has an exit code of its own.
        Err(ExportError::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            return Err(error.into());
        }
        Err(error) => return Err(error.into()),
    };
    if exported.snapshots + exported.left_out == 0 && !arguments.authority.is_empty() {
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
    if let (Some(whole), Some(path)) = (whole, &file) {
        whole
            .finish()
            .map_err(|error| NotWritten::at(path, error))?;
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
    Ok(Outcome::Unanswered.unless(exported.left_out == 0))
}

fn write(
    store: &dyn Store,
    drawing: Drawing,
    output: &mut dyn Write,
    range: &ExportRange,
) -> Result<Exported, ExportError> {
    let output = Counted::new(output, drawing, None);
    let mut output = BufWriter::with_capacity(BUFFER_BYTES, output);
    let exported = export(store, &mut output, range)?;
    output.flush()?;
    Ok(exported)
}
