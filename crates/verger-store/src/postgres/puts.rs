//! Appends snapshots. One statement appends any number of them, in one transaction and one round trip.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio_postgres::Row;
use tokio_postgres::types::Type;

use crate::body_hash::BodyHash;
use crate::lease::{FencingToken, Lease};
use crate::observation::Observation;
use crate::postgres::database_failure::DatabaseFailure;
use crate::postgres::pool::Pool;
use crate::postgres::rows::{seconds, unsigned, whole};
use crate::postgres::statement::Statement;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::transfer::store_line::SnapshotLine;

/// Ends the leases if `$10` is true, which locks the rows of their authorities. Then appends bodies in the order of
/// their hashes, so two transactions never wait for each other, and draws ids in the order of puts. A damaged body is
/// replaced. An intact body is only compared, because an upsert would lock it against the other sites that have it.
const PUT: &str = "
with given as (
    select * from unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::bytea[], $6::bytea[], $7::text[], $11::bytea[])
        with ordinality as g (name, token, holder, ended_s, body, copy_body, record, facts, place)),
held as (
    update verger.authority a set token = case when $10 then null else a.token end, is_seen = true
    from given g where a.name = g.name and a.token = g.token and a.holder = g.holder
    returning a.id, a.name, g.token, a.awaited),
kept as (
    insert into verger.body (sha256, octets)
    select b.sha256, b.octets from unnest($8::bytea[], $9::bytea[]) as b (sha256, octets)
    where b.sha256 in (select unnest(array[g.body, g.copy_body]) from held h join given g using (name, token))
    order by b.sha256 on conflict (sha256) do nothing),
healed as (
    update verger.body k set octets = b.octets from unnest($8::bytea[], $9::bytea[]) as b (sha256, octets)
    where k.sha256 = b.sha256 and k.octets <> b.octets
    and b.sha256 in (select unnest(array[g.body, g.copy_body]) from held h join given g using (name, token))),
added as (
    insert into verger.snapshot (authority, token, ended_s, body, copy_body, record, facts)
    select h.id, case when $10 then h.token end, g.ended_s, g.body, g.copy_body, g.record::jsonb, g.facts
    from held h join given g using (name, token) order by g.place
    returning id, token),
woken as (select pg_notify('verger_lease_ended', name) from held where $10 and awaited)
select id, token, (select count(*) from woken) from added order by id";

/// Finds the snapshots that were put with these leases.
const PUT_BEFORE: &str = "
select s.id, s.token from verger.snapshot s join verger.authority a on a.id = s.authority
where a.name = any ($1) and s.token = any ($2)";

/// Maximum number of attempts at a statement that conflicts with another transaction, or whose connection breaks.
const ATTEMPTS_MAX: usize = 3;

#[derive(Default)]
pub(crate) struct NewSnapshots {
    names: Vec<String>,
    tokens: Vec<i64>,
    holders: Vec<String>,
    ended: Vec<i64>,
    bodies: Vec<Option<Vec<u8>>>,
    copies: Vec<Option<Vec<u8>>>,
    records: Vec<String>,
    facts: Vec<Option<Vec<u8>>>,
    bytes: BTreeMap<Vec<u8>, Vec<u8>>,
}

