//! Failures other than those of servers: store, transport, runtime, deadline.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::Instant;
use verger_access::{Answer, Authority, Profile, Request};
use verger_client::{
    Arrival, BoxFuture, Client, ClientError, FetchLimits, Fetched, Observer, Received, Transport,
};
use verger_store::{History, MemoryStore, Resource, Shortage, Store, StoreError};

use crate::web::{SetClock, Web, client, crawler, redirect, status};

const ROBOTS: &str = "https://h.example/robots.txt";
const PAGE: &str = "https://h.example/private";
const RULES: &str = "User-agent: *\nDisallow: /private\n";

#[tokio::test(start_paused = true)]
async fn a_fetch_that_takes_longer_than_the_deadline_is_a_timeout() {
    let (web, clock) = (Web::shut(), SetClock::at(0));
    web.say_text(ROBOTS, RULES);
    let mut limits = FetchLimits::default();
    limits.deadline = Duration::from_secs(7);
    let client = client(&web, &clock).limits(limits).build().unwrap();
    let authority = Authority::from_url(PAGE).unwrap();
    let report = client.fetch(&authority).await.unwrap();
    let fact = report.answer.access_result().unwrap().to_string();
    assert_eq!(fact, "unreachable (the request timed out)");
    let exchanges = &report.fetched.unwrap().exchanges;
    let detail = exchanges[0].detail.as_deref();
    assert_eq!(detail, Some("the fetch as a whole took longer than 7s"));
    assert!(
        !client
            .decide(&crawler("FooBot"), PAGE)
            .await
            .unwrap()
            .is_allowed()
    );
}

#[tokio::test]
async fn a_decision_without_rules_says_what_happened() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    for (nth, code) in [503, 404, 403].into_iter().enumerate() {
        web.say(&format!("https://h{nth}.example/robots.txt"), status(code));
    }
    let client = |profile| client(&web, &clock).profile(profile).build().unwrap();
    let (usual, cautious) = (client(Profile::RFC9309), client(Profile::CAUTIOUS));
    for (client, url, expected) in [
        (
            &usual,
            "https://h0.example/a",
            "disallowed: unreachable (status 503)",
        ),
        (
            &usual,
            "https://h1.example/a",
            "allowed: no robots.txt (status 404)",
        ),
        (
            &usual,
            "https://h2.example/a",
            "allowed: no robots.txt (status 403)",
        ),
        (
            &cautious,
            "https://h2.example/a",
            "disallowed: unavailable (status 403)",
        ),
        (
            &usual,
            "https://h3.example/a",
            "disallowed: unreachable (the name does not resolve)",
        ),
        (
            &usual,
            "https://h0.example/robots.txt",
            "allowed: /robots.txt itself is always allowed",
        ),
    ] {
        let decision = client.decide(&crawler("FooBot"), url).await.unwrap();
        assert_eq!(decision.to_string(), expected, "{url}");
    }
}

/// Panics at the first request and works afterwards.
struct Fragile(Arc<Web>, AtomicUsize);

impl Transport for Fragile {
    fn send<'a>(&'a self, request: &'a Request, deadline: Instant) -> BoxFuture<'a, Arrival> {
        assert!(self.1.fetch_add(1, Ordering::SeqCst) > 0, "as intended");
        self.0.send(request, deadline)
    }
}

#[tokio::test]
async fn a_transport_that_panics_leaves_no_lease() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say_text(ROBOTS, RULES);
    let fragile = Fragile(Arc::clone(&web), AtomicUsize::new(0));
    let clock: Arc<dyn verger_client::Clock> = clock;
    let client = Client::over(Arc::new(fragile))
        .clock(clock)
        .build()
        .unwrap();
    let error = client.decide(&crawler("FooBot"), PAGE).await.unwrap_err();
    assert!(matches!(error, ClientError::Cancelled(_)), "{error}");
    // The lease was released: no call waits until it expires.
    let decision = client.decide(&crawler("FooBot"), PAGE).await.unwrap();
    assert!(!decision.is_allowed());
}

/// Runs out of files while the flag is set, and otherwise answers like the web.
struct Lacking(Arc<Web>, AtomicBool);

impl Transport for Lacking {
    fn send<'a>(&'a self, request: &'a Request, deadline: Instant) -> BoxFuture<'a, Arrival> {
        let lacks = self.1.load(Ordering::SeqCst);
        Box::pin(async move {
            let mut arrival = self.0.send(request, deadline).await;
            if lacks {
                arrival.received = Received::Shortage(Shortage::new(Resource::OpenFiles, "test"));
            }
            arrival
        })
    }
}

