//! Deliveries in a database.

use std::sync::Arc;

use tokio_postgres::Row;
use tokio_postgres::types::Type;
use verger_access::Authority;

use crate::deliveries::Deliveries;
use crate::delivery::Delivery;
use crate::postgres::database_failure::DatabaseFailure;
use crate::postgres::postgres_store::PostgresStore;
use crate::postgres::rows::{column, seconds, time};
use crate::postgres::statement::Statement;
use crate::store_error::StoreError;

const READ: &str = "
select event, delivered_s, state, body from verger.delivery where authority = $1 and receiver = $2";

const PUT: &str = "
insert into verger.delivery (authority, receiver, event, delivered_s, state, body) values ($1, $2, $3, $4, $5, $6)
on conflict (authority, receiver) do update set event = excluded.event, delivered_s = excluded.delivered_s,
    state = excluded.state, body = excluded.body";

const PUT_FIRST: &str = "
insert into verger.delivery (authority, receiver, event, delivered_s, state, body) values ($1, $2, $3, $4, $5, $6)
on conflict (authority, receiver) do nothing";

fn delivery(row: &Row) -> Result<Delivery, DatabaseFailure> {
    let body: Option<&[u8]> = column(row, 3)?;
    Ok(Delivery {
        event: column(row, 0)?,
        at: time(row, 1)?,
        state: column(row, 2)?,
        body: body.map(Arc::from),
    })
}

impl Deliveries for PostgresStore {
    fn delivery(
        &self,
        authority: &Authority,
        receiver: &str,
    ) -> Result<Option<Delivery>, StoreError> {
        let statement = Statement::new(READ)
            .text(authority.to_string())
            .text(receiver);
        self.read_first(self.deadline(), statement, delivery)
    }

    fn put_delivery(
        &self,
        authority: &Authority,
        receiver: &str,
        delivery: &Delivery,
    ) -> Result<(), StoreError> {
        let put = with_values(PUT, authority, receiver, delivery);
        self.read(self.deadline(), put, |_| Ok(())).map(drop)
    }

    fn put_first_delivery(
        &self,
        authority: &Authority,
        receiver: &str,
        delivery: &Delivery,
    ) -> Result<Delivery, StoreError> {
        let put = with_values(PUT_FIRST, authority, receiver, delivery);
        self.read(self.deadline(), put, |_| Ok(()))?;
        let stored = self.delivery(authority, receiver)?;
        Ok(stored.unwrap_or_else(|| delivery.clone()))
    }
}

fn with_values(
    text: &'static str,
    authority: &Authority,
    receiver: &str,
    delivery: &Delivery,
) -> Statement {
    Statement::new(text)
        .text(authority.to_string())
        .text(receiver)
        .text(&*delivery.event)
        .number(seconds(delivery.at))
        .text(&*delivery.state)
        .with(delivery.body.as_deref().map(<[u8]>::to_vec), Type::BYTEA)
}
