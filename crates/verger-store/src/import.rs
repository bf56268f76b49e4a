//! `import`: what an export wrote, line by line into a store.

use std::fmt;
use std::io::{self, BufRead, Read as _};
use std::sync::Arc;

use verger_access::{Authority, Timestamp};

use crate::body_hash::BodyHash;
use crate::history_import::HistoryImport;
use crate::read_bodies::ReadBodies;
use crate::store::Store;
use crate::store_error::StoreError;
use crate::store_line::{LineError, SnapshotLine, StoreLine};

/// A line of more octets is refused. The longest that is written, a whole body in base64, has less
/// than a tenth of it.
const LINE_OCTETS_MAX: usize = 8 << 20;

/// So many authorities, so many snapshots, or so many octets of their lines and bodies are appended
/// at once: of 100,000 authorities with one snapshot each, an import one by one took 55 s.
const BATCH_AUTHORITIES_MAX: usize = 1000;
const BATCH_SNAPSHOTS_MAX: usize = 4000;
const BATCH_OCTETS_MAX: usize = 8 << 20;

/// Of the authorities that were skipped so many are named.
const SKIPPED_NAMED_MAX: usize = 10;

/// So many exports may stand one behind the other. In each of them the authorities stand in order, and
/// each is looked up once; where they came back without end, so would the looking.
const EXPORTS_MAX: u32 = 64;

/// What became of the snapshots of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Those that were appended.
    pub appended: u64,
    /// Those that were there already.
    pub already_there: u64,
    /// Those that are not there, and would come before or beside what the store has: a history is
    /// only ever gone on with. So are those of an authority that is being fetched.
    pub skipped: u64,
    /// The authorities with skipped snapshots, the first ten of them.
    pub skipped_of: Vec<Authority>,
}

/// Reads what [`crate::export`] wrote into a store.
///
/// A snapshot is appended where it follows on the one that was put last, or ended later than all
/// that the store has of its authority; so importing twice adds nothing, and nothing newer is
/// superseded. The octets of each body must be those of its hash. `now` says the time, by which an
/// authority is being fetched or not.
///
/// Up to a thousand authorities are appended at once. A store in a file has each such batch whole or
/// not at all, also where the process is killed; a long history may end at the end of a batch.
///
/// # Errors
///
/// Where a line is none of an export, where the authorities stand in no order (several exports may
/// stand one behind the other), where reading or the store fails. The lines before are imported then,
/// and the whole can be imported again.
pub fn import(
    store: &dyn Store,
    reader: &mut dyn BufRead,
    now: &dyn Fn() -> Timestamp,
) -> Result<Imported, ImportError> {
    let mut import = Import {
        store,
        now,
        bodies: ReadBodies::default(),
        batch: Vec::new(),
        batch_snapshots: 0,
        batch_octets: 0,
        exports: 1,
        imported: Imported::default(),
    };
    let read = import.lines(reader);
    // Also where a line cannot be used, those before it are kept.
    import.append()?;
    read?;
    Ok(import.imported)
}

struct Import<'i> {
    store: &'i dyn Store,
    now: &'i dyn Fn() -> Timestamp,
    bodies: ReadBodies,
    /// What is appended next; the last one may go on.
    batch: Vec<HistoryImport>,
    batch_snapshots: usize,
    batch_octets: usize,
    /// How many exports there are at least, one behind the other.
    exports: u32,
    imported: Imported,
}

impl Import<'_> {
    fn lines(&mut self, reader: &mut dyn BufRead) -> Result<(), ImportError> {
        let mut line = Vec::new();
        for number in 1_u64.. {
            line.clear();
            let mut limited = reader.take(LINE_OCTETS_MAX as u64 + 1);
            let octets = limited.read_until(b'\n', &mut line);
            if octets.map_err(ImportError::Read)? == 0 {
                break;
            }
            let wrong = |error| ImportError::Line { number, error };
            if line.len() > LINE_OCTETS_MAX {
                return Err(wrong(LineError::TooLong));
            }
            if line.trim_ascii().is_empty() {
                continue;
            }
            match StoreLine::read(&line).map_err(wrong)? {
                StoreLine::Body(hash, octets) => self.bodies.keep(hash, octets),
                StoreLine::Snapshot(snapshot) => self.snapshot(&snapshot, number)?,
            }
        }
        Ok(())
    }

    fn snapshot(&mut self, line: &SnapshotLine, number: u64) -> Result<(), ImportError> {
        let wrong = |error| ImportError::Line { number, error };
        let [body, copy] = line.bodies().map_err(wrong)?;
        let octets = [self.octets_of(body, number)?, self.octets_of(copy, number)?];
        let observation = line.observation(octets).map_err(wrong)?;
        let authority = &observation.authority;
        let last = self.batch.last().map(HistoryImport::authority);
        if last != Some(authority) {
            self.exports += u32::from(last.is_some_and(|last| last > authority));
            if self.exports > EXPORTS_MAX {
                return Err(wrong(LineError::OutOfOrder));
            }
            if self.batch.len() >= BATCH_AUTHORITIES_MAX {
                self.append()?;
            }
            self.batch.push(HistoryImport::new(authority.clone()));
        }
        if let Some(history) = self.batch.last_mut() {
            self.batch_octets += history.take(observation)?;
            self.batch_snapshots += 1;
        }
        if self.batch_snapshots >= BATCH_SNAPSHOTS_MAX || self.batch_octets >= BATCH_OCTETS_MAX {
            self.append()?;
        }
        Ok(())
    }

    /// The octets of a body that a snapshot needs.
    fn octets_of(
        &self,
        hash: Option<BodyHash>,
        number: u64,
    ) -> Result<Option<Arc<[u8]>>, ImportError> {
        let Some(hash) = hash else {
            return Ok(None);
        };
        let octets = match self.bodies.octets_of(hash) {
            Some(octets) => Some(Arc::clone(octets)),
            None => self.store.body(hash)?,
        };
        let missing = || ImportError::Line {
            number,
            error: LineError::BodyMissing(hash),
        };
        octets.map(Some).ok_or_else(missing)
    }

    /// Appends what was gathered. The last authority is held on, since it may go on.
    fn append(&mut self) -> Result<(), StoreError> {
        self.store.append_histories(&mut self.batch, (self.now)())?;
        for history in &mut self.batch {
            let tally = history.take_tally();
            self.imported.appended += tally.appended;
            self.imported.already_there += tally.already_there;
            self.imported.skipped += tally.skipped;
            let named = &mut self.imported.skipped_of;
            let is_new = tally.skipped > 0 && !named.contains(history.authority());
            if is_new && named.len() < SKIPPED_NAMED_MAX {
                named.push(history.authority().clone());
            }
        }
        self.batch.drain(..self.batch.len().saturating_sub(1));
        (self.batch_snapshots, self.batch_octets) = (0, 0);
        Ok(())
    }
}

/// Why an import came to no end. What stands before is imported.
#[derive(Debug)]
pub enum ImportError {
    /// It cannot be read on.
    Read(io::Error),
    /// A line cannot be used.
    Line {
        /// Which, counted from 1.
        number: u64,
        /// What is wrong with it.
        error: LineError,
    },
    /// The store fails.
    Store(StoreError),
}

impl From<StoreError> for ImportError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "the import cannot be read on: {error}"),
            Self::Line { number, error } => {
                write!(
                    f,
                    "line {number}: {error}; the lines before it are imported"
                )
            }
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ImportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read(error) => Some(error),
            Self::Line { error, .. } => Some(error),
            Self::Store(error) => Some(error),
        }
    }
}
