//! Finds the snapshots of an authority that fit its quota.

use std::collections::BTreeSet;

use rusqlite::{Connection, Error, params};

use crate::sqlite::rows::{ROW_BYTES, has_facts};
use crate::sqlite::store_settings::StoreSettings;

/// The snapshots of an authority that fit its quota.
pub(crate) enum QuotaScan {
    /// All snapshots, and their size in bytes.
    Within { bytes: u64 },
    /// The snapshots from `oldest` on, and their size in bytes.
    Over { oldest: i64, kept_bytes: u64 },
}

/// Compares the `snapshots` snapshots of an authority from `from` on with its quota.
pub(crate) fn scan(
    connection: &Connection,
    settings: &StoreSettings,
    authority: i64,
    (from, snapshots): (i64, u64),
) -> Result<QuotaScan, Error> {
    let snapshots_max = settings.authority_snapshots_max.unwrap_or(u64::MAX);
    let bytes_max = settings.authority_bytes_max.unwrap_or(u64::MAX);
    // Counting reads all rows of the authority. Leaving an eighth of the quota free avoids a count at every put.
    let less = |max: u64| max - max / 8;
    let snapshots_room = if snapshots > snapshots_max {
        less(snapshots_max)
    } else {
        snapshots_max
    };
    let (mut kept, mut kept_bytes, mut oldest) = (0, 0, i64::MAX);
    let (mut counted, mut counted_bytes) = (0_u64, 0_u64);
    let mut bodies = BTreeSet::new();
    let facts_bytes = if has_facts(connection)? {
        "coalesce(length(s.facts), 0)"
    } else {
        "0"
    };
    let text = format!(
        "SELECT s.id, {ROW_BYTES} + {facts_bytes}, s.body, (SELECT length(octets) FROM body WHERE id = s.body), \
         s.copy_body, (SELECT length(octets) FROM body WHERE id = s.copy_body) \
         FROM snapshot s WHERE s.authority = ?1 AND s.id >= ?2 ORDER BY s.id DESC"
    );
    let mut statement = connection.prepare_cached(&text)?;
    let mut rows = statement.query(params![authority, from])?;
    while let Some(row) = rows.next()? {
        let mut added: u64 = row.get(1)?;
        for (body, length) in [(2, 3), (4, 5)] {
            let body: Option<i64> = row.get(body)?;
            if body.is_some_and(|body| bodies.insert(body)) {
                added += row.get::<_, Option<u64>>(length)?.unwrap_or(0);
            }
        }
        let has_room = counted < snapshots_room && counted_bytes + added <= less(bytes_max);
        counted += 1;
        counted_bytes += added;
        // The newest one is kept, and older ones without a gap.
        if kept + 1 == counted && (kept == 0 || has_room) {
            oldest = row.get(0)?;
            (kept, kept_bytes) = (counted, counted_bytes);
        }
        if counted > snapshots_max || counted_bytes > bytes_max {
            return Ok(QuotaScan::Over { oldest, kept_bytes });
        }
    }
    Ok(QuotaScan::Within {
        bytes: counted_bytes,
    })
}
