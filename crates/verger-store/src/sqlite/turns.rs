//! Turns in a file.

use rusqlite::{Connection, Error, OptionalExtension as _};
use verger_access::Timestamp;

use crate::sqlite::rows::seconds;
use crate::turn::{Turn, TurnRequest};
use crate::turn_numbers::TurnNumbers;

/// When the request may be sent. Times of other callers are at most a second ahead. A turn that was taken later than that
/// shows that the clock was set back, and says nothing about the time that it is now.
const NEXT: &str = "CASE WHEN taken_ms > ?2 + 1000 THEN ?2 + ?3 ELSE max(sent_ms + ?3, ?2) END";

/// Takes the next turn, unless the wait would be too long.
pub(crate) fn take(connection: &Connection, request: &TurnRequest) -> Result<Turn, Error> {
    let TurnNumbers {
        delay,
        longest,
        now,
    } = TurnNumbers::of(request);
    let text = format!(
        "INSERT INTO turn (site, sent_ms, taken_ms) VALUES (?1, ?2, ?2) \
         ON CONFLICT (site) DO UPDATE SET sent_ms = {NEXT}, taken_ms = ?2 WHERE {NEXT} - ?2 <= ?4 \
         RETURNING sent_ms - ?2"
    );
    let taken: Option<i64> = connection
        .prepare_cached(&text)?
        .query_row((&request.site, now, delay, longest), |row| row.get(0))
        .optional()?;
    if let Some(wait) = taken {
        return Ok(Turn::In(TurnNumbers::wait(wait)));
    }
    let text = format!("SELECT {NEXT} - ?2 FROM turn WHERE site = ?1");
    connection
        .prepare_cached(&text)?
        .query_row((&request.site, now, delay), |row| row.get(0))
        .map(|wait| Turn::TooLong(TurnNumbers::wait(wait)))
}

/// Deletes the turns that came more than a day ago.
pub(crate) fn sweep(connection: &Connection, now: Timestamp) -> Result<usize, Error> {
    connection
        .prepare_cached("DELETE FROM turn WHERE sent_ms / 1000 < ?1 - 86400")?
        .execute([seconds(now)])
}
