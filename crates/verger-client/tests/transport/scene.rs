//! A transport that may connect to loopback, and a resolver with the test's names.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::Instant;
use url::Url;
use verger_access::{Request, TransportFailure};
use verger_client::{
    AddressGuard, Arrival, BoxFuture, HttpReply, NetworkTransport, Received, ResolveError,
    Resolver, Transport, TransportSettings,
};

/// A timeout that a server exceeds on purpose, and that no other step reaches on a busy machine.
pub(crate) const SHORT: Duration = Duration::from_secs(1);

/// A timeout that nothing reaches.
const LONG: Duration = Duration::from_secs(100);

/// Settings that allow 127.0.0.0/8, with timeouts that a busy machine does not reach.
pub(crate) fn settings() -> TransportSettings {
    let mut settings = TransportSettings::new("TestBot/1.0");
    settings.connect_timeout = LONG;
    settings.head_timeout = LONG;
    settings.silence_timeout = LONG;
    settings.idle_timeout = LONG;
    settings.guard = AddressGuard::default().allowing("127.0.0.0/8".parse().unwrap());
    settings.idle_connections_per_host = 1;
    settings
}

/// The same settings with a short timeout. A test shortens only the step it tests.
pub(crate) fn short_connect_timeout() -> TransportSettings {
    let mut settings = settings();
    settings.connect_timeout = SHORT;
    settings
}

/// See [`short_connect_timeout`]. Also applies to FTP replies.
pub(crate) fn short_head_timeout() -> TransportSettings {
    let mut settings = settings();
    settings.head_timeout = SHORT;
    settings
}

/// See [`short_connect_timeout`].
pub(crate) fn short_silence_timeout() -> TransportSettings {
    let mut settings = settings();
    settings.silence_timeout = SHORT;
    settings
}

/// A resolver with the test's names. Each has a list of answers, of which the last repeats.
#[derive(Default)]
pub(crate) struct Names {
    answers: Mutex<BTreeMap<String, Vec<Vec<IpAddr>>>>,
    asked: AtomicUsize,
}

impl Names {
    pub(crate) fn new(names: &[(&str, &[&[&str]])]) -> Arc<Self> {
        let address = |text: &&str| text.parse().unwrap();
        let addresses = |list: &&[&str]| list.iter().map(address).collect();
        let answers = names
            .iter()
            .map(|(name, lists)| ((*name).to_owned(), lists.iter().map(addresses).collect()));
        Arc::new(Self {
            answers: Mutex::new(answers.collect()),
            asked: AtomicUsize::new(0),
        })
    }

    /// Returns the number of lookups so far.
    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

impl Resolver for Names {
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, Result<Vec<IpAddr>, ResolveError>> {
        Box::pin(async move {
            self.asked.fetch_add(1, Ordering::SeqCst);
            if host == "silent.example" {
                std::future::pending::<()>().await;
            }
            let mut answers = self.answers.lock().unwrap();
            let lists = answers.get_mut(host);
            let lists = lists.ok_or_else(|| ResolveError::new("there is no such name"))?;
            if lists.len() > 1 {
                return Ok(lists.remove(0));
            }
            Ok(lists.first().cloned().unwrap_or_default())
        })
    }
}

pub(crate) fn request(url: &str) -> Request {
    Request {
        url: Url::parse(url).unwrap(),
        conditions: http::HeaderMap::new(),
    }
}

/// A deadline that no test reaches.
pub(crate) fn far_off() -> Instant {
    Instant::now() + Duration::from_secs(600)
}

pub(crate) async fn fetch(settings: TransportSettings, url: &str) -> Arrival {
    let transport = NetworkTransport::new(settings).unwrap();
    transport.send(&request(url), far_off()).await
}

/// Returns the reply, or panics.
#[track_caller]
pub(crate) fn reply(arrival: Arrival) -> HttpReply {
    match arrival.received {
        Received::Http(reply) => reply,
        other => panic!("no HTTP reply, but {other:?}"),
    }
}

/// Returns the failure with its message.
#[track_caller]
pub(crate) fn failure(arrival: Arrival) -> (TransportFailure, String) {
    match arrival.received {
        Received::Failure { failure, detail } => (failure, detail),
        Received::Http(reply) => panic!(
            "no failure, but {}, {} bytes",
            reply.status,
            reply.body.len()
        ),
        other => panic!("no failure, but {other:?}"),
    }
}

/// Asserts that the request failed this way, with these words in the detail.
#[track_caller]
pub(crate) fn assert_failure(arrival: Arrival, expected: TransportFailure, words: &str) {
    let (failure, detail) = failure(arrival);
    assert_eq!(failure, expected, "{detail}");
    assert!(detail.contains(words), "{detail}");
}
