//! Tables and migrations of the file of a store. Files of other programs are never written to.

use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

use rusqlite::{Connection, Error, ErrorCode, TransactionBehavior};

use crate::shortage::Shortage;
use crate::sqlite::failure::shortage;

/// Marks the file as a store of Verger, in its header: "VRGR".
pub(crate) const APPLICATION_ID: i32 = 0x5652_4752;

/// Element n migrates a file of version n to version n + 1. Released migrations are never edited. Add an element for
/// each change.
const MIGRATIONS: [&str; 5] = [VERSION_1, VERSION_2, VERSION_3, VERSION_4, VERSION_5];

pub(crate) const SCHEMA_VERSION: usize = MIGRATIONS.len();

/// Ordinary tables, not `WITHOUT ROWID`, because bodies are large. AUTOINCREMENT ensures that the ids of snapshots and
/// the tokens of leases are never reused, even after deletions.
const VERSION_1: &str = "
CREATE TABLE authority (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE            -- https://example.com
) STRICT;
CREATE TABLE body (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,           -- SHA-256, 32 octets
    octets BLOB NOT NULL
) STRICT;
CREATE TABLE snapshot (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    authority INTEGER NOT NULL REFERENCES authority (id),
    profile TEXT NOT NULL,               -- rfc9309: what counts as copy, streak and fresh
    ended_at INTEGER NOT NULL,           -- all times in Unix seconds, all lengths in seconds
    outcome TEXT NOT NULL,               -- successful http 200
    stated_lifetime INTEGER,
    retry_after INTEGER,
    hops TEXT NOT NULL,                  -- http 200 https://example.com/robots.txt, a line a hop
    headers BLOB NOT NULL,               -- name: value, a line a field
    warnings TEXT NOT NULL,              -- not-text-plain text/html, a line a warning
    peer TEXT,
    fresh_until INTEGER NOT NULL,
    body INTEGER REFERENCES body (id),
    copy_body INTEGER REFERENCES body (id), -- the last good copy as it was known then
    copy_url TEXT,
    copy_entity_tag BLOB,
    copy_last_modified BLOB,
    copy_validated_at INTEGER,
    copy_stated_lifetime INTEGER,
    streak_first_at INTEGER,             -- the failures in a row as they were counted then
    streak_failures INTEGER,
    streak_jitter INTEGER                -- thousandths
) STRICT;
CREATE INDEX snapshot_of_authority ON snapshot (authority, id);
CREATE INDEX snapshot_with_body ON snapshot (body);
CREATE INDEX snapshot_with_copy ON snapshot (copy_body);
CREATE TABLE lease (
    token INTEGER PRIMARY KEY AUTOINCREMENT,
    authority TEXT NOT NULL UNIQUE,
    holder TEXT NOT NULL,
    granted_at INTEGER NOT NULL,
    until INTEGER NOT NULL
) STRICT;
";

/// Totals, updated by the transaction that changes rows, so rows need not be counted. The migration of a file of
/// version 1 does not count the bytes of authorities. It sets them above any quota, so the first put counts them.
const VERSION_2: &str = "
ALTER TABLE authority ADD COLUMN snapshots INTEGER NOT NULL DEFAULT 0;
ALTER TABLE authority ADD COLUMN octets INTEGER NOT NULL DEFAULT 0; -- at least what it takes
UPDATE authority SET octets = 1152921504606846976, snapshots =
    (SELECT count(*) FROM snapshot WHERE snapshot.authority = authority.id);
CREATE TABLE total (                     -- one row
    authorities INTEGER NOT NULL,
    snapshots INTEGER NOT NULL,
    bodies INTEGER NOT NULL,
    body_octets INTEGER NOT NULL,
    swept_to INTEGER,                    -- the authority up to which a sweep in pieces has come
    sweep_began_at INTEGER               -- the last sweep in pieces
) STRICT;
INSERT INTO total SELECT (SELECT count(*) FROM authority), (SELECT count(*) FROM snapshot),
    (SELECT count(*) FROM body), (SELECT coalesce(sum(length(octets)), 0) FROM body), NULL, NULL;
CREATE TRIGGER authority_comes AFTER INSERT ON authority BEGIN
    UPDATE total SET authorities = authorities + 1; END;
CREATE TRIGGER authority_goes AFTER DELETE ON authority BEGIN
    UPDATE total SET authorities = authorities - 1; END;
CREATE TRIGGER snapshot_comes AFTER INSERT ON snapshot BEGIN
    UPDATE total SET snapshots = snapshots + 1; END;
