//! Quotas, sweeps, migrations, permissions and damage of a file.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;
use verger_access::{Profile, RestOfSite, Stance};
use verger_store::{
    BodyHash, DamageKind, ExportRange, OpenError, SnapshotId, SqliteStore, Stat, Store, StoreError,
    StoreSettings, SweepSchedule, export, knowledge_under,
};

use crate::scene::{
    at, authority, body_seen, knowledge, lease, new_file, put, remove, timeout_seen,
};

fn damage(path: &Path) {
    let sql = "UPDATE body SET octets = CAST('Allow: /' AS BLOB)";
    Connection::open(path).unwrap().execute_batch(sql).unwrap();
}

fn stance(store: &dyn Store, profile: &Profile, seconds: u64) -> Stance {
    let state = knowledge_under(store, &authority("h.example"), profile, at(seconds));
    let knowledge = state.unwrap().unwrap().knowledge;
    knowledge
        .answer(profile, at(seconds), RestOfSite::default())
        .stance()
}

#[test]
fn a_damaged_body_is_never_returned_and_a_put_repairs_it() {
    let path = new_file("body");
    let store = SqliteStore::open(&path).unwrap();
    let seen = body_seen("h.example", at(0), b"Disallow: /secret");
    put(&store, &seen);
    assert_eq!(stance(&store, &Profile::RFC9309, 1), Stance::Rules);
    damage(&path);
    let hash = BodyHash::of(b"Disallow: /secret");
    assert_eq!(store.body(hash).unwrap(), None);
    let found = store.check().unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].kind, DamageKind::Body(hash));
    assert_eq!(found[0].authorities, [authority("h.example")]);
    let counted = export(&store, &mut Vec::new(), &ExportRange::default()).unwrap();
    assert_eq!((counted.snapshots, counted.left_out), (0, 1));
    // Under no profile is anything allowed, and the file is to be fetched at once, without conditions.
    for profile in [&Profile::RFC9309, &Profile::DRAFT2019, &Profile::CAUTIOUS] {
        assert_eq!(stance(&store, profile, 1), Stance::Defer);
    }
    assert_eq!(knowledge(&store, "h.example").copy, None);
    put(&store, &body_seen("h.example", at(2), b"Disallow: /secret"));
    assert_eq!(stance(&store, &Profile::RFC9309, 3), Stance::Rules);
    assert_eq!(store.check().unwrap(), []);
    remove(&path);
}

#[test]
fn a_failure_whose_copy_is_lost_never_allows_anything() {
    let path = new_file("lost-copy");
    let store = SqliteStore::open(&path).unwrap();
    put(&store, &body_seen("h.example", at(0), b"Disallow: /"));
    let before = knowledge(&store, "h.example");
    put(&store, &timeout_seen("h.example", at(60), before));
    damage(&path);
    for days in [1, 29, 31, 400] {
        for profile in [&Profile::RFC9309, &Profile::GOOGLE] {
            let stance = stance(&store, profile, days * 86_400);
            assert_ne!(stance, Stance::Open, "{days} {}", profile.name);
        }
    }
    remove(&path);
}

#[test]
fn a_check_finds_references_rows_and_totals() {
    let path = new_file("check");
    let store = SqliteStore::open(&path).unwrap();
    put(&store, &body_seen("h.example", at(0), b"a"));
    put(&store, &body_seen("i.example", at(0), b"b"));
    for (sql, kind) in [
        (
            "UPDATE total SET snapshots = 7",
            DamageKind::Total("snapshots".to_owned()),
        ),
        (
            "UPDATE total SET body_octets = body_octets + 1",
            DamageKind::Total("body octets".to_owned()),
        ),
        (
            "UPDATE snapshot SET outcome = 'odd' WHERE id = 2",
            DamageKind::Snapshot(SnapshotId(2)),
        ),
        (
            "PRAGMA foreign_keys = OFF; UPDATE snapshot SET body = 99 WHERE id = 1",
            DamageKind::Reference {
                table: "snapshot".to_owned(),
            },
        ),
    ] {
        let before = store.check().unwrap().len();
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let found = store.check().unwrap();
        assert_eq!(found.len(), before + 1, "{found:?}");
        assert!(found.iter().any(|it| it.kind == kind), "{found:?}");
    }
    remove(&path);
}

