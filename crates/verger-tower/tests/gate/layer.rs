//! The tower layer, before a service in memory.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, HeaderValue, LOCATION, USER_AGENT,
};
use http::{Request, Response};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};
use tower::limit::ConcurrencyLimit;
use tower::util::BoxCloneService;
use tower::{Layer, ServiceExt, service_fn};
use verger_access::{AccessResult, Outcome, Timestamp, TransportFailure};
use verger_client::{Authority, ClientError, Clock, SqliteStore, Store};
use verger_tower::{Client, Crawler, Gate, GateError, ProductToken, ServiceTransport};

const USER_AGENT_SENT: &str = "ExampleBot/1.0 (+https://example.com/bot)";

type Http = BoxCloneService<Request<String>, Response<String>, io::Error>;

/// The paths of the sent requests, and the reply for robots.txt.
#[derive(Clone, Default)]
struct Web {
    sent: Arc<Mutex<Vec<String>>>,
}

impl Web {
    /// Returns a service that answers `/robots.txt` with the given reply, and everything else with the same page.
    fn service(
        &self,
        robots: impl Fn() -> io::Result<Response<String>> + Clone + Send + 'static,
    ) -> Http {
        let sent = Arc::clone(&self.sent);
        Http::new(service_fn(move |request: Request<String>| {
            let path = request.uri().path().to_owned();
            if path == "/robots.txt" {
                assert_eq!(request.headers()[USER_AGENT], USER_AGENT_SENT);
                assert_eq!(request.headers()[ACCEPT_ENCODING], "identity");
            }
            sent.lock().unwrap().push(path.clone());
            let robots = robots.clone();
            async move {
                // Let other requests arrive meanwhile.
                tokio::task::yield_now().await;
                match path.as_str() {
                    "/robots.txt" => robots(),
                    _ => Ok(Response::new("page".to_owned())),
                }
            }
        }))
    }

    fn sent(&self) -> Vec<String> {
        self.sent.lock().unwrap().clone()
    }
}

fn rules(text: &'static str) -> impl Fn() -> io::Result<Response<String>> + Clone + Send + 'static {
    move || Ok(Response::new(text.to_owned()))
}

fn gate(service: Http) -> Gate {
    gate_with(service, Instant::now(), None)
}

fn gate_with(service: Http, start: Instant, store: Option<Arc<dyn Store>>) -> Gate {
    let user_agent = HeaderValue::from_static(USER_AGENT_SENT);
    let transport = ServiceTransport::new(service, user_agent).classify(|error| {
        let is_timeout = |error: &io::Error| error.kind() == io::ErrorKind::TimedOut;
        match error.downcast_ref::<io::Error>() {
            Some(error) if is_timeout(error) => TransportFailure::Timeout,
            _ => TransportFailure::Reset,
        }
    });
    let mut client = Client::over(Arc::new(transport)).clock(Arc::new(VirtualClock { start }));
    if let Some(store) = store {
        client = client.store(store);
    }
    let client = client.build().unwrap();
    Gate::new(
        client,
        Crawler::from(ProductToken::new("ExampleBot").unwrap()),
    )
}

/// A clock with the time of the runtime, which may be virtual.
struct VirtualClock {
    start: Instant,
}

impl Clock for VirtualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_unix_seconds(self.since_1970().as_secs())
    }

    fn since_1970(&self) -> Duration {
        Duration::from_secs(1_800_000_000) + self.start.elapsed()
    }
}

fn page(path: &str) -> Request<String> {
    let url = format!("https://h.example{path}");
    Request::get(url).body(String::new()).unwrap()
}

