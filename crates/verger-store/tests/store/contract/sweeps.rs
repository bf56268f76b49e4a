//! Sweeps.

use std::time::Duration;

use verger_access::Knowledge;
use verger_store::{Archive, BodyHash, Swept};

use crate::scene::{
    absence_seen, all, at, authority, body_seen, is_lost, knowledge, lease, put, timeout_seen,
};

pub(super) fn a_sweep_keeps_what_a_wrong_clock_came_after(store: &dyn Archive) {
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

pub(super) fn a_sweep_forgets_authorities_that_never_answered(store: &dyn Archive) {
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
    let left = |store: &dyn Archive| {
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

pub(super) fn a_sweep_keeps_what_is_in_force(store: &dyn Archive) {
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

pub(super) fn a_sweep_keeps_the_last_good_copy(store: &dyn Archive) {
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

pub(super) fn a_sweep_deletes_expired_leases(store: &dyn Archive) {
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