#[test]
fn a_check_names_authorities_with_a_wrong_number_of_snapshots() {
    let path = new_file("check-noted");
    let store = SqliteStore::open(&path).unwrap();
    put(&store, &body_seen("h.example", at(0), b"a"));
    put(&store, &body_seen("i.example", at(0), b"b"));
    assert_eq!(store.check().unwrap(), []);
    let sql = "UPDATE authority SET snapshots = 2 WHERE name LIKE '%h.example'";
    Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    let found = store.check().unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].kind, DamageKind::Total("snapshots".to_owned()));
    assert_eq!(found[0].authorities, [authority("h.example")]);
    remove(&path);
}

/// A file of version 1, with two snapshots of one authority.
fn old_file(name: &str) -> std::path::PathBuf {
    let path = new_file(name);
    let connection = Connection::open(&path).unwrap();
    connection
        .execute_batch(include_str!("version_1.sql"))
        .unwrap();
    path
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
            stat.body_octets,
        )
    };
    assert_eq!(counts(store.stat().unwrap()), (1, 2, 2, 3));
    assert_eq!(
        knowledge(&store, "h.example").copy.unwrap().body[..],
        b"ab"[..]
    );
    assert_eq!(store.check().unwrap(), []);
    drop(store);
    assert!(std::fs::read(&path).unwrap() == before);

    let keep_two = StoreSettings {
        authority_snapshots_max: Some(2),
        authority_octets_max: Some(1 << 20),
        sweep: None,
    };
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
    assert_eq!(pragma("user_version").unwrap(), 2);
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

fn count(store: &dyn Store, host: &str) -> usize {
    let found = store.snapshots_before(&authority(host), SnapshotId::AFTER_ALL, usize::MAX);
    found.unwrap().len()
}

#[test]
fn a_quota_of_snapshots_deletes_the_oldest() {
    let path = new_file("quota-snapshots");
    for (quota, least) in [(0, 1), (1, 1), (2, 2), (16, 14)] {
        let settings = StoreSettings {
            authority_snapshots_max: Some(quota),
            ..StoreSettings::default()
        };
        let store = SqliteStore::open_with(&path, settings).unwrap();
        for number in 0..50 {
            put(
                &store,
                &body_seen("h.example", at(number), &number.to_be_bytes()),
            );
            let there = count(&store, "h.example") as u64;
            assert!(there <= quota.max(1), "{quota}: {there}");
            assert!(there >= least.min(number + 1), "{quota}: {there}");
        }
        let newest = knowledge(&store, "h.example").copy.unwrap().body;
        assert_eq!(newest[..], 49_u64.to_be_bytes());
        let stat = store.stat().unwrap();
        assert_eq!(stat.bodies, stat.snapshots);
        assert_eq!(store.check().unwrap(), []);
        drop(store);
        remove(&path);
    }
}

#[test]
fn an_eighth_of_a_quota_is_free_after_a_deletion() {
    let path = new_file("quota-eighth");
    let settings = StoreSettings {
        authority_snapshots_max: Some(16),
        ..StoreSettings::default()
    };
    let store = SqliteStore::open_with(&path, settings).unwrap();
    for number in 0..40 {
        put(&store, &body_seen("h.example", at(number), b"same"));
        let expected = match number {
            0..16 => number + 1,
            16.. => 14 + (number - 16) % 3,
        };
        assert_eq!(count(&store, "h.example") as u64, expected, "{number}");
    }
    drop(store);
    remove(&path);
}

#[test]
fn octets_that_are_kept_are_counted_after_a_deletion() {
    let path = new_file("quota-counted");
    let quota = 100_000;
    let settings = StoreSettings {
        authority_octets_max: Some(quota),
        ..StoreSettings::default()
    };
    let store = SqliteStore::open_with(&path, settings).unwrap();
    let counted = || {
        let file = Connection::open(&path).unwrap();
        let octets = file.query_row("SELECT octets FROM authority", (), |row| row.get(0));
        octets.unwrap()
    };
    let mut before = 0;
    for number in 0..30 {
        put(
            &store,
            &body_seen("h.example", at(number), &body_of(number)),
        );
        let now: u64 = counted();
        assert!(store.stat().unwrap().body_octets <= now, "{number}");
        // An eighth is free, so that the next put need not count again.
        assert!(now > before || now <= quota / 8 * 7, "{number}: {now}");
        assert!(now <= quota, "{number}: {now}");
        before = now;
    }
    drop(store);
    remove(&path);
}

