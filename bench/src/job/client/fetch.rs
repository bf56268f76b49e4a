//! J7, `fetch`: a decision about an unknown site, fetched over loopback, by wall time and by the CPU time of all
//! threads except the server's.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use http::header::{ACCEPT, ACCEPT_ENCODING, HOST, USER_AGENT};
use http_body_util::{BodyExt as _, Empty};
use hyper::body::Bytes;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use ipnet::IpNet;
use tokio::runtime::Builder;
use tokio::task::JoinSet;
use verger::{Crawler, Dialect};
use verger_access::AccessResult;
use verger_client::{
    AddressGuard, BoxFuture, Client, NetworkTransport, ResolveError, Resolver, TransportSettings,
};
use verger_store::{MemoryStore, SqliteStore, Store};

use crate::clock;
use crate::figure::{Block, Figure};
use crate::generator;
use crate::job::Job;
use crate::loopback_server::{Certificate, LoopbackServer, Speech};
use crate::options::Options;
use crate::race::{Outcome, median};
use crate::scratch_folder::ScratchFolder;

const INPUTS: [(&str, &str); 2] = [
    ("fetch", "by the clock on the wall"),
    ("fetch-cpu", "CPU time of all threads but the server's"),
];

const NAMES: [&str; 4] = [
    "verger-client/http",
    "verger-client/https",
    "verger-client/http+sqlite",
    "hyper/http",
];

/// Number of concurrent fetches.
const AT_ONCE: usize = 64;

/// Maximum number of rounds. A round takes a second, and sockets are finite.
const ROUNDS_MAX: usize = 3;

const DOMAIN: &str = "bench.example";

const USER_AGENT_TEXT: &str = "ExampleBot/1.0 (+https://example.com/bot)";

/// Wall time and CPU time of a fetch, in nanoseconds.
type Spans = [f64; 2];

type Answered = BoxFuture<'static, Result<(), String>>;

type Fetch = Arc<dyn Fn(usize) -> Answered + Send + Sync>;

pub(crate) fn blocks(options: &Options) -> Result<Vec<Block>, String> {
    let inputs = INPUTS
        .iter()
        .filter(|(input, _)| options.wants_input(input));
    let inputs: Vec<_> = inputs.collect();
    let wanted = |name: &&str| options.wants_engine(name.split('/').next().unwrap_or_default());
    let names: Vec<&str> = NAMES.into_iter().filter(wanted).collect();
    if inputs.is_empty() || names.is_empty() {
        return Ok(Vec::new());
    }
    let folder = ScratchFolder::new("client")?;
    let body = generator::site_body(0);
    let mut spans: BTreeMap<&str, Vec<Spans>> = BTreeMap::new();
    for round in 0..options.rounds.min(ROUNDS_MAX) {
        for turn in 0..names.len() {
            let name = names[(round + turn) % names.len()];
            let measured = measured(name, &body, &folder, options.urls)?;
            spans.entry(name).or_default().push(measured);
        }
    }
    let block = |&(input, words): &(&str, &str)| {
        let clock = usize::from(input == INPUTS[1].0);
        let figure = |name: &&str| {
            let of_clock = spans.get(name).into_iter().flatten();
            let nanoseconds = median(of_clock.map(|spans| spans[clock]).collect());
            Figure::of(*name, Outcome::Nanoseconds(nanoseconds))
        };
        Block {
            job: Job::Client.name(),
            input: input.to_owned(),
            detail: format!(
                ": {} hosts on loopback, {AT_ONCE} at once, {} B: {words}",
                options.urls,
                body.len()
            ),
            reference: NAMES[0],
            bytes_per_call: None,
            rules: None,
            figures: names.iter().map(figure).collect(),
        }
    };
    Ok(inputs.into_iter().map(block).collect())
}

