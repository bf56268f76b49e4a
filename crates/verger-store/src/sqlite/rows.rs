//! Reads and writes the rows of snapshots, bodies and authorities.

use core::ops::RangeInclusive;
use core::time::Duration;
use std::borrow::Cow;
use std::net::IpAddr;
use std::sync::Arc;

use http::HeaderValue;
use rusqlite::types::{FromSql, Type};
use rusqlite::{Connection, Error, OptionalExtension as _, Row, ToSql, params};
use url::Url;
use verger_access::{Authority, FailureStreak, GoodCopy, Jitter, LastAttempt, Timestamp};

use crate::body_hash::BodyHash;
use crate::kept_copy::{BodyDigest, KeptCopy};
use crate::kept_headers::KeptHeaders;
use crate::observation::Observation;
use crate::packed_facts::PackedFacts;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::sqlite::hop_lines;
use crate::sqlite::warning_lines;
use crate::stored_state::StoredState;

/// The columns that [`snapshot`] reads from [`SNAPSHOT_TABLES`]. `length` of a blob does not read the blob.
pub(crate) const SNAPSHOT_COLUMNS: &str = "s.id, s.profile, s.ended_at, s.outcome, \
    s.stated_lifetime, s.retry_after, s.hops, s.headers, s.warnings, s.peer, s.fresh_until, \
    s.copy_url, s.copy_entity_tag, s.copy_last_modified, s.copy_validated_at, \
    s.copy_stated_lifetime, s.streak_first_at, s.streak_failures, s.streak_jitter, \
    b.hash AS body_hash, length(b.octets) AS body_length, \
    c.hash AS copy_hash, length(c.octets) AS copy_length";

/// A snapshot, its body and the body of its copy.
pub(crate) const SNAPSHOT_TABLES: &str = "snapshot s LEFT JOIN body b ON b.id = s.body \
    LEFT JOIN body c ON c.id = s.copy_body";

/// The additional column that [`stored_state`] reads.
pub(crate) const KNOWLEDGE_COLUMNS: &str = "c.octets AS copy_octets";

/// The indices of [`SNAPSHOT_COLUMNS`] and, last, of [`KNOWLEDGE_COLUMNS`]. A lookup by name would compare the names of
/// all columns before it.
mod column {
    pub(super) const ID: usize = 0;
    pub(super) const PROFILE: usize = 1;
    pub(super) const ENDED_AT: usize = 2;
    pub(super) const OUTCOME: usize = 3;
    pub(super) const STATED_LIFETIME: usize = 4;
    pub(super) const RETRY_AFTER: usize = 5;
    pub(super) const HOPS: usize = 6;
    pub(super) const HEADERS: usize = 7;
    pub(super) const WARNINGS: usize = 8;
    pub(super) const PEER: usize = 9;
    pub(super) const FRESH_UNTIL: usize = 10;
    pub(super) const COPY_URL: usize = 11;
    pub(super) const COPY_ENTITY_TAG: usize = 12;
    pub(super) const COPY_LAST_MODIFIED: usize = 13;
    pub(super) const COPY_VALIDATED_AT: usize = 14;
    pub(super) const COPY_STATED_LIFETIME: usize = 15;
    pub(super) const STREAK_FIRST_AT: usize = 16;
    pub(super) const STREAK_FAILURES: usize = 17;
    pub(super) const STREAK_JITTER: usize = 18;
    pub(super) const BODY_HASH: usize = 19;
    pub(super) const BODY_LENGTH: usize = 20;
    pub(super) const COPY_HASH: usize = 21;
    pub(super) const COPY_LENGTH: usize = 22;
    pub(super) const COPY_BYTES: usize = 23;
}

/// Approximate size of a row of `snapshot s` without bodies and facts, in bytes. [`insert`] uses the same.
pub(crate) const ROW_BYTES: &str = "400 + length(s.hops) + length(s.headers) + length(s.warnings)";
const ROW_OVERHEAD_BYTES: usize = 400;

/// Maximum integer of `SQLite`, at which sums of bytes saturate.
const BYTES_MAX: u64 = i64::MAX.unsigned_abs();

/// `OR FAIL` here and below: a failed statement is always rolled back with its whole transaction. With the default, `OR
/// ABORT`, each statement with triggers keeps a copy of every page that it changes, which takes an eighth of the time
/// of an import.
const INSERT: &str = "INSERT OR FAIL INTO snapshot (authority, profile, ended_at, outcome, \
    stated_lifetime, retry_after, hops, headers, warnings, peer, fresh_until, body, copy_body, \
    copy_url, copy_entity_tag, copy_last_modified, copy_validated_at, copy_stated_lifetime, \
    streak_first_at, streak_failures, streak_jitter, facts) \
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

