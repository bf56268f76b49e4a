//! Tests the client over the network against every behaviour of the hostile origin, under every
//! profile.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use verger::{Crawler, ProductToken};
use verger_access::{AccessResult, Authority, Jitter, Profile};
use verger_client::{
    AddressGuard, BoxFuture, Client, ClientError, FetchLimits, FetchReport, NetworkTransport,
    ResolveError, Resolver, TransportSettings,
};
use verger_origin::{CONNECTIONS_MAX, Origin, OriginSettings};
use verger_testkit::origin_file::{Behaviour, Wire};

/// The origin uses an unusual loopback address, so that it can be refused.
const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 5));

/// A timeout that no expected reply reaches, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(100);

/// The timeout for replies that never come.
const IMPATIENCE: Duration = Duration::from_secs(2);

/// How often to repeat a call that timed out because the machine was busy.
const STANDSTILLS_MAX: usize = 5;

/// Resolves the names of the origin.
struct Names;

impl Resolver for Names {
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, Result<Vec<IpAddr>, ResolveError>> {
        Box::pin(async move {
            match host {
                "origin.test" | "other.test" => Ok(vec![ADDRESS]),
                _ => Err(ResolveError::new("there is no such name")),
            }
        })
    }
}

fn origin() -> Origin {
    let settings = OriginSettings {
        address: ADDRESS,
        host: "origin.test".to_owned(),
        other_host: "other.test".to_owned(),
        step_timeout: PATIENCE,
        ..OriginSettings::loopback()
    };
    Origin::start_with(settings).unwrap()
}

/// A client with these timeouts.
fn client(origin: &Origin, profile: Profile, patience: Duration, deadline: Duration) -> Client {
    let mut settings = TransportSettings::new("FooBot/1.0 (+https://foo.example/bot)");
    settings.guard = AddressGuard::default().allowing("127.0.0.5/32".parse().unwrap());
    settings.resolver = Arc::new(Names);
    settings.connect_timeout = patience;
    settings.head_timeout = patience;
    settings.silence_timeout = patience;
    settings.root_certificates = vec![origin.root_certificate_der().to_vec()];
    let mut limits = FetchLimits::default();
    limits.deadline = deadline;
    // Twelve clients stay below the connections that the origin serves at once.
    limits.fetches_max = CONNECTIONS_MAX / 16;
    Client::over(Arc::new(NetworkTransport::new(settings).unwrap()))
        .profile(profile)
        .limits(limits)
        .jitter(|| Jitter::NONE)
        .build()
        .unwrap()
}

/// Returns how the answer differs from the file.
fn fault(behaviour: &Behaviour, profile: &str, report: &FetchReport) -> Option<String> {
    let expected = &behaviour.expected[profile];
    let last = report.fetched.as_ref().unwrap().attempt.last;
    let answer = &report.answer;
    let asks = i64::try_from(answer.ask_again_at().since(last.at).as_secs()).unwrap();
    let result = answer.access_result().map(AccessResult::as_str);
    let is_right = expected.outcomes.contains(&last.outcome.code())
        && answer.stance().as_str() == expected.answer.stance
        && result == expected.answer.result.as_deref()
        && (asks - expected.answer.ask_again).abs() <= behaviour.tolerance_seconds;
    (!is_right).then(|| {
        format!(
            "{} under {profile}: {} {} {}; ask {asks}s, and not {:?} {}\n  {:?}",
            behaviour.name,
            last.outcome.code(),
            answer.stance(),
            result.unwrap_or("-"),
            expected.outcomes,
            expected.answer_in_short,
            report.fetched.as_ref().unwrap().exchanges,
        )
    })
}

/// Queries one client per behaviour. Returns the faults, and the behaviours whose call ended
/// without an answer.
async fn faults_in(
    origin: &Origin,
    behaviours: Vec<(Profile, Behaviour)>,
) -> (Vec<String>, Vec<(Profile, Behaviour)>) {
    let mut fetches = JoinSet::new();
    let mut clients = HashMap::new();
    for (profile, behaviour) in behaviours {
        let timeouts = timeouts(&behaviour, &profile);
        let client = clients
            .entry((profile.name.clone(), timeouts))
            .or_insert_with(|| client(origin, profile.clone(), timeouts.0, timeouts.1))
            .clone();
        let authority = Authority::from_url(&origin.url(&behaviour.name)).unwrap();
        fetches.spawn(async move {
            let report = client.fetch(&authority).await;
            (profile, behaviour, report)
        });
    }
    let (mut faults, mut unanswered) = (Vec::new(), Vec::new());
    while let Some(fetched) = fetches.join_next().await {
        let (profile, behaviour, report) = fetched.unwrap();
        match report {
            Err(ClientError::OutOfTime(_)) => unanswered.push((profile, behaviour)),
            report => faults.extend(fault(&behaviour, &profile.name, &report.unwrap())),
        }
    }
    (faults, unanswered)
}

