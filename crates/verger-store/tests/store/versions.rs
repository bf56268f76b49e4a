//! Files of older versions.

use rusqlite::Connection;
use verger_store::{History, SqliteStore, Stat, StoreSettings};

use crate::scene::{at, body_of, body_seen, count, facts, knowledge, new_file, put, remove};

/// Creates a file of an older version, with two snapshots of one authority.
fn written_by(name: &str, statements: &str) -> std::path::PathBuf {
    let path = new_file(name);
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(statements).unwrap();
    path
}

fn old_file(name: &str) -> std::path::PathBuf {
    written_by(name, include_str!("version_1.sql"))
}

#[test]
fn a_file_without_facts_gives_its_snapshots_and_keeps_facts_from_then_on() {
    let path = written_by("version-3", include_str!("version_3.sql"));
    let before = std::fs::read(&path).unwrap();
    let mut quota = StoreSettings::default();
    quota.authority_bytes_max = Some(1);
    let store = SqliteStore::open_read_only(&path).unwrap();
    assert_eq!(facts(&store, "h.example"), []);
    assert_eq!(count(&store, "h.example"), 2);
    assert_eq!(store.check().unwrap(), []);
    assert_eq!(
        store.preview_sweep(None, &quota, at(0)).unwrap().snapshots,
        1
    );
    drop(store);
    assert!(std::fs::read(&path).unwrap() == before);
    let store = SqliteStore::open(&path).unwrap();
    assert_eq!(count(&store, "h.example"), 2);
    assert_eq!(facts(&store, "h.example"), []);
    let seen = body_seen("h.example", at(100), b"abc");
    let id = put(&store, &seen);
    assert_eq!(facts(&store, "h.example"), [(id, seen.facts)]);
    assert_eq!(store.check().unwrap(), []);
    remove(&path);
}

#[test]
fn an_older_file_is_read_as_it_is_and_migrated_for_writing() {
    let path = old_file("version-1");
    let before = std::fs::read(&path).unwrap();
    let store = SqliteStore::open_read_only(&path).unwrap();
    let counts = |stat: Stat| {
        (
            stat.authorities,
            stat.snapshots,
            stat.bodies,
            stat.body_bytes,
        )
    };
    assert_eq!(counts(store.stat().unwrap()), (1, 2, 2, 3));
    assert_eq!(
        knowledge(&store, "h.example").copy.unwrap().body[..],
        b"ab"[..]
    );
    assert_eq!(store.check().unwrap(), []);
    let quota = StoreSettings::default();
    let swept = store.preview_sweep(Some(at(1 << 40)), &quota, at(1 << 40));
    assert_eq!(swept.unwrap().snapshots, 1);
    drop(store);
    assert!(std::fs::read(&path).unwrap() == before);

    let mut keep_two = StoreSettings::default();
    keep_two.authority_snapshots_max = Some(2);
    keep_two.authority_bytes_max = Some(1 << 20);
    keep_two.sweep = None;
    let store = SqliteStore::open_with(&path, keep_two).unwrap();
    assert_eq!(counts(store.stat().unwrap()), (1, 2, 2, 3));
    put(&store, &body_seen("h.example", at(100), b"abc"));
    assert_eq!(counts(store.stat().unwrap()), (1, 2, 2, 5));
    assert_eq!(store.check().unwrap(), []);
    store.compact().unwrap();
    assert_eq!(store.check().unwrap(), []);
    drop(store);
    let connection = Connection::open(&path).unwrap();
    let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    assert_eq!(pragma("user_version").unwrap(), 5);
    assert_eq!(pragma("auto_vacuum").unwrap(), 2);
    drop(connection);
    remove(&path);
}

#[test]
fn many_open_an_older_file_at_once() {
    let path = old_file("version-1-many");
    std::thread::scope(|scope| {
        for number in 0..6 {
            let path = &path;
            scope.spawn(move || {
                let store = SqliteStore::open(path).unwrap();
                put(
                    &store,
                    &body_seen(&format!("h{number}.example"), at(0), b"a"),
                );
            });
        }
    });
    let store = SqliteStore::open(&path).unwrap();
    assert_eq!(store.stat().unwrap().snapshots, 8);
    assert_eq!(store.check().unwrap(), []);
    drop(store);
    remove(&path);
}

#[test]
fn a_sweep_of_an_older_file_ends() {
    let path = old_file("old-sweep");
    let store = SqliteStore::open(&path).unwrap();
    for number in 0..200 {
        put(&store, &body_seen("h.example", at(number), &[7; 5_000]));
    }
    let swept = store.sweep(at(199), at(199)).unwrap();
    assert!(swept.snapshots >= 199, "{swept:?}");
    assert_eq!(store.check().unwrap(), []);
    drop(store);
    remove(&path);
}

#[test]
fn a_history_within_its_quota_loses_nothing_after_a_migration() {
    let path = new_file("quota-within");
    let store = SqliteStore::open(&path).unwrap();
    for number in 0..19 {
        put(
            &store,
            &body_seen("h.example", at(number), &body_of(number)),
        );
    }
    drop(store);
    // After a migration, the bytes of each authority are not counted yet.
    let file = rusqlite::Connection::open(&path).unwrap();
    file.execute("UPDATE authority SET octets = 1 << 60", ())
        .unwrap();
    drop(file);
    let mut settings = StoreSettings::default();
    settings.authority_snapshots_max = Some(19);
    settings.authority_bytes_max = Some(210_000);
    let store = SqliteStore::open(&path).unwrap();
    store.enforce(&settings).unwrap();
    assert_eq!(count(&store, "h.example"), 19);
    drop(store);
    remove(&path);
}
