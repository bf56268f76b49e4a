//! Several processes that create and write one file at the same time.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use verger_access::Timestamp;
use verger_store::{Acquisition, History, SnapshotId, SqliteStore, Store, StoreError};

use crate::scene::{MINUTE, at, authority, body_seen, new_file, remove};

/// Names the file that a child process of this test writes to. Without it, the test does nothing.
const FILE: &str = "VERGER_STORE_TEST_SHARES";

const PROCESSES: u32 = 4;
/// Default number of puts of each process.
const PUTS: u64 = 150;
const PUTS_ASKED: &str = "VERGER_STORE_TEST_PUTS";
const HOSTS: u64 = 5;

fn puts() -> u64 {
    std::env::var(PUTS_ASKED).map_or(PUTS, |puts| puts.parse().unwrap())
}

fn host(number: u64) -> String {
    format!("h{}.example", number % HOSTS)
}

/// Not a test by itself: the work of each process. All processes fetch the same few authorities.
#[test]
fn writes_its_share() {
    let Some(path) = std::env::var_os(FILE) else {
        return;
    };
    let store = SqliteStore::open(Path::new(&path)).unwrap();
    let (mut put, mut number) = (0, 0);
    while put < puts() {
        number += 1;
        let now = at(number);
        let authority = authority(&host(number));
        let asked = store.acquire(&authority, "a process", now, MINUTE);
        if let Acquisition::Granted(lease) = asked.unwrap() {
            let body = format!("Disallow: /{}", number % 10);
            let seen = body_seen(authority.host(), now, body.as_bytes());
            match store.put(&seen, &lease) {
                Ok(_) => put += 1,
                // Clocks differ between the processes here, so a lease may be taken over.
                Err(StoreError::LeaseLost(_)) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }
}

fn process(path: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "processes::writes_its_share"])
        .env(FILE, path)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn several_processes_lose_no_row_and_meet_no_error() {
    let path = new_file("processes");
    let mut processes: Vec<Child> = (0..PROCESSES).map(|_| process(&path)).collect();
    let store = SqliteStore::open(&path).unwrap();
    let mut last = SnapshotId::BEFORE_ALL;
    let mut number = 0;
    while processes
        .iter_mut()
        .any(|it| it.try_wait().unwrap().is_none())
    {
        number += 1;
        if let Some(state) = store.latest(&authority(&host(number))).unwrap() {
            assert!(state.knowledge.copy.is_some());
            last = last.max(state.snapshot.id);
        }
    }
    for mut process in processes {
        assert!(process.wait().unwrap().success());
    }
    let ever = Timestamp::default()..at(1 << 40);
    let snapshots = (0..HOSTS).flat_map(|number| {
        let authority = authority(&host(number));
        let found = store.snapshots(&authority, ever.clone(), SnapshotId::BEFORE_ALL, usize::MAX);
        found.unwrap().into_iter().map(|snapshot| snapshot.id)
    });
    let ids: BTreeSet<SnapshotId> = snapshots.collect();
    assert_eq!(ids.len() as u64, u64::from(PROCESSES) * puts());
    assert!(last <= *ids.last().unwrap());
    let stat = store.stat().unwrap();
    assert_eq!((stat.snapshots, stat.bodies), (ids.len() as u64, 10));
    assert_eq!(store.check().unwrap(), []);
    drop(store);
    remove(&path);
}
