//! What a file gives up: by time, all at once or a little with each put, and by quota. Each call
//! stands inside a transaction, and is bounded by its arguments.

use std::collections::BTreeSet;

use rusqlite::{Connection, Error, OptionalExtension as _, params};
use verger_access::Timestamp;

use crate::sqlite::rows::{self, ROW_OCTETS, seconds};
use crate::sqlite::store_settings::{StoreSettings, SweepSchedule};
use crate::stat::Swept;

/// A sweep in pieces looks at so many authorities with each put, ...
const PIECE_AUTHORITIES: usize = 4;
/// ... takes away so many snapshots at most, and looks at so many leases.
const PIECE_SNAPSHOTS_MAX: usize = 64;
const PIECE_LEASES: usize = 16;
/// So many pages go back to the system with each transaction that gave something up.
const PIECE_PAGES: usize = 64;

/// A put takes no more snapshots away to keep a quota; the next one goes on.
const QUOTA_SNAPSHOTS_MAX: usize = 1000;
/// More octets than any quota has: what is to be counted with the next put.
const UNCOUNTED: u64 = 1 << 60;

/// What one step of a sweep did.
pub(crate) struct Step {
    pub(crate) swept: Swept,
    /// The last authority that is done; `None` where all are.
    pub(crate) swept_to: Option<i64>,
}

/// What is noted of an authority.
struct Noted {
    authority: i64,
    snapshots: u64,
    octets: u64,
}

fn authorities_after(
    connection: &Connection,
    after: i64,
    authorities_max: usize,
) -> Result<Vec<Noted>, Error> {
    let mut statement = connection.prepare_cached(
        "SELECT id, snapshots, octets FROM authority WHERE id > ?1 ORDER BY id LIMIT ?2",
    )?;
    let authorities = statement.query_map(params![after, whole(authorities_max)], |row| {
        Ok(Noted {
            authority: row.get(0)?,
            snapshots: row.get(1)?,
            octets: row.get(2)?,
        })
    })?;
    authorities.collect()
}

/// Sweeps some authorities that come after `after`, of all of them so many snapshots at most.
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
    for &Noted { authority, .. } in &authorities {
        let in_force = connection
            .prepare_cached(
                "SELECT id FROM snapshot WHERE authority = ?1 AND ended_at <= ?2 \
                 ORDER BY id DESC LIMIT 1",
            )?
            .query_row(params![authority, seconds(keep_from)], |row| {
                row.get::<_, i64>(0)
            })
            .optional()?;
        if let Some(in_force) = in_force {
            let gone = delete_before(connection, authority, in_force, left)?;
            step.swept.snapshots += gone.snapshots;
            step.swept.bodies += gone.bodies;
            left = left.saturating_sub(usize::try_from(gone.snapshots).unwrap_or(usize::MAX));
            if left == 0 {
                // There may be more of it. Other writers wait for the end of the transaction.
                step.swept_to = Some(done);
                return Ok(step);
            }
        }
        done = authority;
    }
    step.swept_to = (authorities.len() == authorities_max).then_some(done);
    Ok(step)
}

/// The last of so many authorities that come after `after`; `None` where there are fewer.
fn last_of(connection: &Connection, after: i64, authorities: usize) -> Result<Option<i64>, Error> {
    let authorities = authorities.max(1);
    let noted = authorities_after(connection, after, authorities)?;
    let last = noted.get(authorities - 1);
    Ok(last.map(|noted| noted.authority))
}

/// The authority that comes after `after`, if there is one.
pub(crate) fn next_after(connection: &Connection, after: i64) -> Result<Option<i64>, Error> {
    last_of(connection, after, 1)
}

/// A step; where it fails, authority by authority, and those at which it fails are left as they are
/// until the next sweep. An error that ends the transaction is an error here.
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

/// Does all of `change` or nothing of it. The outer error is one that ended the transaction.
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

/// Whether the piece before this one failed and was undone with its whole transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailedBefore {
    No,
    /// The same authorities are not tried again in this sweep.
    Yes,
}

/// Does its share of the sweep that runs by itself, with so many puts at a time.
pub(crate) fn piece(
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
        // Where the clock was ahead, it does not wait until it comes there again.
        now_seconds < began_at || now_seconds.saturating_sub(began_at) >= every
    });
    let (after, began_at) = match swept_to {
        Some(swept_to) => (swept_to, began_at),
        None if is_due => (0, Some(now_seconds)),
        None => return Ok(()),
    };
    let keep = schedule.keep.as_secs();
    let keep_from = Timestamp::from_unix_seconds(now.unix_seconds().saturating_sub(keep));
    let authorities = PIECE_AUTHORITIES * puts;
    let most = (authorities, PIECE_SNAPSHOTS_MAX * puts);
    let step = match failed_before {
        FailedBefore::No => careful_step(connection, after, most, keep_from)?,
        FailedBefore::Yes => Step {
            swept: Swept::default(),
            swept_to: last_of(connection, after, authorities)?,
        },
    };
    expired_leases(connection, now, PIECE_LEASES)?;
    connection
        .prepare_cached("UPDATE total SET swept_to = ?1, sweep_began_at = ?2")?
        .execute(params![step.swept_to, began_at])?;
    if step.swept.snapshots > 0 {
        free_pages(connection, PIECE_PAGES)?;
    }
    Ok(())
}

