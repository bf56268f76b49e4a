//! Kills a writing process repeatedly. Every acknowledged snapshot survives.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use verger_store::{History, SnapshotId, SqliteStore, Store};

use crate::scene::{at, authority, body_seen, new_file, put, remove};

/// Names the file that a child process of this test writes to. Without it, the test does nothing.
const FILE: &str = "VERGER_STORE_TEST_WRITES";

/// Overrides how often the writer is killed ([`KILLS`]).
const KILLS_ASKED: &str = "VERGER_STORE_TEST_KILLS";

const KILLS: u64 = 25;

fn body(number: u64) -> Vec<u8> {
    let bytes = usize::try_from(number * 997 % 40_000).unwrap();
    let mut body = format!("Disallow: /{number}\n").into_bytes();
    body.resize(body.len() + bytes, b'#');
    body
}

/// Not a test by itself: the work of the process that is killed. Each printed line acknowledges one snapshot.
#[test]
fn writes_until_it_is_killed() {
    let Some(path) = std::env::var_os(FILE) else {
        return;
    };
    let store = SqliteStore::open(Path::new(&path)).unwrap();
    let first = store.stat().unwrap().snapshots;
    // The previous writer may have been killed while it held a lease. Let the lease expire.
    store.sweep(at(0), at(1 << 40)).unwrap();
    for number in first.. {
        let host = format!("h{}.example", number % 7);
        let id = put(&store, &body_seen(&host, at(100 * number), &body(number)));
        // The test harness captures what macros print.
        let mut out = std::io::stdout().lock();
        writeln!(out, "\nacknowledged {} {host} {number} .", id.0).unwrap();
        out.flush().unwrap();
    }
}

/// Runs a writing process, kills it after `kill_after` acknowledged snapshots, and returns all that it acknowledged.
fn acknowledged(path: &Path, kill_after: usize) -> Vec<(SnapshotId, String, u64)> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::writes_until_it_is_killed", "--nocapture"])
        .env(FILE, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut all = Vec::new();
    let mut read = |line: &str| {
        let mut words = line.strip_prefix("acknowledged ")?.split(' ');
        let id = SnapshotId(words.next()?.parse().ok()?);
        let host = words.next()?.to_owned();
        let number = words.next()?.parse().ok()?;
        // A line that the kill cut lacks this end.
        (words.next() == Some(".")).then(|| all.push((id, host, number)))
    };
    let mut seen = 0;
    while seen < kill_after {
        let line = lines.next().unwrap().unwrap();
        seen += usize::from(read(&line).is_some());
    }
    // On Unix this is `kill -9`.
    child.kill().unwrap();
    child.wait().unwrap();
    for line in lines.map_while(Result::ok) {
        read(&line);
    }
    all
}

#[test]
fn a_killed_writer_loses_nothing_acknowledged() {
    let path = new_file("killed");
    let kills = std::env::var(KILLS_ASKED).map_or(KILLS, |kills| kills.parse().unwrap());
    let mut all = Vec::new();
    for round in 0..kills {
        let kill_after = 1 + usize::try_from(round * 7 % 23).unwrap();
        let new = acknowledged(&path, kill_after);
        let store = SqliteStore::open(&path).unwrap();
        holds(&store, &new);
        all.extend(new);
        assert!(store.stat().unwrap().snapshots >= all.len() as u64);
    }
    let store = SqliteStore::open(&path).unwrap();
    assert_eq!(store.check().unwrap(), []);
    holds(&store, &all);
    drop(store);
    remove(&path);
}

fn holds(store: &SqliteStore, acknowledged: &[(SnapshotId, String, u64)]) {
    for (id, host, number) in acknowledged {
        let time = at(100 * number);
        let state = store.state_at(&authority(host), time).unwrap().unwrap();
        assert_eq!(state.snapshot.id, *id);
        let copy = state.knowledge.copy.unwrap();
        assert!(copy.body[..] == body(*number), "{host} {number}");
    }
}
