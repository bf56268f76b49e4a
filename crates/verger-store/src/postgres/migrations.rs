//! Creates and migrates a store.

use crate::postgres::connection::Connection;
use crate::postgres::database_failure::DatabaseFailure;
use crate::postgres::schema::{MIGRATIONS, SCHEMA_VERSION};
use crate::postgres::statement::Statement;

/// The oldest supported major version of the server.
const MAJOR_LEAST: i32 = 14;

/// The state of the database before [`init`] created or migrated the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A store of this version, or 0 without a store.
    Version(i32),
    /// A server of this major version, which is too old.
    OldServer(i32),
}

/// Creates or migrates the store. If several processes do so at once, one does it and the others find it done. A newer
/// store is left unchanged.
pub(crate) async fn init(connection: &Connection) -> Result<Found, DatabaseFailure> {
    let asked = Statement::new("select current_setting('server_version_num')::int / 10000");
    let major = connection.rows(&asked).await?.first().map(|row| row.get(0));
    if let Some(major) = major.filter(|major| *major < MAJOR_LEAST) {
        return Ok(Found::OldServer(major));
    }
    // An arbitrary number that other programs are unlikely to use.
    connection
        .batch("begin; select pg_advisory_xact_lock(6220119)")
        .await?;
    let asked = Statement::new(
        "select to_regclass('verger.version') is not null, to_regnamespace('verger') is not null",
    );
    let rows = connection.rows(&asked).await?;
    let is = |column: usize| rows.first().is_some_and(|row| row.get(column));
    let found = if is(0) {
        connection.store_version().await?.unwrap_or(0)
    } else {
        // A user without permission to create a schema may have been given one.
        if !is(1) {
            connection.batch("create schema verger").await?;
        }
        let made = "create table verger.version (version integer not null); \
            insert into verger.version values (0)";
        connection.batch(made).await?;
        0
    };
    let known = usize::try_from(found).unwrap_or(usize::MAX);
    for migration in MIGRATIONS.get(known..).unwrap_or_default() {
        connection.batch(migration).await?;
    }
    debug_assert_eq!(usize::try_from(SCHEMA_VERSION), Ok(MIGRATIONS.len()));
    if found < SCHEMA_VERSION {
        let text = format!("update verger.version set version = {SCHEMA_VERSION}");
        connection.batch(&text).await?;
    }
    connection.batch("commit").await?;
    Ok(Found::Version(found))
}