#[test]
fn a_quota_of_octets_deletes_the_oldest_and_bounds_the_file() {
    let path = new_file("quota-octets");
    let quota = 200_000;
    let settings = StoreSettings {
        authority_octets_max: Some(quota),
        ..StoreSettings::default()
    };
    let store = SqliteStore::open_with(&path, settings).unwrap();
    // Other authorities that share a body with it are unchanged.
    put(&store, &body_seen("other.example", at(0), &[7; 10_000]));
    for number in 0..300_u64 {
        let mut body = vec![7; 10_000];
        body[..8].copy_from_slice(&(number * u64::from(number % 3 != 0)).to_be_bytes());
        put(&store, &body_seen("h.example", at(number), &body));
        assert!(store.stat().unwrap().body_octets <= quota + 10_000);
    }
    assert!(count(&store, "h.example") >= 15);
    assert_eq!(count(&store, "other.example"), 1);
    // A snapshot that alone is larger than the quota is kept, as the only one.
    put(&store, &body_seen("h.example", at(400), &vec![9; 300_000]));
    assert_eq!(count(&store, "h.example"), 1);
    assert_eq!(
        knowledge(&store, "h.example").copy.unwrap().body.len(),
        300_000
    );
    // The body of its copy is kept.
    let before = knowledge(&store, "h.example");
    put(&store, &timeout_seen("h.example", at(500), before));
    assert_eq!(
        knowledge(&store, "h.example").copy.unwrap().body.len(),
        300_000
    );
    assert_eq!(store.check().unwrap(), []);
    store.compact().unwrap();
    assert!(std::fs::metadata(&path).unwrap().len() < 600_000);
    drop(store);
    remove(&path);
}

#[test]
fn hops_count_for_a_quota_of_octets() {
    let path = new_file("quota-hops");
    let settings = StoreSettings {
        authority_octets_max: Some(100_000),
        ..StoreSettings::default()
    };
    let store = SqliteStore::open_with(&path, settings).unwrap();
    for number in 0..30 {
        let mut seen = timeout_seen("h.example", at(number), knowledge(&store, "h.example"));
        let hop = format!("https://h.example/{}", "a".repeat(10_000));
        seen.attempt.hops[0].url = hop.parse().unwrap();
        put(&store, &seen);
        assert!(count(&store, "h.example") <= 10);
    }
    drop(store);
    remove(&path);
}

#[test]
fn a_body_that_does_not_change_counts_once_for_a_quota() {
    let path = new_file("quota-same");
    let settings = StoreSettings {
        authority_octets_max: Some(200_000),
        ..StoreSettings::default()
    };
    let store = SqliteStore::open_with(&path, settings).unwrap();
    for number in 0..100 {
        put(&store, &body_seen("h.example", at(number), &[7; 10_000]));
    }
    assert_eq!(count(&store, "h.example"), 100);
    drop(store);
    remove(&path);
}

#[test]
fn quotas_are_enforced_without_a_put() {
    let path = new_file("quota-later");
    let store = SqliteStore::open(&path).unwrap();
    for number in 0..2500 {
        put(
            &store,
            &timeout_seen("h.example", at(number), knowledge(&store, "h.example")),
        );
    }
    for number in 0..5 {
        put(
            &store,
            &body_seen("i.example", at(number), &body_of(number)),
        );
        put(
            &store,
            &body_seen("j.example", at(number), &body_of(number + 5)),
        );
    }
    let three = StoreSettings {
        authority_snapshots_max: Some(3),
        ..StoreSettings::default()
    };
    let preview = store.preview_sweep(None, &three, at(9999)).unwrap();
    let swept = store.enforce(&three).unwrap();
    assert_eq!((swept.snapshots, swept.bodies), (2497 + 2 + 2, 2 + 2));
    assert_eq!(preview, swept);
    assert_eq!(count(&store, "i.example") + count(&store, "j.example"), 6);
    assert_eq!(count(&store, "h.example"), 3);
    assert_eq!(store.check().unwrap(), []);
    drop(store);
    remove(&path);
}

