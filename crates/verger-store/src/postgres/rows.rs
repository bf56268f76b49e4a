//! Reads snapshots, states and bodies from rows.

use core::ops::Range;
use std::sync::Arc;

use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, Type};
use verger_access::{Authority, Timestamp};

use crate::body_hash::BodyHash;
use crate::packed_facts::PackedFacts;
use crate::postgres::database_failure::DatabaseFailure;
use crate::postgres::statement::Statement;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::stored_state::StoredState;
use crate::transfer::store_line::SnapshotLine;

/// Queries of the first state in an order, among the states that had ended at a time (`$2`), with the body of its copy:
/// of one authority (`$1`), or of several in one row each, in their order.
macro_rules! state {
    (of one by $order:literal) => {
        state!("verger.authority a", $order, "where a.name = $1")
    };
    (of many by $order:literal) => {
        state!(
            "unnest($1) with ordinality n(name, place) left join verger.authority a using (name) left",
            $order,
            "order by n.place"
        )
    };
    ($authorities:literal, $order:literal, $end:literal) => {
        concat!(
            "select s.id, s.record::text, octet_length(b.octets), octet_length(c.octets), c.octets from ",
            $authorities,
            " join lateral (
    select id, record, body, copy_body from verger.snapshot
    where authority = a.id and ended_s <= $2 order by ",
            $order,
            " limit 1
) s on true left join verger.body b on b.sha256 = s.body left join verger.body c on c.sha256 = s.copy_body ",
            $end
        )
    };
}

/// Which of the snapshots of an authority is its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StateOf {
    /// The snapshot that was put last.
    LastPut,
    /// The snapshot in force at a time.
    Time(Timestamp),
}

impl StateOf {
    fn until(self) -> i64 {
        match self {
            Self::LastPut => i64::MAX,
            Self::Time(at) => seconds(at),
        }
    }
}

pub(crate) fn state(authority: &Authority, of: StateOf) -> Statement {
    let text = match of {
        StateOf::LastPut => state!(of one by "id desc"),
        StateOf::Time(_) => state!(of one by "ended_s desc, id desc"),
    };
    let statement = Statement::new(text).text(authority.to_string());
    statement.number(of.until())
}

/// Queries the states of several authorities: one row each, in their order.
pub(crate) fn states(authorities: &[Authority], of: StateOf) -> Statement {
    let names: Vec<String> = authorities.iter().map(Authority::to_string).collect();
    let text = match of {
        StateOf::LastPut => state!(of many by "id desc"),
        StateOf::Time(_) => state!(of many by "ended_s desc, id desc"),
    };
    let statement = Statement::new(text).with(names, Type::TEXT_ARRAY);
    statement.number(of.until())
}

const SNAPSHOTS_AFTER: &str = "
select s.id, s.record::text, octet_length(b.octets), octet_length(c.octets)
from verger.snapshot s left join verger.body b on b.sha256 = s.body left join verger.body c on c.sha256 = s.copy_body
where s.authority = (select id from verger.authority where name = $1)
    and s.id > $2 and s.ended_s >= $4 and s.ended_s < $5
order by s.id limit $3";

pub(crate) fn snapshots_during(
    authority: &Authority,
    during: Range<Timestamp>,
    after: SnapshotId,
    snapshots_max: usize,
) -> Statement {
    Statement::new(SNAPSHOTS_AFTER)
        .text(authority.to_string())
        .number(whole(after.0))
        .number(whole(snapshots_max))
        .number(seconds(during.start))
        .number(seconds(during.end))
}

pub(crate) const SNAPSHOTS_BEFORE: &str = "
select s.id, s.record::text, octet_length(b.octets), octet_length(c.octets)
from verger.snapshot s left join verger.body b on b.sha256 = s.body left join verger.body c on c.sha256 = s.copy_body
where s.authority = (select id from verger.authority where name = $1) and s.id < $2
order by s.id desc limit $3";

pub(crate) const FACTS: &str = "
select s.id, s.facts from verger.snapshot s
where s.authority = (select id from verger.authority where name = $1) and s.id between $2 and $3 and s.facts is not null
order by s.id";

/// Converts a time to a number of the database. Later times become the largest number.
pub(crate) fn seconds(at: Timestamp) -> i64 {
    i64::try_from(at.unix_seconds()).unwrap_or(i64::MAX)
}

pub(crate) fn whole(count: impl TryInto<i64>) -> i64 {
    count.try_into().unwrap_or(i64::MAX)
}

/// Reads a column whose type the statement determines.
pub(crate) fn column<'r, T: FromSql<'r>>(row: &'r Row, index: usize) -> Result<T, DatabaseFailure> {
    row.try_get(index)
        .map_err(|error| DatabaseFailure::Damaged(error.to_string().into()))
}

/// Reads a number that cannot be negative.
pub(crate) fn unsigned(row: &Row, index: usize) -> Result<u64, DatabaseFailure> {
    Ok(column::<Option<i64>>(row, index)?
        .unwrap_or(0)
        .unsigned_abs())
}

pub(crate) fn time(row: &Row, index: usize) -> Result<Timestamp, DatabaseFailure> {
    unsigned(row, index).map(Timestamp::from_unix_seconds)
}

pub(crate) fn snapshot(row: &Row) -> Result<Snapshot, DatabaseFailure> {
    let id = unsigned(row, 0)?;
    let damaged = |why: String| DatabaseFailure::Damaged(format!("snapshot {id}: {why}").into());
    let line: SnapshotLine =
        serde_json::from_str(column(row, 1)?).map_err(|error| damaged(error.to_string()))?;
    let length = |index| -> Result<Option<u64>, DatabaseFailure> {
        let length: Option<i32> = column(row, index)?;
        Ok(length.map(i32::unsigned_abs).map(u64::from))
    };
    let lengths = [length(2)?, length(3)?];
    line.snapshot(SnapshotId(id), lengths)
        .map_err(|error| damaged(error.to_string()))
}

pub(crate) fn facts(row: &Row) -> Result<(SnapshotId, PackedFacts), DatabaseFailure> {
    let id = SnapshotId(unsigned(row, 0)?);
    Ok((id, PackedFacts::of_bytes(column(row, 1)?)))
}

/// Reads a snapshot and the knowledge with it.
pub(crate) fn stored_state(row: &Row) -> Result<StoredState, DatabaseFailure> {
    let snapshot = snapshot(row)?;
    let bytes: Option<&[u8]> = column(row, 4)?;
    let copy = snapshot.copy.as_ref().zip(bytes);
    let bytes = copy.and_then(|(copy, bytes)| checked(copy.body.hash, bytes));
    Ok(StoredState {
        knowledge: snapshot.knowledge(bytes),
        snapshot,
    })
}

/// Reads the same from a row, or returns `None` if it has no snapshot.
pub(crate) fn state_if_any(row: &Row) -> Result<Option<StoredState>, DatabaseFailure> {
    let id: Option<i64> = column(row, 0)?;
    id.map(|_| stored_state(row)).transpose()
}

/// Returns the bytes of a body if they match its hash. Rules of a damaged body could allow disallowed URLs.
pub(crate) fn checked(hash: BodyHash, bytes: &[u8]) -> Option<Arc<[u8]>> {
    (BodyHash::new(bytes) == hash).then(|| bytes.into())
}
