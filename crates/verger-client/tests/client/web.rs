//! A web as a table of replies with a gate, and a clock that tests set.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use http::{HeaderMap, HeaderName, HeaderValue};
use tokio::sync::Semaphore;
use tokio::time::Instant;
use verger::{Crawler, ProductToken};
use verger_access::{Authority, BodyEnd, Request, Timestamp, TransportFailure};
use verger_client::{
    Arrival, BoxFuture, Client, ClientBuilder, Clock, HttpReply, Received, Transport,
};
use verger_testkit::scenario::{ServerReply, TIME_ZERO};

#[derive(Debug)]
pub(crate) struct SetClock(AtomicU64);

impl SetClock {
    pub(crate) fn at(seconds: i64) -> Arc<Self> {
        let clock = Self(AtomicU64::new(0));
        clock.set(seconds);
        Arc::new(clock)
    }

    /// Sets the clock to this many seconds after time zero.
    pub(crate) fn set(&self, seconds: i64) {
        let seconds = u64::try_from(TIME_ZERO + seconds).unwrap();
        self.0.store(seconds, Ordering::SeqCst);
    }
}

impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_unix_seconds(self.0.load(Ordering::SeqCst))
    }
}

/// A web as a table of replies. A URL without a reply has no DNS name.
pub(crate) struct Web {
    pages: Mutex<BTreeMap<String, ServerReply>>,
    requests: Mutex<Vec<Request>>,
    /// Requests wait here while it has no permits.
    gate: Semaphore,
    in_flight: Mutex<InFlight>,
}

/// Number of requests in flight and its maximum so far, by authority.
#[derive(Default)]
struct InFlight(BTreeMap<String, (usize, usize)>);

impl Web {
    /// Creates a web that answers at once.
    pub(crate) fn open() -> Arc<Self> {
        Arc::new(Self::behind(Semaphore::MAX_PERMITS))
    }

    /// Creates a web that answers once [`Web::open_gate`] is called.
    pub(crate) fn shut() -> Arc<Self> {
        Arc::new(Self::behind(0))
    }

    fn behind(permits: usize) -> Self {
        Self {
            pages: Mutex::default(),
            requests: Mutex::default(),
            gate: Semaphore::new(permits),
            in_flight: Mutex::default(),
        }
    }

    pub(crate) fn open_gate(&self) {
        self.gate.add_permits(Semaphore::MAX_PERMITS / 2);
    }

    pub(crate) fn say(&self, url: &str, reply: ServerReply) {
        self.pages.lock().unwrap().insert(url.to_owned(), reply);
    }

    /// Serves a robots.txt at `url`, with only a type header.
    pub(crate) fn say_text(&self, url: &str, body: &str) {
        self.say(url, text(body, &[]));
    }

    /// Returns the requested URLs so far, in order.
    pub(crate) fn requests(&self) -> Vec<String> {
        let requests = self.requests.lock().unwrap();
        requests.iter().map(|it| it.url.to_string()).collect()
    }

    /// Returns the URLs whose requests had this header, in order.
    pub(crate) fn requests_with(&self, name: &str) -> Vec<String> {
        let requests = self.requests.lock().unwrap();
        let with = requests
            .iter()
            .filter(|it| it.conditions.contains_key(name));
        with.map(|it| it.url.to_string()).collect()
    }

    pub(crate) fn header_of_first(&self, name: &str) -> Option<HeaderValue> {
        let requests = self.requests.lock().unwrap();
        requests.first()?.conditions.get(name).cloned()
    }

    pub(crate) fn request_count(&self) -> usize {
        self.requests.lock().unwrap().len()
    }

    /// Returns the maximum number of requests in flight, over all authorities.
    pub(crate) fn most_at_once(&self) -> usize {
        self.most_at_once_of("")
    }

    pub(crate) fn most_at_once_of(&self, authority: &str) -> usize {
        let in_flight = self.in_flight.lock().unwrap();
        in_flight.0.get(authority).map_or(0, |&(_, most)| most)
    }

