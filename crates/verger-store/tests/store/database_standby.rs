//! A standby takes over from the primary.

use std::thread;

use verger_store::{PostgresSettings, PostgresStore, SnapshotId, Store};
use verger_testkit::postgres_server::{PostgresServer, PostgresSession};

use crate::database::{quick_server, settings};
use crate::database_faults::{is_away, once_back};
use crate::scene::{MINUTE, at, authority, body_seen, count, is_lost, lease, put};

/// A server with an up-to-date standby.
struct Pair {
    primary: PostgresServer,
    standby: PostgresServer,
    to_primary: PostgresSession,
    to_standby: PostgresSession,
}

impl Pair {
    fn start() -> Option<Self> {
        let primary = quick_server()?;
        let url = primary.new_database("robots");
        assert!(PostgresStore::init(&url).unwrap());
        let standby = primary.standby();
        Some(Self {
            to_primary: primary.session("robots"),
            to_standby: standby.session("robots"),
            primary,
            standby,
        })
    }

    /// Opens the store on the server that accepts writes.
    fn store(&self, settings: PostgresSettings) -> PostgresStore {
        let (first, second) = (self.standby.url("robots"), self.primary.url("robots"));
        let first = first.trim_end_matches("/robots");
        let second = second.trim_start_matches("postgres://verger@");
        PostgresStore::open_with(&format!("{first},{second}"), settings).unwrap()
    }

    /// Stops the primary for good.
    fn fail_over(&self) {
        self.primary.signal("KILL");
        self.standby.promote();
    }
}

/// Repeats a query until it returns this answer.
fn until(session: &mut PostgresSession, question: &str, answer: &str) {
    while session.execute(question) != [answer] {}
}

#[test]
fn a_synchronous_standby_that_takes_over_has_all_that_was_acknowledged() {
    let Some(mut pair) = Pair::start() else {
        return;
    };
    pair.to_primary
        .execute("alter system set synchronous_standby_names = '*'");
    pair.to_primary.execute("select pg_reload_conf()");
    let synchronous = "select count(*) from pg_stat_replication where sync_state = 'sync'";
    until(&mut pair.to_primary, synchronous, "1");

    let store = pair.store(settings());
    let hosts = ["a.example", "b.example", "c.example"];
    let acknowledged: Vec<SnapshotId> = hosts
        .iter()
        .map(|host| put(&store, &body_seen(host, at(0), b"Disallow: /")))
        .collect();
    // Nothing is acknowledged while the standby does not answer.
    let held = lease(&store, "d.example", at(0));
    let seen = body_seen("d.example", at(0), b"Disallow: /");
    let hurried = pair.store(PostgresSettings::default());
    pair.standby.signal("STOP");
    assert!(is_away(&hurried.put(&seen, &held)));
    // Queries that callers have given up on do not stay in the server.
    thread::scope(|scope| {
        for number in 0..8 {
            let hurried = &hurried;
            scope.spawn(move || {
                for each in 0..5 {
                    let site = authority(&format!("e{number}-{each}.example"));
                    assert!(is_away(&hurried.acquire(&site, "test", at(0), MINUTE)));
                }
            });
        }
    });
    let waiting = "select count(*) from pg_stat_activity where wait_event = 'SyncRep'";
    assert!((0..100_000).any(|_| pair.to_primary.execute(waiting) == ["0"]));
    pair.standby.signal("CONT");
    pair.fail_over();

    for (host, id) in hosts.iter().zip(acknowledged) {
        let state = once_back(|| store.latest(&authority(host))).unwrap();
        assert_eq!(state.snapshot.id, id, "{host}");
    }
    once_back(|| hurried.put(&seen, &held));
    assert_eq!(count(&store, "d.example"), 1);
    put(&store, &body_seen("e.example", at(0), b"Disallow: /"));
}

#[test]
fn what_an_asynchronous_standby_lacks_is_lost_and_no_put_counts_under_a_lost_lease() {
    let Some(mut pair) = Pair::start() else {
        return;
    };
    let store = pair.store(settings());
    let kept = put(&store, &body_seen("a.example", at(0), b"Disallow: /"));
    until(
        &mut pair.to_standby,
        "select count(*) from verger.snapshot",
        "1",
    );
    pair.to_standby
        .execute("alter system set primary_conninfo = ''");
    pair.to_standby.execute("select pg_reload_conf()");
    until(
        &mut pair.to_standby,
        "select count(*) from pg_stat_wal_receiver",
        "0",
    );
    put(&store, &body_seen("b.example", at(0), b"Disallow: /"));
    let held = lease(&store, "c.example", at(0));
    pair.fail_over();

    let state = once_back(|| store.latest(&authority("a.example"))).unwrap();
    assert_eq!(state.snapshot.id, kept);
    assert_eq!(count(&store, "b.example"), 0);
    let seen = body_seen("c.example", at(0), b"Disallow: /");
    assert!(is_lost(&store.put(&seen, &held)));
    let again = lease(&store, "c.example", at(0));
    assert_ne!(again.token, held.token);
    assert!(is_lost(&store.put(&seen, &held)));
    store.put(&seen, &again).unwrap();
    assert_eq!(count(&store, "c.example"), 1);
}
