//! Computes what a sweep would delete, only by reading.
//!
//! A sweep uses many transactions, so others can write in between. A sweep in one transaction that is rolled back would
//! block them, and grow the log by everything that it deletes. So this runs the queries with which a sweep decides, and
//! keeps the first remaining snapshot of each authority in a temporary table of its connection, outside the file.

use rusqlite::{Connection, Error, params};
use verger_access::Timestamp;

use crate::sqlite::deliveries::IS_LEFT_OVER;
use crate::sqlite::quota_scan::{self, QuotaScan};
use crate::sqlite::rows::seconds;
use crate::sqlite::store_settings::StoreSettings;
use crate::sqlite::sweep::{self, LEASE_IS_EXPIRED, QUOTA_SNAPSHOTS_MAX};
use crate::stat::Swept;

/// Returns what a sweep that keeps everything from `keep_from` on, followed by quotas, would delete at `now`. If
/// `keep_from` is `None`, only the quotas apply.
pub(crate) fn preview(
    connection: &Connection,
    keep_from: Option<Timestamp>,
    quota: &StoreSettings,
    now: Timestamp,
) -> Result<Swept, Error> {
    // All queries see one moment. The rollback also drops the temporary table.
    let transaction = connection.unchecked_transaction()?;
    transaction.execute_batch(
        "CREATE TEMP TABLE left_from (authority INTEGER PRIMARY KEY, snapshot INTEGER NOT NULL)",
    )?;
    let mut swept = Swept::default();
    {
        let mut note = transaction.prepare("INSERT INTO temp.left_from VALUES (?1, ?2)")?;
        let mut authorities = transaction.prepare("SELECT id FROM authority")?;
        let mut authorities = authorities.query(())?;
        while let Some(row) = authorities.next()? {
            let authority = row.get(0)?;
            let from = left_from(&transaction, authority, keep_from, quota)?;
            let gone = snapshots_within(&transaction, authority, (0, from))?;
            if gone > 0 {
                swept.snapshots += gone;
                note.execute(params![authority, from])?;
            }
        }
    }
    swept.bodies = transaction.query_row(BODIES, (), |row| row.get(0))?;
    if let Some(keep_from) = keep_from {
        let count = |table: &str, condition: &str, at: Timestamp| {
            let text = format!("SELECT count(*) FROM {table} WHERE {condition}");
            transaction.query_row(&text, [seconds(at)], |row| row.get(0))
        };
        swept.leases = count("lease", LEASE_IS_EXPIRED, now)?;
        // An older file that is only read has no deliveries.
        if transaction.table_exists(None, "delivery")? {
            swept.deliveries = count("delivery", IS_LEFT_OVER, keep_from)?;
        }
    }
    Ok(swept)
}

/// Counts the bodies that only deleted snapshots refer to. Each reference is read at most twice.
const BODIES: &str = "
SELECT count(*) FROM (
    SELECT s.body AS id FROM temp.left_from l JOIN snapshot s
        ON s.authority = l.authority AND s.id < l.snapshot WHERE s.body IS NOT NULL
    UNION
    SELECT s.copy_body FROM temp.left_from l JOIN snapshot s
        ON s.authority = l.authority AND s.id < l.snapshot WHERE s.copy_body IS NOT NULL
) gone
WHERE NOT EXISTS (
    SELECT 1 FROM snapshot s LEFT JOIN temp.left_from l ON l.authority = s.authority
    WHERE s.body = gone.id AND s.id >= coalesce(l.snapshot, 0)
) AND NOT EXISTS (
    SELECT 1 FROM snapshot s LEFT JOIN temp.left_from l ON l.authority = s.authority
    WHERE s.copy_body = gone.id AND s.id >= coalesce(l.snapshot, 0)
)";

/// Returns the id of the first snapshot of an authority that would remain.
fn left_from(
    connection: &Connection,
    authority: i64,
    keep_from: Option<Timestamp>,
    quota: &StoreSettings,
) -> Result<i64, Error> {
    let mut from = match keep_from {
        Some(at) => sweep::in_force_at(connection, authority, at)?.unwrap_or(0),
        None => 0,
    };
    if quota.authority_snapshots_max.is_none() && quota.authority_bytes_max.is_none() {
        return Ok(from);
    }
    let mut snapshots = snapshots_within(connection, authority, (from, i64::MAX))?;
    let snapshots_max = quota.authority_snapshots_max.unwrap_or(u64::MAX);
    // A sweep deletes a limited number at once, and then compares the rest with the quota again.
    while quota.authority_bytes_max.is_some() || snapshots > snapshots_max {
        let QuotaScan::Over { oldest, .. } =
            quota_scan::scan(connection, quota, authority, (from, snapshots))?
        else {
            break;
        };
        let (gone, last): (u64, Option<i64>) = connection
            .prepare_cached(
                "SELECT count(*), max(id) FROM (SELECT id FROM snapshot \
                 WHERE authority = ?1 AND id >= ?2 AND id < ?3 ORDER BY id LIMIT ?4)",
            )?
            .query_row(
                params![authority, from, oldest, QUOTA_SNAPSHOTS_MAX as u64],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?;
        from = last.map_or(from, |last| last.saturating_add(1));
        snapshots = snapshots.saturating_sub(gone);
        if gone < QUOTA_SNAPSHOTS_MAX as u64 {
            break;
        }
    }
    Ok(from)
}

/// Counts the snapshots of an authority in a range of ids.
fn snapshots_within(
    connection: &Connection,
    authority: i64,
    (from, to): (i64, i64),
) -> Result<u64, Error> {
    connection
        .prepare_cached(
            "SELECT count(*) FROM snapshot WHERE authority = ?1 AND id >= ?2 AND id < ?3",
        )?
        .query_row(params![authority, from, to], |row| row.get(0))
}
