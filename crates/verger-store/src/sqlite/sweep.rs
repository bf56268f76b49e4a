//! Deletes snapshots from a file: by age, in one sweep or incrementally with each put, and by quota. Call these inside
//! a transaction. Their arguments bound the work.

use std::collections::BTreeSet;

use rusqlite::{Connection, Error, OptionalExtension as _, params, params_from_iter};
use verger_access::Timestamp;

use crate::sqlite::quota_scan::{self, QuotaScan};
use crate::sqlite::rows::{self, seconds};
use crate::sqlite::store_settings::{StoreSettings, SweepSchedule};
use crate::stat::Swept;

/// Number of authorities that one put sweeps.
const SLICE_AUTHORITIES: usize = 4;
/// Maximum number of snapshots that one put deletes by age, and of leases that it reads.
const SLICE_SNAPSHOTS_MAX: usize = 64;
const SLICE_LEASES: usize = 16;
/// Maximum number of free pages that a deleting transaction returns to the file system.
const SLICE_PAGES: usize = 64;

/// Maximum number of snapshots that one put deletes for a quota. The next put continues.
pub(crate) const QUOTA_SNAPSHOTS_MAX: usize = 1000;
/// The size of an authority that was not counted. It exceeds any quota, so the next put counts.
const UNCOUNTED: u64 = 1 << 60;

/// The negation of `Lease::is_live` at the time `?1`.
pub(crate) const LEASE_IS_EXPIRED: &str =
    "NOT (?1 < until AND granted_at - ?1 <= until - granted_at)";

pub(crate) struct Step {
    pub(crate) swept: Swept,
    /// The last swept authority, or `None` if all are swept.
    pub(crate) swept_to: Option<i64>,
}

struct AuthorityTotals {
    authority: i64,
    snapshots: u64,
    bytes: u64,
}

fn authorities_after(
    connection: &Connection,
    after: i64,
    authorities_max: usize,
) -> Result<Vec<AuthorityTotals>, Error> {
    let mut statement = connection.prepare_cached(
        "SELECT id, snapshots, octets FROM authority WHERE id > ?1 ORDER BY id LIMIT ?2",
    )?;
    let authorities = statement.query_map(params![after, whole(authorities_max)], |row| {
        Ok(AuthorityTotals {
            authority: row.get(0)?,
            snapshots: row.get(1)?,
            bytes: row.get(2)?,
        })
    })?;
    authorities.collect()
}

/// Sweeps at most `authorities_max` authorities after `after`, and deletes at most `snapshots_max`
/// snapshots.
pub(crate) fn step(
    connection: &Connection,
    after: i64,
    (authorities_max, snapshots_max): (usize, usize),
    keep_from: Timestamp,
) -> Result<Step, Error> {
    let authorities = authorities_after(connection, after, authorities_max)?;
    let mut step = Step {
        swept: Swept::default(),
        swept_to: None,
    };
    let mut done = after;
    let mut left = snapshots_max;
    for &AuthorityTotals { authority, .. } in &authorities {
        if let Some(until) = swept_until(connection, authority, keep_from)? {
            let gone = delete(connection, SWEPT, authority, &until, left)?;
            step.swept.snapshots += gone.snapshots;
            step.swept.bodies += gone.bodies;
            left = left.saturating_sub(usize::try_from(gone.snapshots).unwrap_or(usize::MAX));
            if left == 0 {
                // This authority may have more snapshots. End the transaction, so others can write.
                step.swept_to = Some(done);
                return Ok(step);
            }
        }
        forget_if_empty(connection, authority)?;
        done = authority;
    }
    step.swept_to = (authorities.len() == authorities_max).then_some(done);
    Ok(step)
}

/// The end of the snapshots that a sweep deletes: those before this time and id, except the snapshot that is kept.
pub(crate) type SweptUntil = [i64; 3];

/// The condition on the snapshots of the authority `?1` that a sweep deletes, with a [`SweptUntil`].
pub(crate) const SWEPT: &str = "authority = ?1 AND (ended_at, id) < (?2, ?3) AND id <> ?4";