CREATE TRIGGER snapshot_goes AFTER DELETE ON snapshot BEGIN
    UPDATE total SET snapshots = snapshots - 1; END;
CREATE TRIGGER body_comes AFTER INSERT ON body BEGIN
    UPDATE total SET bodies = bodies + 1, body_octets = body_octets + length(new.octets); END;
CREATE TRIGGER body_goes AFTER DELETE ON body BEGIN
    UPDATE total SET bodies = bodies - 1, body_octets = body_octets - length(old.octets); END;
CREATE TRIGGER body_heals AFTER UPDATE OF octets ON body BEGIN
    UPDATE total SET body_octets = body_octets - length(old.octets) + length(new.octets); END;
DROP INDEX snapshot_of_authority;
CREATE INDEX snapshot_of_authority ON snapshot (authority, id, ended_at);
";

/// Adds the last deliveries.
const VERSION_3: &str = "
CREATE TABLE delivery (
    authority TEXT NOT NULL,
    receiver TEXT NOT NULL,
    event TEXT NOT NULL,                 -- the id of the event that it took
    delivered_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    body BLOB,
    PRIMARY KEY (authority, receiver)
) STRICT;
";

/// Adds the facts of hops as the last column, so queries of the other columns do not read it.
const VERSION_4: &str = "
ALTER TABLE snapshot ADD COLUMN facts BLOB; -- JSON in the format of zlib
";

/// Adds the turns of requests.
const VERSION_5: &str = "
CREATE TABLE turn (
    site TEXT PRIMARY KEY,
    sent_ms INTEGER NOT NULL,            -- when the request with the last turn may be sent, in Unix milliseconds
    taken_ms INTEGER NOT NULL            -- when it took its turn
) STRICT;
";

/// Why a file cannot be used as a store. The file is unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The file is not a store: another program wrote it.
    #[error(
        "{} is not a Verger store: name another file, or one that does not exist yet",
        .0.display()
    )]
    Foreign(PathBuf),
    /// A newer program wrote the file.
    #[error(
        "{} has version {found}, but this program supports versions up to {SCHEMA_VERSION}: use a \
         newer program or another file",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
    },
    /// The file cannot be written to. [`crate::SqliteStore::open_read_only`] opens it.
    #[error(
        "cannot write to {}: change its permissions or name another file. Commands that only \
         read, such as history and store export, still work",
        .0.display()
    )]
    ReadOnly(PathBuf),
    /// The file contains an unknown view, trigger, table or index, or lacks a known one. Its effect is unknown, and
    /// reading could run it.
    #[error(
        "{} is not a usable store because `{name}` is unexpected, missing or altered: restore it \
         from a backup or name another file",
        path.display()
    )]
    Altered {
        /// The file.
        path: PathBuf,
        /// The name of the unexpected, missing or different object.
        name: String,
    },
    /// The file was opened for reading, and its last changes are in a write-ahead log next to it. Reading that log
    /// requires write permission for the directory.
    #[error(
        "cannot read the log {path}-wal without write permission for its directory: open it once \
         as a user who has that permission, or copy both files to another directory",
        path = .0.display()
    )]
    Unfinished(PathBuf),
    /// The file was a store, and cannot be read.
    #[error(
        "{path} is damaged ({1}): move it away or restore it from a backup",
        path = .0.display()
    )]
    Damaged(PathBuf, #[source] Box<Error>),
    /// This machine lacks a resource.
    #[error("cannot open {path}: {1}", path = .0.display())]
    Shortage(PathBuf, #[source] Shortage),
    /// The operating system denies creating or reading the file.
    #[error(
        "cannot open {path} ({1}): use a readable file in an existing directory with write \
         permission",
        path = .0.display()
    )]
    Inaccessible(PathBuf, #[source] io::Error),
    /// The file cannot be opened or created.
    #[error(
        "cannot open {path} ({1}): use a file on a local disk, in a directory with write \
         permission",
        path = .0.display()
    )]
    Unopenable(PathBuf, #[source] Box<Error>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileFormat {
    /// A store of this version, or an empty file if it is 0.
    Version(usize),
    Newer(i64),
    /// A store in which the object of this name is unexpected.
    Altered(String),
    Foreign,
}

