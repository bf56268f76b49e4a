//! Rules out of a store: what is said of a request depends on what was seen, not on where a span of time
//! begins.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use verger::{Dialect, TargetPath};
use verger_access::{
    Attempt, Authority, GoodCopy, Hop, Jitter, Knowledge, LastAttempt, Outcome, Profile, Reply,
    RestOfSite, Timestamp,
};
use verger_audit::{Judgement, RulesSource, StoreRules};
use verger_crawlers::Registry;
use verger_store::{Acquisition, KeptHeaders, MemoryStore, Observation, Store};

/// In seconds since 1970.
const SEEN: u64 = 1_790_000_000;

const DAY: u64 = 86_400;

/// A store in which a body was seen once.
fn store_with(authority: &Authority, body: &str, profile: &Profile) -> MemoryStore {
    let at = Timestamp::from_unix_seconds(SEEN);
    let url = authority.robots_url().clone();
    let attempt = Attempt {
        last: LastAttempt {
            at,
            outcome: Outcome::Successful(Reply::Http(200)),
            stated_lifetime: None,
            retry_after: None,
        },
        hops: vec![Hop {
            url: url.clone(),
            reply: Some(Reply::Http(200)),
        }],
        copy: Some(GoodCopy {
            body: body.as_bytes().into(),
            url,
            entity_tag: None,
            last_modified: None,
            validated_at: at,
            stated_lifetime: None,
        }),
        warnings: Vec::new(),
    };
    let mut knowledge = Knowledge::default();
    knowledge.record(&attempt, profile, Jitter::NONE);
    let fresh_until = knowledge
        .answer(profile, at, RestOfSite::default())
        .ask_again_at();
    let observation = Observation {
        authority: authority.clone(),
        profile: profile.name.clone(),
        attempt,
        knowledge,
        headers: KeptHeaders::default(),
        peer: None,
        fresh_until,
    };
    let store = MemoryStore::new(1 << 20);
    let lease = store.acquire(authority, "test", at, Duration::from_secs(60));
    let Acquisition::Granted(lease) = lease.unwrap() else {
        panic!("there is another lease");
    };
    store.put(&observation, &lease).unwrap();
    store
}

/// V-60.
#[test]
fn a_body_that_was_seen_decides_for_a_day_or_as_long_as_it_is_held_wherever_a_span_begins() {
    let authority = Authority::of("https://a.example").unwrap();
    let profile = Profile::RFC9309;
    let store = store_with(&authority, "User-agent: *\nDisallow: /a\n", &profile);
    let crawler = Registry::bundled().by_name("gptbot").unwrap();
    let target = TargetPath::new("/a", Dialect::Rfc9309).unwrap();
    let judged = |profile: &Profile, after: u64, days_before: u64| {
        let time = Timestamp::from_unix_seconds(SEEN + after);
        let start = Timestamp::from_unix_seconds(SEEN + after - days_before * DAY);
        let during = start..time.after(Duration::from_secs(1));
        let source = StoreRules::new(&store, profile);
        let mut history = source.history(Some(&authority), during).unwrap();
        history.judge(time, Duration::from_secs(DAY), (0, crawler), &target)
    };
    let held = profile.clone().with_lifetime(Duration::from_secs(20 * DAY));
    for days_before in [1, 18, 19, 20, 30] {
        for (profile, lifetime) in [(&profile, DAY), (&held, 20 * DAY)] {
            let last = judged(profile, lifetime - 1, days_before);
            assert!(
                matches!(&last, Judgement::Disallowed(rule) if rule.line == Some(2)),
                "{days_before}: {last:?}"
            );
            assert_eq!(judged(profile, lifetime, days_before), Judgement::Unknown);
        }
    }
}
