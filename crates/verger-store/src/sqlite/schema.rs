//! The form of a store's file, and how a file gets into it. What is no store is never written to.

use std::fmt;
use std::io;
use std::path::PathBuf;

use rusqlite::{Connection, Error, ErrorCode, TransactionBehavior};

/// Says in the file's head that it is a store of Verger: "VRGR".
pub(crate) const APPLICATION_ID: i32 = 0x5652_4752;

/// What turns a file of version n into one of version n + 1 stands at place n. A version that was
/// once released is never edited; what changes comes after it.
const MIGRATIONS: [&str; 2] = [VERSION_1, VERSION_2];

/// The version that this program reads and writes.
pub(crate) const SCHEMA_VERSION: usize = MIGRATIONS.len();

/// Ordinary tables, since bodies are large for a tree without row ids. AUTOINCREMENT is what makes
/// ids of snapshots and tokens of leases never come twice, whatever is deleted in between.
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

/// Counts that would else be made row by row, kept by the transaction that changes them. Of a file
/// of version 1 the octets of authorities are not counted here: a number larger than any quota has
/// the first put count them.
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

/// Why a file cannot be used as a store. It was not written to.
#[derive(Debug)]
pub enum OpenError {
    /// The file belongs to something else.
    Foreign(PathBuf),
    /// A newer program wrote the file.
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
    },
    /// The file may be read and not written to: [`crate::SqliteStore::open_read_only`] opens it.
    ReadOnly(PathBuf),
    /// The file was opened for reading, and what was written last stands in a log beside it, which
    /// only a process that may write to the directory can read.
    Unfinished(PathBuf),
    /// The file was a store and cannot be read.
    Damaged(PathBuf, Box<Error>),
    /// The system does not let the file be made or read.
    Inaccessible(PathBuf, io::Error),
    /// The file cannot be opened or made.
    Unopenable(PathBuf, Box<Error>),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign(path) => write!(
                f,
                "{} is no store of Verger and is left as it is: name another file, or one that \
                 does not exist yet",
                path.display()
            ),
            Self::Newer { path, found } => write!(
                f,
                "{} has the form {found}, and this program knows forms up to {SCHEMA_VERSION}: \
                 use a newer one, or another file",
                path.display()
            ),
            Self::ReadOnly(path) => write!(
                f,
                "{} may not be written to: change its permissions, or name another file; history, \
                 store stat, store export and check --offline only read it",
                path.display()
            ),
            Self::Unfinished(path) => write!(
                f,
                "{0} has a log, {0}-wal, that cannot be read without permission to write to the \
                 directory: open it once as a user who may write there, or copy both files to \
                 another directory",
                path.display()
            ),
            Self::Damaged(path, error) => write!(
                f,
                "{} is damaged ({error}) and is left as it is: move it away, or restore it from \
                 a backup",
                path.display()
            ),
            Self::Inaccessible(path, error) => write!(
                f,
                "{} cannot be opened ({error}): a file in a directory that exists and may be \
                 written to is needed, and for reading one that may be read",
                path.display()
            ),
            Self::Unopenable(path, error) => write!(
                f,
                "{} cannot be opened ({error}): a file in a directory that may be written to, on a \
                 local disk, is needed",
                path.display()
            ),
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Damaged(_, error) | Self::Unopenable(_, error) => Some(error.as_ref()),
            Self::Inaccessible(_, error) => Some(error),
            Self::Foreign(_) | Self::Newer { .. } | Self::ReadOnly(_) | Self::Unfinished(_) => None,
        }
    }
}

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A store of that version; 0 is one that is still empty.
    Version(usize),
    Newer(i64),
    Foreign,
}

/// Looks what a file is, and writes nothing. It stands inside a transaction: between two looks
/// another process might make the store.
pub(crate) fn form(connection: &Connection) -> Result<Form, Error> {
    let pragma = |name: &str| -> Result<i64, Error> {
        connection.query_row(&format!("PRAGMA {name}"), (), |row| row.get(0))
    };
    let version = pragma("user_version")?;
    // Reading the schema finds out whether it can be read, also in what claims to be a store.
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))?;
    if pragma("application_id")? == i64::from(APPLICATION_ID) {
        let known = usize::try_from(version)
            .ok()
            .filter(|&it| it <= SCHEMA_VERSION);
        return Ok(known.map_or(Form::Newer(version), Form::Version));
    }
    let is_blank = version == 0 && tables == 0 && pragma("application_id")? == 0;
    Ok(if is_blank {
        Form::Version(0)
    } else {
        Form::Foreign
    })
}

/// Brings a file to the newest version. Where several processes do so at once, one does it, and the
/// others find it done.
pub(crate) fn migrate(connection: &mut Connection) -> Result<Form, Error> {
    // Of a file with tables this changes nothing. One without them shrinks from then on, page by
    // page, when something is given up.
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let form = form(&transaction)?;
    let Form::Version(version) = form else {
        return Ok(form);
    };
    if version == SCHEMA_VERSION {
        return Ok(form);
    }
    for migration in &MIGRATIONS[version..] {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    transaction.commit()?;
    Ok(Form::Version(SCHEMA_VERSION))
}

/// The error that an error of `SQLite` is while a file is opened.
pub(crate) fn open_failure(path: PathBuf, error: Error) -> OpenError {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => OpenError::Foreign(path),
        Some(ErrorCode::DatabaseCorrupt) => OpenError::Damaged(path, Box::new(error)),
        Some(ErrorCode::ReadOnly) => OpenError::ReadOnly(path),
        _ => OpenError::Unopenable(path, Box::new(error)),
    }
}
