//! Sweeps, whole and incremental.

use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;
use verger_store::{History, SqliteStore, Store, StoreSettings, SweepSchedule};

use crate::scene::{at, authority, body_of, body_seen, count, lease, new_file, put, remove};

#[test]
fn an_incremental_sweep_runs_with_each_put() {
    let day = 86_400;
    let path = new_file("by-itself");
    let mut settings = StoreSettings::default();
    settings.sweep = Some(SweepSchedule::new(
        Duration::from_secs(10 * day),
        Duration::from_secs(day),
    ));
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
    // Each put sweeps four authorities, so ten puts sweep all of them.
    for number in 0..11 {
        put(
            &store,
            &body_seen("new.example", at(20 * day + number), &[99]),
        );
    }
    let stat = store.stat().unwrap();
    assert_eq!((stat.snapshots, stat.bodies), (40 + 11, 41));
    assert_eq!(stat.leases, 0);
    // The snapshots in force ten days ago remain. The next sweep starts a day later.
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
    let mut settings = StoreSettings::default();
    settings.sweep = Some(SweepSchedule::new(
        Duration::from_secs(10 * day),
        Duration::from_secs(day),
    ));
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
    // The snapshot in force ten days ago remains.
    put(&store, &new("new.example", 3));
    assert_eq!(count(&store, "h.example"), 1);
    assert_eq!(store.check().unwrap(), []);
    drop(store);
    remove(&path);
}

/// Puts two snapshots of each of twelve authorities. Those of the fourth and fifth cannot be deleted.
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
    let schedule = SweepSchedule::new(Duration::from_secs(10 * day), Duration::from_secs(day));
    let mut settings = StoreSettings::default();
    settings.sweep = Some(schedule);
    // The second error ends the transaction, so its whole slice waits for the next sweep.
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
        // The pages of deleted rows are returned to the file system.
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
    assert!(store.stat().unwrap().bytes > 4_000_000);
    assert_eq!(store.sweep(at(1000), at(1000)).unwrap().snapshots, 199);
    assert!(store.stat().unwrap().bytes < 200_000);
    store.compact().unwrap();
    assert!(std::fs::metadata(&path).unwrap().len() < 200_000);
    drop(store);
    remove(&path);
}
