//! Turns in a database.

use std::sync::Arc;

use tokio_postgres::types::Type;

use crate::postgres::database_failure::DatabaseFailure;
use crate::postgres::pool::Pool;
use crate::postgres::postgres_settings::LeaseClock;
use crate::postgres::rows::column;
use crate::postgres::statement::Statement;
use crate::turn::{Turn, TurnRequest};
use crate::turn_numbers::TurnNumbers;

/// See `sqlite::turns`.
const TAKE: &str = "
insert into verger.turn as t (site, sent_ms, taken_ms)
select $1, now_ms, now_ms from (select coalesce($4, verger.clock_ms()) as now_ms) clock
on conflict (site) do update set taken_ms = excluded.taken_ms,
    sent_ms = verger.next_turn_ms(t.sent_ms, t.taken_ms, $2, excluded.taken_ms)
where verger.next_turn_ms(t.sent_ms, t.taken_ms, $2, excluded.taken_ms) - excluded.taken_ms <= $3
returning sent_ms - taken_ms";

/// The wait that was too long.
const WAIT: &str = "
select verger.next_turn_ms(sent_ms, taken_ms, $2, now_ms) - now_ms
from verger.turn, (select coalesce($3, verger.clock_ms()) as now_ms) clock where site = $1";

const SWEEP: &str = "
delete from verger.turn where sent_ms / 1000 < coalesce($1, verger.clock()) - 86400";

/// Takes the next turn, unless the wait would be too long.
pub(crate) async fn take(
    pool: Arc<Pool>,
    clock: LeaseClock,
    request: TurnRequest,
) -> Result<Turn, DatabaseFailure> {
    let TurnNumbers {
        delay,
        longest,
        now,
    } = TurnNumbers::of(&request);
    let now = (clock == LeaseClock::Caller).then_some(now);
    let take = Statement::new(TAKE).text(&*request.site).number(delay);
    let take = take.number(longest).with(now, Type::INT8);
    if let Some(row) = pool.rows(&take).await?.first() {
        return Ok(Turn::In(TurnNumbers::wait(column(row, 0)?)));
    }
    let wait = Statement::new(WAIT).text(request.site).number(delay);
    let rows = pool.rows(&wait.with(now, Type::INT8)).await?;
    // A sweep may have deleted the turn meanwhile.
    let wait = rows
        .first()
        .map(|row| column(row, 0).map(TurnNumbers::wait));
    Ok(Turn::TooLong(wait.transpose()?.unwrap_or(request.delay)))
}

/// Deletes the turns that came more than a day ago. `now` is the time of the caller, if the caller's clock decides.
pub(crate) fn sweep(now: Option<i64>) -> Statement {
    Statement::new(SWEEP).with(now, Type::INT8)
}