/// Returns which snapshots of an authority a sweep deletes, if any: those before the one in force at `keep_from`, in
/// the order of their times, except the snapshot put last. If no attempt ever found a server, and none was made
/// since, nothing is worth keeping.
pub(crate) fn swept_until(
    connection: &Connection,
    authority: i64,
    keep_from: Timestamp,
) -> Result<Option<SweptUntil>, Error> {
    let in_force = connection
        .prepare_cached(
            "SELECT ended_at, id, (SELECT max(id) FROM snapshot WHERE authority = ?1) FROM snapshot \
             WHERE authority = ?1 AND ended_at <= ?2 ORDER BY ended_at DESC, id DESC LIMIT 1",
        )?
        .query_row(params![authority, seconds(keep_from)], |row| {
            Ok([row.get(0)?, row.get(1)?, row.get(2)?])
        })
        .optional()?;
    let never_answered: bool = connection
        .prepare_cached(
            "SELECT NOT EXISTS (SELECT 1 FROM snapshot WHERE authority = ?1 AND (ended_at >= ?2 \
             OR copy_body IS NOT NULL OR outcome NOT LIKE 'failed %'))",
        )?
        .query_row(params![authority, seconds(keep_from)], |row| row.get(0))?;
    Ok(in_force.map(|until| {
        if never_answered {
            [i64::MAX, i64::MAX, 0]
        } else {
            until
        }
    }))
}

/// Deletes an authority that has no snapshot left.
fn forget_if_empty(connection: &Connection, authority: i64) -> Result<(), Error> {
    connection
        .prepare_cached(
            "DELETE FROM authority WHERE id = ?1 AND snapshots = 0 \
             AND NOT EXISTS (SELECT 1 FROM snapshot WHERE authority = ?1)",
        )?
        .execute([authority])?;
    Ok(())
}

/// Returns the last of the next `authorities` authorities after `after`, or `None` if there are fewer.
fn last_authority(
    connection: &Connection,
    after: i64,
    authorities: usize,
) -> Result<Option<i64>, Error> {
    let authorities = authorities.max(1);
    let found = authorities_after(connection, after, authorities)?;
    let last = found.get(authorities - 1);
    Ok(last.map(|totals| totals.authority))
}

pub(crate) fn next_after(connection: &Connection, after: i64) -> Result<Option<i64>, Error> {
    last_authority(connection, after, 1)
}

/// Does a step. If it fails, sweeps the authorities one by one, and skips failing ones until the next sweep. Returns
/// only errors that ended the transaction.
fn careful_step(
    connection: &Connection,
    after: i64,
    most: (usize, usize),
    keep_from: Timestamp,
) -> Result<Step, Error> {
    if let Ok(step) = in_savepoint(connection, || step(connection, after, most, keep_from))? {
        return Ok(step);
    }
    let (authorities, mut left) = most;
    let mut done = Step {
        swept: Swept::default(),
        swept_to: Some(after),
    };
    for _ in 0..authorities {
        let Some(after) = done.swept_to else { break };
        let one = || step(connection, after, (1, left), keep_from);
        done.swept_to = match in_savepoint(connection, one)? {
            Ok(step) => {
                done.swept.snapshots += step.swept.snapshots;
                done.swept.bodies += step.swept.bodies;
                let gone = usize::try_from(step.swept.snapshots).unwrap_or(usize::MAX);
                left = left.saturating_sub(gone);
                step.swept_to
            }
            Err(_) => next_after(connection, after)?,
        };
        if left == 0 {
            break;
        }
    }
    Ok(done)
}

/// Does all of `change` or nothing. The outer error has ended the transaction.
pub(crate) fn in_savepoint<T>(
    connection: &Connection,
    change: impl FnOnce() -> Result<T, Error>,
) -> Result<Result<T, Error>, Error> {
    connection.execute_batch("SAVEPOINT step")?;
    let changed = change();
    let end = match &changed {
        Ok(_) => "RELEASE step",
        Err(_) => "ROLLBACK TO step; RELEASE step",
    };
    connection.execute_batch(end)?;
    Ok(changed)
}