#[test]
fn an_incremental_sweep_runs_with_each_put() {
    let day = 86_400;
    let path = new_file("by-itself");
    let settings = StoreSettings {
        sweep: Some(SweepSchedule {
            keep: Duration::from_secs(10 * day),
            every: Duration::from_secs(day),
        }),
        ..StoreSettings::default()
    };
    let store = SqliteStore::open_with(&path, settings).unwrap();
    for host in 0..40 {
        for number in 0..5_u8 {
            let seen = body_seen(
                &format!("h{host}.example"),
                at(number.into()),
                &[host, number],
            );
            put(&store, &seen);
        }
    }
    lease(&store, "left.example", at(0));
    assert_eq!(store.stat().unwrap().snapshots, 200);
    // Four authorities with each put: ten puts sweep all of them.
    for number in 0..11 {
        put(
            &store,
            &body_seen("new.example", at(20 * day + number), &[99]),
        );
    }
    let stat = store.stat().unwrap();
    assert_eq!((stat.snapshots, stat.bodies), (40 + 11, 41));
    assert_eq!(stat.leases, 0);
    // What was in force ten days ago is there; the next sweep comes a day later.
    for host in 0..40 {
        let state = store.state_at(&authority(&format!("h{host}.example")), at(10 * day));
        assert_eq!(
            state.unwrap().unwrap().knowledge.copy.unwrap().body[..],
            [host, 4]
        );
    }
    put(&store, &body_seen("new.example", at(21 * day - 1), &[99]));
    assert_eq!(count(&store, "new.example"), 12);
    for number in 0..12 {
        put(
            &store,
            &body_seen("new.example", at(40 * day + number), &[99]),
        );
    }
    assert_eq!(count(&store, "new.example"), 13);
    assert_eq!(store.check().unwrap(), []);
    drop(store);
    remove(&path);
}

#[test]
fn a_slice_of_an_incremental_sweep_deletes_a_bounded_number_of_snapshots() {
    let day = 86_400;
    let path = new_file("slice");
    let store = SqliteStore::open(&path).unwrap();
    for number in 0..300 {
        put(&store, &body_seen("h.example", at(number), b"same"));
    }
    drop(store);
    let settings = StoreSettings {
        sweep: Some(SweepSchedule {
            keep: Duration::from_secs(10 * day),
            every: Duration::from_secs(day),
        }),
        ..StoreSettings::default()
    };
    let store = SqliteStore::open_with(&path, settings).unwrap();
    let new = |host: &str, number| body_seen(host, at(20 * day + number), b"same");
    put(&store, &new("new.example", 0));
    assert_eq!(count(&store, "h.example"), 300 - 64);
    // Two puts in one transaction delete twice as many.
    let seen = [new("new.example", 1), new("other.example", 1)];
    let leases = ["new.example", "other.example"].map(|host| lease(&store, host, at(20 * day)));
    let puts: Vec<_> = seen.iter().zip(&leases).collect();
    for answer in store.put_all(&puts).unwrap() {
        answer.unwrap();
    }
    assert_eq!(count(&store, "h.example"), 300 - 3 * 64);
    put(&store, &new("new.example", 2));
    assert_eq!(count(&store, "h.example"), 300 - 4 * 64);
    // The one in force ten days ago stays.
    put(&store, &new("new.example", 3));
    assert_eq!(count(&store, "h.example"), 1);
    assert_eq!(store.check().unwrap(), []);
    drop(store);
    remove(&path);
}

/// Two snapshots of each of twelve authorities; those of the fourth and fifth cannot be deleted.
fn put_with_stuck(store: &SqliteStore, path: &Path, raise: &str) {
    for host in 0..12 {
        for time in [0, 1] {
            let body = body_of(2 * host + time);
            put(
                store,
                &body_seen(&format!("h{host}.example"), at(time), &body),
            );
        }
    }
    let sql = format!(
        "CREATE TRIGGER stuck BEFORE DELETE ON snapshot WHEN old.authority IN (4, 5) \
         BEGIN SELECT RAISE({raise}, 'stuck'); END"
    );
    Connection::open(path).unwrap().execute_batch(&sql).unwrap();
}

fn still_two(store: &SqliteStore) -> Vec<u8> {
    let has_two = |host: &u8| count(store, &format!("h{host}.example")) == 2;
    (0..12).filter(has_two).collect()
}

