//! Checks a file: the findings of `SQLite`, references, totals, every snapshot and every body. It reads in pages, so
//! other reading threads never wait long for the connection.

use rusqlite::{Connection, Error, params};
use verger_access::Authority;

use crate::body_hash::BodyHash;
use crate::packed_facts::PackedFacts;
use crate::snapshot::SnapshotId;
use crate::sqlite::damage::{AUTHORITIES_NAMED_MAX, Damage, DamageKind};
use crate::sqlite::reader::SqliteReader;
use crate::sqlite::rows::{self, SNAPSHOT_COLUMNS, SNAPSHOT_TABLES};
use crate::store_error::StoreError;

/// Maximum number of reported findings.
const FINDINGS_MAX: usize = 100;

const BODIES_A_PAGE: i64 = 64;
const SNAPSHOTS_A_PAGE: i64 = 1000;
const FACTS_A_PAGE: i64 = 256;
const AUTHORITIES_A_PAGE: i64 = 1000;

pub(crate) fn check(reader: &SqliteReader) -> Result<Vec<Damage>, StoreError> {
    let mut found = reader.read(structure)?;
    if !found.is_empty() {
        // Rows of a corrupt file may contain anything, and reading them may fail.
        return Ok(found);
    }
    found = reader.read(references)?;
    if reader.read(keeps_totals)? {
        found.extend(reader.read(totals)?);
        pages(reader, &mut found, counts)?;
    }
    pages(reader, &mut found, snapshots)?;
    if reader.read(rows::has_facts)? {
        pages(reader, &mut found, facts)?;
    }
    pages(reader, &mut found, bodies)?;
    found.truncate(FINDINGS_MAX);
    Ok(found)
}

/// Reads all pages. `page` reads the rows after an id and returns the defects in them.
fn pages(
    reader: &SqliteReader,
    found: &mut Vec<Damage>,
    page: impl Fn(&Connection, i64) -> Result<Page, Error>,
) -> Result<(), StoreError> {
    let mut after = 0;
    while found.len() < FINDINGS_MAX {
        let read = reader.read(|it| page(it, after))?;
        found.extend(read.found);
        let Some(last) = read.last else { break };
        after = last;
    }
    Ok(())
}

#[derive(Default)]
struct Page {
    found: Vec<Damage>,
    /// The id of the last row in the page, or `None` if the page is empty.
    last: Option<i64>,
}

