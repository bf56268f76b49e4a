//! Facts of hops, and what receivers were told.

use verger_access::Authority;
use verger_store::{
    Archive, Delivery, Observation, PackedFacts, ReadFacts, SnapshotId, StoreError, each_snapshot,
};

use crate::scene::{at, authority, body_seen, facts, knowledge, lease, put, timeout_seen};

pub(super) fn facts_of_hops_are_read_by_the_ids_of_snapshots(store: &dyn Archive) {
    let mut seen = body_seen("h.example", at(0), b"a");
    let first = put(store, &seen);
    let with = seen.facts.clone();
    seen.facts = PackedFacts::default();
    put(store, &seen);
    put(store, &body_seen("other.example", at(0), b"a"));
    let failed = timeout_seen("h.example", at(60), knowledge(store, "h.example"));
    let held = lease(store, "h.example", at(60));
    let third = store.append(std::slice::from_ref(&failed), &held).unwrap()[0];
    let fourth = store
        .put_all(&[(&failed, &held)])
        .unwrap()
        .remove(0)
        .unwrap();
    // No other part of a snapshot depends on the facts.
    assert_eq!(
        store
            .latest(&authority("h.example"))
            .unwrap()
            .unwrap()
            .snapshot
            .id,
        fourth
    );
    if !store.keeps_facts() {
        assert_eq!(facts(store, "h.example"), []);
        return;
    }
    let expected = [
        (first, with.clone()),
        (third, failed.facts.clone()),
        (fourth, failed.facts.clone()),
    ];
    assert_eq!(facts(store, "h.example"), expected);
    assert_eq!(facts(store, "unknown.example"), []);
    let of = |ids| store.facts(&authority("h.example"), ids).unwrap();
    assert_eq!(of(first..=first), expected[..1]);
    assert_eq!(of(SnapshotId(first.0 + 1)..=third), expected[1..2]);
    let hops = expected[0].1.hops().unwrap();
    assert_eq!(hops.len(), 2);
    assert_eq!(hops[0].tls, None);
    let response = hops[1].response.as_ref().unwrap();
    assert_eq!(response.values("x-robots-tag").next(), Some(&b"noai"[..]));
    assert_eq!(response.bytes_cut(), 9);
    assert_eq!(store.sweep(at(61), at(61)).unwrap().snapshots, 3);
    assert_eq!(facts(store, "h.example"), expected[2..]);
}

pub(super) fn each_snapshot_of_a_long_history_comes_with_its_own_facts(store: &dyn Archive) {
    let mut seen: Vec<Observation> = (0..200)
        .map(|second| body_seen("h.example", at(second), b"a"))
        .collect();
    // Nothing is known of the rest. The times in the facts differ.
    for observation in seen.iter_mut().step_by(3) {
        observation.facts = PackedFacts::default();
    }
    let held = lease(store, "h.example", at(0));
    let ids = store.append(&seen, &held).unwrap();
    for facts in [ReadFacts::Yes, ReadFacts::No] {
        let is_read = facts == ReadFacts::Yes && store.keeps_facts();
        let known = |seen: &Observation| {
            let is_known = is_read && seen.facts.bytes().is_some();
            is_known.then(|| seen.facts.clone())
        };
        let expected: Vec<_> = ids.iter().copied().zip(seen.iter().map(known)).collect();
        let (site, during) = (authority("h.example"), at(0)..at(1000));
        let mut found = Vec::new();
        let visited = each_snapshot(store, &site, during, facts, |snapshot, facts| {
            found.push((snapshot.id, facts.cloned()));
            Ok::<_, StoreError>(())
        });
        visited.unwrap();
        assert_eq!(found, expected);
    }
}

pub(super) fn what_a_receiver_took_last_is_kept_for_each_authority(store: &dyn Archive) {
    let (one, other) = (authority("h.example"), authority("other.example"));
    let delivery = |event: &str, body: Option<&[u8]>| Delivery {
        event: event.to_owned(),
        at: at(7),
        state: "rules".to_owned(),
        body: body.map(Into::into),
    };
    assert_eq!(store.delivery(&one, "stdout").unwrap(), None);
    let late = delivery("late", None);
    let told = [
        (&one, "stdout", delivery("1", Some(b"Disallow: /\xff\0"))),
        (&one, "webhook", delivery("1", None)),
        (&other, "stdout", delivery("2", Some(b""))),
        (&one, "stdout", delivery("3", Some(b"Disallow: /b"))),
    ];
    let first = store.put_first_delivery(&one, "webhook", &told[1].2);
    assert_eq!(first.unwrap(), told[1].2);
    for (authority, receiver, delivery) in &told {
        store.put_delivery(authority, receiver, delivery).unwrap();
        let first = store.put_first_delivery(authority, receiver, &late);
        assert_eq!(first.unwrap(), *delivery, "a first one replaces none");
        let kept = store.delivery(authority, receiver).unwrap();
        assert_eq!(kept.as_ref(), Some(delivery));
    }
    // A delivery is not a snapshot. A sweep removes it if its authority was not fetched after it either.
    assert_eq!(store.authorities(None, 9).unwrap(), []);
    put(store, &body_seen("h.example", at(9), b"Disallow: /a"));
    for (keep_from, ones, others) in [(7, 2, 1), (8, 2, 0), (9, 2, 0), (10, 0, 0)] {
        let before = deliveries(store, &told);
        let swept = store.sweep(at(keep_from), at(1 << 40)).unwrap();
        assert_eq!(swept.deliveries, before - (ones + others), "{keep_from}");
        assert_eq!(deliveries(store, &told), ones + others, "{keep_from}");
    }
}

/// Returns how many of these deliveries remain. The last one replaced the first.
fn deliveries(store: &dyn Archive, told: &[(&Authority, &str, Delivery)]) -> u64 {
    let kept = told[1..].iter().filter(|(authority, receiver, delivery)| {
        let kept = store.delivery(authority, receiver).unwrap();
        assert!(kept.is_none() || kept.as_ref() == Some(delivery));
        kept.is_some()
    });
    kept.count() as u64
}
