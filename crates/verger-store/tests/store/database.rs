//! The store in a database: the contract, generated histories, versions, and transfers from and to a file.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use verger_store::{
    Acquisition, Archive, History, LeaseClock, OpenDatabaseError, PostgresSettings, PostgresStore,
    SqliteStore, Store, StoreError, Turn, TurnRequest,
};
use verger_testkit::access_oracle::{history_of_several_profiles, hold_histories, told_by_oracle};
use verger_testkit::postgres_server::PostgresServer;

use crate::contract::PROMISES;
use crate::database_clock::ByDatabaseClock;
use crate::export::{appended, exported, imported, put_much, there};
use crate::histories::Shared;
use crate::machine_driver::play;
use crate::scene::{
    MINUTE, at, authority, body_seen, facts, knowledge, lease, new_file, put, remove,
};
use crate::turns::{hold_turns_like_the_model, survive_clocks};

/// The settings of tests, with a deadline that a busy machine can keep.
pub(crate) fn settings() -> PostgresSettings {
    let mut settings = PostgresSettings::default();
    settings.deadline = Duration::from_secs(60);
    settings
}

/// The same, with leases by the times of callers.
pub(crate) fn virtual_settings() -> PostgresSettings {
    let mut settings = settings();
    settings.lease_clock = LeaseClock::Caller;
    settings
}

/// Starts a server for tests that do not kill it.
pub(crate) fn quick_server() -> Option<PostgresServer> {
    PostgresServer::start(&["fsync=off", "max_connections=40"])
}

pub(crate) fn new_store(
    server: &PostgresServer,
    name: &str,
    settings: PostgresSettings,
) -> PostgresStore {
    let url = server.new_database(name);
    assert!(PostgresStore::init(&url).unwrap());
    PostgresStore::open_with(&url, settings).unwrap()
}

#[test]
fn the_contract_holds_by_the_times_of_callers() {
    let Some(server) = quick_server() else { return };
    for (number, (promise, holds)) in PROMISES.iter().enumerate() {
        println!("{promise}");
        let name = format!("by_callers_{number}");
        holds(&new_store(&server, &name, virtual_settings()));
    }
}

#[test]
fn the_contract_holds_by_the_clock_of_the_database_whatever_callers_say() {
    let Some(server) = quick_server() else { return };
    for (number, (promise, holds)) in PROMISES.iter().enumerate() {
        println!("{promise}");
        let name = format!("by_database_{number}");
        let store = new_store(&server, &name, settings());
        holds(&ByDatabaseClock::of(store, server.session(&name)));
    }
}

#[test]
fn a_database_gives_turns_like_the_model() {
    let Some(server) = quick_server() else { return };
    let store = new_store(&server, "turns", virtual_settings());
    hold_turns_like_the_model(&store);
    survive_clocks(&store);
    // By its own clock, the times of callers do not count.
    let store = new_store(&server, "turns_by_database", settings());
    let take = |now: u64| {
        store.take_turn(&TurnRequest {
            site: "a".to_owned(),
            delay: Duration::from_secs(3600),
            longest: None,
            now: Duration::from_secs(now),
        })
    };
    assert_eq!(take(0).unwrap(), Turn::In(Duration::ZERO));
    for now in [0, 1 << 40] {
        let Turn::In(wait) = take(now).unwrap() else {
            panic!("there is no limit");
        };
        assert!(wait > Duration::from_secs(1800), "{wait:?}");
    }
}

#[test]
fn a_store_in_a_database_answers_generated_histories_as_the_oracle_does() {
    let Some(server) = quick_server() else { return };
    let store = new_store(&server, "histories", virtual_settings());
    let mut session = server.session("histories");
    let session = std::cell::RefCell::new(&mut session);
    let empty = || {
        session
            .borrow_mut()
            .execute("truncate verger.authority, verger.snapshot, verger.body")
    };
    hold_histories(40, history_of_several_profiles, told_by_oracle, |history| {
        empty();
        play(history, &mut Shared(&store))
    });
}

