//! The load generator of `measure load`: first more requests than a server accepts, then invented tokens and hosts.
//!
//! It also plays the sites: every address of 127.0.0.0/8, on its port, answers after [`SITE_PAUSE`].

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::sleep;

const SERVER: &str = "127.0.0.1:7309";

const SITE_PORT: u16 = 7307;

const SITE_PAUSE: Duration = Duration::from_millis(50);

const ROBOTS: &str = "User-agent: *\nDisallow: /private\nDisallow: /*.gif$\nAllow: /\n";

const HONEST_SITES: u32 = 100;

type Failure = Box<dyn std::error::Error + Send + Sync>;

struct Connection(BufReader<TcpStream>);

struct Head {
    status: u16,
    has_retry_after: bool,
}

impl Connection {
    async fn open() -> Result<Self, Failure> {
        let stream = TcpStream::connect(SERVER).await?;
        stream.set_nodelay(true)?;
        Ok(Self(BufReader::new(stream)))
    }

    async fn get(&mut self, path: &str) -> Result<(Head, Vec<u8>), Failure> {
        let request = format!("GET {path} HTTP/1.1\r\nHost: h\r\n\r\n");
        self.0.get_mut().write_all(request.as_bytes()).await?;
        let (mut line, mut length) = (String::new(), 0);
        self.0.read_line(&mut line).await?;
        let status = line.split(' ').nth(1).ok_or("no status")?.parse()?;
        let mut has_retry_after = false;
        loop {
            line.clear();
            self.0.read_line(&mut line).await?;
            if line == "\r\n" {
                break;
            }
            let (name, value) = line.split_once(':').ok_or("no header")?;
            match name {
                "content-length" => length = value.trim().parse()?,
                "retry-after" => has_retry_after = true,
                _ => {}
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).await?;
        Ok((
            Head {
                status,
                has_retry_after,
            },
            body,
        ))
    }
}

#[derive(Default)]
struct Counts {
    by_status: BTreeMap<u16, u64>,
    without_retry_after: u64,
    /// Latencies of responses with status 200.
    took: Vec<Duration>,
}

impl Counts {
    fn add(&mut self, head: &Head, took: Duration) {
        *self.by_status.entry(head.status).or_default() += 1;
        if head.status == 200 {
            self.took.push(took);
        } else if !head.has_retry_after {
            self.without_retry_after += 1;
        }
    }

    fn merge(&mut self, other: Self) {
        for (status, count) in other.by_status {
            *self.by_status.entry(status).or_default() += count;
        }
        self.without_retry_after += other.without_retry_after;
        self.took.extend(other.took);
    }

    fn print(&mut self, name: &str, seconds: u64) {
        self.took.sort();
        let at = |percent: usize| {
            let place = self.took.len() * percent / 100;
            self.took.get(place).copied().unwrap_or_default()
        };
        println!(
            "{name}: {} accepted a second, {:.1?} at the median, {:.1?} at p99; statuses {:?}; refused without Retry-After {}",
            self.took.len() as u64 / seconds.max(1),
            at(50),
            at(99),
            self.by_status,
            self.without_retry_after
        );
    }
}

/// Sends requests over this many connections until `path` returns `None`.
async fn ask(
    connections: u32,
    path: impl Fn() -> Option<String> + Send + Sync + 'static,
) -> Result<(Counts, Duration), Failure> {
    let (path, started) = (Arc::new(path), Instant::now());
    let mut asking = JoinSet::new();
    for _ in 0..connections {
        let path = Arc::clone(&path);
        asking.spawn(async move {
            let (mut connection, mut counts) = (Connection::open().await?, Counts::default());
            while let Some(path) = path() {
                let asked = Instant::now();
                let (head, _) = connection.get(&path).await?;
                counts.add(&head, asked.elapsed());
                // The shortest pause of an honest client, which would wait for `Retry-After`.
                if head.status != 200 {
                    sleep(SITE_PAUSE).await;
                }
            }
            Ok::<_, Failure>(counts)
        });
    }
    let mut all = Counts::default();
    while let Some(counts) = asking.join_next().await {
        all.merge(counts??);
    }
    Ok((all, started.elapsed()))
}

fn new_site() -> String {
    static SITES: AtomicU32 = AtomicU32::new(1 << 20);
    let [_, a, b, c] = SITES.fetch_add(1, Ordering::Relaxed).to_be_bytes();
    format!("/v1/check?url=http://127.{a}.{b}.{c}:{SITE_PORT}/private")
}

async fn serve_sites(requests: Arc<AtomicU64>) -> Result<(), Failure> {
    let listener = TcpListener::bind(SocketAddr::from(([0, 0, 0, 0], SITE_PORT))).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        let requests = Arc::clone(&requests);
        tokio::spawn(async move {
            let mut stream = BufReader::new(stream);
            let mut line = String::new();
            while stream
                .read_line(&mut line)
                .await
                .is_ok_and(|bytes| bytes > 2)
            {
                line.clear();
            }
            requests.fetch_add(1, Ordering::Relaxed);
            sleep(SITE_PAUSE).await;
            let length = ROBOTS.len();
            let head =
                format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
            let _ = stream.get_mut().write_all((head + ROBOTS).as_bytes()).await;
        });
    }
}

