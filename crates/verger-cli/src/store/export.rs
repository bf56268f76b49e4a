//! `verger store export`: all or part of the store as JSON Lines.

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use verger_access::Timestamp;
use verger_answer::{CountOf, written_sites};
use verger_inputs::{NotWritten, WholeFile};
use verger_store::{ExportError, ExportRange, Exported, History, export};

use super::counted::Counted;
use crate::arguments::store::StoreArguments;
use crate::arguments::time::{any_time, at_that_time, past_time};
use crate::outcome::{CommandResult, Outcome};
use crate::screen::byte_text::start_of;
use crate::screen::message::Message;
use crate::screen::notice;
use crate::screen::progress::Drawing;

const BUFFER_BYTES: usize = 64 << 10;

/// Export the store, or part of it, as JSON Lines
///
/// The schema is verger.store/1, in docs/json.md. Exit code 3: the store has nothing about the sites that are
/// named, or nothing of that time, and no file is written. 2: snapshots with damaged files are left out.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ExportArguments {
    /// File that does not exist yet [default: `-`, standard output]
    #[arg(value_name = "FILE")]
    file: Option<OsString>,

    /// Only this site: a URL, or a host for both https and http (repeatable)
    #[arg(long, value_name = "HOST|URL")]
    authority: Vec<String>,

    /// Only fetches since this time: 2026-11-20, 7d, yesterday
    #[arg(long, value_name = "TIME", value_parser = past_time)]
    since: Option<Timestamp>,

    /// Only fetches before this time
    #[arg(long, value_name = "TIME", value_parser = any_time)]
    until: Option<Timestamp>,

    #[command(flatten)]
    store: StoreArguments,
}

const EXAMPLES: &str = "\
Examples:
  verger store export backup.jsonl
  verger store export --authority example.com --since 30d > example.jsonl
  verger store export --store crawl.db | gzip > crawl.jsonl.gz";

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
        .map(|path| WholeFile::create_new(path).map_err(|error| not_created(path, error)));
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
        let when = at_that_time([arguments.since, arguments.until]);
        let message = Message::new(format_args!(
            "the store has nothing about {}{when}",
            start_of(&names)
        ));
        notice::error(message.help("`verger store list` lists its sites"));
        return Ok(Outcome::Unknown);
    }
    if let (Some(whole), Some(path)) = (whole, &file) {
        whole
            .finish()
            .map_err(|error| NotWritten::at(path, error))?;
    }
    if exported.left_out > 0 {
        let note = Message::new(format_args!(
            "{} left out: files are damaged or were swept meanwhile",
            CountOf(exported.left_out, "snapshot is", "snapshots are")
        ));
        notice::note(note.help("`verger store stat --check` lists the damage"));
    }
    if file.is_some() {
        notice::note(format_args!(
            "exported {} of {}, {}",
            CountOf(exported.snapshots, "snapshot", "snapshots"),
            CountOf(exported.authorities, "site", "sites"),
            CountOf(exported.bodies, "file", "files")
        ));
    }
    Ok(Outcome::Unanswered.unless(exported.left_out == 0))
}

fn not_created(path: &Path, error: io::Error) -> Message {
    let exists = error.kind() == io::ErrorKind::AlreadyExists;
    let message = Message::of_error(&NotWritten::at(path, error));
    message.maybe_help(exists.then_some("name a file that does not exist"))
}

fn write(
    store: &dyn History,
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