/// Returns the timeouts of each phase and of the call for this behaviour.
fn timeouts(behaviour: &Behaviour, profile: &Profile) -> (Duration, Duration) {
    let outcomes = &behaviour.expected[&*profile.name].outcomes;
    // An error page that never ends is not read. Every other reply is.
    let times_out = outcomes.iter().any(|outcome| outcome == "failed timeout");
    match behaviour.wire {
        Wire::Hangs if times_out => (IMPATIENCE, 2 * PATIENCE),
        // The deadline of the call ends a slow stream.
        Wire::Drips if times_out => (PATIENCE, 2 * IMPATIENCE),
        _ => (PATIENCE, 2 * PATIENCE),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_behaviour_has_the_expected_answer_in_every_profile() {
    let origin = origin();
    let of_profile = |profile: &Profile| {
        let pairs = origin
            .behaviours()
            .map(|behaviour| (profile.clone(), behaviour.clone()));
        pairs.collect::<Vec<_>>()
    };
    let mut behaviours: Vec<_> = Profile::ALL.iter().flat_map(of_profile).collect();
    let mut faults = Vec::new();
    // On a busy machine, a deadline may pass before the fetch is sent or stored. New clients repeat
    // these calls, because a client that stored a failure would wait longer after the next.
    for _ in 0..=STANDSTILLS_MAX {
        let (found, unanswered) = faults_in(&origin, behaviours).await;
        faults.extend(found);
        behaviours = unanswered;
    }
    let unanswered = behaviours.iter();
    faults.extend(unanswered.map(|(profile, behaviour)| {
        format!("{} under {}: no answer", behaviour.name, profile.name)
    }));
    assert_eq!(origin.trespasses(), 0);
    faults.sort();
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rules_are_read_in_every_encoding_and_framing() {
    let origin = origin();
    let client = client(&origin, Profile::RFC9309, PATIENCE, 2 * PATIENCE);
    let foo_bot = Crawler::from(ProductToken::new("FooBot").unwrap());
    for (name, target, is_allowed) in [
        ("usual", "/private/x", false),
        ("usual", "/public", true),
        ("body-512000", "/last/x", false),
        ("body-600000", "/after-the-limit/x", true),
        ("gzip", "/private/x", false),
        ("brotli", "/private/x", false),
        ("zstd", "/private/x", false),
        ("tls-usual", "/private/x", false),
        ("ftp-usual", "/private/x", false),
        ("byte-order-mark", "/private/x", false),
        ("line-ends-cr", "/private/x", false),
    ] {
        let url = origin.url(name).replace("/robots.txt", target);
        let decision = client.decide(&foo_bot, &url).await.unwrap();
        assert_eq!(decision.is_allowed(), is_allowed, "{name} {target}");
        client.decide(&foo_bot, &url).await.unwrap();
        assert_eq!(origin.requests(name), 1, "{name}");
    }
    let heads = origin.request_heads("usual");
    let head = heads[0].to_ascii_lowercase();
    assert!(head.starts_with("get /robots.txt http/1.1\r\n"), "{head}");
    assert!(
        head.contains("\r\nuser-agent: foobot/1.0 (+https://foo.example/bot)\r\n"),
        "{head}"
    );
    assert!(
        !head.contains("cookie") && !head.contains("referer"),
        "{head}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_concurrent_callers_make_one_connection() {
    let origin = origin();
    let client = client(&origin, Profile::RFC9309, PATIENCE, 2 * PATIENCE);
    let mut asked = JoinSet::new();
    for number in 0..1000 {
        let url = origin
            .url("gzip")
            .replace("robots.txt", &format!("private/{number}"));
        let client = client.clone();
        asked.spawn(async move {
            let foo_bot = Crawler::from(ProductToken::new("FooBot").unwrap());
            client.decide(&foo_bot, &url).await.unwrap().is_allowed()
        });
    }
    while let Some(is_allowed) = asked.join_next().await {
        assert!(!is_allowed.unwrap());
    }
    assert_eq!(
        (origin.connections("gzip"), origin.requests("gzip")),
        (1, 1)
    );
}