#[test]
fn a_sweep_that_fails_at_an_authority_sweeps_the_others() {
    let path = new_file("sweep-stuck");
    let store = SqliteStore::open(&path).unwrap();
    put_with_stuck(&store, &path, "ABORT");
    let failed = store.sweep(at(100), at(100)).unwrap_err();
    assert!(failed.to_string().contains("stuck"), "{failed}");
    assert_eq!(still_two(&store), [3, 4]);
    assert_eq!(store.check().unwrap(), []);
    drop(store);
    remove(&path);
}

#[test]
fn an_incremental_sweep_that_fails_at_an_authority_continues_after_it() {
    let day = 86_400;
    let schedule = SweepSchedule {
        keep: Duration::from_secs(10 * day),
        every: Duration::from_secs(day),
    };
    let settings = StoreSettings {
        sweep: Some(schedule),
        ..StoreSettings::default()
    };
    // The second one ends the transaction, so its whole slice waits for the next sweep.
    for (raise, left) in [("ABORT", 3..5), ("ROLLBACK", 0..8)] {
        let path = new_file("piece-stuck");
        let store = SqliteStore::open_with(&path, settings).unwrap();
        put_with_stuck(&store, &path, raise);
        for number in 0..9 {
            let seen = body_seen("new.example", at(20 * day + number), &[9]);
            put(&store, &seen);
        }
        assert_eq!(count(&store, "new.example"), 9, "{raise}");
        let left: Vec<u8> = left.collect();
        assert_eq!(still_two(&store), left, "{raise}");
        assert_eq!(store.check().unwrap(), []);
        // The pages of what was deleted are returned to the system.
        let file = Connection::open(&path).unwrap();
        let free = file.pragma_query_value(None, "freelist_count", |row| row.get::<_, i64>(0));
        assert_eq!(free.unwrap(), 0, "{raise}");
        drop(file);
        drop(store);
        remove(&path);
    }
}

#[test]
fn a_sweep_shrinks_the_file() {
    let path = new_file("smaller");
    let store = SqliteStore::open(&path).unwrap();
    for number in 0..200_u8 {
        put(
            &store,
            &body_seen("h.example", at(number.into()), &vec![number; 20_000]),
        );
    }
    assert!(store.stat().unwrap().octets > 4_000_000);
    assert_eq!(store.sweep(at(1000), at(1000)).unwrap().snapshots, 199);
    assert!(store.stat().unwrap().octets < 200_000);
    store.compact().unwrap();
    assert!(std::fs::metadata(&path).unwrap().len() < 200_000);
    drop(store);
    remove(&path);
}

#[test]
fn a_read_only_store_sees_other_puts_and_writes_nothing() {
    let path = new_file("reading");
    let seen = body_seen("h.example", at(0), b"one");
    put(&SqliteStore::open(&path).unwrap(), &seen);
    let files = || -> BTreeSet<String> {
        let name = path.file_name().unwrap().to_str().unwrap();
        let entries = std::fs::read_dir(path.parent().unwrap()).unwrap();
        let names = entries.map(|it| it.unwrap().file_name().into_string().unwrap());
        names.filter(|it| it.starts_with(name)).collect()
    };
    let before = files();
    let reading = SqliteStore::open_read_only(&path).unwrap();
    assert!(reading.is_read_only());
    let body = || knowledge(&reading, "h.example").copy.unwrap().body;
    assert_eq!(body()[..], b"one"[..]);
    assert_eq!(files(), before);
    let now = at(9);
    let minute = Duration::from_secs(60);
    let refused = reading.acquire(&authority("h.example"), "test", now, minute);
    assert!(matches!(refused, Err(StoreError::ReadOnly)), "{refused:?}");
    assert!(matches!(reading.sweep(now, now), Err(StoreError::ReadOnly)));
    assert!(matches!(reading.compact(), Err(StoreError::ReadOnly)));
    // A writer opens the file: there is a log. It closes the file: the log is in the file.
    let writing = SqliteStore::open(&path).unwrap();
    assert_eq!(body()[..], b"one"[..]);
    put(&writing, &body_seen("h.example", at(1), b"two"));
    assert_eq!(body()[..], b"two"[..]);
    drop(writing);
    assert_eq!(body()[..], b"two"[..]);
    let writing = SqliteStore::open(&path).unwrap();
    put(&writing, &body_seen("h.example", at(2), b"three"));
    drop(writing);
    assert_eq!(body()[..], b"three"[..]);
    drop(reading);
    remove(&path);
}

