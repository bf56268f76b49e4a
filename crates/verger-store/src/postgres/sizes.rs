//! Reads the size of a store. It counts rows, because a row with the total would be a lock that all writers share.

use tokio_postgres::Row;
use verger_access::Timestamp;

use crate::postgres::database_failure::DatabaseFailure;
use crate::postgres::rows::{column, unsigned};
use crate::stat::Stat;

pub(crate) const STAT: &str = "
select (select count(*) from verger.authority where is_seen), (select count(*) from verger.snapshot),
    (select count(*) from verger.body), (select count(*) from verger.authority where token is not null),
    (select sum(octet_length(octets))::bigint from verger.body),
    (select sum(pg_total_relation_size(oid))::bigint from pg_class
        where relnamespace = 'verger'::regnamespace and relkind = 'r'),
    (select ended_s from verger.snapshot order by id limit 1), (select ended_s from verger.snapshot order by id desc limit 1)";

pub(crate) fn stat(row: &Row) -> Result<Stat, DatabaseFailure> {
    Ok(Stat {
        authorities: unsigned(row, 0)?,
        snapshots: unsigned(row, 1)?,
        bodies: unsigned(row, 2)?,
        leases: unsigned(row, 3)?,
        body_bytes: unsigned(row, 4)?,
        bytes: unsigned(row, 5)?,
        first_ended_at: optional_time(row, 6)?,
        last_ended_at: optional_time(row, 7)?,
    })
}

fn optional_time(row: &Row, index: usize) -> Result<Option<Timestamp>, DatabaseFailure> {
    let seconds: Option<i64> = column(row, index)?;
    Ok(seconds.map(|seconds| Timestamp::from_unix_seconds(seconds.unsigned_abs())))
}