/// Converts a time to an integer of `SQLite`. Later times become the largest integer.
pub(crate) fn seconds(at: Timestamp) -> i64 {
    i64::try_from(at.unix_seconds()).unwrap_or(i64::MAX)
}

fn length(duration: Duration) -> i64 {
    i64::try_from(duration.as_secs()).unwrap_or(i64::MAX)
}

fn invalid_value(row: &Row<'_>, column: usize) -> Error {
    let name = row.as_ref().column_name(column).unwrap_or_default();
    let text = format!("`{name}` cannot be read");
    Error::FromSqlConversionFailure(column, Type::Null, text.into())
}

fn time(row: &Row<'_>, column: usize) -> Result<Timestamp, Error> {
    row.get(column).map(Timestamp::from_unix_seconds)
}

fn optional<T: FromSql, U>(
    row: &Row<'_>,
    column: usize,
    read: impl FnOnce(T) -> Option<U>,
) -> Result<Option<U>, Error> {
    let value: Option<T> = row.get(column)?;
    let read = value.map(|value| read(value).ok_or_else(|| invalid_value(row, column)));
    read.transpose()
}

fn optional_length(row: &Row<'_>, column: usize) -> Result<Option<Duration>, Error> {
    optional(row, column, |seconds| Some(Duration::from_secs(seconds)))
}

fn required<T: FromSql, U>(
    row: &Row<'_>,
    column: usize,
    read: impl FnOnce(T) -> Option<U>,
) -> Result<U, Error> {
    optional(row, column, read)?.ok_or_else(|| invalid_value(row, column))
}

/// An inserted snapshot, and the totals of its authority after it.
pub(crate) struct Inserted {
    pub(crate) id: SnapshotId,
    pub(crate) authority: i64,
    pub(crate) authority_snapshots: u64,
    /// An upper bound of the bytes that the authority takes.
    pub(crate) authority_bytes: u64,
}

pub(crate) fn insert(connection: &Connection, it: &Observation) -> Result<Inserted, Error> {
    let body_id = |copy: Option<&GoodCopy>| -> Result<Option<i64>, Error> {
        copy.map(|copy| insert_body(connection, &copy.body))
            .transpose()
    };
    let body = body_id(it.attempt.copy.as_ref())?;
    let copy = it.knowledge.copy.as_ref();
    let copy_body = match (&it.attempt.copy, copy) {
        (Some(body_copy), Some(copy)) if Arc::ptr_eq(&body_copy.body, &copy.body) => body,
        _ => body_id(copy)?,
    };
    let hops = hop_lines::to_lines(&it.attempt.hops);
    let headers = it.headers.to_lines();
    let warnings = warning_lines::to_lines(&it.attempt.warnings);
    let bodies = [&it.attempt.copy, &it.knowledge.copy];
    let bodies = bodies.into_iter().flatten().map(|copy| copy.body.len());
    let facts = it.facts.bytes();
    let bytes = ROW_OVERHEAD_BYTES
        + hops.len()
        + headers.len()
        + warnings.len()
        + facts.map_or(0, <[u8]>::len)
        + bodies.sum::<usize>();
    let (authority, authority_snapshots, authority_bytes) =
        count_one(connection, &it.authority, bytes)?;
    let header = |value: &Option<HeaderValue>| value.as_ref().map(|it| it.as_bytes().to_vec());
    let streak = it.knowledge.streak;
    let last = it.attempt.last;
    connection.prepare_cached(INSERT)?.execute(params![
        authority,
        it.profile,
        seconds(last.at),
        last.outcome.code(),
        last.stated_lifetime.map(length),
        last.retry_after.map(length),
        hops,
        headers,
        warnings,
        it.peer.map(|peer| peer.to_string()),
        seconds(it.fresh_until),
        body,
        copy_body,
        copy.map(|copy| copy.url.as_str()),
        copy.and_then(|copy| header(&copy.entity_tag)),
        copy.and_then(|copy| header(&copy.last_modified)),
        copy.map(|copy| seconds(copy.validated_at)),
        copy.and_then(|copy| copy.stated_lifetime).map(length),
        streak.map(|streak| seconds(streak.first_at)),
        streak.map(|streak| streak.failures),
        streak.map(|streak| streak.jitter.thousandths()),
        facts,
    ])?;
    Ok(Inserted {
        // Ids start at 1 and increase.
        id: SnapshotId(connection.last_insert_rowid().unsigned_abs()),
        authority,
        authority_snapshots,
        authority_bytes,
    })
}

