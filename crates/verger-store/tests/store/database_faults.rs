//! The database stops, has no connections left, or its reply to a commit is lost.

use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;

use verger_store::{
    Deliveries, History, OpenDatabaseError, PostgresSettings, PostgresStore, Store, StoreError,
};
use verger_testkit::postgres_server::{PostgresServer, PostgresSession};

use crate::database::{new_store, quick_server, settings};
use crate::scene::{MINUTE, at, authority, body_seen, count, lease, put};

pub(crate) fn is_away<T>(result: &Result<T, StoreError>) -> bool {
    matches!(result, Err(StoreError::Away(_)))
}

/// Repeats a call until the database answers again.
pub(crate) fn once_back<T>(call: impl Fn() -> Result<T, StoreError>) -> T {
    loop {
        match call() {
            Err(StoreError::Away(_)) => {}
            answer => return answer.unwrap(),
        }
    }
}

#[test]
fn calls_end_at_their_deadline_while_the_server_is_stopped_and_a_put_is_one_snapshot() {
    let Some(server) = quick_server() else { return };
    let first = new_store(&server, "stopped", settings());
    put(&first, &body_seen("a.example", at(0), b"Disallow: /a"));
    let store =
        PostgresStore::open_with(&server.url("stopped"), PostgresSettings::default()).unwrap();
    let held = lease(&first, "b.example", at(0));
    let seen = body_seen("b.example", at(0), b"Disallow: /b");
    let (a, b) = (authority("a.example"), authority("b.example"));

    server.signal("STOP");
    assert!(is_away(&store.put(&seen, &held)));
    assert!(is_away(&store.latest(&a)));
    assert!(is_away(&store.latest_many(&[a.clone(), b.clone()])));
    assert!(is_away(&store.acquire(&a, "test", at(0), MINUTE)));
    assert!(is_away(&store.renew(&held, at(0), MINUTE)));
    assert!(is_away(&store.release(&held)));
    assert!(is_away(&store.delivery(&a, "stdout")));
    server.signal("CONT");

    // The release above may also have been done. If so, the put was not.
    let answer = once_back(|| match store.put(&seen, &held) {
        Err(StoreError::LeaseLost(_)) => Ok(None),
        put => put.map(Some),
    });
    let state = once_back(|| store.latest(&b));
    assert_eq!(state.map(|state| state.snapshot.id), answer);
    assert!(count(&first, "b.example") <= 1);
    assert!(once_back(|| store.latest(&a)).is_some());
}

/// Opens a store with several hosts, of which the first is a port of this machine.
fn after_port(
    listener: &TcpListener,
    server: &PostgresServer,
    name: &str,
    settings: PostgresSettings,
) -> PostgresStore {
    let first = listener.local_addr().unwrap();
    let url = server.url(name).replace('@', &format!("@{first},"));
    PostgresStore::open_with(&url, settings).unwrap()
}

#[test]
fn a_first_host_that_says_nothing_is_not_waited_for() {
    let Some(server) = quick_server() else { return };
    drop(new_store(&server, "second", settings()));
    // Connections to it succeed, but get no reply.
    let silent = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let store = after_port(&silent, &server, "second", PostgresSettings::default());
    assert!(once_back(|| store.latest(&authority("h.example"))).is_none());
}

#[test]
fn of_several_hosts_the_one_that_answered_last_is_asked_first() {
    let Some(server) = quick_server() else { return };
    drop(new_store(&server, "last", settings()));
    let refusing = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let refused = Arc::new(AtomicI32::new(0));
    let counted = Arc::clone(&refused);
    let listener = refusing.try_clone().unwrap();
    thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok) {
            counted.fetch_add(1, Ordering::SeqCst);
            drop(client);
        }
    });
    let store = after_port(&refusing, &server, "last", settings());
    let mut session = server.session("last");
    for _ in 0..3 {
        session.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'verger'",
        );
        assert!(once_back(|| store.latest(&authority("h.example"))).is_none());
    }
    assert_eq!(refused.load(Ordering::SeqCst), 1);
}

/// Makes the server refuse each put, as with a full disk.
fn refuse_puts(session: &mut PostgresSession) {
    session.execute(
        "create function full_disk() returns trigger language plpgsql as \
         $$ begin raise 'No space left on device' using errcode = 'disk_full'; end $$",
    );
    session.execute(
        "create trigger full_disk before insert on verger.snapshot execute function full_disk()",
    );
}

/// Ends the refusals.
const PERMIT_PUTS: &str = "drop trigger full_disk on verger.snapshot";

#[test]
fn with_no_room_on_the_servers_disk_a_put_is_an_error_and_its_lease_stays() {
    let Some(server) = quick_server() else { return };
    let store = new_store(&server, "no_room", settings());
    let held = lease(&store, "h.example", at(0));
    let seen = body_seen("h.example", at(0), b"Disallow: /");
    let mut session = server.session("no_room");
    refuse_puts(&mut session);
    // This says nothing about this machine. A `Shortage` would keep a client from continuing in memory.
    let put = store.put(&seen, &held);
    assert!(
        matches!(&put, Err(error @ StoreError::Backend(_)) if error.to_string().contains("No space")),
        "{put:?}"
    );
    session.execute(PERMIT_PUTS);
    store.put(&seen, &held).unwrap();
    assert_eq!(count(&store, "h.example"), 1);
}

