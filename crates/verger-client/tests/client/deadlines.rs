//! Deadlines of calls, in virtual time.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;
use verger_access::{Authority, BodyEnd, Profile, Request};
use verger_client::{
    Arrival, BoxFuture, Client, ClientBuilder, ClientError, FetchLimits, HttpReply, Observer,
    Received, Transport,
};
use verger_store::{Acquisition, History, MemoryStore, Store};

use crate::web::{SetClock, crawler};

/// Hosts that redirect to a silent one, and others that answer at once.
#[derive(Default)]
struct Silent {
    asked: Mutex<BTreeSet<String>>,
}

const SILENT: &str = "https://silent.example/all.txt";

impl Transport for Silent {
    fn send<'a>(&'a self, request: &'a Request, _: Instant) -> BoxFuture<'a, Arrival> {
        let host = request.url.host_str().unwrap().to_owned();
        self.asked.lock().unwrap().insert(host.clone());
        Box::pin(async move {
            let (status, location) = match &*host {
                "silent.example" => std::future::pending().await,
                host if host.starts_with("to-silent") => (301, Some(SILENT)),
                _ => (404, None),
            };
            let location = location.map(|url| (http::header::LOCATION, url.parse().unwrap()));
            Arrival::new(Received::Http(HttpReply {
                status,
                headers: location.into_iter().collect(),
                body: Vec::new(),
                body_end: BodyEnd::Whole,
            }))
        })
    }
}

const DEADLINE: Duration = Duration::from_secs(20);

/// Maximum time of a call after its deadline.
const LATE: Duration = Duration::from_secs(2);

fn silent() -> ClientBuilder {
    let mut limits = FetchLimits::default();
    limits.deadline = DEADLINE;
    Client::over(Arc::new(Silent::default()))
        .clock(SetClock::at(0))
        .limits(limits)
}

fn outcome(report: &verger_client::FetchReport) -> String {
    report.knowledge.last.unwrap().outcome.code()
}

