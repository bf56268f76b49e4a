//! The guarantees of `Store`: one suite, run against every store.

use std::sync::Barrier;
use std::time::Duration;

use verger_access::{Authority, Knowledge, Profile, Timestamp};
use verger_store::{
    Acquisition, BodyHash, Delivery, MemoryStore, Observation, PackedFacts, ReadFacts, Snapshot,
    SnapshotId, SqliteStore, Stat, Store, StoreError, StoredState, Swept, each_known,
    each_snapshot, knowledge_under,
};

use crate::scene::{
    MINUTE, absence_seen, at, authority, body_seen, facts, is_lost, knowledge, lease, new_file,
    put, timeout_seen,
};

/// A guarantee, asserted on an empty store.
#[cfg(feature = "postgres")]
pub(crate) type Promise = fn(&dyn Store);

macro_rules! contract {
    ($($promise:ident)*) => {
        /// All guarantees, by name.
        #[cfg(feature = "postgres")]
        pub(crate) const PROMISES: &[(&str, Promise)] = &[$((stringify!($promise), $promise)),*];

        mod in_memory {
            $(#[test] fn $promise() {
                super::$promise(&super::MemoryStore::new(64 << 20));
            })*
        }
        mod in_memory_with_facts {
            $(#[test] fn $promise() {
                super::$promise(&super::MemoryStore::keeping_facts());
            })*
        }
        mod in_a_file {
            $(#[test] fn $promise() {
                let path = super::new_file(stringify!($promise));
                super::$promise(&super::SqliteStore::open(&path).unwrap());
                std::fs::remove_file(path).unwrap();
            })*
        }
    };
}

contract! {
    an_unknown_authority_has_no_state
    a_snapshot_is_read_as_it_was_put
    snapshots_are_appended_and_knowledge_is_updated
    the_state_at_a_time_is_that_of_the_snapshot_in_force
    the_states_of_many_authorities_are_those_of_each
    a_clock_that_goes_back_does_not_reorder_puts
    what_is_in_force_is_found_by_time
    a_sweep_keeps_what_a_wrong_clock_came_after
    a_sweep_forgets_authorities_that_never_answered
    snapshots_during_a_time_in_pages
    snapshots_are_read_backwards_in_pages
    a_history_is_appended_and_its_lease_stays_valid
    a_history_is_appended_only_with_the_newest_lease
    a_body_is_shared
    a_lease_is_held_until_its_last_second
    a_clock_far_behind_the_grant_frees_a_lease
    a_lease_is_renewed_until_another_is_granted
    a_released_lease_can_be_acquired
    a_put_with_a_stale_token_is_refused
    a_put_ends_its_lease
    several_puts_return_their_results_in_order
    authorities_are_read_in_pages
    a_lease_of_another_authority_is_refused
    tokens_and_ids_are_never_reused
    of_many_requests_at_once_one_is_granted
    a_sweep_keeps_what_is_in_force
    a_sweep_keeps_the_last_good_copy
    a_sweep_deletes_expired_leases
    what_a_receiver_took_last_is_kept_for_each_authority
    facts_of_hops_are_read_by_the_ids_of_snapshots
    each_snapshot_of_a_long_history_comes_with_its_own_facts
}