#[cfg(unix)]
#[test]
fn the_log_has_the_permissions_of_the_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let path = new_file("modes");
    let store = SqliteStore::open(&path).unwrap();
    put(&store, &body_seen("h.example", at(0), b"one"));
    for end in ["", "-wal", "-shm"] {
        let file = std::fs::metadata(format!("{}{end}", path.display()));
        let mode = file.unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{end}");
    }
    drop(store);
    remove(&path);
}

#[cfg(unix)]
#[test]
fn a_link_to_a_store_that_is_being_written_is_read_with_its_log() {
    let (path, link) = (new_file("linked"), new_file("link"));
    let writing = SqliteStore::open(&path).unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    put(&writing, &body_seen("h.example", at(0), b"one"));
    let reading = SqliteStore::open_read_only(&link).unwrap();
    let body = knowledge(&reading, "h.example").copy.unwrap().body;
    assert_eq!(body[..], b"one"[..]);
    drop((reading, writing));
    std::fs::remove_file(&link).unwrap();
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
    // After a migration the octets of each authority are not counted yet.
    let file = rusqlite::Connection::open(&path).unwrap();
    file.execute("UPDATE authority SET octets = 1 << 60", ())
        .unwrap();
    drop(file);
    let settings = StoreSettings {
        authority_snapshots_max: Some(19),
        authority_octets_max: Some(210_000),
        ..StoreSettings::default()
    };
    let store = SqliteStore::open(&path).unwrap();
    store.enforce(&settings).unwrap();
    assert_eq!(count(&store, "h.example"), 19);
    drop(store);
    remove(&path);
}

/// Ten thousand octets that differ for each number.
fn body_of(number: u64) -> Vec<u8> {
    let mut body = vec![7; 10_000];
    body[..8].copy_from_slice(&number.to_be_bytes());
    body
}

#[test]
fn a_read_only_store_reports_that_it_is_read_only() {
    let path = new_file("no-store");
    let opened = |path: &Path| SqliteStore::open_read_only(path).err();
    assert!(matches!(opened(&path), Some(OpenError::Inaccessible(..))));
    std::fs::write(&path, "User-agent: *\nDisallow: /\n".repeat(100)).unwrap();
    assert!(matches!(opened(&path), Some(OpenError::Foreign(_))));
    std::fs::write(&path, "").unwrap();
    let empty = SqliteStore::open_read_only(&path).unwrap();
    assert_eq!(empty.latest(&authority("h.example")).unwrap(), None);
    drop(empty);
    assert_eq!(std::fs::metadata(&path).unwrap().len(), 0);
    let odd = new_file("a name?#%20 é");
    put(
        &SqliteStore::open(&odd).unwrap(),
        &body_seen("h.example", at(0), b"one"),
    );
    let store = SqliteStore::open_read_only(&odd).unwrap();
    assert_eq!(store.stat().unwrap().snapshots, 1);
    remove(&path);
    remove(&odd);
}

/// A reader beside a writer that always writes reads only what was put, in order.
#[test]
fn a_read_only_store_never_reads_a_half_written_file() {
    let path = new_file("misled");
    put(
        &SqliteStore::open(&path).unwrap(),
        &body_seen("h.example", at(0), &[0; 3000]),
    );
    let is_done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (path, is_done) = (&path, &is_done);
        scope.spawn(move || {
            for number in 1..60_u8 {
                // Opened and closed each time, so that the log is created and removed.
                let store = SqliteStore::open(path).unwrap();
                let body = vec![number; 3000];
                put(&store, &body_seen("h.example", at(number.into()), &body));
            }
            is_done.store(true, std::sync::atomic::Ordering::Release);
        });
        let reading = SqliteStore::open_read_only(path).unwrap();
        let mut last = 0;
        while !is_done.load(std::sync::atomic::Ordering::Acquire) {
            match reading.latest(&authority("h.example")) {
                Ok(state) => {
                    let body = state.unwrap().knowledge.copy.unwrap().body;
                    assert!(body[0] >= last);
                    last = body[0];
                }
                Err(error) => assert!(matches!(error, StoreError::Busy), "{error}"),
            }
        }
        assert_eq!(knowledge(&reading, "h.example").copy.unwrap().body[0], 59);
    });
    remove(&path);
}