impl NewSnapshots {
    /// Adds a snapshot: hashes and encodes it.
    pub(crate) fn push(
        &mut self,
        seen: &Observation,
        lease: &Lease,
    ) -> Result<(), serde_json::Error> {
        let snapshot = Snapshot::new(SnapshotId::BEFORE_ALL, seen);
        let key = |hash: BodyHash| hash.bytes().to_vec();
        let body = snapshot.body.map(|body| key(body.hash));
        let copy = snapshot.copy.as_ref().map(|copy| key(copy.body.hash));
        let seen_bodies = [&seen.attempt.copy, &seen.knowledge.copy];
        for (hash, bytes) in [&body, &copy].into_iter().zip(seen_bodies) {
            if let (Some(hash), Some(copy)) = (hash, bytes) {
                let bytes = self.bytes.entry(hash.clone());
                bytes.or_insert_with(|| copy.body.to_vec());
            }
        }
        self.records.push(SnapshotLine::of(&snapshot).to_json()?);
        self.names.push(lease.authority.to_string());
        self.tokens.push(whole(lease.token.0));
        self.holders.push(lease.holder.clone());
        self.ended.push(seconds(seen.attempt.last.at));
        self.bodies.push(body);
        self.copies.push(copy);
        self.facts.push(seen.facts.bytes().map(<[u8]>::to_vec));
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    fn statement(self, ends_leases: bool) -> Statement {
        let (hashes, bytes): (Vec<_>, Vec<_>) = self.bytes.into_iter().unzip();
        Statement::new(PUT)
            .with(self.names, Type::TEXT_ARRAY)
            .with(self.tokens, Type::INT8_ARRAY)
            .with(self.holders, Type::TEXT_ARRAY)
            .with(self.ended, Type::INT8_ARRAY)
            .with(self.bodies, Type::BYTEA_ARRAY)
            .with(self.copies, Type::BYTEA_ARRAY)
            .with(self.records, Type::TEXT_ARRAY)
            .with(hashes, Type::BYTEA_ARRAY)
            .with(bytes, Type::BYTEA_ARRAY)
            .with(ends_leases, Type::BOOL)
            .with(self.facts, Type::BYTEA_ARRAY)
    }
}

/// The ids of snapshots, by the leases that they were put with.
pub(crate) type PutIds = BTreeMap<FencingToken, SnapshotId>;

/// Puts snapshots, each with its own lease, which it ends. Snapshots whose lease is lost get no id.
///
/// `may_be_done` means that an earlier call without a reply may have put some of them. These keep their ids. The same
/// applies if a connection breaks here, so a put is one snapshot even if the reply to its commit is lost.
pub(crate) async fn put(
    pool: Arc<Pool>,
    new: NewSnapshots,
    mut may_be_done: bool,
) -> Result<PutIds, DatabaseFailure> {
    let count = new.len();
    let before = Statement::new(PUT_BEFORE)
        .with(new.names.clone(), Type::TEXT_ARRAY)
        .with(new.tokens.clone(), Type::INT8_ARRAY);
    let statement = new.statement(true);
    let mut ids = PutIds::new();
    // An attempt without a reply. If the next one is refused, this one may still have succeeded.
    let mut in_doubt = None;
    for attempt in 1.. {
        match pool.rows(&statement).await {
            Ok(rows) => {
                note(&mut ids, &rows)?;
                break;
            }
            Err(failure) if attempt == ATTEMPTS_MAX => return Err(in_doubt.unwrap_or(failure)),
            Err(failure) if failure.is_worth_repeating() => {}
            Err(failure @ DatabaseFailure::Away(_)) => in_doubt = Some(failure),
            Err(failure) => return Err(in_doubt.unwrap_or(failure)),
        }
    }
    may_be_done |= in_doubt.is_some();
    if may_be_done && ids.len() < count {
        note(&mut ids, &pool.read(&before).await?)?;
    }
    Ok(ids)
}

fn note(ids: &mut PutIds, rows: &[Row]) -> Result<(), DatabaseFailure> {
    for row in rows {
        ids.insert(
            FencingToken(unsigned(row, 1)?),
            SnapshotId(unsigned(row, 0)?),
        );
    }
    Ok(())
}

/// Appends snapshots of one authority, whose lease stays valid, or none if the lease is lost. It does not repeat the
/// statement if a connection breaks: an import finds out by itself what was appended.
pub(crate) async fn append(
    pool: Arc<Pool>,
    new: NewSnapshots,
) -> Result<Vec<SnapshotId>, DatabaseFailure> {
    let statement = new.statement(false);
    let mut rows = pool.rows(&statement).await;
    for _ in 1..ATTEMPTS_MAX {
        if !rows
            .as_ref()
            .is_err_and(DatabaseFailure::is_worth_repeating)
        {
            break;
        }
        rows = pool.rows(&statement).await;
    }
    let rows = rows?;
    rows.iter()
        .map(|row| unsigned(row, 0).map(SnapshotId))
        .collect()
}