fn facts_of_hops_are_read_by_the_ids_of_snapshots(store: &dyn Store) {
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

fn each_snapshot_of_a_long_history_comes_with_its_own_facts(store: &dyn Store) {
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

fn what_a_receiver_took_last_is_kept_for_each_authority(store: &dyn Store) {
    let (one, other) = (authority("h.example"), authority("other.example"));
    let delivery = |event: &str, body: Option<&[u8]>| Delivery {
        event: event.to_owned(),
        at: at(7),
        state: "rules".to_owned(),
        body: body.map(Into::into),
    };
    assert_eq!(store.delivery(&one, "stdout").unwrap(), None);
    let told = [
        (&one, "stdout", delivery("1", Some(b"Disallow: /\xff\0"))),
        (&one, "webhook", delivery("1", None)),
        (&other, "stdout", delivery("2", Some(b""))),
        (&one, "stdout", delivery("3", Some(b"Disallow: /b"))),
    ];
    for (authority, receiver, delivery) in &told {
        store.put_delivery(authority, receiver, delivery).unwrap();
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
fn deliveries(store: &dyn Store, told: &[(&Authority, &str, Delivery)]) -> u64 {
    let kept = told[1..].iter().filter(|(authority, receiver, delivery)| {
        let kept = store.delivery(authority, receiver).unwrap();
        assert!(kept.is_none() || kept.as_ref() == Some(delivery));
        kept.is_some()
    });
    kept.count() as u64
}

fn ids(snapshots: &[Snapshot]) -> Vec<SnapshotId> {
    snapshots.iter().map(|snapshot| snapshot.id).collect()
}

fn all(store: &dyn Store, host: &str) -> Vec<SnapshotId> {
    let ever = Timestamp::default()..at(1 << 40);
    let snapshots = store.snapshots(&authority(host), ever, SnapshotId::BEFORE_ALL, usize::MAX);
    ids(&snapshots.unwrap())
}

fn an_unknown_authority_has_no_state(store: &dyn Store) {
    let authority = authority("h.example");
    assert_eq!(store.latest(&authority).unwrap(), None);
    assert_eq!(store.state_at(&authority, at(0)).unwrap(), None);
    assert_eq!(all(store, "h.example"), []);
    assert_eq!(store.body(BodyHash::new(b"")).unwrap(), None);
    assert_eq!(
        store
            .snapshots_before(&authority, SnapshotId::AFTER_ALL, 9)
            .unwrap(),
        []
    );
    let stat = store.stat().unwrap();
    let nothing = Stat {
        bytes: stat.bytes,
        ..Stat::default()
    };
    assert_eq!(stat, nothing);
    assert_eq!(store.sweep(at(0), at(0)).unwrap(), Swept::default());
}

fn a_snapshot_is_read_as_it_was_put(store: &dyn Store) {
    let seen = body_seen("h.example", at(0), b"User-agent: *\nDisallow: /\xff\0\n");
    let id = put(store, &seen);
    let state = store.latest(&seen.authority).unwrap().unwrap();
    assert_eq!(state.knowledge, seen.knowledge);
    let snapshot = state.snapshot;
    assert_eq!(snapshot.id, id);
    assert_eq!(snapshot.authority, seen.authority);
    assert_eq!(snapshot.profile, "rfc9309");
    assert_eq!(snapshot.attempt, seen.attempt.last);
    assert_eq!(snapshot.warnings, seen.attempt.warnings);
    assert_eq!(snapshot.streak, seen.knowledge.streak);
    assert_eq!(snapshot.hops, seen.attempt.hops);
    assert_eq!(snapshot.headers, seen.headers);
    assert_eq!(snapshot.peer, seen.peer);
    assert_eq!(snapshot.fresh_until, seen.fresh_until);
    let (address, copy) = (snapshot.body.unwrap(), seen.attempt.copy.unwrap());
    assert_eq!(address.hash, BodyHash::new(&copy.body));
    assert_eq!(address.bytes, copy.body.len() as u64);
    assert_eq!(store.body(address.hash).unwrap(), Some(copy.body));

    let seen = body_seen("empty.example", at(0), b"");
    put(store, &seen);
    assert_eq!(knowledge(store, "empty.example"), seen.knowledge);
}

fn snapshots_are_appended_and_knowledge_is_updated(store: &dyn Store) {
    let first = put(store, &body_seen("h.example", at(0), b"Disallow: /a"));
    let mut last = first;
    for minute in 1..=3 {
        let before = knowledge(store, "h.example");
        let seen = timeout_seen("h.example", at(minute * 60), before);
        last = put(store, &seen);
        assert_eq!(knowledge(store, "h.example"), seen.knowledge);
    }
    let now = knowledge(store, "h.example");
    assert_eq!(now.copy.unwrap().body[..], b"Disallow: /a"[..]);
    let streak = now.streak.unwrap();
    assert_eq!((streak.first_at, streak.failures), (at(60), 3));
    assert_eq!(last.0, first.0 + 3);

    let gone = absence_seen("h.example", at(300), knowledge(store, "h.example"));
    put(store, &gone);
    let now = knowledge(store, "h.example");
    assert_eq!((now.copy, now.streak), (None, None));
}

fn the_state_at_a_time_is_that_of_the_snapshot_in_force(store: &dyn Store) {
    let first = put(store, &body_seen("h.example", at(100), b"Disallow: /a"));
    put(store, &body_seen("other.example", at(150), b"Disallow: /o"));
    let second = put(store, &body_seen("h.example", at(200), b"Disallow: /b"));
    for (time, expected) in [
        (0, None),
        (99, None),
        (100, Some((first, b"Disallow: /a"))),
        (101, Some((first, b"Disallow: /a"))),
        (199, Some((first, b"Disallow: /a"))),
        (200, Some((second, b"Disallow: /b"))),
        (1 << 40, Some((second, b"Disallow: /b"))),
    ] {
        let state = store.state_at(&authority("h.example"), at(time)).unwrap();
        let found = state.map(|it| (it.snapshot.id, it.knowledge.copy.unwrap().body));
        let expected = expected.map(|(id, body)| (id, body.as_slice().into()));
        assert_eq!(found, expected, "{time}");
    }
    let end_of_time = Timestamp::from_unix_seconds(u64::MAX);
    let last = store
        .state_at(&authority("h.example"), end_of_time)
        .unwrap();
    assert_eq!(last.unwrap().snapshot.id, second);
}

fn the_states_of_many_authorities_are_those_of_each(store: &dyn Store) {
    put(store, &body_seen("a.example", at(100), b"Disallow: /a"));
    let failed = timeout_seen("a.example", at(200), knowledge(store, "a.example"));
    put(store, &failed);
    put(store, &body_seen("b.example", at(150), b"Disallow: /a"));
    put(
        store,
        &absence_seen("c.example", at(100), Knowledge::default()),
    );
    // The results are in the order of the query. An authority that is queried twice is returned twice.
    let names = [
        "c.example",
        "a.example",
        "unknown.example",
        "b.example",
        "a.example",
    ];
    let many = names.map(authority);
    for time in [0, 100, 150, 1 << 40] {
        let each = many.iter().map(|it| store.state_at(it, at(time)).unwrap());
        let each: Vec<Option<StoredState>> = each.collect();
        assert_eq!(store.states_at(&many, at(time)).unwrap(), each, "{time}");
    }
    assert_eq!(store.states_at(&[], at(100)).unwrap(), []);
    for many in [&many[..], &many[..1], &[]] {
        let latest = store.latest_many(many).unwrap();
        let latest: Vec<_> = latest.into_iter().map(Result::unwrap).collect();
        let each = many.iter().map(|it| store.latest(it).unwrap());
        assert_eq!(latest, each.collect::<Vec<_>>());
    }
    let mut seen = Vec::new();
    let visited = each_known(store, &Profile::GOOGLE, at(150), |site, known| {
        let expected = knowledge_under(store, site, &Profile::GOOGLE, at(150));
        assert_eq!(known, expected.unwrap());
        seen.push((site.to_string(), known.is_some()));
        Ok::<_, StoreError>(())
    });
    visited.unwrap();
    let hosts =
        ["a", "b", "c"].map(|host| (authority(&format!("{host}.example")).to_string(), true));
    assert_eq!(seen, hosts);
}

fn what_is_in_force_is_found_by_time(store: &dyn Store) {
    let put_at = |time: u64, body: &[u8]| put(store, &body_seen("h.example", at(time), body));
    let [first, ahead, behind, last] = [300, 900, 5, 400].map(|time| put_at(time, &[0]));
    let again = put_at(400, &[1]);
    let site = [authority("h.example")];
    for (time, expected) in [
        (5, behind),
        (299, behind),
        (300, first),
        (399, first),
        (400, again),
        (899, again),
        (900, ahead),
        (1 << 40, ahead),
    ] {
        let state = store.state_at(&site[0], at(time)).unwrap();
        assert_eq!(state.as_ref().unwrap().snapshot.id, expected, "{time}");
        assert_eq!(store.states_at(&site, at(time)).unwrap(), [state]);
    }
    assert_eq!(store.state_at(&site[0], at(4)).unwrap(), None);
    assert_eq!(store.latest(&site[0]).unwrap().unwrap().snapshot.id, again);
    assert_eq!(all(store, "h.example"), [first, ahead, behind, last, again]);
}

fn a_sweep_keeps_what_a_wrong_clock_came_after(store: &dyn Store) {
    const DAY: u64 = 86_400;
    let put_at = |time: u64| put(store, &body_seen("h.example", at(time), b"Disallow: /"));
    let days = [95, 96, 98, 1, 100].map(|day| put_at(day * DAY));
    let now = at(100 * DAY);
    // Of those before, only the one of the wrong clock was in force.
    assert_eq!(store.sweep(at(10 * DAY), now).unwrap().snapshots, 0);
    assert_eq!(all(store, "h.example"), days);
    let state = store.state_at(&authority("h.example"), at(99 * DAY));
    assert_eq!(state.unwrap().unwrap().snapshot.id, days[2]);
    // It goes with what ended before another one was in force.
    assert_eq!(store.sweep(at(96 * DAY), now).unwrap().snapshots, 2);
    assert_eq!(all(store, "h.example"), [days[1], days[2], days[4]]);
    // The one that was put last stays, whatever its time.
    let behind = put_at(2 * DAY);
    assert_eq!(store.sweep(now, now).unwrap().snapshots, 2);
    assert_eq!(all(store, "h.example"), [days[4], behind]);
}

fn a_sweep_forgets_authorities_that_never_answered(store: &dyn Store) {
    let failed = |host: &str, time: u64, known: Knowledge| {
        put(store, &timeout_seen(host, at(time), known));
    };
    for time in [0, 60, 120] {
        failed("silent.example", time, Knowledge::default());
    }
    failed("new.example", 500, Knowledge::default());
    put(store, &body_seen("copy.example", at(0), b"Disallow: /"));
    failed("copy.example", 60, knowledge(store, "copy.example"));
    let absent = absence_seen("absent.example", at(0), Knowledge::default());
    put(store, &absent);
    failed("absent.example", 60, knowledge(store, "absent.example"));

    // The last attempt is not over yet.
    assert_eq!(store.sweep(at(119), at(500)).unwrap().snapshots, 1 + 1 + 1);
    let left = |store: &dyn Store| {
        let left = store.authorities(None, 9).unwrap();
        left.iter()
            .map(|it| it.host().to_owned())
            .collect::<Vec<_>>()
    };
    // Of this one, only a failure without a copy is left.
    let known = [
        "absent.example",
        "copy.example",
        "new.example",
        "silent.example",
    ];
    assert_eq!(left(store), known);
    let swept = store.sweep(at(121), at(500)).unwrap();
    assert_eq!((swept.snapshots, swept.bodies), (3, 0));
    assert_eq!(left(store), ["copy.example", "new.example"]);
    assert_eq!(store.latest(&authority("silent.example")).unwrap(), None);
    let stat = store.stat().unwrap();
    assert_eq!((stat.authorities, stat.snapshots), (2, 2));
    // It may come back.
    let back = put(store, &body_seen("silent.example", at(600), b"Disallow: /"));
    assert_eq!(all(store, "silent.example"), [back]);
    assert_eq!(left(store).len(), 3);
}

fn a_clock_that_goes_back_does_not_reorder_puts(store: &dyn Store) {
    let first = put(store, &body_seen("h.example", at(100), b"Disallow: /a"));
    let second = put(store, &body_seen("h.example", at(50), b"Disallow: /b"));
    assert!(first < second);
    let latest = store.latest(&authority("h.example")).unwrap().unwrap();
    assert_eq!(latest.snapshot.id, second);
    assert_eq!(all(store, "h.example"), [first, second]);
    let before = store.state_at(&authority("h.example"), at(49)).unwrap();
    assert_eq!(before, None);
}

fn snapshots_during_a_time_in_pages(store: &dyn Store) {
    let put_at = |time| put(store, &body_seen("h.example", at(time), b"Disallow: /"));
    let ids: Vec<SnapshotId> = [10, 20, 30, 40].into_iter().map(put_at).collect();
    put(store, &body_seen("other.example", at(20), b""));
    let during = |from, until, after, max| {
        let found = store.snapshots(&authority("h.example"), at(from)..at(until), after, max);
        found.unwrap().iter().map(|it| it.id).collect::<Vec<_>>()
    };
    let before_all = SnapshotId::BEFORE_ALL;
    assert_eq!(during(0, 100, before_all, 9), ids);
    assert_eq!(during(10, 40, before_all, 9), ids[..3]);
    assert_eq!(during(11, 41, before_all, 9), ids[1..]);
    assert_eq!(during(20, 20, before_all, 9), []);
    assert_eq!(during(0, 100, before_all, 2), ids[..2]);
    assert_eq!(during(0, 100, ids[1], 2), ids[2..]);
    assert_eq!(during(0, 100, ids[3], 2), []);
    assert_eq!(during(0, 100, before_all, 0), []);
}

fn snapshots_are_read_backwards_in_pages(store: &dyn Store) {
    let put_at = |time| put(store, &body_seen("h.example", at(time), b"Disallow: /"));
    let mut ids: Vec<SnapshotId> = [10, 40, 30, 20].into_iter().map(put_at).collect();
    put(store, &body_seen("other.example", at(20), b""));
    ids.reverse();
    let before = |before, max| {
        let found = store.snapshots_before(&authority("h.example"), before, max);
        found.unwrap().iter().map(|it| it.id).collect::<Vec<_>>()
    };
    assert_eq!(before(SnapshotId::AFTER_ALL, 9), ids);
    assert_eq!(before(SnapshotId::AFTER_ALL, 2), ids[..2]);
    assert_eq!(before(ids[1], 9), ids[2..]);
    assert_eq!(before(ids[3], 9), []);
    assert_eq!(before(SnapshotId::BEFORE_ALL, 9), []);
    assert_eq!(before(SnapshotId::AFTER_ALL, 0), []);
}

fn a_history_is_appended_and_its_lease_stays_valid(store: &dyn Store) {
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

fn a_history_is_appended_only_with_the_newest_lease(store: &dyn Store) {
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

fn a_body_is_shared(store: &dyn Store) {
    let body = vec![b'#'; 10_000];
    for number in 0..100 {
        let host = format!("h{number}.example");
        put(store, &body_seen(&host, at(number), &body));
    }
    let stat = store.stat().unwrap();
    assert_eq!((stat.authorities, stat.snapshots), (100, 100));
    assert_eq!((stat.bodies, stat.body_bytes), (1, 10_000));
    assert!(stat.bytes < 500_000, "{stat:?}");
}

fn a_lease_is_held_until_its_last_second(store: &dyn Store) {
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

fn a_clock_far_behind_the_grant_frees_a_lease(store: &dyn Store) {
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

fn a_lease_is_renewed_until_another_is_granted(store: &dyn Store) {
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

fn a_released_lease_can_be_acquired(store: &dyn Store) {
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

fn a_put_with_a_stale_token_is_refused(store: &dyn Store) {
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

fn a_put_ends_its_lease(store: &dyn Store) {
    let lease = lease(store, "h.example", at(0));
    let seen = body_seen("h.example", at(1), b"");
    store.put(&seen, &lease).unwrap();
    assert_eq!(store.stat().unwrap().leases, 0);
    assert!(is_lost(&store.put(&seen, &lease)));
    assert!(is_lost(&store.renew(&lease, at(2), MINUTE)));
    let answer = store.acquire(&seen.authority, "other", at(1), MINUTE);
    assert!(matches!(answer, Ok(Acquisition::Granted(_))));
}

fn several_puts_return_their_results_in_order(store: &dyn Store) {
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

fn authorities_are_read_in_pages(store: &dyn Store) {
    let http = verger_access::Authority::from_url("http://[::1]:8080/").unwrap();
    let ftp = verger_access::Authority::from_url("ftp://b.example/").unwrap();
    let mut put_of = |authority: &verger_access::Authority| {
        let mut seen = body_seen("h.example", at(0), b"");
        seen.authority = authority.clone();
        let answer = store.acquire(authority, "test", at(0), MINUTE).unwrap();
        let Acquisition::Granted(lease) = answer else {
            panic!("{answer:?}");
        };
        store.put(&seen, &lease).unwrap();
    };
    let mut expected = vec![authority("a.example"), authority("b.example"), http, ftp];
    expected.iter().for_each(&mut put_of);
    lease(store, "never-seen.example", at(0));
    let everyone = store.authorities(None, usize::MAX).unwrap();
    let mut found: Vec<_> = Vec::new();
    while let [next, ..] = &store.authorities(found.last(), 1).unwrap()[..] {
        found.push(next.clone());
    }
    assert_eq!(everyone, found);
    expected.sort_by_key(ToString::to_string);
    assert_eq!(found, expected);
    assert_eq!(store.authorities(None, 0).unwrap(), []);
}

fn a_lease_of_another_authority_is_refused(store: &dyn Store) {
    let lease = lease(store, "h.example", at(0));
    let refused = store.put(&body_seen("other.example", at(1), b""), &lease);
    assert!(matches!(refused, Err(StoreError::LeaseOfOther { .. })));
    assert_eq!(store.stat().unwrap().leases, 1);
    assert_eq!(store.stat().unwrap().snapshots, 0);
}

fn tokens_and_ids_are_never_reused(store: &dyn Store) {
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

fn of_many_requests_at_once_one_is_granted(store: &dyn Store) {
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

fn a_sweep_keeps_what_is_in_force(store: &dyn Store) {
    let put_at = |time: u64, body: &[u8]| put(store, &body_seen("h.example", at(time), body));
    let ids = [
        put_at(100, b"Disallow: /a"),
        put_at(200, b"Disallow: /b"),
        put_at(300, b"Disallow: /c"),
    ];
    let shared = put(store, &body_seen("other.example", at(90), b"Disallow: /a"));
    let nothing = Swept::default();
    assert_eq!(store.sweep(at(99), at(400)).unwrap(), nothing);
    assert_eq!(store.sweep(at(199), at(400)).unwrap(), nothing);
    assert_eq!(all(store, "h.example"), ids);
    let one = Swept {
        snapshots: 1,
        ..nothing
    };
    assert_eq!(store.sweep(at(200), at(400)).unwrap(), one);
    assert_eq!(all(store, "h.example"), ids[1..]);
    let state = store.state_at(&authority("h.example"), at(200)).unwrap();
    assert_eq!(state.unwrap().snapshot.id, ids[1]);
    // The other authority still uses the body of the first snapshot.
    let body = store.body(BodyHash::new(b"Disallow: /a")).unwrap();
    assert_eq!(body.unwrap()[..], b"Disallow: /a"[..]);
    let one_with_body = Swept { bodies: 1, ..one };
    assert_eq!(store.sweep(at(1 << 40), at(400)).unwrap(), one_with_body);
    assert_eq!(all(store, "h.example"), ids[2..]);
    assert_eq!(all(store, "other.example"), [shared]);
    let stat = store.stat().unwrap();
    assert_eq!((stat.authorities, stat.snapshots, stat.bodies), (2, 2, 2));
    // The first snapshot in the order of puts did not end first.
    assert_eq!(
        (stat.first_ended_at, stat.last_ended_at),
        (Some(at(300)), Some(at(90)))
    );
}

fn a_sweep_keeps_the_last_good_copy(store: &dyn Store) {
    put(store, &body_seen("h.example", at(0), b"Disallow: /kept"));
    for day in 1..=40 {
        let before = knowledge(store, "h.example");
        let later = at(day * 86_400);
        put(store, &timeout_seen("h.example", later, before));
    }
    let before = knowledge(store, "h.example");
    let swept = store.sweep(at(41 * 86_400), at(41 * 86_400)).unwrap();
    assert_eq!((swept.snapshots, swept.bodies), (40, 0));
    assert_eq!(knowledge(store, "h.example"), before);
    assert_eq!(before.copy.unwrap().body[..], b"Disallow: /kept"[..]);
    let gone = absence_seen("h.example", at(42 * 86_400), knowledge(store, "h.example"));
    put(store, &gone);
    let swept = store.sweep(at(42 * 86_400), at(0)).unwrap();
    assert_eq!((swept.snapshots, swept.bodies), (1, 1));
}

fn a_sweep_deletes_expired_leases(store: &dyn Store) {
    let expired = lease(store, "h.example", at(0));
    let live = lease(store, "other.example", at(1));
    assert_eq!(store.sweep(at(0), at(59)).unwrap().leases, 0);
    assert_eq!(store.sweep(at(0), at(60)).unwrap().leases, 1);
    assert_eq!(store.stat().unwrap().leases, 1);
    assert!(is_lost(
        &store.put(&body_seen("h.example", at(61), b""), &expired)
    ));
    let renewed = store.renew(&live, at(60), Duration::from_secs(1)).unwrap();
    assert_eq!(renewed.until, at(61));
}