#[test]
fn a_history_moves_into_a_database_and_back_without_loss() {
    let Some(server) = quick_server() else { return };
    let (first, last) = (new_file("into-database"), new_file("out-of-database"));
    let file = SqliteStore::open(&first).unwrap();
    put_much(&file);
    let lines = exported(&file);
    let store = new_store(&server, "moved", settings());
    let snapshots = file.stat().unwrap().snapshots;
    assert_eq!(imported(&store, &lines), appended(snapshots));
    assert_eq!(exported(&store), lines);
    assert_eq!(imported(&store, &lines), there(snapshots));
    let back = SqliteStore::open(&last).unwrap();
    assert_eq!(imported(&back, &exported(&store)), appended(snapshots));
    assert_eq!(exported(&back), lines);
    let stat = |store: &dyn Archive| {
        let stat = store.stat().unwrap();
        (
            stat.authorities,
            stat.snapshots,
            stat.bodies,
            stat.body_bytes,
            stat.leases,
        )
    };
    assert_eq!(stat(&store), stat(&file));
    // Each record is the line of an export, and users may query it.
    let mut session = server.session("moved");
    let outcomes =
        session.execute("select distinct outcome from verger.history where body is not null");
    assert_eq!(outcomes, ["successful http 200"]);
    drop((file, back));
    for path in [first, last] {
        remove(&path);
    }
}

#[test]
fn a_database_without_a_store_and_one_of_another_version_are_refused() {
    let Some(server) = quick_server() else { return };
    let url = server.new_database("versions");
    let opened = || PostgresStore::open_with(&url, settings()).map(drop);
    assert!(matches!(opened(), Err(OpenDatabaseError::NoStore(_))));
    assert!(PostgresStore::init(&url).unwrap());
    assert!(!PostgresStore::init(&url).unwrap());
    let store = PostgresStore::open_with(&url, settings()).unwrap();
    put(&store, &body_seen("h.example", at(0), b""));
    let mut session = server.session("versions");
    session.execute("update verger.version set version = 99");
    assert!(matches!(
        opened(),
        Err(OpenDatabaseError::Newer { found: 99, .. })
    ));
    let migrated = PostgresStore::init(&url);
    assert!(matches!(
        migrated,
        Err(OpenDatabaseError::Newer { found: 99, .. })
    ));
    session.execute("update verger.version set version = 0");
    assert!(matches!(
        opened(),
        Err(OpenDatabaseError::Older { found: 0, .. })
    ));
    // A refused store is left unchanged.
    session.execute("update verger.version set version = 2");
    assert_eq!(exported(&store).lines().count(), 2);
}

#[test]
fn a_store_of_the_version_without_facts_is_migrated_with_its_snapshots() {
    let Some(server) = quick_server() else { return };
    let (store, url) = (
        new_store(&server, "migrated", settings()),
        server.url("migrated"),
    );
    let seen = body_seen("h.example", at(0), b"a");
    put(&store, &seen);
    let mut session = server.session("migrated");
    session.execute("alter table verger.snapshot drop column facts");
    session.execute("alter table verger.snapshot alter column record set storage extended");
    session.execute("drop table verger.turn");
    session.execute("drop function verger.clock_ms, verger.next_turn_ms");
    session.execute("update verger.version set version = 1");
    let older = PostgresStore::open_with(&url, settings()).map(drop);
    assert!(matches!(
        older,
        Err(OpenDatabaseError::Older { found: 1, .. })
    ));
    assert!(PostgresStore::init(&url).unwrap());
    let store = PostgresStore::open_with(&url, settings()).unwrap();
    assert_eq!(facts(&store, "h.example"), []);
    let copy = knowledge(&store, "h.example").copy.unwrap();
    assert_eq!(copy.body[..], b"a"[..]);
    let id = put(&store, &seen);
    assert_eq!(facts(&store, "h.example"), [(id, seen.facts)]);
}