/// Adds one to the snapshots of an authority, which is inserted if it is new. Returns its id, the number of its
/// snapshots, and an upper bound of their bytes.
fn count_one(
    connection: &Connection,
    authority: &Authority,
    bytes: usize,
) -> Result<(i64, u64, u64), Error> {
    let name = authority.to_string();
    let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
    // An upsert with RETURNING would keep a copy of every page that it changes, like any statement that may fail
    // after its first change.
    let known = connection
        .prepare_cached("SELECT id, snapshots, octets FROM authority WHERE name = ?1")?
        .query_row([&name], |row| {
            let counts: (u64, u64) = (row.get(1)?, row.get(2)?);
            Ok((row.get(0)?, counts.0, counts.1))
        })
        .optional()?;
    if let Some((id, snapshots, known_bytes)) = known {
        let snapshots = snapshots + 1;
        let bytes = known_bytes.saturating_add(bytes).min(BYTES_MAX);
        connection
            .prepare_cached("UPDATE authority SET snapshots = ?2, octets = ?3 WHERE id = ?1")?
            .execute((id, snapshots, bytes))?;
        return Ok((id, snapshots, bytes));
    }
    connection
        .prepare_cached(
            "INSERT OR FAIL INTO authority (name, snapshots, octets) VALUES (?1, 1, ?2)",
        )?
        .execute((name, bytes))?;
    Ok((connection.last_insert_rowid(), 1, bytes))
}

pub(crate) fn count_deleted(
    connection: &Connection,
    authority: i64,
    snapshots: u64,
) -> Result<(), Error> {
    connection
        .prepare_cached("UPDATE authority SET snapshots = max(0, snapshots - ?2) WHERE id = ?1")?
        .execute((authority, snapshots))?;
    Ok(())
}