/// Takes leases away that have expired, among so many that were granted first.
pub(crate) fn expired_leases(
    connection: &Connection,
    now: Timestamp,
    leases_max: usize,
) -> Result<u64, Error> {
    let gone = connection
        .prepare_cached(
            // As `Lease::is_live` has it.
            "DELETE FROM lease WHERE NOT (?1 < until AND granted_at - ?1 <= until - granted_at) \
             AND token IN (SELECT token FROM lease ORDER BY token LIMIT ?2)",
        )?
        .execute(params![seconds(now), whole(leases_max)])?;
    Ok(gone as u64)
}

/// Gives up the oldest snapshots of an authority where it has more than its quota. `snapshots` and
/// `octets` are what is noted of it, the latter at least what it takes.
pub(crate) fn enforce(
    connection: &Connection,
    settings: &StoreSettings,
    authority: i64,
    snapshots: u64,
    octets: u64,
) -> Result<Swept, Error> {
    let quota = |quota: Option<u64>| quota.unwrap_or(u64::MAX);
    let snapshots_max = quota(settings.authority_snapshots_max);
    let octets_max = quota(settings.authority_octets_max);
    if snapshots <= snapshots_max && octets <= octets_max {
        return Ok(Swept::default());
    }
    // Counting reads all that it has. With an eighth free it is not done again with each put.
    let less = |max: u64| max - max / 8;
    let snapshots_room = if snapshots > snapshots_max {
        less(snapshots_max)
    } else {
        snapshots_max
    };
    let (mut kept, mut kept_octets, mut oldest) = (0, 0, i64::MAX);
    let (mut counted, mut counted_octets, mut is_over) = (0_u64, 0_u64, false);
    let mut bodies = BTreeSet::new();
    let text = format!(
        "SELECT s.id, {ROW_OCTETS}, s.body, (SELECT length(octets) FROM body WHERE id = s.body), \
         s.copy_body, (SELECT length(octets) FROM body WHERE id = s.copy_body) \
         FROM snapshot s WHERE s.authority = ?1 ORDER BY s.id DESC"
    );
    let mut statement = connection.prepare_cached(&text)?;
    let mut rows = statement.query([authority])?;
    while let Some(row) = rows.next()? {
        let mut added: u64 = row.get(1)?;
        for (body, length) in [(2, 3), (4, 5)] {
            let body: Option<i64> = row.get(body)?;
            if body.is_some_and(|body| bodies.insert(body)) {
                added += row.get::<_, Option<u64>>(length)?.unwrap_or(0);
            }
        }
        let has_room = counted < snapshots_room && counted_octets + added <= less(octets_max);
        counted += 1;
        counted_octets += added;
        // The newest is kept, and those behind it without a gap.
        if kept + 1 == counted && (kept == 0 || has_room) {
            oldest = row.get(0)?;
            (kept, kept_octets) = (counted, counted_octets);
        }
        is_over = counted > snapshots_max || counted_octets > octets_max;
        if is_over {
            break;
        }
    }
    drop(rows);
    if !is_over {
        // What was noted was more than it takes.
        connection
            .prepare_cached("UPDATE authority SET octets = ?2 WHERE id = ?1")?
            .execute(params![authority, counted_octets])?;
        return Ok(Swept::default());
    }
    let gone = delete_before(connection, authority, oldest, QUOTA_SNAPSHOTS_MAX)?;
    let is_done = gone.snapshots < QUOTA_SNAPSHOTS_MAX as u64;
    let noted = if is_done { kept_octets } else { UNCOUNTED };
    connection
        .prepare_cached("UPDATE authority SET octets = ?2 WHERE id = ?1")?
        .execute(params![authority, noted])?;
    if gone.snapshots > 0 {
        free_pages(connection, PIECE_PAGES)?;
    }
    Ok(gone)
}

/// Keeps the quotas of some authorities that come after `after`.
pub(crate) fn enforce_step(
    connection: &Connection,
    settings: &StoreSettings,
    after: i64,
    authorities_max: usize,
) -> Result<Step, Error> {
    let authorities = authorities_after(connection, after, authorities_max)?;
    let mut swept = Swept::default();
    let mut done = after;
    for noted in &authorities {
        let gone = enforce(
            connection,
            settings,
            noted.authority,
            noted.snapshots,
            noted.octets,
        )?;
        swept.snapshots += gone.snapshots;
        swept.bodies += gone.bodies;
        if gone.snapshots < QUOTA_SNAPSHOTS_MAX as u64 {
            done = noted.authority;
        }
        // There may be more of it. Other writers wait for the end of the transaction.
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

/// Takes the oldest snapshots of an authority away that come before `before`, and the bodies that
/// nothing needs then.
fn delete_before(
    connection: &Connection,
    authority: i64,
    before: i64,
    snapshots_max: usize,
) -> Result<Swept, Error> {
    let mut statement = connection.prepare_cached(
        "DELETE FROM snapshot WHERE id IN (SELECT id FROM snapshot \
         WHERE authority = ?1 AND id < ?2 ORDER BY id LIMIT ?3) RETURNING body, copy_body",
    )?;
    let mut rows = statement.query(params![authority, before, whole(snapshots_max)])?;
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
    rows::count_away(connection, authority, swept.snapshots)?;
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

/// Gives so many free pages back, where the file can; says how many are left.
pub(crate) fn free_pages(connection: &Connection, pages_max: usize) -> Result<u64, Error> {
    let vacuum: i64 = connection.query_row("PRAGMA auto_vacuum", (), |row| row.get(0))?;
    if vacuum == 0 {
        // A file of an older version gives no page back until it is compacted.
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
