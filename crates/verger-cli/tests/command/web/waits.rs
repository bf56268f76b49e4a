//! What a run waits for and how long, and what it leaves behind when it is killed.

use std::io::Read as _;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value;
use verger_access::{Authority, Timestamp};
use verger_store::{Acquisition, SqliteStore, Store as _};

use crate::server::{Server, new_store, on_web, on_web_in_time, robots};
use crate::verger::command;

/// A server that accepts requests and never answers.
struct BlackHole(TcpListener);

impl BlackHole {
    fn new() -> Self {
        Self(TcpListener::bind("127.0.0.1:0").unwrap())
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.0.local_addr().unwrap())
    }

    /// Waits for a request.
    fn wait_for_request(&self) -> TcpStream {
        let (mut connection, _) = self.0.accept().unwrap();
        let read = connection.read(&mut [0]).unwrap();
        assert_eq!(read, 1, "it was asked for nothing");
        connection
    }
}

fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    Timestamp::from_unix_seconds(since.as_secs())
}

#[test]
fn who_waits_for_another_process_says_so_and_for_how_long() {
    let (server, path) = (Server::saying(robots("")), new_store("waiting"));
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let store = SqliteStore::open(&path).unwrap();
    let authority = Authority::from_url(&server.url("/")).unwrap();
    let hour = Duration::from_secs(3600);
    let held = store.acquire(&authority, "process 123", now(), hour);
    assert!(matches!(held.unwrap(), Acquisition::Granted(_)));
    let said = on_web_in_time(&path, &format!("check {}", server.url("/")));
    assert_eq!((said.stdout.as_str(), said.code), ("", 2));
    let waiting = format!(
        " s: process 123 is fetching {}\n",
        server.url("/robots.txt")
    );
    assert!(
        said.stderr.starts_with("note: waiting up to "),
        "{}",
        said.stderr
    );
    assert!(said.stderr.contains(&waiting), "{}", said.stderr);
    let held = "process 123 has been fetching the robots.txt of";
    assert!(said.stderr.contains(held), "{}", said.stderr);
    assert!(server.requests().is_empty());
}

#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-s", name, &id]).status();
    assert!(sent.unwrap().success());
}

#[cfg(unix)]
#[test]
fn a_run_that_is_ended_gives_its_leases_back() {
    for (name, code) in [("TERM", 143), ("INT", 130)] {
        let (hole, path) = (BlackHole::new(), new_store(&format!("ended-{name}")));
        let mut child = command()
            .args(["check", "--allow-address", "127.0.0.1", "--store"])
            .arg(&path)
            .arg(hole.url("/x"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let _connection = hole.wait_for_request();
        let store = SqliteStore::open(&path).unwrap();
        let authority = Authority::from_url(&hole.url("/")).unwrap();
        let minute = Duration::from_secs(60);
        let acquire = || store.acquire(&authority, "another", now(), minute).unwrap();
        assert!(matches!(acquire(), Acquisition::HeldUntil { .. }));
        signal(&child, name);
        assert_eq!(child.wait().unwrap().code(), Some(code), "{name}");
        assert!(matches!(acquire(), Acquisition::Granted(_)), "{name}");
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.stdout, output.stderr), (Vec::new(), Vec::new()));
    }
}

/// Returns whether the process has begun to give its leases back, in a thread of that name.
#[cfg(target_os = "linux")]
fn is_closing(child: &Child) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{}/task", child.id())).unwrap();
    let mut names = threads
        .map_while(Result::ok)
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("comm")).ok());
    names.any(|name| name.trim_end() == "closing")
}

