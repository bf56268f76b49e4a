//! Leases, and puts with them.

use std::sync::Barrier;

use verger_store::{Acquisition, Archive, BodyHash, StoreError};

use crate::scene::{
    MINUTE, all, at, authority, body_seen, is_lost, knowledge, lease, put, timeout_seen,
};

pub(super) fn a_history_is_appended_and_its_lease_stays_valid(store: &dyn Archive) {
    let first = body_seen("h.example", at(0), b"Disallow: /a");
    let second = timeout_seen("h.example", at(60), first.knowledge.clone());
    let held = lease(store, "h.example", at(100));
    let history = [first, second];
    let ids = store.append(&history, &held).unwrap();
    assert_eq!(all(store, "h.example"), ids);
    assert_eq!(knowledge(store, "h.example"), history[1].knowledge);
    assert_eq!(store.append(&[], &held).unwrap(), []);
    let third = body_seen("h.example", at(200), b"Disallow: /a");
    let id = store.put(&third, &held).unwrap();
    assert!(ids.iter().all(|earlier| *earlier < id));
    assert_eq!(store.stat().unwrap().bodies, 1);
}

pub(super) fn a_history_is_appended_only_with_the_newest_lease(store: &dyn Archive) {
    let stale = lease(store, "h.example", at(0));
    let newest = lease(store, "h.example", at(60));
    let seen = [body_seen("h.example", at(61), b"")];
    assert!(is_lost(&store.append(&seen, &stale)));
    let other = [body_seen("other.example", at(61), b"")];
    let refused = store.append(&other, &newest);
    assert!(matches!(refused, Err(StoreError::LeaseOfOther { .. })));
    assert_eq!(store.stat().unwrap().snapshots, 0);
    store.append(&seen, &newest).unwrap();
}

pub(super) fn a_lease_is_held_until_its_last_second(store: &dyn Archive) {
    let authority = authority("h.example");
    let first = lease(store, "h.example", at(0));
    assert_eq!(first.until, at(60));
    for now in [0, 1, 59] {
        let answer = store.acquire(&authority, "other", at(now), MINUTE).unwrap();
        let (holder, until) = ("test".to_owned(), at(60));
        assert_eq!(answer, Acquisition::HeldUntil { holder, until }, "{now}");
    }
    let second = lease(store, "h.example", at(60));
    assert!(first.token < second.token);
    // A lease covers only its authority, not the same host over http.
    lease(store, "other.example", at(0));
    let http = verger_access::Authority::from_url("http://h.example/").unwrap();
    let answer = store.acquire(&http, "other", at(0), MINUTE).unwrap();
    assert!(matches!(answer, Acquisition::Granted(_)));
}

pub(super) fn a_clock_far_behind_the_grant_frees_a_lease(store: &dyn Archive) {
    let authority = authority("h.example");
    let ahead = lease(store, "h.example", at(1_000_000));
    for behind in [1, 59, 60] {
        let now = at(1_000_000 - behind);
        assert_eq!(store.sweep(at(0), now).unwrap().leases, 0);
        let answer = store.acquire(&authority, "other", now, MINUTE).unwrap();
        assert!(matches!(answer, Acquisition::HeldUntil { .. }), "{behind}");
    }
    let granted = lease(store, "h.example", at(1_000_000 - 61));
    assert!(ahead.token < granted.token);
    let seen = body_seen("h.example", at(1_000_000), b"");
    assert!(is_lost(&store.put(&seen, &ahead)));
    store.put(&seen, &granted).unwrap();
    lease(store, "h.example", at(1_000_000));
    assert_eq!(store.sweep(at(0), at(1_000_000 - 61)).unwrap().leases, 1);
}

pub(super) fn a_lease_is_renewed_until_another_is_granted(store: &dyn Archive) {
    let first = lease(store, "h.example", at(0));
    let renewed = store.renew(&first, at(59), MINUTE).unwrap();
    assert_eq!((renewed.token, renewed.until), (first.token, at(119)));
    let answer = store.acquire(&first.authority, "other", at(118), MINUTE);
    assert!(matches!(answer, Ok(Acquisition::HeldUntil { until, .. }) if until == at(119)));
    // The lease has expired, but no other was granted.
    let again = store.renew(&renewed, at(500), MINUTE).unwrap();
    assert_eq!(again.until, at(560));
    let other = lease(store, "h.example", at(560));
    assert!(is_lost(&store.renew(&again, at(560), MINUTE)));
    assert!(is_lost(&store.renew(&first, at(560), MINUTE)));
    store.renew(&other, at(561), MINUTE).unwrap();
}

pub(super) fn a_released_lease_can_be_acquired(store: &dyn Archive) {
    let first = lease(store, "h.example", at(0));
    store.release(&first).unwrap();
    assert_eq!(store.stat().unwrap().leases, 0);
    let second = lease(store, "h.example", at(0));
    assert!(first.token < second.token);
    // The release of a lost lease does not release the newer one.
    store.release(&first).unwrap();
    assert_eq!(store.stat().unwrap().leases, 1);
    let seen = body_seen("h.example", at(1), b"");
    assert!(is_lost(&store.put(&seen, &first)));
    store.put(&seen, &second).unwrap();
}

