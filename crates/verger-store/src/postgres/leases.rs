//! Leases in a database. The row of the authority is locked before a token is drawn.

use core::time::Duration;
use std::sync::Arc;

use tokio_postgres::Row;
use tokio_postgres::types::Type;
use verger_access::{Authority, Timestamp};

use crate::lease::{Acquisition, FencingToken, Lease};
use crate::postgres::database_failure::DatabaseFailure;
use crate::postgres::pool::Pool;
use crate::postgres::postgres_settings::LeaseClock;
use crate::postgres::rows::{column, seconds, time, unsigned, whole};
use crate::postgres::statement::Statement;

/// Maximum of a time and of a duration, in seconds. Their sum fits in a number of the database.
const SECONDS_MAX: i64 = 1 << 60;

/// Grants a lease, unless there is a live one (the negation of `Lease::is_live`).
const GRANT: &str = "
insert into verger.authority as a (name, token, holder, granted_s, until_s)
select $1, nextval('verger.token'), $2, now_s, now_s + $3 from (select coalesce($4, verger.clock()) as now_s) clock
on conflict (name) do update set token = nextval('verger.token'), holder = excluded.holder,
    granted_s = excluded.granted_s, until_s = excluded.until_s, awaited = false
where a.token is null or not (excluded.granted_s < a.until_s and a.granted_s - excluded.granted_s <= a.until_s - a.granted_s)
returning token, granted_s, until_s";

/// Marks a live lease as awaited, and reads its holder. Only the first call writes.
const HELD: &str = "
with marked as (update verger.authority set awaited = true where name = $1 and token is not null and not awaited)
select holder, until_s from verger.authority where name = $1 and token is not null";

const RENEW: &str = "
update verger.authority set granted_s = now_s, until_s = now_s + $4
from (select coalesce($5, verger.clock()) as now_s) clock
where name = $1 and token = $2 and holder = $3 returning granted_s, until_s";

const RELEASE: &str = "
with ended as (update verger.authority set token = null where name = $1 and token = $2 and holder = $3
    returning name, awaited)
select pg_notify('verger_lease_ended', name) from ended where awaited";

/// The current time, if the caller's clock decides, and the duration of a lease.
#[derive(Clone, Copy)]
pub(crate) struct LeaseTime {
    now: Option<i64>,
    duration: i64,
}

impl LeaseTime {
    pub(crate) fn new(clock: LeaseClock, now: Timestamp, duration: Duration) -> Self {
        let now = match clock {
            LeaseClock::Database => None,
            LeaseClock::Caller => Some(seconds(now).min(SECONDS_MAX)),
        };
        let duration = whole(duration.as_secs()).min(SECONDS_MAX);
        Self { now, duration }
    }

    /// Returns the time of the caller, or `None` if the clock of the database decides.
    pub(crate) fn now(self) -> Option<i64> {
        self.now
    }
}

pub(crate) async fn acquire(
    pool: Arc<Pool>,
    authority: Authority,
    holder: String,
    time_of_lease: LeaseTime,
) -> Result<Acquisition, DatabaseFailure> {
    let name = authority.to_string();
    let grant = Statement::new(GRANT)
        .text(name.clone())
        .text(holder.clone())
        .number(time_of_lease.duration)
        .with(time_of_lease.now, Type::INT8);
    let held = Statement::new(HELD).text(name);
    loop {
        if let Some(row) = pool.rows(&grant).await?.first() {
            return Ok(Acquisition::Granted(Lease {
                authority,
                holder,
                token: FencingToken(unsigned(row, 0)?),
                granted_at: time(row, 1)?,
                until: time(row, 2)?,
            }));
        }
        // The lease may have ended meanwhile.
        if let Some(row) = pool.rows(&held).await?.first() {
            return Ok(Acquisition::HeldUntil {
                holder: column(row, 0)?,
                until: time(row, 1)?,
            });
        }
    }
}

/// Extends a lease. Returns no row if it is lost.
pub(crate) fn renewal(lease: &Lease, time_of_lease: LeaseTime) -> Statement {
    of_lease(RENEW, lease)
        .number(time_of_lease.duration)
        .with(time_of_lease.now, Type::INT8)
}

pub(crate) fn renewed(lease: &Lease, row: &Row) -> Result<Lease, DatabaseFailure> {
    Ok(Lease {
        granted_at: time(row, 0)?,
        until: time(row, 1)?,
        ..lease.clone()
    })
}

/// Ends a lease if it is the newest one.
pub(crate) fn release(lease: &Lease) -> Statement {
    of_lease(RELEASE, lease)
}

fn of_lease(text: &'static str, lease: &Lease) -> Statement {
    let name = lease.authority.to_string();
    let statement = Statement::new(text).text(name).number(whole(lease.token.0));
    statement.text(lease.holder.clone())
}
