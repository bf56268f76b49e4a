//! Evictions of the store in memory.

use http::{HeaderMap, HeaderValue};
use verger_access::Knowledge;
use verger_store::{History, KeptHeaders, MemoryStore, Store, StoreError};

use crate::scene::{MINUTE, at, authority, body_seen, lease, put, timeout_seen};

const BODY_BYTES: usize = 10_000;

fn body(number: u64) -> Vec<u8> {
    let mut body = vec![b'#'; BODY_BYTES];
    body.extend(number.to_be_bytes());
    body
}

fn host(number: u64) -> String {
    format!("h{number}.example")
}

fn is_known(store: &MemoryStore, number: u64) -> bool {
    store.latest(&authority(&host(number))).unwrap().is_some()
}

#[test]
fn the_bound_is_kept_and_the_least_recently_used_is_evicted_first() {
    let store = MemoryStore::new(10 * (BODY_BYTES + 3000));
    for number in 0..10 {
        put(&store, &body_seen(&host(number), at(number), &body(number)));
    }
    assert_eq!(store.stat().unwrap().authorities, 10);
    assert!(is_known(&store, 0));
    for number in 10..1000 {
        put(&store, &body_seen(&host(number), at(number), &body(number)));
        assert!(is_known(&store, 0), "asked for all the time");
        let bytes = usize::try_from(store.stat().unwrap().bytes).unwrap();
        assert!(bytes <= 10 * (BODY_BYTES + 3000), "{bytes}");
    }
    assert!(!is_known(&store, 1) && is_known(&store, 999));
    let stat = store.stat().unwrap();
    assert!((9..=12).contains(&stat.authorities), "{stat:?}");
    assert_eq!(stat.bodies, stat.authorities);
}

#[test]
fn the_headers_of_a_snapshot_count() {
    let bytes = |fields: usize| {
        let store = MemoryStore::new(1 << 30);
        let mut seen = timeout_seen("h.example", at(0), Knowledge::default());
        let mut headers = HeaderMap::new();
        for _ in 0..fields {
            let value = HeaderValue::from_bytes(&[b'a'; 1000]).unwrap();
            headers.append("cache-control", value);
        }
        seen.headers = KeptHeaders::new(&headers);
        put(&store, &seen);
        store.bytes()
    };
    assert!(bytes(8) - bytes(0) >= 8 * 1000);
}

#[test]
fn a_lease_counts() {
    let store = MemoryStore::new(1 << 30);
    put(&store, &body_seen("h.example", at(0), b""));
    let without = store.bytes();
    let held = lease(&store, "h.example", at(61));
    let least = held.holder.len() + held.authority.to_string().len();
    let of_lease = store.bytes() - without;
    assert!((least..1024).contains(&of_lease), "{of_lease}");
}

#[test]
fn an_authority_that_is_being_fetched_is_not_evicted() {
    let store = MemoryStore::new(3 * (BODY_BYTES + 3000));
    put(&store, &body_seen(&host(0), at(0), &body(0)));
    let held = lease(&store, &host(0), at(1));
    for number in 1..20 {
        put(&store, &body_seen(&host(number), at(1), &body(number)));
    }
    assert!(store.latest(&held.authority).unwrap().is_some());
    // The lease expires without further use of its authority.
    for number in 20..40 {
        put(&store, &body_seen(&host(number), at(61), &body(number)));
    }
    assert!(!is_known(&store, 0));
    let seen = body_seen(&host(0), at(62), b"");
    let refused = store.put(&seen, &held).unwrap_err();
    assert!(matches!(refused, StoreError::LeaseLost(_)), "{refused}");
}

#[test]
fn an_import_does_not_evict_an_authority_that_is_being_fetched() {
    let store = MemoryStore::new(3 * (BODY_BYTES + 3000));
    put(&store, &body_seen(&host(0), at(1_000_000), &body(0)));
    let held = lease(&store, &host(0), at(1_000_001));
    let filling = lease(&store, &host(1), at(1_000_002));
    let old = (0..20).map(|number| body_seen(&host(1), at(number), &body(number)));
    let old: Vec<_> = old.collect();
    store.append(&old, &filling).unwrap();
    let seen = body_seen(&host(0), at(1_000_003), b"");
    store.put(&seen, &held).unwrap();
}