#[test]
fn a_sweep_that_meets_a_lock_leaves_connections_that_answer() {
    let Some(server) = quick_server() else { return };
    let first = new_store(&server, "swept", settings());
    for second in [0, 60] {
        put(&first, &body_seen("h.example", at(second), b"Disallow: /"));
    }
    let store =
        PostgresStore::open_with(&server.url("swept"), PostgresSettings::default()).unwrap();
    let mut session = server.session("swept");
    session.execute("begin; select from verger.snapshot for update");
    assert!(store.sweep(at(1 << 40), at(60)).is_err());
    for _ in 0..3 {
        assert!(once_back(|| store.latest(&authority("h.example"))).is_some());
    }
    session.execute("commit");
    let swept = once_back(|| store.sweep(at(1 << 40), at(60)));
    assert_eq!(swept.snapshots, 1);
}

#[test]
fn with_no_connection_left_a_store_uses_those_that_it_has() {
    let Some(server) = PostgresServer::start(&[
        "fsync=off",
        "max_connections=8",
        "superuser_reserved_connections=0",
        "max_wal_senders=0",
        "autovacuum=off",
    ]) else {
        return;
    };
    let store = new_store(&server, "exhausted", settings());
    put(&store, &body_seen("h.example", at(0), b"Disallow: /"));
    let mut others = Vec::new();
    // The store has one connection. Sessions that end, such as that of `init`, must be gone first.
    while others.len() < 7 {
        others.push(server.session("exhausted"));
    }
    let refused = PostgresStore::open_with(&server.url("exhausted"), settings());
    assert!(
        matches!(refused, Err(OpenDatabaseError::Away { .. })),
        "{refused:?}"
    );
    let start = Barrier::new(16);
    thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                start.wait();
                assert!(store.latest(&authority("h.example")).unwrap().is_some());
            });
        }
    });
}

/// Forwards connections to the socket of a server. It can lose replies of the server.
struct Proxy {
    port: u16,
    /// Number of connections that lose their next reply and are closed then, or -1 for all.
    lossy: Arc<AtomicI32>,
}

impl Proxy {
    fn to(socket: PathBuf) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let lossy = Arc::new(AtomicI32::new(0));
        let loses = Arc::clone(&lossy);
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let Ok(server) = UnixStream::connect(&socket) else {
                    continue;
                };
                let loses = Arc::clone(&loses);
                let (to_server, to_client) =
                    (server.try_clone().unwrap(), client.try_clone().unwrap());
                thread::spawn(move || io::copy(&mut &client, &mut &to_server));
                thread::spawn(move || forward_answers(&server, &to_client, &loses));
            }
        });
        Self { port, lossy }
    }

    fn lose(&self, connections: i32) {
        self.lossy.store(connections, Ordering::SeqCst);
    }
}

fn forward_answers(server: &UnixStream, client: &TcpStream, loses: &AtomicI32) {
    let mut bytes = [0; 4096];
    while let Ok(length @ 1..) = (&mut &*server).read(&mut bytes) {
        let is_lost = loses.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| match left {
            0 => None,
            1.. => Some(left - 1),
            all => Some(all),
        });
        if is_lost.is_ok() || (&mut &*client).write_all(&bytes[..length]).is_err() {
            break;
        }
    }
    let _ = client.shutdown(Shutdown::Both);
    let _ = server.shutdown(Shutdown::Both);
}

#[test]
fn a_put_whose_answer_is_lost_is_one_snapshot() {
    let Some(server) = quick_server() else { return };
    let direct = new_store(&server, "lost", settings());
    let proxy = Proxy::to(server.socket());
    let url = format!(
        "postgres://verger@127.0.0.1:{}/lost?verger_connections=1",
        proxy.port
    );
    let store = PostgresStore::open_with(&url, settings()).unwrap();

    // The store repeats the put within its deadline, and finds the first one.
    let held = lease(&store, "a.example", at(0));
    let seen = body_seen("a.example", at(0), b"Disallow: /");
    proxy.lose(1);
    let id = store.put(&seen, &held).unwrap();
    let newest = direct.latest(&seen.authority).unwrap().unwrap();
    assert_eq!((newest.snapshot.id, count(&direct, "a.example")), (id, 1));

    // If the repetition is refused, the first attempt may still have succeeded.
    let held = lease(&store, "c.example", at(0));
    let seen = body_seen("c.example", at(0), b"Disallow: /");
    let mut session = server.session("lost");
    refuse_puts(&mut session);
    proxy.lose(1);
    assert!(is_away(&store.put(&seen, &held)));
    session.execute(PERMIT_PUTS);
    once_back(|| store.put(&seen, &held));
    assert_eq!(count(&direct, "c.example"), 1);

    // If all replies are lost, the caller repeats the put.
    let held = lease(&store, "b.example", at(0));
    let seen = body_seen("b.example", at(0), b"Disallow: /");
    proxy.lose(-1);
    assert!(is_away(&store.put(&seen, &held)));
    proxy.lose(0);
    let id = once_back(|| store.put(&seen, &held));
    let newest = direct.latest(&seen.authority).unwrap().unwrap();
    assert_eq!((newest.snapshot.id, count(&direct, "b.example")), (id, 1));
    // Now that the put has a reply, its lease is used up like any other.
    assert!(crate::scene::is_lost(&store.put(&seen, &held)));
}
