//! Imports into a file: many authorities in one transaction. It needs no leases, because no other connection writes
//! during a transaction.

use rusqlite::{Connection, Error, OptionalExtension as _, params};
use verger_access::{Authority, Timestamp};

use crate::history_import::{HistoryImport, LeaseState};
use crate::snapshot::SnapshotId;
use crate::sqlite::failure::failure;
use crate::sqlite::leases;
use crate::sqlite::rows;
use crate::sqlite::writer::SqliteWriter;
use crate::store_error::StoreError;

const SNAPSHOTS_A_PAGE: i64 = 64;

/// Appends the snapshots that continue the stored histories.
pub(crate) fn append_histories(
    writer: &SqliteWriter,
    connection: &Connection,
    histories: &mut [HistoryImport],
    now: Timestamp,
) -> Result<(), StoreError> {
    let has_leases = leases::is_any(connection).map_err(failure)?;
    for history in histories {
        let authority = history.authority().clone();
        let lease = if has_leases {
            leases::newest(connection, &authority).map_err(failure)?
        } else {
            None
        };
        let is_held = lease.as_ref().is_some_and(|lease| lease.is_live(now));
        let newest = newest(connection, &authority).map_err(failure)?;
        history.load_stored(newest, |authority, after| {
            let after = i64::try_from(after.0).unwrap_or(i64::MAX);
            let parameters = params![authority.to_string(), after, SNAPSHOTS_A_PAGE];
            let condition = "s.id > ?2 ORDER BY s.id";
            rows::snapshots(connection, authority, condition, parameters).map_err(failure)
        })?;
        let lease_state = if is_held {
            LeaseState::Held
        } else {
            LeaseState::Free
        };
        let appended = history.resolve(lease_state);
        let mut last = None;
        for observation in &appended {
            last = Some(writer.insert(connection, observation)?);
        }
        let Some(last) = last else { continue };
        history.note_appended(last);
        // The holder of an expired lease started from older knowledge, so its put must fail.
        if let Some(lease) = lease {
            leases::end(connection, &lease).map_err(failure)?;
        }
    }
    Ok(())
}

/// Returns the id of the last snapshot of an authority, in the order of puts.
fn newest(connection: &Connection, authority: &Authority) -> Result<Option<SnapshotId>, Error> {
    connection
        .prepare_cached(
            "SELECT id FROM snapshot WHERE authority = (SELECT id FROM authority WHERE name = ?1) \
             ORDER BY id DESC LIMIT 1",
        )?
        .query_row([authority.to_string()], |row| row.get(0).map(SnapshotId))
        .optional()
}