#[test]
fn a_put_that_does_not_fit_is_refused_and_changes_nothing() {
    let store = MemoryStore::new(BODY_BYTES);
    let held = lease(&store, "h.example", at(0));
    let before = store.stat().unwrap();
    let refused = store.put(&body_seen("h.example", at(1), &body(0)), &held);
    assert!(matches!(
        refused,
        Err(StoreError::Full {
            bytes_max: BODY_BYTES
        })
    ));
    assert_eq!(store.stat().unwrap(), before);
    let small = timeout_seen("h.example", at(1), Knowledge::default());
    store.put(&small, &held).unwrap();

    let tiny = MemoryStore::new(100);
    let refused = tiny.acquire(&authority("h.example"), "test", at(0), MINUTE);
    assert!(matches!(refused, Err(StoreError::Full { .. })));
    assert_eq!(tiny.stat().unwrap().bytes, 0);
}

#[test]
fn a_refused_put_evicts_nothing() {
    let store = MemoryStore::new(6 * (BODY_BYTES + 3000));
    put(&store, &body_seen(&host(0), at(0), &body(0)));
    put(&store, &body_seen("h.example", at(1), &body(1)));
    put(&store, &body_seen("h.example", at(2), &body(2)));
    let busy = body_seen(&host(3), at(3), &body(3));
    put(&store, &busy);
    let busy = lease(&store, &host(3), at(3));
    let held = lease(&store, "h.example", at(3));
    let before = store.stat().unwrap();
    let large = vec![b'#'; 6 * (BODY_BYTES + 3000)];
    let refused = store.put(&body_seen("h.example", at(4), &large), &held);
    assert!(matches!(refused, Err(StoreError::Full { .. })));
    assert_eq!(store.stat().unwrap(), before);
    assert!(is_known(&store, 0) && is_known(&store, 3));
    // A put that fits after an eviction is kept, and no more is evicted than necessary.
    let bytes = usize::try_from(before.bytes).unwrap();
    let room = 6 * (BODY_BYTES + 3000) - bytes;
    let fits = vec![b'#'; room + 2 * BODY_BYTES];
    store
        .put(&body_seen("h.example", at(5), &fits), &held)
        .unwrap();
    assert!(!is_known(&store, 0) && is_known(&store, 3));
    let authority = authority("h.example");
    assert_eq!(store.state_at(&authority, at(1)).unwrap(), None);
    assert!(store.state_at(&authority, at(2)).unwrap().is_some());
    store
        .put(&timeout_seen(&host(3), at(6), Knowledge::default()), &busy)
        .unwrap();
}

#[test]
fn a_shared_body_is_not_freed_by_an_eviction() {
    let store = MemoryStore::new(2 * BODY_BYTES + 8000);
    for number in 0..3 {
        put(&store, &body_seen(&host(number), at(number), &body(7)));
    }
    // Each of the three alone frees little. Together they free their shared body.
    put(&store, &body_seen("h.example", at(3), &body(1)));
    let large = [body(2), body(3)].concat();
    let held = lease(&store, "large.example", at(4));
    store
        .put(&body_seen("large.example", at(4), &large), &held)
        .unwrap();
    assert!((0..3).all(|number| !is_known(&store, number)));
    let bytes = usize::try_from(store.stat().unwrap().bytes).unwrap();
    assert!(bytes <= 2 * BODY_BYTES + 8000, "{bytes}");
}

#[test]
fn a_refused_lease_leaves_an_expired_one() {
    let store = MemoryStore::new(3000);
    let expired = lease(&store, "h.example", at(0));
    let holder = "a holder of many names ".repeat(1000);
    let refused = store.acquire(&expired.authority, &holder, at(60), MINUTE);
    assert!(matches!(refused, Err(StoreError::Full { .. })));
    let seen = timeout_seen("h.example", at(61), Knowledge::default());
    store.put(&seen, &expired).unwrap();
}

#[test]
fn one_authority_alone_loses_its_oldest_snapshots() {
    let store = MemoryStore::new(5 * (BODY_BYTES + 3000));
    for number in 0..50 {
        put(&store, &body_seen("h.example", at(number), &body(number)));
    }
    let stat = store.stat().unwrap();
    assert!((4..=6).contains(&stat.snapshots), "{stat:?}");
    let authority = authority("h.example");
    let latest = store.latest(&authority).unwrap().unwrap();
    assert_eq!(latest.snapshot.attempt.at, at(49));
    assert_eq!(store.state_at(&authority, at(10)).unwrap(), None);
}

#[test]
fn an_evicted_authority_takes_no_memory() {
    let store = MemoryStore::new(1 << 20);
    for number in 0..10 {
        let held = lease(&store, &host(number), at(0));
        store.release(&held).unwrap();
        lease(&store, &host(number), at(0));
    }
    store.sweep(at(0), at(60)).unwrap();
    assert_eq!(store.stat().unwrap(), verger_store::Stat::default());
}