#[tokio::test(start_paused = true)]
async fn hosts_that_redirect_to_a_silent_one_stall_no_other_host() {
    for profile in [Profile::RFC9309, Profile::GOOGLE] {
        for stalled in [300, 1000] {
            let client = silent().profile(profile.clone()).build().unwrap();
            let begun = Instant::now();
            let mut asked = JoinSet::new();
            for number in 0..stalled {
                let client = client.clone();
                let url = format!("https://to-silent{number}.example/");
                let authority = Authority::from_url(&url).unwrap();
                asked.spawn(async move { client.fetch(&authority).await });
            }
            for number in 0..10 {
                let url = format!("https://quick{number}.example/");
                let decision = client.decide(&crawler("FooBot"), &url).await.unwrap();
                assert!(decision.is_allowed());
            }
            assert_eq!(begun.elapsed(), Duration::ZERO, "{}", profile.name);
            let mut sent = 0;
            while let Some(report) = asked.join_next().await {
                match report.unwrap() {
                    Ok(report) => {
                        assert_eq!(outcome(&report), "failed timeout");
                        sent += 1;
                    }
                    // The others waited for a permit of the silent host.
                    Err(error) => assert!(matches!(error, ClientError::OutOfTime(_)), "{error}"),
                }
            }
            if profile == Profile::RFC9309 {
                assert_eq!(sent, FetchLimits::default().requests_per_host_max);
            }
            assert!(begun.elapsed() < DEADLINE + LATE, "{:?}", begun.elapsed());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_wait_for_a_host_permit_that_takes_the_time_is_no_fact_about_the_site() {
    // The second fetch waits for all of its time, or for three quarters of it.
    for later in [Duration::ZERO, DEADLINE / 4] {
        let mut limits = FetchLimits::default();
        limits.deadline = DEADLINE;
        limits.requests_per_host_max = 1;
        let store = Arc::new(MemoryStore::new(1 << 20));
        let client = silent().limits(limits).store(store.clone());
        let client = client.build().unwrap();
        let [first, second] = [1, 2].map(|number| {
            Authority::from_url(&format!("https://to-silent{number}.example/")).unwrap()
        });
        let earlier = tokio::spawn({
            let client = client.clone();
            async move { client.fetch(&first).await }
        });
        tokio::time::sleep(later + Duration::from_millis(1)).await;
        let begun = Instant::now();
        let error = client.fetch(&second).await.unwrap_err();
        assert!(matches!(error, ClientError::OutOfTime(_)), "{error}");
        assert!(begun.elapsed() < DEADLINE + LATE, "{:?}", begun.elapsed());
        assert_eq!(outcome(&earlier.await.unwrap().unwrap()), "failed timeout");
        assert!(store.latest(&second).unwrap().is_none());
        assert_eq!(store.stat().unwrap().leases, 0);
    }
}

#[tokio::test(start_paused = true)]
async fn the_check_of_a_hop_counts_towards_the_deadline() {
    let client = silent().profile(Profile::GOOGLE).build().unwrap();
    let begun = Instant::now();
    let authority = Authority::from_url("https://to-silent.example/").unwrap();
    let report = client.fetch(&authority).await.unwrap();
    assert_eq!(outcome(&report), "failed timeout");
    assert!(report.snapshot.is_some());
    assert!(begun.elapsed() < DEADLINE + LATE, "{:?}", begun.elapsed());
}

#[derive(Default)]
struct Waiting(Mutex<Vec<String>>);

impl Observer for Waiting {
    fn waiting(&self, authority: &Authority, holder: &str, longest: Duration) {
        let note = format!("{authority}: {holder}, at most {longest:?}");
        self.0.lock().unwrap().push(note);
    }
}

#[tokio::test(start_paused = true)]
async fn a_wait_for_another_process_counts_and_is_observed() {
    let store = Arc::new(MemoryStore::new(1 << 20));
    let authority = Authority::from_url("https://quick.example/").unwrap();
    let now = verger_client::Clock::now(&*SetClock::at(0));
    let hour = Duration::from_secs(3600);
    let held = store.acquire(&authority, "crawler 7", now, hour).unwrap();
    assert!(matches!(held, Acquisition::Granted(_)));
    let waiting = Arc::new(Waiting::default());
    let observer: Arc<dyn Observer> = Arc::<Waiting>::clone(&waiting);
    let client = silent().store(store).observer(observer).build().unwrap();
    let begun = Instant::now();
    let error = client.fetch(&authority).await.unwrap_err();
    assert!(matches!(&error, ClientError::HeldElsewhere { holder, .. } if holder == "crawler 7"));
    assert!(begun.elapsed() < DEADLINE + LATE, "{:?}", begun.elapsed());
    assert_eq!(
        *waiting.0.lock().unwrap(),
        ["https://quick.example: crawler 7, at most 20s"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_without_a_fetch_permit_ends_and_a_batch_waits_for_permits() {
    let mut limits = FetchLimits::default();
    limits.deadline = DEADLINE;
    limits.fetches_max = 1;
    let client = silent().limits(limits).build().unwrap();
    let urls = ["https://silent.example/", "https://quick.example/"];
    let authorities = urls.map(|url| Authority::from_url(url).unwrap());
    let batch = tokio::spawn({
        let client = client.clone();
        let twice = [
            Authority::from_url("https://silent.example:444/").unwrap(),
            Authority::from_url("https://silent.example:445/").unwrap(),
            authorities[1].clone(),
        ];
        async move {
            let asking = verger_client::Asking::WhereDue;
            client.report_many(&twice, asking).await
        }
    });
    tokio::task::yield_now().await;
    // Two silent servers are first, one after the other.
    let begun = Instant::now();
    let error = client.fetch(&authorities[0]).await.unwrap_err();
    assert!(matches!(error, ClientError::OutOfTime(_)), "{error}");
    assert!(begun.elapsed() < DEADLINE + LATE, "{:?}", begun.elapsed());
    let reports = batch.await.unwrap().into_iter().map(Result::unwrap);
    let outcomes: Vec<String> = reports.map(|report| outcome(&report)).collect();
    assert_eq!(
        outcomes,
        ["failed timeout", "failed timeout", "error http 404"]
    );
}

#[tokio::test(start_paused = true)]
async fn time_used_up_before_a_fetch_is_no_fact_about_the_site() {
    let mut limits = FetchLimits::default();
    limits.deadline = DEADLINE;
    limits.fetches_max = 1;
    let store = Arc::new(MemoryStore::new(1 << 20));
    let client = silent()
        .limits(limits)
        .store(store.clone())
        .build()
        .unwrap();
    let [first, second] = [444, 445]
        .map(|port| Authority::from_url(&format!("https://silent.example:{port}/")).unwrap());
    let earlier = tokio::spawn({
        let client = client.clone();
        async move { client.fetch(&first).await }
    });
    // The second fetch gets its permit when a quarter of its time is left.
    tokio::time::sleep(DEADLINE / 4).await;
    let error = client.fetch(&second).await.unwrap_err();
    assert!(matches!(error, ClientError::OutOfTime(_)), "{error}");
    assert_eq!(outcome(&earlier.await.unwrap().unwrap()), "failed timeout");
    assert!(store.latest(&second).unwrap().is_none());
    assert_eq!(store.stat().unwrap().leases, 0);
}
