//! Observations and helpers for tests.

use std::path::{Path, PathBuf};
use std::time::Duration;

use http::{HeaderMap, HeaderValue};
use verger_access::{
    Attempt, Authority, GoodCopy, Hop, Jitter, Knowledge, LastAttempt, Outcome, Profile, Reply,
    Timestamp, TransportFailure, Warning,
};
use verger_store::{
    Acquisition, Archive, BodyHash, HopFacts, KeptHead, KeptHeaders, Lease, Observation,
    PackedFacts, SnapshotId, StoreError, TlsFacts, TlsVersion,
};

pub const MINUTE: Duration = Duration::from_secs(60);

pub fn at(seconds: u64) -> Timestamp {
    Timestamp::from_unix_seconds(1_800_000_000 + seconds)
}

pub fn authority(host: &str) -> Authority {
    Authority::from_url(&format!("https://{host}/")).unwrap()
}

/// Returns a path of a new file that does not exist yet.
pub fn new_file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("verger-store");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{name}-{}.db", std::process::id()));
    remove(&path);
    path
}

/// Deletes a file, its log and its journal, if they exist.
pub fn remove(path: &Path) {
    for end in ["", "-wal", "-shm", "-journal"] {
        let _ = std::fs::remove_file(format!("{}{end}", path.display()));
    }
}

fn observation(host: &str, attempt: Attempt, mut knowledge: Knowledge) -> Observation {
    knowledge.record(&attempt, &Profile::RFC9309, Jitter::from_thousandths(-37));
    let mut headers = HeaderMap::new();
    headers.insert("etag", HeaderValue::from_static("\"v1\""));
    headers.insert("set-cookie", HeaderValue::from_static("never=kept"));
    Observation {
        facts: facts_of_hops(&attempt),
        authority: authority(host),
        profile: Profile::RFC9309.name,
        fresh_until: attempt.last.at.after(MINUTE),
        attempt,
        knowledge,
        headers: KeptHeaders::new(&headers),
        peer: Some("2001:db8::1".parse().unwrap()),
    }
}

pub(crate) fn facts_of_hops(attempt: &Attempt) -> PackedFacts {
    let hops = attempt.hops.iter();
    let facts: Vec<_> = hops.map(|hop| facts_of(hop, attempt.last.at)).collect();
    PackedFacts::from_hops(&facts)
}

/// Returns the facts that a transport reports for a hop, which are fewer without a reply.
fn facts_of(hop: &Hop, time: Timestamp) -> HopFacts {
    let mut facts = HopFacts::default();
    facts.ended_at = Some(time);
    let Some(reply) = hop.reply else {
        return facts;
    };
    facts.sent_at = Some(time);
    facts.peer = Some("192.0.2.7".parse().unwrap());
    facts.tls = (hop.url.scheme() == "https").then(|| TlsFacts {
        version: TlsVersion::Tls13,
        certificates: [b"its own", b"another"]
            .map(|der| BodyHash::new(der))
            .to_vec(),
    });
    let request = format!("GET {} HTTP/1.1\r\nCookie: secret\r\n\r\n", hop.url.path());
    facts.request = Some(KeptHead::new(request.as_bytes(), 0));
    let response = format!(
        "HTTP/1.1 {}\r\nX-Robots-Tag: noai\r\nServer: ",
        reply.status()
    );
    let response = [response.as_bytes(), b"caf\xe9\r\n\r\n"].concat();
    facts.response = Some(KeptHead::new(&response, 9));
    facts
}

/// Returns the facts of all snapshots of a host.
pub(crate) fn facts(store: &dyn Archive, host: &str) -> Vec<(SnapshotId, PackedFacts)> {
    let ids = SnapshotId::BEFORE_ALL..=SnapshotId::AFTER_ALL;
    store.facts(&authority(host), ids).unwrap()
}