/// Returns the id of a body. Inserts a new body, and replaces a damaged one.
fn insert_body(connection: &Connection, bytes: &[u8]) -> Result<i64, Error> {
    let hash = BodyHash::new(bytes);
    let known = connection
        .prepare_cached("SELECT id, octets = ?2 FROM body WHERE hash = ?1")?
        .query_row((hash.bytes(), bytes), |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    match known {
        Some((id, true)) => return Ok(id),
        // The bytes changed on the disk.
        Some((id, false)) => {
            connection
                .prepare_cached("UPDATE body SET octets = ?2 WHERE id = ?1")?
                .execute((id, bytes))?;
            return Ok(id);
        }
        None => {}
    }
    connection
        .prepare_cached("INSERT OR FAIL INTO body (hash, octets) VALUES (?1, ?2)")?
        .execute((hash.bytes(), bytes))?;
    Ok(connection.last_insert_rowid())
}

pub(crate) fn snapshot(row: &Row<'_>, authority: &Authority) -> Result<Snapshot, Error> {
    Ok(Snapshot {
        id: SnapshotId(row.get(column::ID)?),
        authority: authority.clone(),
        profile: Cow::Owned(row.get(column::PROFILE)?),
        attempt: LastAttempt {
            at: time(row, column::ENDED_AT)?,
            outcome: required(row, column::OUTCOME, |code: String| code.parse().ok())?,
            stated_lifetime: optional_length(row, column::STATED_LIFETIME)?,
            retry_after: optional_length(row, column::RETRY_AFTER)?,
        },
        hops: required(row, column::HOPS, |lines: String| {
            hop_lines::of_lines(&lines)
        })?,
        headers: required(row, column::HEADERS, |lines: Vec<u8>| {
            KeptHeaders::of_lines(&lines)
        })?,
        warnings: required(row, column::WARNINGS, |lines: String| {
            warning_lines::of_lines(&lines)
        })?,
        peer: optional(row, column::PEER, |peer: String| {
            peer.parse::<IpAddr>().ok()
        })?,
        fresh_until: time(row, column::FRESH_UNTIL)?,
        body: body_digest(row, column::BODY_HASH, column::BODY_LENGTH)?,
        copy: kept_copy(row)?,
        streak: streak(row)?,
    })
}

/// Reads a snapshot of `authority` and the knowledge with it.
pub(crate) fn stored_state(row: &Row<'_>, authority: &Authority) -> Result<StoredState, Error> {
    let snapshot = snapshot(row, authority)?;
    let bytes = match &snapshot.copy {
        Some(copy) => checked(copy.body.hash, row.get(column::COPY_BYTES)?),
        None => None,
    };
    Ok(StoredState {
        knowledge: snapshot.knowledge(bytes),
        snapshot,
    })
}

fn body_digest(row: &Row<'_>, hash: usize, length: usize) -> Result<Option<BodyDigest>, Error> {
    let hash = optional(row, hash, |hash| Some(BodyHash::from_bytes(hash)))?;
    let bytes: Option<u64> = row.get(length)?;
    Ok(hash
        .zip(bytes)
        .map(|(hash, bytes)| BodyDigest { hash, bytes }))
}

fn kept_copy(row: &Row<'_>) -> Result<Option<KeptCopy>, Error> {
    let Some(url) = optional(row, column::COPY_URL, |url: String| Url::parse(&url).ok())? else {
        return Ok(None);
    };
    let header = |value: Vec<u8>| HeaderValue::from_bytes(&value).ok();
    let body = body_digest(row, column::COPY_HASH, column::COPY_LENGTH)?;
    Ok(Some(KeptCopy {
        body: body.ok_or_else(|| invalid_value(row, column::COPY_HASH))?,
        url,
        entity_tag: optional(row, column::COPY_ENTITY_TAG, header)?,
        last_modified: optional(row, column::COPY_LAST_MODIFIED, header)?,
        validated_at: time(row, column::COPY_VALIDATED_AT)?,
        stated_lifetime: optional_length(row, column::COPY_STATED_LIFETIME)?,
    }))
}

fn streak(row: &Row<'_>) -> Result<Option<FailureStreak>, Error> {
    let first_at = optional(row, column::STREAK_FIRST_AT, |at| {
        Some(Timestamp::from_unix_seconds(at))
    })?;
    let Some(first_at) = first_at else {
        return Ok(None);
    };
    Ok(Some(FailureStreak {
        first_at,
        failures: row.get(column::STREAK_FAILURES)?,
        jitter: Jitter::from_thousandths(row.get(column::STREAK_JITTER)?),
    }))
}

/// Returns the bytes of a body if they match its hash. Rules of a damaged body could allow disallowed URLs. Damaged
/// bytes are lost until a put of the same body writes them again.
fn checked(hash: BodyHash, bytes: Vec<u8>) -> Option<Arc<[u8]>> {
    (BodyHash::new(&bytes) == hash).then(|| bytes.into())
}

/// Reads the bytes of a body, or returns `None` if it is missing or damaged.
pub(crate) fn body(connection: &Connection, hash: BodyHash) -> Result<Option<Arc<[u8]>>, Error> {
    let bytes = connection
        .prepare_cached("SELECT octets FROM body WHERE hash = ?1")?
        .query_row([hash.bytes()], |row| row.get(0))
        .optional()?;
    Ok(bytes.and_then(|bytes| checked(hash, bytes)))
}

/// Reads the snapshots of an authority (first parameter) that match a condition, which includes the order. The third
/// parameter is their maximum number.
pub(crate) fn snapshots(
    connection: &Connection,
    authority: &Authority,
    condition: &str,
    parameters: &[&dyn ToSql],
) -> Result<Vec<Snapshot>, Error> {
    let text = format!(
        "SELECT {SNAPSHOT_COLUMNS} FROM {SNAPSHOT_TABLES} \
         WHERE s.authority = (SELECT id FROM authority WHERE name = ?1) AND {condition} LIMIT ?3"
    );
    let mut statement = connection.prepare_cached(&text)?;
    let read = |row: &rusqlite::Row<'_>| snapshot(row, authority);
    statement.query_map(parameters, read)?.collect()
}

/// Returns whether the file has a column for facts. A file of an older version that is only read does not.
pub(crate) fn has_facts(connection: &Connection) -> Result<bool, Error> {
    connection.column_exists(Some("main"), "snapshot", "facts")
}

/// Reads the facts of the snapshots of an authority whose ids are in a range.
pub(crate) fn facts(
    connection: &Connection,
    authority: &Authority,
    ids: &RangeInclusive<SnapshotId>,
) -> Result<Vec<(SnapshotId, PackedFacts)>, Error> {
    if !has_facts(connection)? {
        return Ok(Vec::new());
    }
    let mut statement = connection.prepare_cached(
        "SELECT id, facts FROM snapshot WHERE authority = (SELECT id FROM authority WHERE name = ?1) \
         AND id BETWEEN ?2 AND ?3 AND facts IS NOT NULL ORDER BY id",
    )?;
    let [first, last] = [ids.start(), ids.end()].map(|id| i64::try_from(id.0).unwrap_or(i64::MAX));
    let facts = statement.query_map((authority.to_string(), first, last), |row| {
        Ok((SnapshotId(row.get(0)?), PackedFacts::of_bytes(row.get(1)?)))
    })?;
    facts.collect()
}

pub(crate) fn authorities(
    connection: &Connection,
    after: &str,
    authorities_max: usize,
) -> Result<Vec<Authority>, Error> {
    let text = "SELECT name FROM authority WHERE name > ?1 ORDER BY name";
    let mut statement = connection.prepare_cached(text)?;
    let authorities = statement.query_map([after], |row| {
        required(row, 0, |name: String| match Authority::from_url(&name) {
            Ok(authority) => Some(Some(authority)),
            // Older versions also stored hosts that cannot exist.
            Err(error) => error.is_about_the_name().then_some(None),
        })
    })?;
    let authorities = authorities
        .filter_map(Result::transpose)
        .take(authorities_max);
    authorities.collect()
}
