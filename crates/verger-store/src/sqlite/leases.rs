//! Leases in a file. Call these inside a writing transaction, so nothing changes between a check and the change that
//! depends on it.

use core::time::Duration;

use rusqlite::{Connection, Error, OptionalExtension as _};
use verger_access::{Authority, Timestamp};

use crate::lease::{Acquisition, FencingToken, Lease};
use crate::sqlite::rows::seconds;

/// Grants a lease, unless there is a live one.
pub(crate) fn acquire(
    connection: &Connection,
    authority: &Authority,
    holder: &str,
    now: Timestamp,
    duration: Duration,
) -> Result<Acquisition, Error> {
    if let Some(lease) = newest(connection, authority)?.filter(|lease| lease.is_live(now)) {
        return Ok(Acquisition::HeldUntil {
            holder: lease.holder,
            until: lease.until,
        });
    }
    let until = now.after(duration);
    // A replaced row gets a new token (AUTOINCREMENT).
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO lease (authority, holder, granted_at, until) \
             VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute((authority.to_string(), holder, seconds(now), seconds(until)))?;
    Ok(Acquisition::Granted(Lease {
        authority: authority.clone(),
        holder: holder.to_owned(),
        token: FencingToken(connection.last_insert_rowid().unsigned_abs()),
        granted_at: now,
        until,
    }))
}

pub(crate) fn is_any(connection: &Connection) -> Result<bool, Error> {
    connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM lease)")?
        .query_row((), |row| row.get(0))
}

/// Returns the lease on an authority that was granted last, unless it was used or released.
pub(crate) fn newest(
    connection: &Connection,
    authority: &Authority,
) -> Result<Option<Lease>, Error> {
    let time = |seconds| Timestamp::from_unix_seconds(seconds);
    connection
        .prepare_cached("SELECT holder, token, granted_at, until FROM lease WHERE authority = ?1")?
        .query_row([authority.to_string()], |row| {
            Ok(Lease {
                authority: authority.clone(),
                holder: row.get(0)?,
                token: FencingToken(row.get(1)?),
                granted_at: time(row.get(2)?),
                until: time(row.get(3)?),
            })
        })
        .optional()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeaseCheck {
    Valid,
    Lost,
}

impl LeaseCheck {
    fn by_rows(changed: usize) -> Self {
        if changed == 0 {
            Self::Lost
        } else {
            Self::Valid
        }
    }
}

/// Extends a lease if it is the newest one.
pub(crate) fn renew(connection: &Connection, renewed: &Lease) -> Result<LeaseCheck, Error> {
    let (from, until) = (seconds(renewed.granted_at), seconds(renewed.until));
    let name = renewed.authority.to_string();
    connection
        .prepare_cached(
            "UPDATE lease SET granted_at = ?1, until = ?2 WHERE authority = ?3 AND token = ?4",
        )?
        .execute((from, until, name, token(renewed)))
        .map(LeaseCheck::by_rows)
}

/// Ends a lease if it is the newest one.
pub(crate) fn end(connection: &Connection, lease: &Lease) -> Result<LeaseCheck, Error> {
    connection
        .prepare_cached("DELETE FROM lease WHERE authority = ?1 AND token = ?2")?
        .execute((lease.authority.to_string(), token(lease)))
        .map(LeaseCheck::by_rows)
}

pub(crate) fn check(connection: &Connection, lease: &Lease) -> Result<LeaseCheck, Error> {
    let newest = newest(connection, &lease.authority)?;
    let is_newest = newest.is_some_and(|newest| newest.token == lease.token);
    Ok(if is_newest {
        LeaseCheck::Valid
    } else {
        LeaseCheck::Lost
    })
}

/// Converts a token, which `SQLite` granted, back to an integer of `SQLite`.
fn token(lease: &Lease) -> i64 {
    i64::try_from(lease.token.0).unwrap_or(i64::MAX)
}
