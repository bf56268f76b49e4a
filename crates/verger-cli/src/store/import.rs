//! `verger store import`: what an export wrote.

use std::ffi::OsString;
use std::fs;
use std::io::{self, BufReader, Write};

use clap::Args;
use verger_answer::CountOf;
use verger_client::{Clock as _, SystemClock};
use verger_files::Source;
use verger_store::{ImportError, Imported, Stat, import};

use super::counted::Counted;
use crate::arguments::store::StoreArguments;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::notice;
use crate::screen::progress::Drawing;

const BUFFER_BYTES: usize = 64 << 10;

/// Read an export into the store, which is made if there is none
///
/// A store that an import makes and puts nothing into, since it fails, is removed.
///
/// Snapshots are only appended: one that is there already is skipped, and so is one that is older
/// than what the store has of its authority.
#[derive(Args, Clone, Debug)]
pub(crate) struct ImportArguments {
    /// The export; `-` for standard input
    #[arg(value_name = "FILE")]
    file: OsString,

    #[command(flatten)]
    store: StoreArguments,
}

/// Runs the command.
pub(crate) fn run(arguments: &ImportArguments) -> CommandResult {
    let source = Source::from(arguments.file.clone());
    // A file that cannot be read makes no store.
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
            // Another process may have begun to fetch into it.
            let is_empty = |stat: Stat| stat.authorities == 0 && stat.leases == 0;
            if is_new && store.stat().is_ok_and(is_empty) {
                store.remove();
            }
            return Err(match error {
                ImportError::Read(error) => source.unreadable(error).to_string(),
                error @ ImportError::Line { .. } => {
                    format!("{source}: {error}; the lines before it are imported")
                }
                error => error.to_string(),
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
            "{authority} has skipped snapshots: the store has newer ones, or it is being fetched now"
        ));
    }
    if held > 0 {
        let held = CountOf(held, "snapshot", "snapshots");
        notice::error(format_args!(
            "not imported: {held} of sites that another process is fetching; import again"
        ));
    }
    Ok(Outcome::Unanswered.unless(held == 0))
}
