//! Deliveries in a database.

use std::sync::Arc;

use tokio_postgres::types::Type;

use crate::delivery::Delivery;
use crate::postgres::database_failure::DatabaseFailure;
use crate::postgres::pool::Pool;
use crate::postgres::rows::{column, seconds, time};
use crate::postgres::statement::Statement;

const READ: &str = "select event, delivered_s, state, body from verger.delivery where authority = $1 and receiver = $2";

const PUT: &str = "
insert into verger.delivery (authority, receiver, event, delivered_s, state, body) values ($1, $2, $3, $4, $5, $6)
on conflict (authority, receiver) do update set event = excluded.event, delivered_s = excluded.delivered_s,
    state = excluded.state, body = excluded.body";

/// Reads what a receiver took last.
pub(crate) async fn read(
    pool: Arc<Pool>,
    authority: String,
    receiver: String,
) -> Result<Option<Delivery>, DatabaseFailure> {
    let rows = pool
        .read(&Statement::new(READ).text(authority).text(receiver))
        .await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let body: Option<&[u8]> = column(row, 3)?;
    Ok(Some(Delivery {
        event: column(row, 0)?,
        at: time(row, 1)?,
        state: column(row, 2)?,
        body: body.map(Arc::from),
    }))
}

/// Replaces what a receiver took last.
pub(crate) async fn put(
    pool: Arc<Pool>,
    authority: String,
    receiver: String,
    delivery: Delivery,
) -> Result<(), DatabaseFailure> {
    let body = delivery.body.as_deref().map(<[u8]>::to_vec);
    let statement = Statement::new(PUT)
        .text(authority)
        .text(receiver)
        .text(delivery.event)
        .number(seconds(delivery.at))
        .text(delivery.state)
        .with(body, Type::BYTEA);
    pool.read(&statement).await.map(drop)
}
