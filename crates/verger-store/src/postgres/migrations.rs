//! The schema of a store, its versions, and how it is made. `docs/postgres.md` describes it.

use crate::postgres::connection::Connection;
use crate::postgres::database_failure::DatabaseFailure;
use crate::postgres::statement::Statement;

/// Element n migrates a store of version n to version n + 1. One that was once released is never edited; a change is a new
/// element.
const MIGRATIONS: [&str; 1] = [VERSION_1];

/// The version that this program reads and writes.
pub(crate) const SCHEMA_VERSION: i32 = MIGRATIONS.len() as i32;

/// The oldest server.
const MAJOR_LEAST: i32 = 14;

/// The rows of authorities are updated twice a fetch; no index has a column that such an update changes, so the new version
/// of a row lies beside the old one (HOT).
const VERSION_1: &str = "
create sequence verger.token;
create function verger.clock() returns bigint language sql volatile
    as 'select floor(extract(epoch from clock_timestamp()))::bigint';
create table verger.authority (
    id bigint generated always as identity primary key,
    name text collate \"C\" not null unique,
    is_seen boolean not null default false,
    token bigint,
    holder text not null,
    granted_s bigint not null,
    until_s bigint not null,
    awaited boolean not null default false
) with (fillfactor = 80);
create table verger.body (
    sha256 bytea primary key,
    octets bytea not null
);
create table verger.snapshot (
    authority bigint not null references verger.authority (id),
    id bigint generated always as identity,
    token bigint,
    ended_s bigint not null,
    body bytea references verger.body (sha256),
    copy_body bytea references verger.body (sha256),
    record jsonb not null,
    primary key (authority, id) include (ended_s),
    unique (authority, token)
);
create index snapshot_with_body on verger.snapshot (body);
create index snapshot_with_copy on verger.snapshot (copy_body);
create table verger.delivery (
    authority text not null,
    receiver text not null,
    event text not null,
    delivered_s bigint not null,
    state text not null,
    body bytea,
    primary key (authority, receiver)
);
create view verger.history as
    select a.name as authority, s.id, to_timestamp(least(s.ended_s, 253402300799)) as ended_at,
        s.record ->> 'outcome' as outcome, encode(s.body, 'hex') as body, encode(s.copy_body, 'hex') as copy_body, s.record
    from verger.snapshot s join verger.authority a on a.id = s.authority;
";

/// What [`init`] found, before it made or migrated the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A store of this version; 0 is none.
    Version(i32),
    /// A server that is too old, of this major version.
    OldServer(i32),
}

/// Makes or migrates the store. Where several processes do so at once, one does it, and the others find it done. A newer
/// store is left as it is.
pub(crate) async fn init(connection: &Connection) -> Result<Found, DatabaseFailure> {
    let asked = Statement::new("select current_setting('server_version_num')::int / 10000");
    let major = connection.rows(&asked).await?.first().map(|row| row.get(0));
    if let Some(major) = major.filter(|major| *major < MAJOR_LEAST) {
        return Ok(Found::OldServer(major));
    }
    // Any number that other programs do not use.
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
        // Whoever may not create a schema is given one.
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
    if found < SCHEMA_VERSION {
        let text = format!("update verger.version set version = {SCHEMA_VERSION}");
        connection.batch(&text).await?;
    }
    connection.batch("commit").await?;
    Ok(Found::Version(found))
}