#[test]
fn a_damaged_snapshot_is_the_result_of_its_authority_alone() {
    let Some(server) = quick_server() else { return };
    let store = new_store(&server, "damaged", settings());
    let both = ["a.example", "b.example"];
    for host in both {
        put(&store, &body_seen(host, at(0), b"Disallow: /"));
    }
    let damage = "update verger.snapshot set record = '{}' where authority = \
                  (select id from verger.authority where name like '%a.example')";
    server.session("damaged").execute(damage);
    let found = store.latest_many(&both.map(authority)).unwrap();
    assert!(
        matches!(&found[..], [Err(StoreError::Damaged(_)), Ok(Some(_))]),
        "{found:?}"
    );
}

#[test]
fn a_put_repairs_a_damaged_body() {
    let Some(server) = quick_server() else { return };
    let store = new_store(&server, "body", settings());
    for host in ["a.example", "b.example"] {
        put(&store, &body_seen(host, at(0), b"Disallow: /secret"));
    }
    let mut session = server.session("body");
    session.execute("update verger.body set octets = 'Allow: /'");
    assert_eq!(knowledge(&store, "a.example").copy, None);
    put(&store, &body_seen("b.example", at(2), b"Disallow: /secret"));
    let copy = knowledge(&store, "a.example").copy.unwrap();
    assert_eq!(&copy.body[..], b"Disallow: /secret");
}

#[test]
fn an_import_that_is_interrupted_blocks_a_site_for_seconds() {
    let Some(server) = quick_server() else { return };
    let from = new_store(&server, "import_from", settings());
    put(&from, &body_seen("a.example", at(0), b"Disallow: /"));
    let to = new_store(&server, "import_to", settings());
    server.session("import_to").execute(
        "create function refuse() returns trigger language plpgsql as $$ begin
            if (select until_s - granted_s > 60 from verger.authority where id = new.authority) then
                raise 'a long lease';
            end if;
            return new;
        end $$;
        create trigger refuse before insert on verger.snapshot for each row execute function refuse()",
    );
    assert_eq!(imported(&to, &exported(&from)), appended(1));
}

#[test]
fn the_scheme_of_a_database_has_no_case() {
    let Some(server) = quick_server() else { return };
    let url = server.new_database("scheme");
    let url = url.replacen("postgres", "POSTGRES", 1);
    assert!(PostgresStore::init(&url).unwrap());
}

#[test]
fn whoever_may_only_read_gets_an_error_for_each_write() {
    let Some(server) = quick_server() else { return };
    let url = server.new_database("reading");
    assert!(PostgresStore::init(&url).unwrap());
    let writer = PostgresStore::open_with(&url, settings()).unwrap();
    put(&writer, &body_seen("h.example", at(0), b"Disallow: /"));
    let read_only = format!("{url}?options=-c%20default_transaction_read_only%3Don");
    let reader = PostgresStore::open_with(&read_only, settings()).unwrap();
    assert!(reader.latest(&authority("h.example")).unwrap().is_some());
    let asked = reader.acquire(&authority("h.example"), "test", at(0), MINUTE);
    assert!(matches!(asked, Err(StoreError::ReadOnly)), "{asked:?}");
}

#[test]
fn a_caller_that_waits_for_another_process_is_woken_by_its_put() {
    let Some(server) = quick_server() else { return };
    let fetching = new_store(&server, "wakes", settings());
    let waiting = PostgresStore::open_with(&server.url("wakes"), settings()).unwrap();
    let (woken, wakes) = channel();
    let wake = Arc::new(move || {
        let _ = woken.send(());
    });
    let site = authority("h.example");
    let _watching = waiting.watch(&site, wake).unwrap();
    // The listening connection may not exist yet, so a wake may be missed.
    for _ in 0..100_000 {
        let held = lease(&fetching, "h.example", at(0));
        let asked = waiting.acquire(&site, "test", at(0), MINUTE).unwrap();
        assert!(matches!(asked, Acquisition::HeldUntil { .. }));
        fetching.release(&held).unwrap();
        if wakes.try_recv().is_ok() {
            return;
        }
    }
    panic!("no process was woken");
}
