//! Kills the database and the processes that use it, under load. No acknowledged snapshot is lost.
//!
//! `VERGER_STORE_TEST_KILLS=20` kills the server 20 times, and five times as many processes.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Mutex, RwLock};
use std::thread;

use verger_store::{
    Acquisition, Archive, BodyHash, History, PostgresStore, SnapshotId, Store, StoreError,
};
use verger_testkit::postgres_server::PostgresServer;

use crate::database::{new_store, settings};
use crate::scene::{MINUTE, at, authority, body_seen};

const KILLS: &str = "VERGER_STORE_TEST_KILLS";

fn kills(usual: u64) -> u64 {
    std::env::var(KILLS).map_or(usual, |kills| kills.parse().unwrap())
}

/// The acknowledged puts: the id and the hash of the body, by host.
type Acknowledged = BTreeMap<String, (SnapshotId, BodyHash)>;

fn assert_kept(store: &dyn Archive, acknowledged: &Acknowledged) {
    for (host, (id, hash)) in acknowledged {
        let state = store.latest(&authority(host)).unwrap().unwrap();
        assert_eq!(state.snapshot.id, *id, "{host}");
        let copy = state.knowledge.copy.unwrap();
        assert_eq!(BodyHash::new(&copy.body), *hash, "{host}");
    }
    let ids: BTreeSet<SnapshotId> = acknowledged.values().map(|(id, _)| *id).collect();
    assert_eq!(ids.len(), acknowledged.len());
}

fn body(number: u64) -> Vec<u8> {
    format!("User-agent: *\nDisallow: /{}", number % 100).into_bytes()
}

/// Fetches a separate set of hosts, one after the other. A failed call waits until the server is up.
fn put_until(
    is_done: &AtomicBool,
    (store, up): (&PostgresStore, &RwLock<()>),
    number: &AtomicU64,
    acknowledge: impl Fn(String, (SnapshotId, BodyHash)),
) {
    while !is_done.load(Ordering::Relaxed) {
        let number = number.fetch_add(1, Ordering::Relaxed);
        let host = format!("h{number}.example");
        let body = body(number);
        let held = match store.acquire(&authority(&host), "test", at(0), MINUTE) {
            Ok(Acquisition::Granted(lease)) => lease,
            Err(StoreError::Away(_)) => {
                drop(up.read().unwrap());
                continue;
            }
            other => panic!("{other:?}"),
        };
        let seen = body_seen(&host, at(number), &body);
        loop {
            match store.put(&seen, &held) {
                Ok(id) => {
                    acknowledge(host, (id, BodyHash::new(&body)));
                    break;
                }
                Err(StoreError::Away(_)) => drop(up.read().unwrap()),
                Err(error) => panic!("{host}: {error}"),
            }
        }
    }
}

#[test]
fn what_was_acknowledged_survives_the_kill_of_the_server_and_nothing_is_restarted() {
    let Some(mut server) = PostgresServer::start(&["max_connections=40"]) else {
        return;
    };
    let stores = [
        new_store(&server, "killed", settings()),
        PostgresStore::open_with(&server.url("killed"), settings()).unwrap(),
    ];
    let (is_done, up, number) = (AtomicBool::new(false), RwLock::new(()), AtomicU64::new(0));
    let acknowledged = Mutex::new(Acknowledged::new());
    let (put, puts) = channel();
    thread::scope(|scope| {
        for store in stores.iter().chain(&stores) {
            let (put, acknowledged) = (put.clone(), &acknowledged);
            let (is_done, up, number) = (&is_done, &up, &number);
            scope.spawn(move || {
                put_until(is_done, (store, up), number, |host, kept| {
                    acknowledged.lock().unwrap().insert(host, kept);
                    let _ = put.send(());
                });
            });
        }
        for _ in 0..kills(2) {
            // Require load: some puts since the last kill.
            puts.iter().take(200).for_each(drop);
            let _down = up.write().unwrap();
            server.kill_and_start();
        }
        puts.iter().take(200).for_each(drop);
        is_done.store(true, Ordering::Relaxed);
    });
    let acknowledged = acknowledged.into_inner().unwrap();
    assert_kept(&stores[0], &acknowledged);
    let stat = stores[1].stat().unwrap();
    // Each put that was not refused has exactly one snapshot.
    assert_eq!(stat.snapshots, acknowledged.len() as u64);
    println!("{} puts", acknowledged.len());
}

/// Names the database that a child process of this test writes to. Without it, the test does nothing.
const URL: &str = "VERGER_STORE_TEST_URL";
const NODE: &str = "VERGER_STORE_TEST_NODE";

/// Not a test by itself: the work of each process until it is killed.
#[test]
fn puts_until_it_is_killed() {
    let (Ok(url), Ok(node)) = (std::env::var(URL), std::env::var(NODE)) else {
        return;
    };
    let store = PostgresStore::open_with(&url, settings()).unwrap();
    for number in 0.. {
        let host = format!("h{number}.{node}.example");
        let asked = store.acquire(&authority(&host), "test", at(0), MINUTE);
        let Ok(Acquisition::Granted(held)) = asked else {
            panic!("{asked:?}");
        };
        let body = body(number);
        let id = store
            .put(&body_seen(&host, at(number), &body), &held)
            .unwrap();
        eprintln!("put {host} {} {}", id.0, BodyHash::new(&body));
    }
}

fn node(url: &str, number: u64) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "database_kills::puts_until_it_is_killed",
            "--nocapture",
        ])
        .env(URL, url)
        .env(NODE, format!("n{number}"))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn what_was_acknowledged_survives_the_kill_of_processes_and_stops_no_other() {
    let Some(server) = PostgresServer::start(&["fsync=off"]) else {
        return;
    };
    let store = new_store(&server, "nodes", settings());
    let url = server.url("nodes");
    let mut acknowledged = Acknowledged::new();
    for number in 0..kills(1) * 5 {
        let mut node = node(&url, number);
        let mut lines = BufReader::new(node.stderr.take().unwrap()).lines();
        let mut puts = 0;
        while puts < 20 {
            puts += note(&mut acknowledged, &lines.next().unwrap().unwrap());
        }
        node.kill().unwrap();
        // Read everything that it acknowledged before it was killed.
        for line in lines.map_while(Result::ok) {
            note(&mut acknowledged, &line);
        }
        node.wait().unwrap();
    }
    assert_kept(&store, &acknowledged);
    let stat = store.stat().unwrap();
    // A process may be killed between a put and the line about it.
    let more = stat.snapshots - acknowledged.len() as u64;
    assert!(more <= kills(1) * 5, "{more}");
}

/// Records the puts that a line acknowledges, and returns their number. The kill may have cut the line.
fn note(acknowledged: &mut Acknowledged, line: &str) -> u32 {
    let words: Vec<&str> = line.split(' ').collect();
    let ["put", host, id, hash] = words[..] else {
        return 0;
    };
    let Ok(hash) = hash.parse() else { return 0 };
    acknowledged.insert(host.to_owned(), (SnapshotId(id.parse().unwrap()), hash));
    1
}
