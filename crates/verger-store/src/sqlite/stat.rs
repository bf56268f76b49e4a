//! Reads the size of a file.

use rusqlite::{Connection, Error};
use verger_access::Timestamp;

use crate::stat::Stat;

/// Counts that replace the totals, which a file of version 1 lacks.
const COUNTED: &str = "(SELECT count(*) FROM authority) AS authorities, \
    (SELECT count(*) FROM snapshot) AS snapshots, (SELECT count(*) FROM body) AS bodies, \
    (SELECT coalesce(sum(length(octets)), 0) FROM body) AS body_octets";

/// Reads the totals. Leases have no total and are counted. There is one for each fetch in flight, and one for each that
/// was killed.
pub(crate) fn stat(connection: &Connection) -> Result<Stat, Error> {
    let version: i64 = connection.query_row("PRAGMA user_version", (), |row| row.get(0))?;
    let totals = if version >= 2 {
        "authorities, snapshots, bodies, body_octets FROM total"
    } else {
        COUNTED
    };
    let text = format!(
        "SELECT (SELECT count(*) FROM lease), \
         (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size), \
         (SELECT ended_at FROM snapshot ORDER BY id LIMIT 1), \
         (SELECT ended_at FROM snapshot ORDER BY id DESC LIMIT 1), {totals}"
    );
    connection.query_row(&text, (), |row| {
        let time = |seconds: Option<u64>| seconds.map(Timestamp::from_unix_seconds);
        Ok(Stat {
            leases: row.get(0)?,
            bytes: row.get(1)?,
            first_ended_at: row.get(2).map(time)?,
            last_ended_at: row.get(3).map(time)?,
            authorities: row.get(4)?,
            snapshots: row.get(5)?,
            bodies: row.get(6)?,
            body_bytes: row.get(7)?,
        })
    })
}
