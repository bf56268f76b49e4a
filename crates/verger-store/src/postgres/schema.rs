//! The schema of a store, and its versions. `docs/guide/fleet.md` describes it.

/// Element n migrates a store of version n to version n + 1. Released migrations are never edited. Add an element
/// for each change.
pub(crate) const MIGRATIONS: [&str; 3] = [VERSION_1, VERSION_2, VERSION_3];

pub(crate) const SCHEMA_VERSION: i32 = 3;

/// The row of an authority is updated twice per fetch. No index contains the updated columns, so the new version of a
/// row stays on the same page (HOT).
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

/// The facts of hops. If a row is too long for its page, they move out of line, while the record, which every query
/// reads, stays in the row (`main`).
const VERSION_2: &str = "
alter table verger.snapshot add column facts bytea;
alter table verger.snapshot alter column facts set storage external;
alter table verger.snapshot alter column record set storage main;
";

/// Adds the turns of requests.
const VERSION_3: &str = "
create function verger.clock_ms() returns bigint language sql volatile
    as 'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint';
create table verger.turn (
    site text collate \"C\" primary key,
    sent_ms bigint not null,
    taken_ms bigint not null
) with (fillfactor = 80);
create function verger.next_turn_ms(sent bigint, taken bigint, delay bigint, now bigint) returns bigint
    language sql immutable
    as 'select case when taken > now + 1000 then now + delay else greatest(sent + delay, now) end';
";
