//! Computes what a sweep would delete, only by reading.
//!
//! A sweep uses many transactions, so others can write in between. A sweep in one transaction that is rolled back would
//! block them, and grow the log by everything that it deletes. So this runs the queries with which a sweep decides, and
//! keeps the ids of deleted snapshots in a temporary table of its connection, outside the file. A temporary view hides
//! these snapshots from the queries.

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
        "CREATE TEMP TABLE gone (id INTEGER PRIMARY KEY); CREATE TEMP VIEW snapshot AS \
         SELECT * FROM main.snapshot WHERE id NOT IN (SELECT id FROM temp.gone)",
    )?;
    let mut swept = Swept::default();
    {
        let note = |condition: &str| {
            let text = format!("INSERT INTO temp.gone SELECT id FROM snapshot WHERE {condition}");
            transaction.prepare(&text)
        };
        let mut note_swept = note(sweep::SWEPT)?;
        let mut note_over_quota = note(sweep::OVER_QUOTA)?;
        let mut authorities = transaction.prepare("SELECT id FROM authority")?;
        let mut authorities = authorities.query(())?;
        while let Some(row) = authorities.next()? {
            let authority = row.get(0)?;
            let until = keep_from.map(|at| sweep::swept_until(&transaction, authority, at));
            if let Some([time, id, kept]) = until.transpose()?.flatten() {
                swept.snapshots += note_swept.execute([authority, time, id, kept])? as u64;
            }
            let from = left_from(&transaction, authority, quota)?;
            swept.snapshots += note_over_quota.execute([authority, from])? as u64;
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
    SELECT s.body AS id FROM temp.gone JOIN main.snapshot s USING (id) WHERE s.body IS NOT NULL
    UNION
    SELECT s.copy_body FROM temp.gone JOIN main.snapshot s USING (id) WHERE s.copy_body IS NOT NULL
) unused
WHERE NOT EXISTS (SELECT 1 FROM snapshot WHERE body = unused.id)
AND NOT EXISTS (SELECT 1 FROM snapshot WHERE copy_body = unused.id)";

/// Returns the id of the first snapshot of an authority that would remain after the quotas.
fn left_from(connection: &Connection, authority: i64, quota: &StoreSettings) -> Result<i64, Error> {
    let mut from = 0;
    if quota.authority_snapshots_max.is_none() && quota.authority_bytes_max.is_none() {
        return Ok(from);
    }
    let mut snapshots: u64 = connection
        .prepare_cached("SELECT count(*) FROM snapshot WHERE authority = ?1")?
        .query_row([authority], |row| row.get(0))?;
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