/// Returns the exit code of a run that gets a second signal while another process's lock on the store keeps it from
/// giving its leases back, or `None` if it had given up before.
#[cfg(target_os = "linux")]
fn code_after_two_signals(name: &str, signals: [&str; 2]) -> Option<i32> {
    let (hole, path) = (BlackHole::new(), new_store(name));
    let mut child = command()
        .args(["check", "--allow-address", "127.0.0.1", "--store"])
        .arg(&path)
        .arg(hole.url("/x"))
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let _connection = hole.wait_for_request();
    let locking = rusqlite::Connection::open(&path).unwrap();
    locking.execute_batch("BEGIN IMMEDIATE").unwrap();
    signal(&child, signals[0]);
    while child.try_wait().unwrap().is_none() && !is_closing(&child) {
        std::thread::yield_now();
    }
    if child.try_wait().unwrap().is_none() {
        signal(&child, signals[1]);
    }
    child.wait().unwrap().code()
}

#[cfg(target_os = "linux")]
#[test]
fn a_second_signal_ends_a_run_at_once() {
    for (name, signals, first, second) in [
        ("twice-term", ["TERM", "INT"], 143, 130),
        ("twice-int", ["INT", "TERM"], 130, 143),
    ] {
        // On a machine that is busy for two seconds it may have given up before the second one.
        let mut codes = (0..5).map(|_| code_after_two_signals(name, signals));
        let code = codes.find(|code| *code != Some(first));
        assert_eq!(code, Some(Some(second)), "{name}");
    }
}

#[test]
fn a_refusal_here_is_nothing_that_the_site_said() {
    let (server, path) = (Server::saying(robots("")), new_store("not-said"));
    let url = server.url("/x");
    let refused = crate::server::on_store(&path, &format!("check --json {url}"));
    assert_eq!(refused.code, 4, "{}", refused.stderr);
    let refused: Value = serde_json::from_str(&refused.stdout).unwrap();
    assert_eq!(refused["snapshot"], Value::Null);
    let why = "an address that is refused here says nothing about the site";
    assert_eq!(refused["not_kept"], why);
    let offline = crate::server::on_store(&path, &format!("check --offline {url}"));
    assert_eq!(offline.code, 3, "{}", offline.stdout);
    let stat = crate::server::on_store(&path, "store stat --json").quietly(0);
    let stat: Value = serde_json::from_str(&stat).unwrap();
    assert_eq!(
        (&stat["snapshots"], &stat["leases"]),
        (&0.into(), &0.into())
    );
    let kept = on_web(&path, &format!("check --json {url}")).quietly(0);
    let kept: Value = serde_json::from_str(&kept).unwrap();
    assert_eq!(kept["not_kept"], Value::Null);
}

#[test]
fn where_the_store_is_damaged_answers_go_on_and_say_that_they_are_not_kept() {
    let (server, path) = (Server::saying(robots("")), new_store("damaged"));
    let url = server.url("/x");
    assert_eq!(on_web(&path, &format!("check {url}")).code, 0);
    let bytes = std::fs::read(&path).unwrap();
    // What can be opened and not be read, and what cannot be opened.
    for damaged in [4096..bytes.len(), 200..4096] {
        let mut bytes = bytes.clone();
        bytes[damaged].fill(0xff);
        std::fs::write(&path, &bytes).unwrap();
        let said = on_web(&path, &format!("check --json {url}"));
        assert_eq!(said.code, 0, "{}", said.stderr);
        let start = format!("note: the result for {} is not stored: ", server.url(""));
        assert!(said.stderr.starts_with(&start), "{}", said.stderr);
        assert_eq!(said.stderr.lines().count(), 2, "{}", said.stderr);
        let said: Value = serde_json::from_str(&said.stdout).unwrap();
        assert_eq!(
            (&said["allowed"], &said["snapshot"]),
            (&true.into(), &Value::Null)
        );
        let why = said["not_kept"].as_str().unwrap();
        assert!(why.contains("damaged"), "{why}");
    }
    // A file of another program is not taken for a store.
    std::fs::write(&path, [b'x'; 5000]).unwrap();
    let said = on_web(&path, &format!("check {url}")).refused();
    assert!(said.contains("is not a Verger store"), "{said}");
}