/// Whether the previous slice failed, and its whole transaction was rolled back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailedBefore {
    No,
    /// It failed. The same authorities are not tried again in this sweep.
    Yes,
}

/// Does the slice of the incremental sweep that `puts` puts trigger.
pub(crate) fn sweep_slice(
    connection: &Connection,
    schedule: SweepSchedule,
    puts: usize,
    now: Timestamp,
    failed_before: FailedBefore,
) -> Result<(), Error> {
    let (swept_to, began_at): (Option<i64>, Option<i64>) = connection
        .prepare_cached("SELECT swept_to, sweep_began_at FROM total")?
        .query_row((), |row| Ok((row.get(0)?, row.get(1)?)))?;
    let now_seconds = seconds(now);
    let is_due = began_at.is_none_or(|began_at| {
        let every = i64::try_from(schedule.every.as_secs()).unwrap_or(i64::MAX);
        // If the clock was ahead and has gone back, do not wait for that time.
        now_seconds < began_at || now_seconds.saturating_sub(began_at) >= every
    });
    let (after, began_at) = match swept_to {
        Some(swept_to) => (swept_to, began_at),
        None if is_due => (0, Some(now_seconds)),
        None => return Ok(()),
    };
    let keep = schedule.keep.as_secs();
    let keep_from = Timestamp::from_unix_seconds(now.unix_seconds().saturating_sub(keep));
    let authorities = SLICE_AUTHORITIES * puts;
    let most = (authorities, SLICE_SNAPSHOTS_MAX * puts);
    let step = match failed_before {
        FailedBefore::No => careful_step(connection, after, most, keep_from)?,
        FailedBefore::Yes => Step {
            swept: Swept::default(),
            swept_to: last_authority(connection, after, authorities)?,
        },
    };
    expired_leases(connection, now, SLICE_LEASES)?;
    connection
        .prepare_cached("UPDATE total SET swept_to = ?1, sweep_began_at = ?2")?
        .execute(params![step.swept_to, began_at])?;
    if step.swept.snapshots > 0 {
        free_pages(connection, SLICE_PAGES)?;
    }
    Ok(())
}

/// Deletes expired leases among the `leases_max` oldest.
pub(crate) fn expired_leases(
    connection: &Connection,
    now: Timestamp,
    leases_max: usize,
) -> Result<u64, Error> {
    let text = format!(
        "DELETE FROM lease WHERE {LEASE_IS_EXPIRED} \
         AND token IN (SELECT token FROM lease ORDER BY token LIMIT ?2)"
    );
    let gone = connection
        .prepare_cached(&text)?
        .execute(params![seconds(now), whole(leases_max)])?;
    Ok(gone as u64)
}

/// Deletes the oldest snapshots of an authority that exceeds its quota. `snapshots` and `bytes` are its stored totals.
/// `bytes` is an upper bound.
pub(crate) fn enforce(
    connection: &Connection,
    settings: &StoreSettings,
    authority: i64,
    snapshots: u64,
    bytes: u64,
) -> Result<Swept, Error> {
    let quota = |quota: Option<u64>| quota.unwrap_or(u64::MAX);
    let snapshots_max = quota(settings.authority_snapshots_max);
    let bytes_max = quota(settings.authority_bytes_max);
    if snapshots <= snapshots_max && bytes <= bytes_max {
        return Ok(Swept::default());
    }
    let (oldest, kept_bytes) =
        match quota_scan::scan(connection, settings, authority, (0, snapshots))? {
            QuotaScan::Over { oldest, kept_bytes } => (oldest, kept_bytes),
            QuotaScan::Within { bytes } => {
                // The stored total was too large.
                connection
                    .prepare_cached("UPDATE authority SET octets = ?2 WHERE id = ?1")?
                    .execute(params![authority, bytes])?;
                return Ok(Swept::default());
            }
        };
    let most = QUOTA_SNAPSHOTS_MAX;
    let gone = delete(connection, OVER_QUOTA, authority, &[oldest], most)?;
    let is_done = gone.snapshots < QUOTA_SNAPSHOTS_MAX as u64;
    let bytes = if is_done { kept_bytes } else { UNCOUNTED };
    connection
        .prepare_cached("UPDATE authority SET octets = ?2 WHERE id = ?1")?
        .execute(params![authority, bytes])?;
    if gone.snapshots > 0 {
        free_pages(connection, SLICE_PAGES)?;
    }
    Ok(gone)
}

