//! A client's memory stays within its bound, whatever servers send. Measured as the resident set of
//! a separate process, or as what that process takes from the allocator.
#![cfg(target_os = "linux")]

use std::alloc::System;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, LOCATION, SERVER};
use http::{HeaderMap, HeaderName, HeaderValue};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use tokio::runtime::Builder;
use tokio::time::Instant;
use verger::{Crawler, ProductToken};
use verger_access::{BodyEnd, Request};
use verger_client::{Arrival, BoxFuture, Client, FetchLimits, HttpReply, Received, Transport};

#[global_allocator]
static HEAP: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Marks the process that is measured.
const CHILD: &str = "VERGER_TEST_MEMORY_CHILD";

const MIB: u64 = 1 << 20;

/// The bound of the client.
const BYTES_MAX: u64 = 6 * MIB;

/// Bound of the resident set at any time.
const RESIDENT_MAX: u64 = BYTES_MAX * 3 / 2 + 64 * MIB;

/// After this many authorities, the client has reached its bound.
const FIRST_HOSTS: usize = 240;

/// The other authorities send far more than [`GROWTH_MAX`] of each kind: 43 MB of heads, 31 MB of
/// long bodies.
const OTHER_HOSTS: usize = 720;

/// Maximum growth of the resident set while the others are fetched.
const GROWTH_MAX: u64 = 16 * MIB;

/// Hosts that are fetched at once.
const AT_ONCE: usize = 8;

const CRAWLERS: usize = 2;

/// Bytes that a server sends before its body, as a transport may read them at once.
const HEAD_BYTES: usize = 60_000;

/// Serves several kinds of bodies, by host number. Bodies that take long to parse are rarer.
struct JunkServers;

impl Transport for JunkServers {
    fn send<'a>(&'a self, request: &'a Request, _: Instant) -> BoxFuture<'a, Arrival> {
        let host = request.url.host_str().unwrap_or_default();
        let digits = host.trim_matches(|it: char| !it.is_ascii_digit());
        let number: usize = digits.parse().unwrap();
        let (status, body) = match number % 12 {
            // Bodies of 512,000 bytes, all different.
            0 => (200, long_body(number)),
            // Patterns that are compiled.
            1 => (200, rules(number, 200, "/%e4*%41$")),
            2..4 => (200, format!("User-agent: *\nDisallow: /{number}\n").into()),
            // A chain to long URLs, which ends somewhere.
            4 if request.url.path().len() < 4 * 1000 => (301, Vec::new()),
            5..7 => (404, Vec::new()),
            _ => (200, rules(number, 3, "/shop")),
        };
        let mut headers = headers(number);
        if status == 301 {
            let path = format!("{}x{}", request.url.path(), "y".repeat(999));
            let location = format!("https://h{number}.example{path}");
            headers.insert(LOCATION, HeaderValue::from_str(&location).unwrap());
        }
        let reply = HttpReply {
            status,
            headers,
            body,
            body_end: BodyEnd::Whole,
        };
        Box::pin(async move { Arrival::new(Received::Http(reply)) })
    }
}

/// Headers whose values are slices of one buffer, as in hyper.
fn headers(number: usize) -> HeaderMap {
    let mut head = format!("\"{number}\" text/plain; junk/1.0 max-age=86400 ").into_bytes();
    head.resize(HEAD_BYTES, b'j');
    let head = Bytes::from(head);
    let mut headers = HeaderMap::new();
    let part =
        |from: usize, to: usize| HeaderValue::from_maybe_shared(head.slice(from..to)).unwrap();
    let text = String::from_utf8_lossy(&head[..64]).into_owned();
    let found = |text_part: &str| {
        let from = text.find(text_part).unwrap();
        part(from, from + text_part.len())
    };
    headers.insert(ETAG, found(&format!("\"{number}\"")));
    headers.insert(CONTENT_TYPE, found("text/plain"));
    headers.insert(SERVER, found("junk/1.0"));
    headers.insert(CACHE_CONTROL, found("max-age=86400"));
    for at in 0..50 {
        let name = HeaderName::from_bytes(format!("x-junk-{at}").as_bytes()).unwrap();
        headers.insert(name, part(1000 + at * 1000, 2000 + at * 1000));
    }
    headers
}

fn long_body(number: usize) -> Vec<u8> {
    let mut body = format!("User-agent: *\nDisallow: /{number}\n#").into_bytes();
    body.resize(512_000, b'j');
    body
}

fn rules(number: usize, count: usize, path: &str) -> Vec<u8> {
    let lines = (0..count).map(|rule| format!("Disallow: {path}/{number}/{rule}{path}\n"));
    let body = std::iter::once("User-agent: *\n".to_owned()).chain(lines);
    body.collect::<String>().into_bytes()
}

/// Reads a value of `/proc/self/status`, which is in KiB.
fn status_bytes(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let number = line.unwrap().trim_matches(|it: char| !it.is_ascii_digit());
    number.parse::<u64>().unwrap() * 1024
}