fn structure(connection: &Connection) -> Result<Vec<Damage>, Error> {
    let mut statement = connection.prepare("PRAGMA integrity_check(20)")?;
    let mut rows = statement.query(())?;
    let mut found = Vec::new();
    loop {
        match rows.next() {
            Ok(Some(row)) => {
                let line: String = row.get(0)?;
                if line != "ok" {
                    found.push(line);
                }
            }
            Ok(None) => break,
            Err(error) if is_damage(&error) => {
                found.push(error.to_string());
                break;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(found.into_iter().map(of_file).collect())
}

/// Returns whether an error means that the file is corrupt, not that it cannot be read now.
fn is_damage(error: &Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
    matches!(
        error.sqlite_error_code(),
        Some(DatabaseCorrupt | NotADatabase)
    )
}

fn of_file(line: String) -> Damage {
    Damage {
        kind: DamageKind::File(line),
        authorities: Vec::new(),
    }
}

fn references(connection: &Connection) -> Result<Vec<Damage>, Error> {
    let mut statement = connection.prepare("PRAGMA foreign_key_check")?;
    let rows = statement.query_map((), |row| {
        let (table, id): (String, Option<i64>) = (row.get(0)?, row.get(1)?);
        Ok((table, id))
    })?;
    let rows: Vec<_> = rows.take(FINDINGS_MAX).collect::<Result<_, _>>()?;
    let damage = |(table, id): (String, Option<i64>)| {
        let text = "SELECT a.name FROM snapshot s JOIN authority a ON a.id = s.authority \
                    WHERE s.id = ?1 LIMIT 1";
        Ok(Damage {
            kind: DamageKind::Reference { table },
            authorities: authorities(connection, text, id.unwrap_or(0))?,
        })
    };
    rows.into_iter().map(damage).collect()
}

/// Returns whether the file stores totals. A file of version 1 does not, and it is not migrated if it is opened for
/// reading only.
fn keeps_totals(connection: &Connection) -> Result<bool, Error> {
    let version: i64 = connection.query_row("PRAGMA user_version", (), |row| row.get(0))?;
    Ok(version >= 2)
}

fn totals(connection: &Connection) -> Result<Vec<Damage>, Error> {
    let mut statement = connection.prepare(
        "SELECT 'authorities' FROM total WHERE authorities <> (SELECT count(*) FROM authority) \
         UNION ALL SELECT 'snapshots' FROM total \
         WHERE snapshots <> (SELECT count(*) FROM snapshot) \
         UNION ALL SELECT 'bodies' FROM total WHERE bodies <> (SELECT count(*) FROM body) \
         UNION ALL SELECT 'body bytes' FROM total \
         WHERE body_octets <> (SELECT coalesce(sum(length(octets)), 0) FROM body)",
    )?;
    let wrong = statement.query_map((), |row| row.get(0))?;
    let damage = |what: Result<String, Error>| {
        Ok(Damage {
            kind: DamageKind::Total(what?),
            authorities: Vec::new(),
        })
    };
    wrong.map(damage).collect()
}

/// Compares the number of snapshots in each row of `authority` with the snapshots. The bytes in the row are only an
/// upper bound, so they cannot be checked.
fn counts(connection: &Connection, after: i64) -> Result<Page, Error> {
    let mut statement = connection.prepare_cached(
        "SELECT id, name, \
         snapshots = (SELECT count(*) FROM snapshot s WHERE s.authority = authority.id) \
         FROM authority WHERE id > ?1 ORDER BY id LIMIT ?2",
    )?;
    let mut rows = statement.query(params![after, AUTHORITIES_A_PAGE])?;
    let mut page = Page::default();
    while let Some(row) = rows.next()? {
        page.last = Some(row.get(0)?);
        let is_right: bool = row.get(2)?;
        if !is_right {
            let name: String = row.get(1)?;
            page.found.push(Damage {
                kind: DamageKind::Total("snapshots".to_owned()),
                authorities: Authority::from_url(&name).into_iter().collect(),
            });
        }
    }
    Ok(page)
}

fn snapshots(connection: &Connection, after: i64) -> Result<Page, Error> {
    let text = format!(
        "SELECT {SNAPSHOT_COLUMNS}, a.name AS name FROM {SNAPSHOT_TABLES} \
         LEFT JOIN authority a ON a.id = s.authority WHERE s.id > ?1 ORDER BY s.id LIMIT ?2"
    );
    let mut statement = connection.prepare_cached(&text)?;
    let mut rows = statement.query(params![after, SNAPSHOTS_A_PAGE])?;
    let mut page = Page::default();
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        page.last = Some(id);
        let name: Option<String> = row.get("name")?;
        let authority = name.and_then(|name| Authority::from_url(&name).ok());
        let is_readable = authority
            .as_ref()
            .is_some_and(|authority| rows::snapshot(row, authority).is_ok());
        if !is_readable {
            page.found.push(Damage {
                kind: DamageKind::Snapshot(SnapshotId(id.unsigned_abs())),
                authorities: authority.into_iter().collect(),
            });
        }
    }
    Ok(page)
}

fn facts(connection: &Connection, after: i64) -> Result<Page, Error> {
    let mut statement = connection.prepare_cached(
        "SELECT s.id, s.facts, a.name FROM snapshot s LEFT JOIN authority a ON a.id = s.authority \
         WHERE s.id > ?1 AND s.facts IS NOT NULL ORDER BY s.id LIMIT ?2",
    )?;
    let mut rows = statement.query(params![after, FACTS_A_PAGE])?;
    let mut page = Page::default();
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        page.last = Some(id);
        if PackedFacts::of_bytes(row.get(1)?).hops().is_none() {
            let name: Option<String> = row.get(2)?;
            let authority = name.and_then(|name| Authority::from_url(&name).ok());
            page.found.push(Damage {
                kind: DamageKind::Facts(SnapshotId(id.unsigned_abs())),
                authorities: authority.into_iter().collect(),
            });
        }
    }
    Ok(page)
}

fn bodies(connection: &Connection, after: i64) -> Result<Page, Error> {
    let mut statement = connection
        .prepare_cached("SELECT id, hash, octets FROM body WHERE id > ?1 ORDER BY id LIMIT ?2")?;
    let mut rows = statement.query(params![after, BODIES_A_PAGE])?;
    let mut page = Page::default();
    let text = "SELECT DISTINCT a.name FROM snapshot s JOIN authority a ON a.id = s.authority \
                WHERE s.body = ?1 OR s.copy_body = ?1 ORDER BY a.name LIMIT ?2";
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        page.last = Some(id);
        let hash = BodyHash::from_bytes(row.get(1)?);
        if BodyHash::new(row.get_ref(2)?.as_bytes()?) != hash {
            page.found.push(Damage {
                kind: DamageKind::Body(hash),
                authorities: authorities(connection, text, id)?,
            });
        }
    }
    Ok(page)
}

fn authorities(connection: &Connection, text: &str, id: i64) -> Result<Vec<Authority>, Error> {
    let mut statement = connection.prepare_cached(text)?;
    let most = i64::try_from(AUTHORITIES_NAMED_MAX).unwrap_or(i64::MAX);
    let parameters: &[&dyn rusqlite::ToSql] = match statement.parameter_count() {
        1 => params![id],
        _ => params![id, most],
    };
    let names = statement.query_map(parameters, |row| row.get::<_, String>(0))?;
    let names = names.collect::<Result<Vec<_>, _>>()?;
    let authorities = names
        .iter()
        .filter_map(|name| Authority::from_url(name).ok());
    Ok(authorities.collect())
}
