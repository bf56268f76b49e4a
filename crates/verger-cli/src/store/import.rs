//! `verger store import`: what an export wrote.

use std::ffi::OsString;
use std::io::{self, BufReader, Write};

use clap::Args;
use verger_client::{Clock as _, SystemClock};
use verger_store::{ImportError, Imported, import};

use crate::input::Source;
use crate::notice;
use crate::outcome::{CommandResult, Outcome};
use crate::store_arguments::StoreArguments;

const BUFFER_OCTETS: usize = 64 << 10;

/// Read an export into the store, which is made if there is none
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
pub(crate) fn run(arguments: ImportArguments) -> CommandResult {
    let source = Source::from(arguments.file);
    // A file that cannot be read makes no store.
    let mut input = BufReader::with_capacity(BUFFER_OCTETS, source.open()?);
    let store = arguments.store.open()?;
    let imported =
        import(&store, &mut input, &|| SystemClock.now()).map_err(|error| match error {
            ImportError::Read(error) => source.unreadable(error).to_string(),
            error @ ImportError::Line { .. } => format!("{source}: {error}"),
            error => error.to_string(),
        })?;
    let Imported {
        appended,
        already_there,
        skipped,
        skipped_of,
    } = imported;
    let mut output = io::stdout().lock();
    writeln!(
        output,
        "imported {appended} snapshots; {already_there} were there already, {skipped} were skipped"
    )?;
    output.flush()?;
    for authority in skipped_of {
        notice::note(format_args!(
            "{authority} has skipped snapshots: the store has newer ones, or it is being fetched now"
        ));
    }
    Ok(Outcome::Success)
}
