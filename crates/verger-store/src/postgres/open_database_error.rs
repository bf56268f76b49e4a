//! `OpenDatabaseError`: why a database cannot be used as a store.

use crate::postgres::schema::SCHEMA_VERSION;

/// Why a database cannot be used as a store. The database is unchanged. No message contains a password.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenDatabaseError {
    /// The URL is invalid. The text says why.
    #[error("the URL of the database cannot be used ({0}): postgres://USER@HOST/DATABASE is one")]
    Url(String),
    /// The database cannot be queried.
    #[error("{database} cannot be asked: {why}")]
    Away {
        /// The database.
        database: String,
        /// The failure.
        why: String,
    },
    /// The database contains no store.
    #[error(
        "{0} has no store of Verger: `verger store init` with that --store makes one; it needs the right to create a \
         schema"
    )]
    NoStore(String),
    /// An older program made the store.
    #[error(
        "the store in {database} has version {found}, and this program uses version {SCHEMA_VERSION}: `verger store \
         init` with that --store migrates it; older programs cannot use it then"
    )]
    Older {
        /// The database.
        database: String,
        /// Its version.
        found: i32,
    },
    /// A newer program made or migrated the store.
    #[error(
        "the store in {database} has version {found}, and this program knows versions up to {SCHEMA_VERSION}: use a \
         newer program, or another database"
    )]
    Newer {
        /// The database.
        database: String,
        /// Its version.
        found: i32,
    },
    /// The server is too old.
    #[error("{database} is PostgreSQL {major}, and 14 or newer is needed")]
    OldServer {
        /// The database.
        database: String,
        /// The major version of the server.
        major: i32,
    },
}