/// V-83. No caller gets a snapshot or a recorded failure, and no lease is left.
#[tokio::test]
async fn what_this_machine_lacks_is_an_error_of_the_call_and_no_fact_about_the_site() {
    let (web, clock) = (Web::shut(), SetClock::at(0));
    web.say_text(ROBOTS, RULES);
    let transport = Arc::new(Lacking(Arc::clone(&web), AtomicBool::new(true)));
    let (store, notes) = (
        Arc::new(MemoryStore::new(1 << 20)),
        Arc::new(Notes::default()),
    );
    let (shared, sent): (Arc<dyn Store>, Arc<dyn Transport>) = (store.clone(), transport.clone());
    let (clock, observer): (Arc<dyn verger_client::Clock>, Arc<dyn Observer>) =
        (clock, notes.clone());
    let client = Client::over(sent)
        .clock(clock)
        .store(shared)
        .observer(observer)
        .build()
        .unwrap();
    let (foo_bot, bar_bot) = (crawler("FooBot"), crawler("BarBot"));
    let (first, second, ()) = tokio::join!(
        client.decide(&foo_bot, PAGE),
        client.decide(&bar_bot, PAGE),
        async { web.open_gate() }
    );
    for error in [first.unwrap_err(), second.unwrap_err()] {
        assert!(matches!(error, ClientError::Shortage { .. }), "{error}");
        let expected = "the robots.txt of https://h.example cannot be fetched: this process can open no \
                        more files and sockets (test): raise its limit (`ulimit -n`), or fetch from \
                        fewer sites at once";
        assert_eq!(error.to_string(), expected);
    }
    assert_eq!(web.request_count(), 1);
    let authority = Authority::from_url(PAGE).unwrap();
    assert_eq!(store.latest(&authority).unwrap(), None);
    let expected = [
        "begun https://h.example",
        "cut short https://h.example: OpenFiles",
    ];
    assert_eq!(*notes.0.lock().unwrap(), expected);
    transport.1.store(false, Ordering::SeqCst);
    assert!(!client.decide(&foo_bot, PAGE).await.unwrap().is_allowed());
    let latest = store.latest(&authority).unwrap().unwrap();
    assert_eq!(latest.knowledge.streak, None);
}

/// V-83. A hop that cannot be checked is not followed.
#[tokio::test]
async fn a_lack_while_a_hop_is_asked_about_ends_the_call() {
    /// Runs out of files for one host.
    struct LackingFor(Arc<Web>, &'static str);
    impl Transport for LackingFor {
        fn send<'a>(&'a self, request: &'a Request, deadline: Instant) -> BoxFuture<'a, Arrival> {
            Box::pin(async move {
                let mut arrival = self.0.send(request, deadline).await;
                if request.url.path() == "/robots.txt" && request.url.host_str() == Some(self.1) {
                    arrival.received = Received::Shortage(Shortage::new(Resource::Memory, ""));
                }
                arrival
            })
        }
    }
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say(ROBOTS, redirect("https://other.example/x"));
    web.say_text("https://other.example/x", "");
    let clock: Arc<dyn verger_client::Clock> = clock;
    let client = Client::over(Arc::new(LackingFor(Arc::clone(&web), "other.example")))
        .clock(clock)
        .profile(Profile::GOOGLE)
        .build()
        .unwrap();
    let error = client.decide(&crawler("FooBot"), PAGE).await.unwrap_err();
    assert!(matches!(error, ClientError::Shortage { .. }), "{error}");
}

#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Observer for Notes {
    fn begun(&self, authority: &Authority) {
        self.0.lock().unwrap().push(format!("begun {authority}"));
    }

    fn ended(&self, authority: &Authority, fetched: &Fetched, answer: &Answer) {
        let note = format!(
            "ended {authority}: {}, {}",
            fetched.attempt.last.outcome,
            answer.stance()
        );
        self.0.lock().unwrap().push(note);
    }

    fn cut_short(&self, authority: &Authority, shortage: &Shortage) {
        let note = format!("cut short {authority}: {:?}", shortage.resource);
        self.0.lock().unwrap().push(note);
    }

    fn not_kept(&self, authority: &Authority, error: &StoreError) {
        let is_full = matches!(error, StoreError::Full { .. });
        let note = format!("not kept {authority}: full {is_full}");
        self.0.lock().unwrap().push(note);
    }
}

