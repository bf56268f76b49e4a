//! Snapshots and the states that follow from them.

use verger_access::{Knowledge, Profile, Timestamp};
use verger_store::{
    Acquisition, Archive, BodyHash, SnapshotId, Stat, StoreError, StoredState, Swept, each_known,
    in_force_at,
};

use crate::scene::{
    MINUTE, absence_seen, all, at, authority, body_seen, knowledge, lease, put, timeout_seen,
};

pub(super) fn an_unknown_authority_has_no_state(store: &dyn Archive) {
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

pub(super) fn a_snapshot_is_read_as_it_was_put(store: &dyn Archive) {
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

pub(super) fn snapshots_are_appended_and_knowledge_is_updated(store: &dyn Archive) {
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

pub(super) fn the_state_at_a_time_is_that_of_the_snapshot_in_force(store: &dyn Archive) {
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

pub(super) fn the_states_of_many_authorities_are_those_of_each(store: &dyn Archive) {
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
        let expected = in_force_at(store, site, &Profile::GOOGLE, at(150));
        assert_eq!(known, expected.unwrap());
        seen.push((site.to_string(), known.is_some()));
        Ok::<_, StoreError>(())
    });
    visited.unwrap();
    let hosts =
        ["a", "b", "c"].map(|host| (authority(&format!("{host}.example")).to_string(), true));
    assert_eq!(seen, hosts);
}

pub(super) fn what_is_in_force_is_found_by_time(store: &dyn Archive) {
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

pub(super) fn a_clock_that_goes_back_does_not_reorder_puts(store: &dyn Archive) {
    let first = put(store, &body_seen("h.example", at(100), b"Disallow: /a"));
    let second = put(store, &body_seen("h.example", at(50), b"Disallow: /b"));
    assert!(first < second);
    let latest = store.latest(&authority("h.example")).unwrap().unwrap();
    assert_eq!(latest.snapshot.id, second);
    assert_eq!(all(store, "h.example"), [first, second]);
    let before = store.state_at(&authority("h.example"), at(49)).unwrap();
    assert_eq!(before, None);
}

pub(super) fn snapshots_during_a_time_in_pages(store: &dyn Archive) {
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

pub(super) fn snapshots_are_read_backwards_in_pages(store: &dyn Archive) {
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

pub(super) fn a_body_is_shared(store: &dyn Archive) {
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

pub(super) fn authorities_are_read_in_pages(store: &dyn Archive) {
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
