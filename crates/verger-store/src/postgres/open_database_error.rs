//! `OpenDatabaseError`: why a database cannot be used as a store.

use crate::postgres::database_failure::DatabaseFailure;
use crate::postgres::schema::SCHEMA_VERSION;

/// Why a database cannot be used as a store. The database is unchanged. No message contains a password.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenDatabaseError {
    /// The URL is invalid. The text says why.
    #[error("invalid database URL ({0}): write it as postgres://USER@HOST/DATABASE")]
    Url(String),
    /// The database cannot be queried.
    #[error("cannot connect to {database}: {why}")]
    Away {
        /// The database.
        database: String,
        /// The failure.
        why: String,
    },
    /// The database refuses the connection: the user, the password or the name of the database is wrong.
    #[error("cannot connect to {database}: {why}")]
    Refused {
        /// The database.
        database: String,
        /// The failure.
        why: String,
    },
    /// The database contains no store.
    #[error(
        "{0} does not contain a Verger store: `verger store init` with the same --store creates \
         one and needs the right to create a schema"
    )]
    NoStore(String),
    /// An older program made the store.
    #[error(
        "the store in {database} has version {found}, but this program needs version \
         {SCHEMA_VERSION}: `verger store init` with the same --store migrates it, after which \
         older programs cannot use it"
    )]
    Older {
        /// The database.
        database: String,
        /// Its version.
        found: i32,
    },
    /// A newer program made or migrated the store.
    #[error(
        "the store in {database} has version {found}, but this program supports versions up to \
         {SCHEMA_VERSION}: use a newer program or another database"
    )]
    Newer {
        /// The database.
        database: String,
        /// Its version.
        found: i32,
    },
    /// The server is too old.
    #[error("{database} runs PostgreSQL {major}: use version 14 or newer")]
    OldServer {
        /// The database.
        database: String,
        /// The major version of the server.
        major: i32,
    },
}

impl OpenDatabaseError {
    pub(crate) fn of(database: String, failure: &DatabaseFailure) -> Self {
        let why = failure.to_string();
        match *failure {
            DatabaseFailure::Version(None) => Self::NoStore(database),
            DatabaseFailure::Version(Some(found)) if found < SCHEMA_VERSION => {
                Self::Older { database, found }
            }
            DatabaseFailure::Version(Some(found)) => Self::Newer { database, found },
            DatabaseFailure::Refused(..) => Self::Refused { database, why },
            _ => Self::Away { database, why },
        }
    }
}
