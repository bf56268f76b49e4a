//! Quotas of snapshots and of bytes.

use rusqlite::Connection;
use verger_store::{History, PackedFacts, SqliteStore, StoreSettings};

use crate::scene::{at, body_of, body_seen, count, knowledge, new_file, put, remove, timeout_seen};

#[test]
fn a_quota_of_snapshots_deletes_the_oldest() {
    let path = new_file("quota-snapshots");
    for (quota, least) in [(0, 1), (1, 1), (2, 2), (16, 14)] {
        let mut settings = StoreSettings::default();
        settings.authority_snapshots_max = Some(quota);
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
    let mut settings = StoreSettings::default();
    settings.authority_snapshots_max = Some(16);
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
fn bytes_that_are_kept_are_counted_after_a_deletion() {
    let path = new_file("quota-counted");
    let quota = 100_000;
    let mut settings = StoreSettings::default();
    settings.authority_bytes_max = Some(quota);
    let store = SqliteStore::open_with(&path, settings).unwrap();
    let counted = || {
        let file = Connection::open(&path).unwrap();
        let bytes = file.query_row("SELECT octets FROM authority", (), |row| row.get(0));
        bytes.unwrap()
    };
    let mut before = 0;
    for number in 0..30 {
        let mut seen = body_seen("h.example", at(number), &body_of(number));
        seen.facts = PackedFacts::default();
        put(&store, &seen);
        let now: u64 = counted();
        assert!(store.stat().unwrap().body_bytes <= now, "{number}");
        // An eighth is free, so the next put need not count again.
        assert!(now > before || now <= quota / 8 * 7, "{number}: {now}");
        assert!(now <= quota, "{number}: {now}");
        before = now;
    }
    drop(store);
    remove(&path);
}

#[test]
fn facts_of_hops_count_towards_a_quota() {
    let path = new_file("quota-facts");
    let seen = body_seen("h.example", at(0), b"a");
    let mut bare = seen.clone();
    bare.facts = PackedFacts::default();
    let facts = seen.facts.bytes().unwrap().len() as u64;
    let mut quota = StoreSettings::default();
    // The quota fits two snapshots and the facts of one.
    quota.authority_bytes_max = Some(1200 + facts);
    for (seen, kept) in [(&bare, 2), (&seen, 1)] {
        let store = SqliteStore::open(&path).unwrap();
        put(&store, seen);
        put(&store, seen);
        store.enforce(&quota).unwrap();
        assert_eq!(count(&store, "h.example"), kept);
        drop(store);
        remove(&path);
    }
}

#[test]
fn a_quota_of_bytes_deletes_the_oldest_and_bounds_the_file() {
    let path = new_file("quota-bytes");
    let quota = 200_000;
    let mut settings = StoreSettings::default();
    settings.authority_bytes_max = Some(quota);
    let store = SqliteStore::open_with(&path, settings).unwrap();
    // Other authorities that share a body are unchanged.
    put(&store, &body_seen("other.example", at(0), &[7; 10_000]));
    for number in 0..300_u64 {
        let mut body = vec![7; 10_000];
        body[..8].copy_from_slice(&(number * u64::from(number % 3 != 0)).to_be_bytes());
        put(&store, &body_seen("h.example", at(number), &body));
        assert!(store.stat().unwrap().body_bytes <= quota + 10_000);
    }
    assert!(count(&store, "h.example") >= 15);
    assert_eq!(count(&store, "other.example"), 1);
    // A snapshot larger than the quota is kept, alone.
    put(&store, &body_seen("h.example", at(400), &vec![9; 300_000]));
    assert_eq!(count(&store, "h.example"), 1);
    assert_eq!(
        knowledge(&store, "h.example").copy.unwrap().body.len(),
        300_000
    );
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
fn hops_count_for_a_quota_of_bytes() {
    let path = new_file("quota-hops");
    let mut settings = StoreSettings::default();
    settings.authority_bytes_max = Some(100_000);
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
    let mut settings = StoreSettings::default();
    settings.authority_bytes_max = Some(200_000);
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
    let mut three = StoreSettings::default();
    three.authority_snapshots_max = Some(3);
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
