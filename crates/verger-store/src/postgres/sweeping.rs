//! Deletes old snapshots from a database, a page of authorities and one transaction at a time.

use std::sync::Arc;

use tokio_postgres::types::Type;
use verger_access::Timestamp;

use crate::postgres::database_failure::DatabaseFailure;
use crate::postgres::pool::Pool;
use crate::postgres::rows::{column, seconds, unsigned};
use crate::postgres::statement::Statement;
use crate::stat::Swept;

/// Deletes the snapshots of a page of authorities before those in force at `$2`, in the order of their times, except
/// the snapshots put last, and all snapshots of authorities at which no attempt ever found a server. Ends expired
/// leases (the negation of `Lease::is_live`), and removes authorities without a snapshot. Deletes at most 10,000
/// snapshots, and returns whether more may remain.
const STEP: &str = "
with page as (select id from verger.authority where id > $1 order by id limit 1000),
silent as (
    select p.id from page p where not exists (
        select from verger.snapshot f where f.authority = p.id
        and (f.ended_s >= $2 or f.copy_body is not null or f.record ->> 'outcome' not like 'failed %'))),
gone as (
    select s.authority, s.id from page p
    cross join lateral (select id, ended_s from verger.snapshot f where f.authority = p.id and f.ended_s <= $2
        order by f.ended_s desc, f.id desc limit 1) in_force
    join verger.snapshot s on s.authority = p.id and (p.id in (select id from silent)
        or (s.ended_s, s.id) < (in_force.ended_s, in_force.id)
        and s.id < (select max(l.id) from verger.snapshot l where l.authority = p.id)) limit 10000),
deleted as (
    delete from verger.snapshot s using gone g where s.authority = g.authority and s.id = g.id
    returning s.body, s.copy_body),
expired as (
    update verger.authority a set token = null
    from page p, (select coalesce($3, verger.clock()) as now_s) clock
    where a.id = p.id and a.token is not null and not (now_s < a.until_s and a.granted_s - now_s <= a.until_s - a.granted_s)
    returning 1),
hidden as (
    update verger.authority a set is_seen = false from silent where a.id = silent.id and a.is_seen
    and a.token is null and a.granted_s < $2),
forgotten as (
    delete from verger.authority a using page p where a.id = p.id and not a.is_seen and a.token is null
    and not exists (select from verger.snapshot s where s.authority = a.id))
select (select max(id) from page), (select count(*) from deleted), (select count(*) from deleted) = 10000,
    (select count(*) from expired),
    array(select body from deleted where body is not null
        union select copy_body from deleted where copy_body is not null)";

/// Locks bodies that may be unused. A body that a concurrent put refers to is locked by that put, and stays.
const LOCK: &str = "
select sha256 from verger.body where sha256 = any ($1) order by sha256 for update skip locked";

/// Deletes unused bodies. It is a separate statement, so it sees all puts up to the locks.
const DELETE_BODIES: &str = "
with deleted as (
    delete from verger.body b where sha256 = any ($1)
        and not exists (select from verger.snapshot where body = b.sha256)
        and not exists (select from verger.snapshot where copy_body = b.sha256) returning 1)
select count(*) from deleted";

/// Deletes at most a thousand deliveries before a time, of authorities without a later snapshot, and returns their
/// number.
pub(crate) const DELIVERIES: &str = "
with deleted as (
    delete from verger.delivery d where (d.authority, d.receiver) in (
        select d.authority, d.receiver from verger.delivery d where delivered_s < $1 and not exists (
            select from verger.snapshot s join verger.authority a on a.id = s.authority
            where a.name = d.authority and s.ended_s >= $1) limit 1000) returning 1)
select count(*) from deleted";

/// The number of deleted snapshots, and the authority after which the next step begins.
pub(crate) struct SweepStep {
    pub(crate) swept: Swept,
    pub(crate) next: Option<i64>,
}

/// Sweeps the authorities after `after`. `now` is the time of the caller, if the caller's clock decides.
pub(crate) async fn step(
    pool: Arc<Pool>,
    after: i64,
    keep_from: Timestamp,
    now: Option<i64>,
) -> Result<SweepStep, DatabaseFailure> {
    let statement = Statement::new(STEP)
        .number(after)
        .number(seconds(keep_from))
        .with(now, Type::INT8);
    let mut connection = pool.connection().await?;
    connection.begin().await?;
    let rows = connection.rows(&statement).await?;
    let row = rows.first();
    let row = row.ok_or_else(|| DatabaseFailure::Damaged("the sweep row is missing".into()))?;
    let mut swept = Swept {
        snapshots: unsigned(row, 1)?,
        leases: unsigned(row, 3)?,
        ..Swept::default()
    };
    let bodies: Vec<Vec<u8>> = column(row, 4)?;
    if !bodies.is_empty() {
        let lock = Statement::new(LOCK).with(bodies, Type::BYTEA_ARRAY);
        let locked = connection.rows(&lock).await?;
        let locked: Result<Vec<Vec<u8>>, _> = locked.iter().map(|row| column(row, 0)).collect();
        let delete = Statement::new(DELETE_BODIES).with(locked?, Type::BYTEA_ARRAY);
        let deleted = connection.rows(&delete).await?;
        swept.bodies = deleted.first().map_or(Ok(0), |row| unsigned(row, 0))?;
    }
    connection.commit().await?;
    let last: Option<i64> = column(row, 0)?;
    let has_more: bool = column(row, 2)?;
    Ok(SweepStep {
        swept,
        next: if has_more { Some(after) } else { last },
    })
}
