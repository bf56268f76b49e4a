//! `export`: writes a store as JSON Lines in bounded memory.

use core::ops::Range;
use std::collections::BTreeSet;
use std::io::{self, Write};

use verger_access::{Authority, Timestamp};

use crate::body_hash::BodyHash;
use crate::each_snapshot::{ReadFacts, each_authority, each_snapshot};
use crate::history::History;
use crate::packed_facts::PackedFacts;
use crate::snapshot::Snapshot;
use crate::store_error::StoreError;
use crate::transfer::store_line::{BodyLine, SnapshotLine};

/// Number of bytes of other bodies after which a body is written again. An import caches twice as much.
pub(crate) const BODY_BYTES_BETWEEN_MAX: usize = 16 << 20;

/// Bytes that a body counts in addition to its length.
pub(crate) const BODY_OVERHEAD_BYTES: usize = 128;

/// The part of a store that is exported.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExportRange {
    /// Only these authorities, or all if the set is empty.
    pub authorities: BTreeSet<Authority>,
    /// Only snapshots whose attempts ended in this range.
    pub during: Range<Timestamp>,
}

impl Default for ExportRange {
    /// Everything.
    fn default() -> Self {
        Self {
            authorities: BTreeSet::new(),
            during: Timestamp::default()..Timestamp::from_unix_seconds(u64::MAX),
        }
    }
}

/// The numbers of exported authorities, snapshots and bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Authorities with at least one snapshot in the range.
    pub authorities: u64,
    /// Snapshots.
    pub snapshots: u64,
    /// Lines with bodies.
    pub bodies: u64,
    /// Snapshots that were left out, because their body is lost ([`crate::DamageKind::Body`]) or a sweep deleted it
    /// meanwhile.
    pub left_out: u64,
}

/// Writes a store as JSON Lines (`verger.store/1`). Authorities are in the order of their names, and the snapshots of
/// each in the order of puts. Each body comes before the first snapshot that refers to it. The lines of an authority
/// are self-contained, so a body that several authorities share is written for each.
///
/// Snapshots that are put or deleted meanwhile may be missing. A snapshot whose body is lost is left out and counted.
///
/// # Errors
///
/// Returns an error if the store or the writer fails.
pub fn export(
    store: &dyn History,
    writer: &mut dyn Write,
    range: &ExportRange,
) -> Result<Exported, ExportError> {
    let mut export = Export {
        store,
        writer,
        exported: Exported::default(),
    };
    if !range.authorities.is_empty() {
        for authority in &range.authorities {
            export.authority(authority, &range.during)?;
        }
        return Ok(export.exported);
    }
    each_authority(store, |authority| {
        export.authority(authority, &range.during)
    })?;
    Ok(export.exported)
}

struct Export<'e> {
    store: &'e dyn History,
    writer: &'e mut dyn Write,
    exported: Exported,
}

impl Export<'_> {
    fn authority(
        &mut self,
        authority: &Authority,
        during: &Range<Timestamp>,
    ) -> Result<(), ExportError> {
        let (store, during) = (self.store, during.clone());
        let mut written = WrittenBodies::default();
        let before = self.exported.snapshots;
        each_snapshot(
            store,
            authority,
            during,
            ReadFacts::Yes,
            |snapshot, facts| self.snapshot(snapshot, facts, &mut written),
        )?;
        self.exported.authorities += u64::from(self.exported.snapshots > before);
        Ok(())
    }

    fn snapshot(
        &mut self,
        snapshot: &Snapshot,
        facts: Option<&PackedFacts>,
        written: &mut WrittenBodies,
    ) -> Result<(), ExportError> {
        let copy = snapshot.copy.as_ref().map(|copy| copy.body);
        for body in snapshot.body.into_iter().chain(copy) {
            if written.has(body.hash) {
                continue;
            }
            let Some(bytes) = self.store.body(body.hash)? else {
                // A sweep deleted it together with the snapshot, or it is damaged.
                self.exported.left_out += 1;
                return Ok(());
            };
            self.line(&serde_json::to_string(&BodyLine::of(body.hash, &bytes))?)?;
            self.exported.bodies += 1;
            written.note(body.hash, bytes.len());
        }
        let line = SnapshotLine::of(snapshot);
        let line = match facts {
            Some(facts) => line.with_facts(facts),
            None => line,
        };
        self.line(&line.to_json()?)?;
        self.exported.snapshots += 1;
        Ok(())
    }

    fn line(&mut self, json: &str) -> Result<(), ExportError> {
        self.writer
            .write_all(verger::legible_json(json).as_bytes())?;
        Ok(self.writer.write_all(b"\n")?)
    }
}

/// The bodies on recent lines.
#[derive(Default)]
struct WrittenBodies {
    hashes: BTreeSet<BodyHash>,
    bytes: usize,
}

impl WrittenBodies {
    fn has(&self, hash: BodyHash) -> bool {
        self.hashes.contains(&hash)
    }

    fn note(&mut self, hash: BodyHash, bytes: usize) {
        self.bytes += bytes + BODY_OVERHEAD_BYTES;
        if self.bytes > BODY_BYTES_BETWEEN_MAX {
            *self = Self::default();
        }
        self.hashes.insert(hash);
    }
}

/// Why an export failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The store failed.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// Writing failed.
    #[error("cannot write the export: {0}")]
    Write(#[from] io::Error),
}

impl From<serde_json::Error> for ExportError {
    fn from(error: serde_json::Error) -> Self {
        Self::Write(error.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_written_again_after_more_bytes_than_are_between() {
        let (first, second) = (BodyHash::new(b"1"), BodyHash::new(b"2"));
        let rest = BODY_BYTES_BETWEEN_MAX - 2 * BODY_OVERHEAD_BYTES;
        for (bytes, stays) in [(rest, true), (rest + 1, false)] {
            let mut written = WrittenBodies::default();
            written.note(first, 0);
            written.note(second, bytes);
            assert_eq!(written.has(first), stays, "{bytes}");
            assert!(written.has(second));
        }
    }

    #[test]
    fn an_error_has_its_cause() {
        let failed = ExportError::from(io::Error::other("the disk is full"));
        assert!(failed.to_string().contains("the disk is full"));
        let cause = std::error::Error::source(&failed).unwrap();
        assert_eq!(cause.to_string(), "the disk is full");
        let failed = ExportError::from(StoreError::Busy);
        let cause = std::error::Error::source(&failed).unwrap();
        assert_eq!(cause.to_string(), StoreError::Busy.to_string());
    }
}
