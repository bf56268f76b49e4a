//! `verger store import`: reads an export.

use std::ffi::OsString;
use std::fs;
use std::io::{self, BufReader, Write};

use clap::Args;
use verger_answer::CountOf;
use verger_client::{Clock as _, SystemClock};
use verger_inputs::Source;
use verger_store::{ImportError, Imported, Stat, import};

use super::counted::Counted;
use crate::arguments::store::StoreArguments;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::message::Message;
use crate::screen::notice;
use crate::screen::progress::Drawing;

const BUFFER_BYTES: usize = 64 << 10;

/// Import an export into the store, and create the store if needed
///
/// Snapshots are only appended. Those that exist already, or are older than the latest one of their site, are
/// skipped. If an import fails before it adds anything, a store that it created is removed.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ImportArguments {
    /// The export, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: OsString,

    #[command(flatten)]
    store: StoreArguments,
}

const EXAMPLES: &str = "\
Examples:
  verger store import backup.jsonl
  verger store import backup.jsonl --store copy.db
  zcat crawl.jsonl.gz | verger store import -";

pub(crate) fn run(arguments: &ImportArguments) -> CommandResult {
    let source = Source::from(arguments.file.clone());
    // Open the input first: if it cannot be read, no store is created.
    let input = source.open()?;
    let path = arguments.store.path()?;
    let is_new = path.try_exists().is_ok_and(|exists| !exists);
    let store = arguments.store.open()?;
    let bytes = match &source {
        Source::File(path) => fs::metadata(path).ok().filter(fs::Metadata::is_file),
        Source::Stdin => None,
    };
    let bytes = bytes.map(|file| file.len());
    let input = Counted::new(input, Drawing::Alone, bytes);
    let mut input = BufReader::with_capacity(BUFFER_BYTES, input);
    let imported = import(&*store, &mut input, &|| SystemClock.now());
    drop(input);
    let imported = match imported {
        Ok(imported) => imported,
        Err(error) => {
            // Another process may have begun to use it.
            let is_empty = |stat: Stat| stat.authorities == 0 && stat.leases == 0;
            if is_new && store.stat().is_ok_and(is_empty) {
                store.remove();
            }
            return Err(match error {
                ImportError::Read(error) => Message::of_error(&source.unreadable(error)),
                error @ ImportError::Line { .. } => Message::from(format!("{source}, {error}"))
                    .help("the lines before it are imported: fix the line and import again"),
                error => Message::of_error(&error),
            }
            .into());
        }
    };
    let Imported {
        appended,
        already_there,
        skipped,
        held,
        skipped_of,
    } = imported;
    let mut output = io::stdout().lock();
    writeln!(
        output,
        "imported: {}; there already: {already_there}; skipped: {skipped}",
        CountOf(appended, "snapshot", "snapshots")
    )?;
    output.flush()?;
    for authority in skipped_of {
        notice::note(format_args!(
            "snapshots of {authority} are skipped: the store has newer ones, or it is being fetched"
        ));
    }
    if held > 0 {
        let held = CountOf(held, "snapshot", "snapshots");
        let message = Message::new(format_args!(
            "{held} not imported: another process is fetching these sites"
        ));
        notice::error(message.help("import again"));
    }
    Ok(Outcome::Unanswered.unless(held == 0))
}
