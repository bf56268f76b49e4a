//! A refusal by one client's address guard is not a fact about the site.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::time::Instant;
use verger_access::{Authority, Outcome, Profile, Request, Stance, TransportFailure};
use verger_client::{
    Arrival, BoxFuture, Client, Clock, NotKept, Received, RefreshAhead, Transport,
};
use verger_store::{Acquisition, History, SnapshotId, SqliteStore, Store, knowledge_under};

use crate::web::{SetClock, Web, client, crawler};

const ROBOTS: &str = "https://h.example/robots.txt";
const PAGE: &str = "https://h.example/private";
const RULES: &str = "User-agent: *\nDisallow: /private\n";
const HOUR: i64 = 3600;

/// A web whose addresses a guard refuses while `refuses` is set.
struct Guarded {
    web: Arc<Web>,
    refuses: AtomicBool,
}

impl Transport for Guarded {
    fn send<'a>(&'a self, request: &'a Request, deadline: Instant) -> BoxFuture<'a, Arrival> {
        if !self.refuses.load(Ordering::SeqCst) {
            return self.web.send(request, deadline);
        }
        let received = Received::Failure {
            failure: TransportFailure::AddressRefused,
            detail: "127.0.0.1 is a loopback address".to_owned(),
        };
        Box::pin(async move { Arrival::new(received) })
    }
}

fn guarded(web: &Arc<Web>, refuses: bool) -> Arc<Guarded> {
    Arc::new(Guarded {
        web: Arc::clone(web),
        refuses: AtomicBool::new(refuses),
    })
}

fn client_over(guarded: &Arc<Guarded>, clock: &Arc<SetClock>, store: &Arc<SqliteStore>) -> Client {
    let transport: Arc<dyn Transport> = Arc::<Guarded>::clone(guarded);
    let clock: Arc<dyn Clock> = Arc::<SetClock>::clone(clock);
    Client::over(transport)
        .clock(clock)
        .store(Arc::<SqliteStore>::clone(store))
        .refresh_ahead(RefreshAhead::Off)
        .jitter(|| verger_access::Jitter::NONE)
        .build()
        .unwrap()
}

fn file(name: &str) -> (std::path::PathBuf, impl Fn() -> Arc<SqliteStore>) {
    let folder = std::env::temp_dir().join(format!("verger-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("store.db");
    let open = move || Arc::new(SqliteStore::open(&path).unwrap());
    (folder, open)
}

fn snapshots(store: &dyn Store) -> usize {
    let authority = Authority::from_url(PAGE).unwrap();
    let newest_first = store.snapshots_before(&authority, SnapshotId::AFTER_ALL, 100);
    newest_first.unwrap().len()
}

#[tokio::test]
async fn a_refusal_of_one_client_is_not_the_answer_of_another() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say_text(ROBOTS, RULES);
    let (folder, open) = file("refused-here");
    let (refusing, permitting) = (open(), open());
    let guard = guarded(&web, true);
    let refusing_client = client_over(&guard, &clock, &refusing);
    let (foo_bot, bar_bot) = (crawler("FooBot"), crawler("BarBot"));
    let decision = refusing_client.decide(&foo_bot, PAGE).await.unwrap();
    assert_eq!(decision.answer().stance(), Stance::Closed);
    let refusal = TransportFailure::AddressRefused;
    let said = format!("disallowed: unreachable ({refusal})");
    assert_eq!(decision.to_string(), said);
    assert_eq!(decision.snapshot(), None);
    assert!(matches!(decision.not_kept(), Some(NotKept::RefusedHere)));
    // It is not stored, and the lease is released.
    assert_eq!(snapshots(&*refusing), 0);
    assert_eq!(refusing.stat().unwrap().leases, 0);
    let authority = Authority::from_url(PAGE).unwrap();
    let known = knowledge_under(&*permitting, &authority, &Profile::RFC9309, clock.now());
    assert!(known.unwrap().is_none());

    let allowing = client_over(&guarded(&web, false), &clock, &permitting);
    let decision = allowing.decide(&foo_bot, "https://h.example/").await;
    let decision = decision.unwrap();
    assert!(decision.is_allowed());
    assert!(decision.snapshot().is_some() && decision.not_kept().is_none());
    // The refusing client keeps its answer until it expires, for every crawler.
    guard.refuses.store(false, Ordering::SeqCst);
    for crawler in [&foo_bot, &bar_bot] {
        let decision = refusing_client.decide(crawler, "https://h.example/").await;
        assert!(!decision.unwrap().is_allowed());
    }
    assert_eq!(web.request_count(), 1);
    clock.set(24 * HOUR);
    let decision = refusing_client.decide(&bar_bot, "https://h.example/").await;
    assert!(decision.unwrap().is_allowed());
    assert_eq!(web.request_count(), 2);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[tokio::test]
async fn a_refused_address_leaves_the_good_copy() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say_text(ROBOTS, RULES);
    let (folder, open) = file("refused-copy");
    let store = open();
    let guard = guarded(&web, false);
    let client = client_over(&guard, &clock, &store);
    let foo_bot = crawler("FooBot");
    client.decide(&foo_bot, PAGE).await.unwrap();
    clock.set(24 * HOUR);
    guard.refuses.store(true, Ordering::SeqCst);
    let decision = client.decide(&foo_bot, PAGE).await.unwrap();
    assert_eq!(decision.answer().stance(), Stance::Closed);
    assert_eq!(snapshots(&*store), 1);
    let authority = Authority::from_url(PAGE).unwrap();
    let standing = store.latest(&authority).unwrap().unwrap();
    assert!(standing.knowledge.copy.is_some());
    // The copy is used in an outage afterwards.
    clock.set(49 * HOUR);
    guard.refuses.store(false, Ordering::SeqCst);
    web.say(ROBOTS, crate::web::status(500));
    let decision = client.decide(&foo_bot, PAGE).await.unwrap();
    assert_eq!(decision.answer().stance(), Stance::Copy);
    assert_eq!(snapshots(&*store), 2);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[tokio::test]
async fn a_refused_address_of_a_hop_is_not_stored() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    let elsewhere = "https://inside.example/robots.txt";
    web.say(ROBOTS, crate::web::redirect(elsewhere));
    web.say(elsewhere, refused());
    let store: Arc<dyn Store> = Arc::new(verger_store::MemoryStore::new(1 << 20));
    let client = client(&web, &clock)
        .store(Arc::clone(&store))
        .build()
        .unwrap();
    let authority = Authority::from_url(PAGE).unwrap();
    let report = client.fetch(&authority).await.unwrap();
    let refusal = Outcome::Failed(TransportFailure::AddressRefused);
    assert_eq!(report.knowledge.last.unwrap().outcome, refusal);
    assert!(matches!(report.not_kept, Some(NotKept::RefusedHere)));
    assert_eq!(snapshots(&*store), 0);
    let minute = std::time::Duration::from_secs(60);
    let lease = store.acquire(&authority, "another", clock.now(), minute);
    assert!(matches!(lease.unwrap(), Acquisition::Granted(_)));
}

fn refused() -> verger_testkit::scenario::ServerReply {
    verger_testkit::scenario::ServerReply::Failure {
        name: "address-refused".to_owned(),
    }
}