#[tokio::test]
async fn a_denied_request_is_not_sent_and_the_file_is_fetched_once() {
    let web = Web::default();
    let service = web.service(rules("User-agent: *\nDisallow: /private\n"));
    let gated = gate(service.clone()).layer().layer(service);
    let mut requests = JoinSet::new();
    for number in 0..100 {
        let path = if number % 2 == 0 { "/a" } else { "/private" };
        requests.spawn(gated.clone().oneshot(page(path)));
    }
    let mut denied = 0;
    while let Some(response) = requests.join_next().await {
        match response.unwrap() {
            Ok(response) => assert_eq!(response.body(), "page"),
            Err(GateError::Denied(it)) => {
                assert_eq!(it.url(), "https://h.example/private");
                let line = it.decision().rule().unwrap().line;
                assert_eq!(line.get(), 2);
                denied += 1;
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(denied, 50);
    let sent = web.sent();
    assert_eq!(sent[0], "/robots.txt");
    assert!(sent[1..].iter().all(|path| path == "/a"));
    assert_eq!(sent.len(), 51);
}

#[tokio::test(start_paused = true)]
async fn delays_of_a_site_are_kept() {
    let web = Web::default();
    let service = web.service(rules("User-agent: *\nCrawl-delay: 2\nRequest-rate: 1/3s\n"));
    let gated = gate(service.clone()).layer().layer(service.clone());
    let start = Instant::now();
    let mut requests = JoinSet::new();
    for _ in 0..5 {
        let gated = gated.clone();
        requests.spawn(async move {
            gated.oneshot(page("/a")).await.unwrap();
            start.elapsed().as_secs()
        });
    }
    let mut sent_at = requests.join_all().await;
    sent_at.sort_unstable();
    assert_eq!(sent_at, [0, 3, 6, 9, 12]);

    // Without delays nothing waits. With a longest wait, a request fails if it would have to wait longer.
    let hasty = gate(service.clone()).keep_delays(false);
    let short = gate(service.clone()).longest_wait(Duration::from_secs(2));
    let start = Instant::now();
    for _ in 0..3 {
        hasty.pass("https://h.example/a").await.unwrap();
    }
    short.pass("https://h.example/a").await.unwrap();
    assert_eq!(start.elapsed(), Duration::ZERO);
    let error = short.pass("https://h.example/a").await.unwrap_err();
    assert!(matches!(error, GateError::LongWait { .. }), "{error}");
    assert_eq!(start.elapsed(), Duration::ZERO);
    assert!(error.to_string().contains("more than 2 s"), "{error}");
    // The failed request has not used a turn.
    tokio::time::advance(Duration::from_secs(1)).await;
    short.pass("https://h.example/a").await.unwrap();
    assert_eq!(start.elapsed(), Duration::from_secs(3));
}

/// Three gates stand for three processes: each has a client and a store of its own, in one file.
#[tokio::test(start_paused = true)]
async fn owners_send_what_robots_txt_disallows_at_its_delay() {
    let service = Web::default().service(rules("User-agent: *\nDisallow: /\nCrawl-delay: 2\n"));
    let (gate, start) = (gate(service), Instant::now());
    let own = gate.clone().own_sites(true);
    let error = gate.pass("https://h.example/a").await.unwrap_err();
    assert!(matches!(error, GateError::Denied(_)), "{error}");
    for _ in 0..3 {
        let decision = own.pass("https://h.example/a").await.unwrap();
        assert!(!decision.is_allowed());
    }
    assert_eq!(start.elapsed().as_secs(), 4);
    let hasty = gate.longest_delay(Duration::from_secs(1)).own_sites(true);
    hasty.pass("https://h.example/a").await.unwrap();
    assert_eq!(start.elapsed().as_secs(), 5);
}

#[tokio::test(start_paused = true)]
async fn processes_that_share_a_store_take_turns() {
    let name = format!("verger-gate-turns-{}.db", std::process::id());
    let path = std::env::temp_dir().join(name);
    let (web, start) = (Web::default(), Instant::now());
    let service = web.service(rules("User-agent: *\nCrawl-delay: 0.5\n"));
    let mut requests = JoinSet::new();
    for _ in 0..3 {
        let store = SqliteStore::open(&path).unwrap();
        let gate = gate_with(service.clone(), start, Some(Arc::new(store)));
        for _ in 0..4 {
            let gate = gate.clone();
            requests.spawn(async move {
                gate.pass("https://h.example/a").await.unwrap();
                start.elapsed()
            });
        }
    }
    let mut sent_at = requests.join_all().await;
    sent_at.sort_unstable();
    let gaps = sent_at.windows(2).map(|two| two[1].saturating_sub(two[0]));
    let least = gaps.min().unwrap();
    assert!(least >= Duration::from_millis(475), "{sent_at:?}");
    assert!(sent_at[11] < Duration::from_secs(7), "{sent_at:?}");

    // A request that would wait longer than it may takes no turn of another process.
    let store = SqliteStore::open(&path).unwrap();
    let hasty = gate_with(service, start, Some(Arc::new(store)));
    let hasty = hasty.longest_wait(Duration::from_millis(400));
    let error = hasty.pass("https://h.example/a").await.unwrap_err();
    assert!(matches!(error, GateError::LongWait { .. }), "{error}");
    std::fs::remove_file(path).unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_site_without_a_delay_gets_requests_at_the_least_delay() {
    let seconds = |rules: &'static str, are_kept: bool| async move {
        let service = Web::default().service(self::rules(rules));
        let gate = gate(service).least_delay(Duration::from_secs(2));
        let gate = gate.keep_delays(are_kept);
        let start = Instant::now();
        let mut requests = JoinSet::new();
        for _ in 0..9 {
            let gate = gate.clone();
            requests.spawn(async move { gate.pass("https://h.example/a").await.unwrap() });
        }
        requests.join_all().await;
        start.elapsed().as_secs()
    };
    assert_eq!(
        seconds("User-agent: *\nDisallow: /private\n", true).await,
        16
    );
    assert_eq!(seconds("User-agent: *\nCrawl-delay: 1\n", true).await, 16);
    assert_eq!(seconds("User-agent: *\nCrawl-delay: 3\n", true).await, 24);
    assert_eq!(seconds("User-agent: *\nCrawl-delay: 3\n", false).await, 16);
    // This delay is for another crawler.
    let body = "User-agent: Other\nCrawl-delay: 60\nUser-agent: *\nDisallow: /private\n";
    assert_eq!(seconds(body, true).await, 16);
}

/// The service has a capacity of one, which no request uses while it waits for its robots.txt or a delay.
#[tokio::test(start_paused = true)]
async fn robots_txt_is_fetched_through_the_service_that_is_limited() {
    let web = Web::default();
    let limited = Http::new(ConcurrencyLimit::new(
        web.service(rules("User-agent: *\nCrawl-delay: 5\n")),
        1,
    ));
    let gated = gate(limited.clone()).layer().layer(limited);
    let start = Instant::now();
    let mut requests = JoinSet::new();
    for site in ["one", "one", "two", "one"] {
        let url = format!("https://{site}.example/{site}");
        let page = Request::get(url).body(String::new()).unwrap();
        let gated = gated.clone();
        requests.spawn(async move {
            gated.oneshot(page).await.unwrap();
            (start.elapsed().as_secs(), site)
        });
    }
    let mut sent = requests.join_all().await;
    sent.sort_unstable();
    assert_eq!(sent, [(0, "one"), (0, "two"), (5, "one"), (10, "one")]);
}

/// A file expires while requests wait for their delays, and takes half a minute to be fetched again.
#[tokio::test(start_paused = true)]
async fn delays_are_kept_during_a_slow_fetch() {
    let web = Web::default();
    let fetches = Arc::new(AtomicUsize::new(0));
    let slow = service_fn(move |request: Request<String>| {
        let is_again =
            request.uri().path() == "/robots.txt" && fetches.fetch_add(1, Ordering::Relaxed) > 0;
        let sent = web.service(|| {
            let response = Response::builder().header(CACHE_CONTROL, "max-age=7200");
            let body = "User-agent: *\nCrawl-delay: 1\n".to_owned();
            Ok(response.body(body).unwrap())
        });
        async move {
            if is_again {
                sleep(Duration::from_secs(20)).await;
            }
            sent.oneshot(request).await
        }
    });
    let service = Http::new(slow);
    let gated = gate(service.clone()).layer().layer(service);
    let start = Instant::now();
    gated.clone().oneshot(page("/a")).await.unwrap();
    sleep(Duration::from_secs(7190)).await;
    let mut requests = JoinSet::new();
    for _ in 0..40 {
        let gated = gated.clone();
        requests.spawn(async move {
            gated.oneshot(page("/a")).await.unwrap();
            start.elapsed()
        });
    }
    let mut sent = requests.join_all().await;
    sent.sort_unstable();
    let gaps: Vec<_> = sent
        .windows(2)
        .map(|pair| pair[1].abs_diff(pair[0]))
        .collect();
    assert!(gaps.iter().all(|gap| gap.as_secs() >= 1), "{sent:?}");
    assert!(gaps.iter().any(|gap| gap.as_secs() > 5), "{sent:?}");
}

/// The file that is fetched while a request has its turn requests a longer delay than the request has waited for.
#[tokio::test(start_paused = true)]
async fn a_delay_that_becomes_longer_is_kept_by_those_that_wait_already() {
    let web = Web::default();
    let fetches = Arc::new(AtomicUsize::new(0));
    let service = web.service(move || {
        let seconds = [1, 10][fetches.fetch_add(1, Ordering::Relaxed).min(1)];
        let response = Response::builder().header(CACHE_CONTROL, "max-age=7200");
        Ok(response
            .body(format!("User-agent: *\nCrawl-delay: {seconds}\n"))
            .unwrap())
    });
    let gate = gate(service).longest_wait(Duration::from_secs(30));
    let start = Instant::now();
    let url = "https://h.example/a";
    gate.pass(url).await.unwrap();
    sleep(Duration::from_secs(7199) + Duration::from_millis(500)).await;
    let mut requests = JoinSet::new();
    for _ in 0..6 {
        let gate = gate.clone();
        requests.spawn(async move {
            let passed = gate.pass(url).await;
            let sent = start.elapsed().as_millis();
            passed.map(|_| sent).map_err(|error| error.to_string())
        });
    }
    let all = requests.join_all().await;
    let (mut sent, late): (Vec<_>, Vec<_>) = all.into_iter().partition(Result::is_ok);
    sent.sort_unstable();
    assert_eq!(sent, [7_199_500, 7_209_500, 7_219_500, 7_229_500].map(Ok));
    assert_eq!(late.len(), 2);
    assert!(
        late.iter()
            .all(|it| it.as_ref().is_err_and(|it| it.contains("30 s"))),
        "{late:?}"
    );
}

/// Each reply to robots.txt, and the resulting state of the site.
#[tokio::test]
async fn an_answer_that_is_no_file_counts_as_the_access_method_says() {
    type Answer = fn() -> io::Result<Response<String>>;
    let cases: [(&str, Answer, &str); 9] = [
        ("missing", || Ok(response(404, "")), "open"),
        ("error", || Ok(response(503, "")), "closed"),
        (
            "lost",
            || Err(io::ErrorKind::ConnectionReset.into()),
            "closed",
        ),
        ("timeout", || Err(io::ErrorKind::TimedOut.into()), "closed"),
        ("encoded", || Ok(encoded("identity, zstd", "x")), "closed"),
        (
            "not encoded",
            || Ok(encoded(" ,Identity, ", "User-agent: *\nDisallow: /a\n")),
            "rules",
        ),
        ("encoded and empty", || Ok(encoded("gzip", "")), "rules"),
        (
            "long",
            || {
                Ok(Response::new(format!(
                    "User-agent: *\nDisallow: /a\n{}",
                    "#".repeat(2_000_000)
                )))
            },
            "rules",
        ),
        (
            "redirected",
            || {
                Ok(Response::builder()
                    .status(301)
                    .header(LOCATION, "/robots.txt")
                    .body(String::new())
                    .unwrap())
            },
            "open",
        ),
    ];
    for (name, answer, stance) in cases {
        let web = Web::default();
        let gate = gate(web.service(answer));
        let authority = Authority::from_url("https://h.example/").unwrap();
        let answer = gate.client().answer(&authority).await.unwrap();
        assert_eq!(answer.stance().as_str(), stance, "{name}: {answer:?}");
        let passed = gate.pass("https://h.example/a").await;
        let is_open = stance == "open" || name == "encoded and empty";
        assert_eq!(passed.is_ok(), is_open, "{name}");
        let expected = match name {
            "lost" => Some(TransportFailure::Reset),
            "timeout" => Some(TransportFailure::Timeout),
            "encoded" => Some(TransportFailure::ContentEncoding),
            _ => None,
        };
        if let Some(failure) = expected {
            let expected = AccessResult::Unreachable(Outcome::Failed(failure));
            assert_eq!(answer.access_result(), Some(expected), "{name}");
        }
    }
}

#[cfg(unix)]
#[tokio::test]
async fn what_this_machine_lacks_is_no_fact_about_a_site() {
    let web = Web::default();
    let too_many_files = || Err(io::Error::from_raw_os_error(24));
    let gate = gate(web.service(too_many_files));
    for _ in 0..2 {
        let error = gate.pass("https://h.example/a").await.unwrap_err();
        let GateError::Undecided(ClientError::Shortage { .. }) = error else {
            panic!("{error}");
        };
    }
    assert_eq!(web.sent(), ["/robots.txt", "/robots.txt"]);
}

fn encoded(coding: &'static str, body: &str) -> Response<String> {
    let mut response = response(200, body);
    let coding = HeaderValue::from_static(coding);
    response.headers_mut().insert(CONTENT_ENCODING, coding);
    response
}

fn response(status: u16, body: &str) -> Response<String> {
    Response::builder()
        .status(status)
        .body(body.to_owned())
        .unwrap()
}

#[tokio::test]
async fn a_url_without_a_site_is_not_decided() {
    let web = Web::default();
    let service = web.service(rules(""));
    let gated = gate(service.clone()).layer().layer(service);
    let relative = Request::get("/a").body(String::new()).unwrap();
    let error = gated.oneshot(relative).await.unwrap_err();
    assert!(matches!(error, GateError::Undecided(_)), "{error}");
    assert_eq!(web.sent(), Vec::<String>::new());
}
