//! `import`: reads an export into a store.

use std::io::{self, BufRead};

use verger_access::{Authority, Timestamp};

use crate::history::History;
use crate::history_import::{HistoryImport, PendingSnapshot};
use crate::store_error::StoreError;
use crate::transfer::import_lines::{
    self, Interruption, NeededBodies, ParsedChunk, ParsedSnapshot,
};
use crate::transfer::line_error::LineError;
use crate::transfer::store_line::SnapshotLine;

/// Maximum number of authorities in a batch. A batch is also bounded by its snapshots and by the bytes of its lines and
/// bodies. Without batches, an import of 100,000 authorities with one snapshot each took 55 s.
const BATCH_AUTHORITIES_MAX: usize = 1000;
const BATCH_SNAPSHOTS_MAX: usize = 4000;
const BATCH_BYTES_MAX: usize = 8 << 20;

/// Maximum number of authorities with skipped snapshots that are named.
const SKIPPED_NAMED_MAX: usize = 10;

/// Maximum number of exports that may follow each other in one import. An export is ordered by authority, so the stored
/// history of each authority is loaded once per export.
const EXPORTS_MAX: u32 = 64;

/// The numbers of appended and skipped snapshots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Snapshots that were appended.
    pub appended: u64,
    /// Snapshots that the store had already.
    pub already_there: u64,
    /// Snapshots that the store lacks and that do not continue its history, because nothing is inserted before newer
    /// snapshots. Also counts the snapshots of authorities that are being fetched.
    pub skipped: u64,
    /// Skipped snapshots that would continue the history if the authority were not being fetched. Another import
    /// appends them.
    pub held: u64,
    /// The first ten authorities with skipped snapshots.
    pub skipped_of: Vec<Authority>,
}

/// Imports the lines that [`crate::export`] wrote into a store.
///
/// A snapshot is appended if it follows the last put snapshot or ended later than all stored snapshots of its
/// authority. So importing twice adds nothing, and nothing newer is replaced. The SHA-256 of each body must match its
/// hash. `now` returns the time by which leases are live or expired.
///
/// A separate thread parses and checks lines while earlier ones are appended. It ends before the import does. Up to a
/// thousand authorities form a batch. A store in a file appends each batch whole or not at all, even if the process
/// is killed. A long history may span batches.
///
/// # Errors
///
/// Returns an error if a line is not part of an export, the authorities are not in order (several exports may follow
/// each other), or the reader or the store fails. Earlier lines stay imported, and the whole input can be imported
/// again.
pub fn import(
    store: &dyn History,
    reader: &mut dyn BufRead,
    now: &dyn Fn() -> Timestamp,
) -> Result<Imported, ImportError> {
    let mut import = Import {
        store,
        now,
        batch: Vec::new(),
        batch_snapshots: 0,
        batch_bytes: 0,
        exports: 1,
        imported: Imported::default(),
    };
    let read = import_lines::parse(reader, |parsed| import.chunk(parsed));
    // Keep the lines before an unusable one.
    import.append()?;
    read?;
    Ok(import.imported)
}

struct Import<'i> {
    store: &'i dyn History,
    now: &'i dyn Fn() -> Timestamp,
    /// The histories of the next batch. The last one may continue in the batch after it.
    batch: Vec<HistoryImport>,
    batch_snapshots: usize,
    batch_bytes: usize,
    /// Number of exports that have begun so far.
    exports: u32,
    imported: Imported,
}

impl Import<'_> {
    fn chunk(&mut self, parsed: ParsedChunk) -> Result<(), ImportError> {
        for snapshot in parsed.snapshots {
            match snapshot {
                ParsedSnapshot::Whole(number, pending) => self.snapshot(number, pending)?,
                ParsedSnapshot::WithoutBodies(number, line, bodies) => {
                    let pending = self.completed(number, &line, bodies)?;
                    self.snapshot(number, pending)?;
                }
            }
        }
        let wrong = parsed.wrong;
        wrong.map_or(Ok(()), |(number, error)| {
            Err(ImportError::Line { number, error })
        })
    }

    fn snapshot(&mut self, number: u64, pending: PendingSnapshot) -> Result<(), ImportError> {
        let authority = pending.authority();
        let last = self.batch.last().map(HistoryImport::authority);
        if last != Some(authority) {
            self.exports += u32::from(last.is_some_and(|last| last > authority));
            if self.exports > EXPORTS_MAX {
                let error = LineError::OutOfOrder;
                return Err(ImportError::Line { number, error });
            }
            if self.batch.len() >= BATCH_AUTHORITIES_MAX {
                self.append()?;
            }
            self.batch.push(HistoryImport::new(authority.clone()));
        }
        if let Some(history) = self.batch.last_mut() {
            self.batch_bytes += pending.bytes();
            self.batch_snapshots += 1;
            history.push(pending);
        }
        if self.batch_snapshots >= BATCH_SNAPSHOTS_MAX || self.batch_bytes >= BATCH_BYTES_MAX {
            self.append()?;
        }
        Ok(())
    }

    /// Adds bodies from the store that no earlier line contained.
    fn completed(
        &self,
        number: u64,
        line: &SnapshotLine,
        bodies: NeededBodies,
    ) -> Result<PendingSnapshot, ImportError> {
        let wrong = |error| ImportError::Line { number, error };
        let mut bytes = [None, None];
        for (bytes, body) in bytes.iter_mut().zip(bodies) {
            let Some((hash, read)) = body else { continue };
            let found = match read {
                Some(read) => Some(read),
                None => self.store.body(hash)?,
            };
            *bytes = Some(found.ok_or_else(|| wrong(LineError::BodyMissing(hash)))?);
        }
        let observation = line.observation(bytes).map_err(wrong)?;
        Ok(PendingSnapshot::of(observation))
    }

    /// Appends the batch. The last history stays, because it may continue.
    fn append(&mut self) -> Result<(), StoreError> {
        self.store.append_histories(&mut self.batch, self.now)?;
        for history in &mut self.batch {
            let tally = history.take_tally();
            self.imported.appended += tally.appended;
            self.imported.already_there += tally.already_there;
            self.imported.skipped += tally.skipped;
            self.imported.held += tally.held;
            let named = &mut self.imported.skipped_of;
            let is_new = tally.skipped > 0 && !named.contains(history.authority());
            if is_new && named.len() < SKIPPED_NAMED_MAX {
                named.push(history.authority().clone());
            }
        }
        self.batch.drain(..self.batch.len().saturating_sub(1));
        (self.batch_snapshots, self.batch_bytes) = (0, 0);
        Ok(())
    }
}

/// Why an import failed. The lines before the failure are imported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// Reading failed.
    #[error("cannot read the rest of the import: {0}")]
    Read(#[source] io::Error),
    /// A line is not part of an export.
    #[error("line {number}: {error}")]
    Line {
        /// The number of the line, counted from 1.
        number: u64,
        /// The defect.
        #[source]
        error: LineError,
    },
    /// The store failed.
    #[error("{0}")]
    Store(#[from] StoreError),
}

impl From<Interruption> for ImportError {
    fn from(interruption: Interruption) -> Self {
        match interruption {
            Interruption::Read(error) => Self::Read(error),
            Interruption::TooLong { number } => Self::Line {
                number,
                error: LineError::TooLong,
            },
        }
    }
}