/// Enforces the quotas of at most `authorities_max` authorities after `after`.
pub(crate) fn enforce_step(
    connection: &Connection,
    settings: &StoreSettings,
    after: i64,
    authorities_max: usize,
) -> Result<Step, Error> {
    let authorities = authorities_after(connection, after, authorities_max)?;
    let mut swept = Swept::default();
    let mut done = after;
    for totals in &authorities {
        let gone = enforce(
            connection,
            settings,
            totals.authority,
            totals.snapshots,
            totals.bytes,
        )?;
        swept.snapshots += gone.snapshots;
        swept.bodies += gone.bodies;
        if gone.snapshots < QUOTA_SNAPSHOTS_MAX as u64 {
            done = totals.authority;
        }
        // More may remain, but other writers wait for the end of the transaction.
        if swept.snapshots >= QUOTA_SNAPSHOTS_MAX as u64 {
            return Ok(Step {
                swept,
                swept_to: Some(done),
            });
        }
    }
    Ok(Step {
        swept,
        swept_to: (authorities.len() == authorities_max).then_some(done),
    })
}

/// The condition on the snapshots of the authority `?1` that were put before `?2`.
pub(crate) const OVER_QUOTA: &str = "authority = ?1 AND id < ?2";

/// Deletes the first snapshots of an authority that meet a condition with `parameters`, and the bodies that become
/// unused.
fn delete(
    connection: &Connection,
    condition: &str,
    authority: i64,
    parameters: &[i64],
    snapshots_max: usize,
) -> Result<Swept, Error> {
    let mut statement = connection.prepare_cached(&format!(
        "DELETE FROM snapshot WHERE id IN (SELECT id FROM snapshot \
         WHERE {condition} ORDER BY id LIMIT ?) RETURNING body, copy_body",
    ))?;
    let each = [&[authority], parameters, &[whole(snapshots_max)]].concat();
    let mut rows = statement.query(params_from_iter(each))?;
    let mut bodies = BTreeSet::new();
    let mut swept = Swept::default();
    while let Some(row) = rows.next()? {
        swept.snapshots += 1;
        let [body, copy]: [Option<i64>; 2] = [row.get(0)?, row.get(1)?];
        bodies.extend(body.into_iter().chain(copy));
    }
    drop(rows);
    if swept.snapshots == 0 {
        return Ok(swept);
    }
    rows::count_deleted(connection, authority, swept.snapshots)?;
    let mut statement = connection.prepare_cached(
        "DELETE FROM body WHERE id = ?1 \
         AND NOT EXISTS (SELECT 1 FROM snapshot WHERE body = ?1) \
         AND NOT EXISTS (SELECT 1 FROM snapshot WHERE copy_body = ?1)",
    )?;
    for body in bodies {
        swept.bodies += statement.execute([body])? as u64;
    }
    Ok(swept)
}

/// Returns at most `pages_max` free pages to the file system if the file can shrink. Returns the number of remaining
/// free pages.
pub(crate) fn free_pages(connection: &Connection, pages_max: usize) -> Result<u64, Error> {
    let vacuum: i64 = connection.query_row("PRAGMA auto_vacuum", (), |row| row.get(0))?;
    if vacuum == 0 {
        // A file that an older version created cannot shrink until it is compacted.
        return Ok(0);
    }
    let mut statement =
        connection.prepare_cached(&format!("PRAGMA incremental_vacuum({pages_max})"))?;
    let mut rows = statement.query(())?;
    // Each row is a page.
    while rows.next()?.is_some() {}
    connection.query_row("PRAGMA freelist_count", (), |row| row.get(0))
}

fn whole(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
