//! Deliveries in a file.

use std::sync::Arc;

use rusqlite::{Connection, Error, OptionalExtension as _};
use verger_access::{Authority, Timestamp};

use crate::delivery::Delivery;
use crate::sqlite::rows::seconds;

/// Reads the last delivery to a receiver.
pub(crate) fn read(
    connection: &Connection,
    authority: &Authority,
    receiver: &str,
) -> Result<Option<Delivery>, Error> {
    connection
        .prepare_cached(
            "SELECT event, delivered_at, state, body FROM delivery \
             WHERE authority = ?1 AND receiver = ?2",
        )?
        .query_row((authority.to_string(), receiver), |row| {
            let body: Option<Vec<u8>> = row.get(3)?;
            Ok(Delivery {
                event: row.get(0)?,
                at: Timestamp::from_unix_seconds(row.get(1)?),
                state: row.get(2)?,
                body: body.map(Arc::from),
            })
        })
        .optional()
}

/// The condition of deliveries that a sweep deletes: delivered before `?1`, of authorities without a later snapshot.
pub(crate) const IS_LEFT_OVER: &str = "delivered_at < ?1 AND NOT EXISTS (SELECT 1 FROM snapshot \
     JOIN authority ON authority.id = snapshot.authority \
     WHERE authority.name = delivery.authority AND snapshot.ended_at >= ?1)";

/// Deletes at most a given number of such deliveries.
pub(crate) fn sweep(
    connection: &Connection,
    keep_from: Timestamp,
    deliveries_max: usize,
) -> Result<usize, Error> {
    let text = format!(
        "DELETE FROM delivery WHERE rowid IN \
         (SELECT rowid FROM delivery WHERE {IS_LEFT_OVER} LIMIT {deliveries_max})"
    );
    connection
        .prepare_cached(&text)?
        .execute([seconds(keep_from)])
}

/// Stores a delivery, instead of a stored one or unless there is one.
pub(crate) fn put(
    connection: &Connection,
    authority: &Authority,
    receiver: &str,
    (delivery, is_first): (&Delivery, bool),
) -> Result<(), Error> {
    let conflict = if is_first { "IGNORE" } else { "REPLACE" };
    let text = format!(
        "INSERT OR {conflict} INTO delivery (authority, receiver, event, delivered_at, state, body) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
    );
    connection
        .prepare_cached(&text)?
        .execute((
            authority.to_string(),
            receiver,
            &delivery.event,
            seconds(delivery.at),
            &delivery.state,
            delivery.body.as_deref(),
        ))
        .map(drop)
}