    fn received(&self, request: &Request) -> Received {
        let failure = |failure, detail: &str| Received::Failure {
            failure,
            detail: detail.to_owned(),
        };
        match self.pages.lock().unwrap().get(request.url.as_str()) {
            None => failure(TransportFailure::Dns, "no such name"),
            Some(ServerReply::Failure { name }) => failure(name.parse().unwrap(), name),
            Some(ServerReply::Ftp { code }) => Received::FtpReply(*code),
            Some(ServerReply::FtpFile { body }) => Received::FtpFile {
                body: body.clone(),
                body_end: BodyEnd::Whole,
            },
            Some(reply @ ServerReply::Http { status, body, .. }) => {
                let headers = header_map(reply);
                let conditions = &request.conditions;
                let condition = |name: &str| Some(conditions.get(name)?.as_bytes());
                let (status, body) = if reply.is_unchanged_for(condition) {
                    (304, Vec::new())
                } else {
                    (*status, body.clone())
                };
                Received::Http(HttpReply {
                    status,
                    headers,
                    body,
                    body_end: BodyEnd::Whole,
                })
            }
        }
    }
}

struct Counted<'w>(&'w Web, String);

impl<'w> Counted<'w> {
    fn of(web: &'w Web, request: &Request) -> Self {
        let authority = Authority::from_parsed_url(&request.url)
            .unwrap()
            .to_string();
        let mut in_flight = web.in_flight.lock().unwrap();
        for name in ["", &authority] {
            let (now, most) = in_flight.0.entry(name.to_owned()).or_default();
            *now += 1;
            *most = (*most).max(*now);
        }
        Self(web, authority)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        let mut in_flight = self.0.in_flight.lock().unwrap();
        for name in ["", &self.1] {
            in_flight.0.entry(name.to_owned()).or_default().0 -= 1;
        }
    }
}

impl Transport for Web {
    fn send<'a>(&'a self, request: &'a Request, _: Instant) -> BoxFuture<'a, Arrival> {
        Box::pin(async move {
            let _counted = Counted::of(self, request);
            self.requests.lock().unwrap().push(request.clone());
            self.gate.acquire().await.unwrap().forget();
            self.gate.add_permits(1);
            // Let other tasks run, as during a wait for the network.
            tokio::task::yield_now().await;
            Arrival {
                peer: Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1))),
                ..Arrival::new(self.received(request))
            }
        })
    }
}

fn header_map(reply: &ServerReply) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in reply.header_fields() {
        let name: HeaderName = name.parse().unwrap();
        headers.append(name, value.parse().unwrap());
    }
    headers
}

pub(crate) fn text(body: &str, headers: &[(&str, &str)]) -> ServerReply {
    let usual = [("content-type", "text/plain")];
    let headers = usual.iter().chain(headers);
    ServerReply::Http {
        status: 200,
        headers: headers
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        body: body.as_bytes().to_vec(),
    }
}

pub(crate) fn status(status: u16) -> ServerReply {
    ServerReply::Http {
        status,
        headers: Vec::new(),
        body: Vec::new(),
    }
}

pub(crate) fn redirect(location: &str) -> ServerReply {
    ServerReply::Http {
        status: 301,
        headers: vec![("location".to_owned(), location.to_owned())],
        body: Vec::new(),
    }
}

pub(crate) fn crawler(token: &str) -> Crawler {
    Crawler::from(ProductToken::new(token).unwrap())
}

/// A client over `web` without jitter.
pub(crate) fn client(web: &Arc<Web>, clock: &Arc<SetClock>) -> ClientBuilder {
    let transport: Arc<dyn Transport> = Arc::<Web>::clone(web);
    let clock: Arc<dyn Clock> = Arc::<SetClock>::clone(clock);
    Client::over(transport)
        .clock(clock)
        .jitter(|| verger_access::Jitter::NONE)
}

pub(crate) fn seconds(at: Timestamp) -> i64 {
    i64::try_from(at.unix_seconds()).unwrap() - TIME_ZERO
}