/// Runs `measure` in a separate process that runs only this test.
fn measured(name: &str, measure: fn()) {
    if std::env::var_os(CHILD).is_some() {
        return measure();
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture"])
        .env(CHILD, "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    // This was the measured process.
    assert!(said.contains("at most"), "{said}");
    eprintln!("{said}");
}

#[test]
fn resident_memory_stays_within_the_bound_whatever_servers_send() {
    let name = "resident_memory_stays_within_the_bound_whatever_servers_send";
    measured(name, ask_junk_servers);
}

#[test]
fn a_call_about_many_authorities_stays_within_the_bound() {
    measured(
        "a_call_about_many_authorities_stays_within_the_bound",
        ask_about_many,
    );
}

/// Authorities of one call. Their policies take far more than the client's bound, and a list of
/// their names alone would take half of it.
const MANY_HOSTS: usize = 20_000;

/// The client's bound for them.
const MANY_BYTES_MAX: usize = 16 << 20;

/// Maximum heap use in bytes at the time of a request.
static HEAP_MOST: AtomicUsize = AtomicUsize::new(0);

fn heap_bytes() -> usize {
    let stats = HEAP.stats();
    stats.bytes_allocated - stats.bytes_deallocated
}

/// Many rules of each host.
struct RuledServers;

impl Transport for RuledServers {
    fn send<'a>(&'a self, request: &'a Request, _: Instant) -> BoxFuture<'a, Arrival> {
        HEAP_MOST.fetch_max(heap_bytes(), Ordering::Relaxed);
        let digits = request.url.host_str().unwrap_or_default();
        let number = digits.trim_matches(|it: char| !it.is_ascii_digit()).parse();
        let reply = HttpReply {
            status: 200,
            headers: HeaderMap::new(),
            body: rules(number.unwrap(), 40, "/shop"),
            body_end: BodyEnd::Whole,
        };
        Box::pin(async move {
            // Let others begin, as during a wait for the network.
            tokio::task::yield_now().await;
            Arrival::new(Received::Http(reply))
        })
    }
}

fn ask_about_many() {
    let mut limits = FetchLimits::default();
    limits.fetches_max = 4 * AT_ONCE;
    let client = Client::over(Arc::new(RuledServers))
        .limits(limits)
        .memory_bytes_max(MANY_BYTES_MAX as u64)
        .build()
        .unwrap();
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let urls: Vec<String> = (0..MANY_HOSTS)
        .map(|number| format!("https://h{number}.example/shop/{number}/39/shop"))
        .collect();
    let before = heap_bytes();
    let crawler = Crawler::unnamed();
    let decisions = runtime.block_on(client.decide_many(&crawler, &urls));
    for (number, decision) in decisions.iter().enumerate() {
        let rule = decision.as_ref().unwrap().rule().unwrap().to_string();
        assert_eq!(rule, format!("Disallow: /shop/{number}/39/shop"));
    }
    let after = heap_bytes();
    drop(decisions);
    // The decisions are the caller's.
    let decided = after - heap_bytes();
    let most = HEAP_MOST.load(Ordering::Relaxed).max(after) - before - decided;
    eprintln!(
        "at most {most}, decisions {decided}, {:?}",
        client.held_stat()
    );
    assert!(most <= MANY_BYTES_MAX, "{most} > {MANY_BYTES_MAX}");
}

fn ask_junk_servers() {
    let mut limits = FetchLimits::default();
    limits.fetches_max = AT_ONCE;
    let client = Client::over(Arc::new(JunkServers))
        .limits(limits)
        .memory_bytes_max(BYTES_MAX)
        .build()
        .unwrap();
    let crawlers: Vec<Crawler> = (0..CRAWLERS)
        .map(|number| {
            let name = format!("Bot-{}", ["a", "b"][number]);
            Crawler::from(ProductToken::new(&name).unwrap())
        })
        .collect();
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let hosts: Vec<usize> = (0..FIRST_HOSTS + OTHER_HOSTS).collect();
    let mut at_first = 0;
    for batch in hosts.chunks(AT_ONCE) {
        if batch[0] == FIRST_HOSTS {
            at_first = status_bytes("VmHWM:");
        }
        let urls: Vec<String> = batch
            .iter()
            .map(|number| format!("https://h{number}.example/page"))
            .collect();
        for crawler in &crawlers {
            for decision in runtime.block_on(client.decide_many(crawler, &urls)) {
                decision.unwrap();
            }
        }
        let held = client.held_stat();
        assert!(held.bytes() <= BYTES_MAX, "{held:?}");
    }
    let held = client.held_stat();
    let resident = status_bytes("VmHWM:");
    eprintln!("resident at most {resident}, at first {at_first}, {held:?}");
    assert!(resident <= RESIDENT_MAX, "{resident} > {RESIDENT_MAX}");
    let growth = resident - at_first;
    assert!(growth <= GROWTH_MAX, "{growth} > {GROWTH_MAX}");
    assert!(
        held.answers > 50 && held.bytes() > BYTES_MAX / 2,
        "{held:?}"
    );
}
