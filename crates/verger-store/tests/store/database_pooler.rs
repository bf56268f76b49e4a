//! The store through `PgBouncer`, which shares connections between transactions.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::thread;

use verger_store::{PostgresRoute, PostgresSettings, PostgresStore, Store, StoreError};
use verger_testkit::postgres_server::{PostgresServer, as_server};

use crate::contract::PROMISES;
use crate::database::{quick_server, settings, virtual_settings};
use crate::database_faults::{is_away, once_back};
use crate::scene::{at, authority, body_seen, count, lease};

/// The path in Debian.
const PROGRAM: &str = "/usr/sbin/pgbouncer";

/// A pooler in front of a server. It has two connections to each database.
struct Pooler {
    process: Child,
    server: PostgresServer,
}

impl Pooler {
    /// Starts both. Returns `None`, with a note, if one of them is not installed.
    fn start() -> Option<Self> {
        if !fs::exists(PROGRAM).unwrap() {
            let ci = std::env::var_os("CI");
            assert!(
                ci.is_none(),
                "there is no PgBouncer: apt-get install pgbouncer"
            );
            println!("not run: there is no PgBouncer");
            return None;
        }
        let server = quick_server()?;
        let directory = server.directory();
        let shown = directory.display();
        let settings = directory.join("pooler.ini");
        let text = format!(
            "[databases]\n* = host={shown} user=verger\n[pgbouncer]\nunix_socket_dir={shown}\nlisten_port=6432\n\
             auth_type=any\npool_mode=transaction\ndefault_pool_size=2\nserver_login_retry=0.1\n"
        );
        fs::write(&settings, text).unwrap();
        let mut process = as_server(PROGRAM.as_ref(), directory)
            .arg(&settings)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let is_up = |line: std::io::Result<String>| line.unwrap().contains("process up");
        assert!(lines.any(is_up), "PgBouncer starts");
        thread::spawn(move || lines.for_each(drop));
        Some(Self { process, server })
    }

    /// Creates a new store that is reached through the pooler.
    fn new_store(&self, name: &str, mut settings: PostgresSettings) -> PostgresStore {
        let direct = self.server.new_database(name);
        assert!(PostgresStore::init(&direct).unwrap());
        settings.route = PostgresRoute::Pooler;
        let url = direct.replace(":5432/", ":6432/");
        PostgresStore::open_with(&url, settings).unwrap()
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn the_contract_holds_through_a_pooler_and_no_caller_is_woken() {
    let Some(pooler) = Pooler::start() else {
        return;
    };
    for (number, (promise, holds)) in PROMISES.iter().enumerate() {
        println!("{promise}");
        let store = pooler.new_store(&format!("pooled_{number}"), virtual_settings());
        let watched = store.watch(&authority("h.example"), Arc::new(|| ()));
        assert!(watched.is_none());
        holds(&store);
    }
}

#[test]
fn a_put_is_one_snapshot_where_the_server_behind_a_pooler_is_killed() {
    let Some(mut pooler) = Pooler::start() else {
        return;
    };
    let store = pooler.new_store("killed", settings());
    let held = lease(&store, "h.example", at(0));
    let seen = body_seen("h.example", at(0), b"Disallow: /");
    let mut locking = pooler.server.session("killed");
    let mut watching = pooler.server.session("killed");
    locking.execute("begin; select 1 from verger.authority for update");
    thread::scope(|scope| {
        let put = scope.spawn(|| store.put(&seen, &held));
        let waiting = "select count(*) from pg_stat_activity where wait_event_type = 'Lock'";
        while watching.execute(waiting) != ["1"] {}
        pooler.server.kill_and_start();
        let put = put.join().unwrap();
        assert!(put.is_ok() || is_away(&put), "{put:?}");
    });
    // If the put had no reply, the caller repeats it. If it had one, the lease has ended.
    let again = once_back(|| match store.put(&seen, &held) {
        Err(StoreError::LeaseLost(_)) => Ok(None),
        put => put.map(Some),
    });
    let newest = once_back(|| store.latest(&seen.authority))
        .unwrap()
        .snapshot
        .id;
    assert!(again.is_none_or(|id| id == newest));
    assert_eq!(count(&store, "h.example"), 1);
}