/// Makes the observation of a robots.txt after a redirect.
pub fn body_seen(host: &str, time: Timestamp, body: &[u8]) -> Observation {
    let authority = authority(host);
    let copy = GoodCopy {
        body: body.into(),
        url: authority.robots_url().clone(),
        entity_tag: Some(HeaderValue::from_bytes(b"\"caf\xe9\"").unwrap()),
        last_modified: None,
        validated_at: time,
        stated_lifetime: Some(Duration::from_secs(3600)),
    };
    let first = Authority::from_url(&format!("http://{host}/")).unwrap();
    let attempt = Attempt {
        last: LastAttempt {
            at: time,
            outcome: Outcome::Successful(Reply::Http(200)),
            stated_lifetime: copy.stated_lifetime,
            retry_after: None,
        },
        hops: vec![
            Hop {
                url: first.robots_url().clone(),
                reply: Some(Reply::Http(301)),
            },
            Hop {
                url: authority.robots_url().clone(),
                reply: Some(Reply::Http(200)),
            },
        ],
        copy: Some(copy),
        warnings: vec![
            Warning::NotUtf8,
            Warning::NotTextPlain {
                media_type: Some("text/html; charset=utf-8".to_owned()),
            },
        ],
    };
    observation(host, attempt, Knowledge::default())
}

/// Makes the observation of a timeout. The earlier knowledge stays.
pub fn timeout_seen(host: &str, time: Timestamp, before: Knowledge) -> Observation {
    let attempt = Attempt {
        last: LastAttempt {
            at: time,
            outcome: Outcome::Failed(TransportFailure::Timeout),
            stated_lifetime: None,
            retry_after: Some(MINUTE),
        },
        hops: vec![Hop {
            url: authority(host).robots_url().clone(),
            reply: None,
        }],
        copy: None,
        warnings: Vec::new(),
    };
    observation(host, attempt, before)
}

/// Makes the observation of a missing file.
pub fn absence_seen(host: &str, time: Timestamp, before: Knowledge) -> Observation {
    let mut seen = timeout_seen(host, time, Knowledge::default());
    seen.attempt.last.outcome = Outcome::Error(Reply::Http(404));
    seen.attempt.last.retry_after = None;
    observation(host, seen.attempt, before)
}

pub fn lease(store: &dyn Archive, host: &str, now: Timestamp) -> Lease {
    match store
        .acquire(&authority(host), "test", now, MINUTE)
        .unwrap()
    {
        Acquisition::Granted(lease) => lease,
        held @ Acquisition::HeldUntil { .. } => panic!("{held:?}"),
    }
}

/// Acquires a lease and puts.
pub fn put(store: &dyn Archive, seen: &Observation) -> SnapshotId {
    let host = seen.authority.host();
    let lease = lease(store, host, seen.attempt.last.at);
    store.put(seen, &lease).unwrap()
}

pub fn knowledge(store: &dyn Archive, host: &str) -> Knowledge {
    let state = store.latest(&authority(host)).unwrap();
    state.map(|state| state.knowledge).unwrap_or_default()
}

pub fn is_lost<T>(result: &Result<T, StoreError>) -> bool {
    matches!(result, Err(StoreError::LeaseLost(_)))
}

pub(crate) fn count(store: &dyn Archive, host: &str) -> usize {
    let found = store.snapshots_before(&authority(host), SnapshotId::AFTER_ALL, usize::MAX);
    found.unwrap().len()
}

/// Returns ten thousand bytes that differ for each number.
pub(crate) fn body_of(number: u64) -> Vec<u8> {
    let mut body = vec![7; 10_000];
    body[..8].copy_from_slice(&number.to_be_bytes());
    body
}

/// Returns the ids of all snapshots of an authority.
pub fn all(store: &dyn Archive, host: &str) -> Vec<SnapshotId> {
    let ever = Timestamp::default()..at(1 << 40);
    let snapshots = store.snapshots(&authority(host), ever, SnapshotId::BEFORE_ALL, usize::MAX);
    let snapshots = snapshots.unwrap();
    snapshots.iter().map(|snapshot| snapshot.id).collect()
}