pub(super) fn a_put_with_a_stale_token_is_refused(store: &dyn Archive) {
    let slow = lease(store, "h.example", at(0));
    let quick = lease(store, "h.example", at(60));
    let refused = store.put(&body_seen("h.example", at(61), b"Disallow: /old"), &slow);
    let error = refused.unwrap_err();
    let sentence = "the lease on https://h.example is lost: acquire one and fetch again";
    assert_eq!(error.to_string(), sentence);
    assert_eq!(all(store, "h.example"), []);
    assert_eq!(store.body(BodyHash::new(b"Disallow: /old")).unwrap(), None);
    let id = store
        .put(&body_seen("h.example", at(62), b""), &quick)
        .unwrap();
    assert!(is_lost(
        &store.put(&body_seen("h.example", at(63), b""), &slow)
    ));
    assert_eq!(all(store, "h.example"), [id]);

    // An expired lease is valid for a put until another is granted, because the fetched result is still true.
    let late = lease(store, "h.example", at(100));
    store
        .put(&body_seen("h.example", at(1000), b""), &late)
        .unwrap();
}

pub(super) fn a_put_ends_its_lease(store: &dyn Archive) {
    let lease = lease(store, "h.example", at(0));
    let seen = body_seen("h.example", at(1), b"");
    store.put(&seen, &lease).unwrap();
    assert_eq!(store.stat().unwrap().leases, 0);
    assert!(is_lost(&store.put(&seen, &lease)));
    assert!(is_lost(&store.renew(&lease, at(2), MINUTE)));
    let answer = store.acquire(&seen.authority, "other", at(1), MINUTE);
    assert!(matches!(answer, Ok(Acquisition::Granted(_))));
}

pub(super) fn several_puts_return_their_results_in_order(store: &dyn Archive) {
    let stale = lease(store, "b.example", at(0));
    let newest = lease(store, "b.example", at(60));
    let other = lease(store, "a.example", at(60));
    let seen_a = body_seen("a.example", at(61), b"one body");
    let seen_b = body_seen("b.example", at(61), b"one body");
    let puts = [
        (&seen_b, &stale),
        (&seen_b, &other),
        (&seen_b, &newest),
        (&seen_a, &other),
        (&seen_a, &other),
    ];
    let answers = store.put_all(&puts).unwrap();
    assert_eq!(answers.len(), 5);
    assert!(is_lost(&answers[0]) && is_lost(&answers[4]));
    assert!(matches!(answers[1], Err(StoreError::LeaseOfOther { .. })));
    let (b, a) = (answers[2].as_ref().unwrap(), answers[3].as_ref().unwrap());
    assert!(b < a);
    assert_eq!(all(store, "a.example"), [*a]);
    assert_eq!(all(store, "b.example"), [*b]);
    assert_eq!(store.stat().unwrap().bodies, 1);
    assert!(store.put_all(&[]).unwrap().is_empty());
}

pub(super) fn a_lease_of_another_authority_is_refused(store: &dyn Archive) {
    let lease = lease(store, "h.example", at(0));
    let refused = store.put(&body_seen("other.example", at(1), b""), &lease);
    assert!(matches!(refused, Err(StoreError::LeaseOfOther { .. })));
    assert_eq!(store.stat().unwrap().leases, 1);
    assert_eq!(store.stat().unwrap().snapshots, 0);
}

pub(super) fn tokens_and_ids_are_never_reused(store: &dyn Archive) {
    let first = lease(store, "h.example", at(0));
    store.release(&first).unwrap();
    store.sweep(at(0), at(1000)).unwrap();
    let second = lease(store, "h.example", at(1000));
    assert!(first.token < second.token);
    let id = store
        .put(&body_seen("h.example", at(1000), b""), &second)
        .unwrap();
    let next = put(store, &body_seen("h.example", at(1001), b""));
    let swept = store.sweep(at(2000), at(2000)).unwrap();
    assert_eq!(swept.snapshots, 1);
    assert!(id < next && next < put(store, &body_seen("h.example", at(1002), b"")));
}

pub(super) fn of_many_requests_at_once_one_is_granted(store: &dyn Archive) {
    let authority = authority("h.example");
    let start = Barrier::new(16);
    let ask = || {
        start.wait();
        let answer = store.acquire(&authority, "one of many", at(0), MINUTE);
        u32::from(matches!(answer.unwrap(), Acquisition::Granted(_)))
    };
    let granted: u32 = std::thread::scope(|scope| {
        let askers: Vec<_> = (0..16).map(|_| scope.spawn(ask)).collect();
        askers.into_iter().map(|asker| asker.join().unwrap()).sum()
    });
    assert_eq!(granted, 1);
}