/// Measures one round of one contestant, against a server of its own.
fn measured(
    name: &str,
    body: &[u8],
    folder: &ScratchFolder,
    count: usize,
) -> Result<Spans, String> {
    let certificate = Certificate::of(&format!("*.{DOMAIN}"))?;
    let is_secure = name.ends_with("/https");
    let speech = if is_secure {
        Speech::Https(Arc::clone(&certificate.config))
    } else {
        Speech::Http
    };
    let server = LoopbackServer::answering(body, speech)?;
    let store: Arc<dyn Store> = if name.ends_with("+sqlite") {
        Arc::new(SqliteStore::open(&folder.new_file()).map_err(told)?)
    } else {
        Arc::new(MemoryStore::new(1 << 30))
    };
    let fetch = match name {
        "hyper/http" => bare(server.port),
        _ if is_secure => deciding("https", server.port, store, vec![certificate.der])?,
        _ => deciding("http", server.port, store, Vec::new())?,
    };
    let runtime = Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build();
    let runtime = runtime.map_err(told)?;
    let cpu_before = clock::process_time().saturating_sub(server.cpu_time()?);
    let start = Instant::now();
    runtime.block_on(fetch_all(fetch, count))?;
    let wall = start.elapsed();
    let cpu_after = clock::process_time().saturating_sub(server.cpu_time()?);
    #[allow(clippy::cast_precision_loss)]
    let each = |span: std::time::Duration| span.as_secs_f64() * 1e9 / count.max(1) as f64;
    Ok([each(wall), each(cpu_after.saturating_sub(cpu_before))])
}

/// Fetches from `count` hosts, some concurrently.
async fn fetch_all(fetch: Fetch, count: usize) -> Result<(), String> {
    let next = Arc::new(AtomicUsize::new(0));
    let mut fetching: JoinSet<Result<(), String>> = JoinSet::new();
    for _ in 0..AT_ONCE {
        let (fetch, next) = (Arc::clone(&fetch), Arc::clone(&next));
        fetching.spawn(async move {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count {
                    return Ok(());
                }
                fetch(number).await?;
            }
        });
    }
    while let Some(fetched) = fetching.join_next().await {
        fetched.map_err(told)??;
    }
    Ok(())
}

/// Verger's client without any stored answers.
fn deciding(
    scheme: &'static str,
    port: u16,
    store: Arc<dyn Store>,
    root_certificates: Vec<Vec<u8>>,
) -> Result<Fetch, String> {
    let loopback = "127.0.0.0/8".parse::<IpNet>().map_err(told)?;
    let mut settings = TransportSettings::new(USER_AGENT_TEXT);
    settings.guard = AddressGuard::default().allowing(loopback);
    settings.resolver = Arc::new(Loopback);
    settings.root_certificates = root_certificates;
    let transport = NetworkTransport::new(settings).map_err(told)?;
    let client = Client::over(Arc::new(transport)).store(store);
    let client = client.build().map_err(told)?;
    let crawler = Crawler::named("ExampleBot", Dialect::Rfc9309).map_err(told)?;
    Ok(Arc::new(move |number| {
        let (client, crawler) = (client.clone(), crawler.clone());
        Box::pin(async move {
            let url = format!("{scheme}://host-{number}.{DOMAIN}:{port}/");
            let decision = client.decide(&crawler, &url).await.map_err(told)?;
            match decision.answer().access_result() {
                Some(AccessResult::Successful(_)) => Ok(()),
                result => Err(format!("{url}: {result:?}")),
            }
        })
    }))
}

/// The lower bound: the same request on a new connection and the whole body, nothing else.
fn bare(port: u16) -> Fetch {
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    let client = hyper_util::client::legacy::Client::builder(TokioExecutor::new())
        .pool_max_idle_per_host(0)
        .build::<_, Empty<Bytes>>(connector);
    Arc::new(move |number| {
        let client = client.clone();
        Box::pin(async move {
            let request = http::Request::get(format!("http://127.0.0.1:{port}/robots.txt"))
                .header(HOST, format!("host-{number}.{DOMAIN}:{port}"))
                .header(USER_AGENT, USER_AGENT_TEXT)
                .header(ACCEPT, "text/plain, */*;q=0.1")
                .header(ACCEPT_ENCODING, "gzip, br, zstd");
            let request = request.body(Empty::new()).map_err(told)?;
            let response = client.request(request).await.map_err(told)?;
            let body = response.into_body().collect().await.map_err(told)?;
            let bytes = body.to_bytes();
            (!bytes.is_empty())
                .then_some(())
                .ok_or_else(|| "there is no body".to_owned())
        })
    })
}

struct Loopback;

impl Resolver for Loopback {
    fn resolve<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<Vec<IpAddr>, ResolveError>> {
        Box::pin(async { Ok(vec![IpAddr::V4(Ipv4Addr::LOCALHOST)]) })
    }
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}