#[tokio::test]
async fn a_store_that_is_full_is_observed_and_the_decision_is_made() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say_text(ROBOTS, &format!("{RULES}#{}", "x".repeat(100_000)));
    let notes = Arc::new(Notes::default());
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new(10_000));
    let observer: Arc<dyn Observer> = Arc::<Notes>::clone(&notes);
    let client = client(&web, &clock)
        .store(store)
        .observer(observer)
        .build()
        .unwrap();
    let decision = client.decide(&crawler("FooBot"), PAGE).await.unwrap();
    assert!(!decision.is_allowed());
    assert_eq!(decision.snapshot(), None);
    assert!(
        client
            .decide_from_memory(&crawler("FooBot"), PAGE)
            .is_some()
    );
    assert_eq!(
        *notes.0.lock().unwrap(),
        [
            "begun https://h.example",
            "ended https://h.example: status 200, rules",
            "not kept https://h.example: full true",
        ]
    );
    // Another crawler is answered from memory.
    let decision = client.decide(&crawler("BarBot"), PAGE).await.unwrap();
    assert!(!decision.is_allowed() && decision.not_kept().is_some());
    assert_eq!(web.request_count(), 1);
}

#[test]
fn a_blocking_client_needs_no_runtime() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say_text(ROBOTS, RULES);
    let client = client(&web, &clock).build_blocking().unwrap();
    let decision = client.decide(&crawler("FooBot"), PAGE).unwrap();
    assert!(!decision.is_allowed());
    let decisions = client.decide_many(&crawler("FooBot"), &[PAGE, "https://h.example/"]);
    let allowed: Vec<bool> = decisions
        .into_iter()
        .map(|decision| decision.unwrap().is_allowed())
        .collect();
    assert_eq!(allowed, [false, true]);
    assert_eq!(web.request_count(), 1);
}

#[test]
fn outside_a_runtime_only_cached_answers_decide() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    let client = client(&web, &clock).build().unwrap();
    let (foo_bot, url) = (crawler("FooBot"), PAGE);
    let mut asking = Box::pin(client.decide(&foo_bot, url));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    let std::task::Poll::Ready(answer) = asking.as_mut().poll(&mut context) else {
        panic!("it waits for a runtime that is not there");
    };
    assert!(matches!(answer, Err(ClientError::NoRuntime)));
}

#[test]
fn a_call_on_a_runtime_that_has_ended_is_an_error() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say_text(ROBOTS, RULES);
    let client = client(&web, &clock).build().unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let gone = runtime.handle().clone();
    drop(runtime);
    let (sender, receiver) = std::sync::mpsc::channel();
    // In a thread, so that the test ends even if the call never returns.
    std::thread::spawn(move || {
        let _entered = gone.enter();
        let foo_bot = crawler("FooBot");
        let mut asking = Box::pin(client.decide(&foo_bot, PAGE));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        let _ = sender.send(match asking.as_mut().poll(&mut context) {
            std::task::Poll::Ready(answer) => answer.err(),
            std::task::Poll::Pending => None,
        });
    });
    let error = receiver.recv_timeout(Duration::from_secs(20)).unwrap();
    assert!(
        matches!(error, Some(ClientError::Cancelled(_))),
        "{error:?}"
    );
}

#[tokio::test]
async fn an_unsupported_scheme_is_an_error_without_a_request() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    let store = Arc::new(MemoryStore::new(1 << 20));
    let client = client(&web, &clock).store(store.clone()).build().unwrap();
    let asked = client
        .decide(&crawler("FooBot"), "gopher://h.example/1")
        .await;
    let error = asked.unwrap_err();
    assert!(matches!(error, ClientError::SchemeNotFetched(_)));
    assert_eq!(
        error.to_string(),
        "nothing is fetched over `gopher`: give the robots.txt of gopher://h.example as a file \
         (`--robots` of the command)"
    );
    assert_eq!(web.request_count(), 0);
    assert_eq!(store.stat().unwrap().snapshots, 0);
}

/// V-37: Google's library and URL parsers find two targets in such text.
#[tokio::test]
async fn text_that_is_no_absolute_url_is_an_error_without_a_request() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say_text(
        "http://h.example/robots.txt",
        "User-agent: *\nDisallow: /p\n",
    );
    let client = client(&web, &clock)
        .profile(Profile::GOOGLE)
        .build()
        .unwrap();
    let crawler = crawler("FooBot");
    let urls = ["http:/h.example/p", "http:\\\\h.example\\p", "h.example/p"];
    for decision in client.decide_many(&crawler, &urls).await {
        assert!(
            matches!(decision, Err(ClientError::Target(_))),
            "{decision:?}"
        );
    }
    assert_eq!(web.request_count(), 0);
    let decision = client.decide(&crawler, "http://h.example/p").await.unwrap();
    assert!(!decision.is_allowed());
    for url in urls {
        assert!(client.decide_from_memory(&crawler, url).is_none(), "{url}");
        assert!(client.decide(&crawler, url).await.is_err(), "{url}");
    }
}