/// Returns the resident memory of the process in MiB.
fn resident(process: &str) -> Result<f64, Failure> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes: f64 = line
        .ok_or("no VmRSS")?
        .trim_end_matches("kB")
        .trim()
        .parse()?;
    Ok(kibibytes / 1024.0)
}

/// Samples the resident memory of the process each second until `is_done` is set.
async fn watch(process: String, is_done: Arc<AtomicBool>) -> Result<Vec<f64>, Failure> {
    let mut all = Vec::new();
    while !is_done.load(Ordering::Relaxed) {
        all.push(resident(&process)?);
        sleep(Duration::from_secs(1)).await;
    }
    Ok(all)
}

/// Returns the sum of all samples whose metric name starts with `name`.
async fn metric(name: &str) -> Result<u64, Failure> {
    let (_, body) = Connection::open().await?.get("/metrics").await?;
    let text = String::from_utf8(body)?;
    let samples = text.lines().filter(|line| line.starts_with(name));
    let values = samples.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok());
    Ok(values.sum())
}

/// Queries the same sites until `is_done` is set.
async fn crawl_honestly(is_done: Arc<AtomicBool>) -> Result<(), Failure> {
    let mut connection = Connection::open().await?;
    let mut asked = 0_u64;
    while !is_done.load(Ordering::Relaxed) {
        let site = asked % u64::from(HONEST_SITES);
        let path = format!("/v1/check?url=http://127.0.1.{site}:{SITE_PORT}/private");
        connection.get(&path).await?;
        asked += 1;
        sleep(Duration::from_millis(1)).await;
    }
    Ok(())
}

/// Runs a phase while sampling memory, and prints the result.
async fn phase(
    process: &str,
    name: &str,
    connections: u32,
    path: impl Fn() -> Option<String> + Send + Sync + 'static,
) -> Result<(), Failure> {
    let is_done = Arc::new(AtomicBool::new(false));
    let watched = tokio::spawn(watch(process.to_owned(), Arc::clone(&is_done)));
    let (mut counts, took) = ask(connections, path).await?;
    is_done.store(true, Ordering::Relaxed);
    counts.print(name, took.as_secs());
    let resident = watched.await??;
    let held = metric("vergerd_held_bytes").await? >> 20;
    let third = resident.len().div_ceil(3);
    let most = |part: &[f64]| part.iter().copied().fold(0.0, f64::max);
    println!(
        "    resident, MiB: {:.0} at most in the first third, {:.0} in the last; held {held}",
        most(&resident[..third]),
        most(&resident[resident.len() - third..])
    );
    Ok(())
}

/// Yields `count` paths, then `None`.
fn first<F: Fn(u64) -> String>(count: u64, path: F) -> impl Fn() -> Option<String> {
    let next = AtomicU64::new(0);
    move || {
        let number = next.fetch_add(1, Ordering::Relaxed);
        (number < count).then(|| path(number))
    }
}

/// Arguments: process, maximum number of sites it waits for, seconds of load, number of tokens and hosts.
#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let process = arguments.next().ok_or("no process")?;
    let mut number = || {
        arguments
            .next()
            .ok_or("too few arguments")?
            .parse::<u64>()
            .map_err(Failure::from)
    };
    let (waiting_max, seconds, invented) = (u32::try_from(number()?)?, number()?, number()?);
    let fetched = Arc::new(AtomicU64::new(0));
    tokio::spawn(serve_sites(Arc::clone(&fetched)));
    for (name, connections) in [
        ("at capacity", waiting_max),
        ("at 4 x that", 4 * waiting_max),
    ] {
        let until = Instant::now() + Duration::from_secs(seconds);
        let path = move || (Instant::now() < until).then(new_site);
        phase(&process, name, connections, path).await?;
    }
    let is_done = Arc::new(AtomicBool::new(false));
    let honest = tokio::spawn(crawl_honestly(Arc::clone(&is_done)));
    while fetched.load(Ordering::Relaxed) == 0
        || metric("vergerd_answers_total{from=\"memory\"}").await? < 1000
    {
        sleep(Duration::from_millis(10)).await;
    }
    let (from_memory, all) = (
        "vergerd_answers_total{from=\"memory\"}",
        "vergerd_answers_total",
    );
    let [before, before_all] = [metric(from_memory).await?, metric(all).await?];
    let letters = |number: u64| -> String {
        let digits = format!("{number:06x}");
        let digits = digits.chars().filter_map(|it| it.to_digit(16));
        digits
            .filter_map(|it| char::from_digit(it + 10, 36))
            .collect()
    };
    let of_token = format!("/v1/check?url=http://127.0.1.0:{SITE_PORT}/private&agent=bot-");
    let path = first(invented, move |number| of_token.clone() + &letters(number));
    phase(&process, "invented tokens", 64, path).await?;
    // The server may connect only to loopback, so each of these hosts is refused immediately.
    let path = first(invented, |number| {
        let [_, a, b, c] = u32::try_from(number).unwrap_or(0).to_be_bytes();
        format!("/v1/check?url=http://10.{a}.{b}.{c}/private")
    });
    phase(&process, "invented hosts", 64, path).await?;
    let [after, after_all] = [metric(from_memory).await?, metric(all).await?];
    is_done.store(true, Ordering::Relaxed);
    honest.await??;
    println!(
        "honest crawler meanwhile: {} of {} answers from memory",
        after - before,
        after_all - before_all - 2 * invented
    );
    Ok(())
}