/// Determines the format of a file. Call it inside a transaction. Without one, another process could create the store
/// between two of its queries.
pub(crate) fn file_format(connection: &Connection) -> Result<FileFormat, Error> {
    let pragma = |name: &str| -> Result<i64, Error> {
        connection.query_row(&format!("PRAGMA {name}"), (), |row| row.get(0))
    };
    let version = pragma("user_version")?;
    // This also fails if the schema of a store cannot be read.
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))?;
    if pragma("application_id")? == i64::from(APPLICATION_ID) {
        let known = usize::try_from(version)
            .ok()
            .filter(|&it| it <= SCHEMA_VERSION);
        let Some(known) = known else {
            return Ok(FileFormat::Newer(version));
        };
        let altered = altered(connection, known)?;
        return Ok(altered.map_or(FileFormat::Version(known), FileFormat::Altered));
    }
    let is_blank = version == 0 && tables == 0 && pragma("application_id")? == 0;
    Ok(if is_blank {
        FileFormat::Version(0)
    } else {
        FileFormat::Foreign
    })
}

/// A row of `sqlite_schema`: name, type, table and text.
type SchemaRow = [Vec<u8>; 4];

/// Returns the name of the first object that a store of this version has and the file lacks, or that differs, or that
/// only the file has.
///
/// A view that replaces a table could keep every query busy forever, and a trigger could change put data.
fn altered(connection: &Connection, version: usize) -> Result<Option<String>, Error> {
    let expected = expected(version)?;
    let found = schema_rows(connection, expected.len() + 1)?;
    let differs = |(expected, found): (&SchemaRow, &SchemaRow)| {
        let first = if expected[..2] < found[..2] {
            expected
        } else {
            found
        };
        (expected != found).then(|| first.clone())
    };
    let one_more = || {
        expected
            .get(found.len())
            .or(found.get(expected.len()))
            .cloned()
    };
    let first = expected.iter().zip(&found).find_map(differs);
    let first = first.or_else(one_more);
    Ok(first.map(|[name, ..]| String::from_utf8_lossy(&name).into_owned()))
}

/// Returns the objects that the migrations up to a version create. Runs the migrations once.
fn expected(version: usize) -> Result<&'static [SchemaRow], Error> {
    static EXPECTED: [OnceLock<Vec<SchemaRow>>; SCHEMA_VERSION + 1] =
        [const { OnceLock::new() }; SCHEMA_VERSION + 1];
    if let Some(expected) = EXPECTED[version].get() {
        return Ok(expected);
    }
    let empty = Connection::open_in_memory()?;
    for migration in &MIGRATIONS[..version] {
        empty.execute_batch(migration)?;
    }
    let rows = schema_rows(&empty, usize::MAX)?;
    Ok(EXPECTED[version].get_or_init(|| rows))
}

/// Reads the first rows of `sqlite_schema`, ordered by name and type.
fn schema_rows(connection: &Connection, rows_max: usize) -> Result<Vec<SchemaRow>, Error> {
    let mut statement = connection.prepare(
        "SELECT substr(name, 1, 100), type, tbl_name, substr(sql, 1, 10000) FROM sqlite_schema \
         ORDER BY name, type LIMIT ?",
    )?;
    let rows_max = i64::try_from(rows_max).unwrap_or(i64::MAX);
    let rows = statement.query_map([rows_max], |row| {
        let mut columns = SchemaRow::default();
        for (at, column) in columns.iter_mut().enumerate() {
            let bytes = row.get_ref(at)?.as_bytes().unwrap_or_default();
            *column = bytes.to_vec();
        }
        Ok(columns)
    })?;
    rows.collect()
}

/// Migrates a file to the newest version. If several processes do so at once, one does it and the others find it done.
pub(crate) fn migrate(connection: &mut Connection) -> Result<FileFormat, Error> {
    // This works only before the first table exists. The file can then shrink page by page when rows are deleted.
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let format = file_format(&transaction)?;
    let FileFormat::Version(version) = format else {
        return Ok(format);
    };
    if version == SCHEMA_VERSION {
        return Ok(format);
    }
    for migration in &MIGRATIONS[version..] {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    transaction.commit()?;
    Ok(FileFormat::Version(SCHEMA_VERSION))
}

/// Converts an error of `SQLite` during the opening of a file.
pub(crate) fn open_failure(path: PathBuf, error: Error) -> OpenError {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => OpenError::Foreign(path),
        Some(ErrorCode::DatabaseCorrupt) => OpenError::Damaged(path, Box::new(error)),
        Some(ErrorCode::ReadOnly) => OpenError::ReadOnly(path),
        _ => match shortage(&error) {
            Some(shortage) => OpenError::Shortage(path, shortage),
            None => OpenError::Unopenable(path, Box::new(error)),
        },
    }
}
