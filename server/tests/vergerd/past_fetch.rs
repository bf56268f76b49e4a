//! Fetches of the past, which a test puts into a store. The interval of a watched site is then over.

use std::time::Duration;

use verger_access::{
    Attempt, Authority, GoodCopy, Jitter, Knowledge, LastAttempt, Outcome, Profile, Reply,
    Timestamp,
};
use verger_client::{Clock as _, SystemClock};
use verger_store::{Acquisition, KeptHeaders, Observation, PackedFacts, Store};

/// Puts a fetch of two hours ago into a store.
pub(crate) fn fetched_before(store: &dyn Store, site: &str, body: &str) {
    let authority = Authority::from_url(site).unwrap();
    let now = SystemClock.now().unix_seconds();
    let at = Timestamp::from_unix_seconds(now - 7200);
    // A lease of a killed process has ended tomorrow.
    let tomorrow = Timestamp::from_unix_seconds(now + 86_400);
    let length = Duration::from_secs(60);
    let acquired = store.acquire(&authority, "test", tomorrow, length);
    let Acquisition::Granted(lease) = acquired.unwrap() else {
        panic!("another process has the lease");
    };
    let attempt = Attempt {
        last: LastAttempt {
            at,
            outcome: Outcome::Successful(Reply::Http(200)),
            stated_lifetime: None,
            retry_after: None,
        },
        hops: Vec::new(),
        copy: Some(GoodCopy {
            body: body.as_bytes().into(),
            url: authority.robots_url().clone(),
            entity_tag: None,
            last_modified: None,
            validated_at: at,
            stated_lifetime: None,
        }),
        warnings: Vec::new(),
    };
    let mut knowledge = Knowledge::default();
    knowledge.record(&attempt, &Profile::RFC9309, Jitter::NONE);
    let observation = Observation {
        authority,
        profile: "rfc9309".into(),
        attempt,
        knowledge,
        headers: KeptHeaders::default(),
        peer: None,
        fresh_until: at,
        facts: PackedFacts::default(),
    };
    store.put(&observation, &lease).unwrap();
}
