//! Puts old observations into a store as if they had been fetched then, for the tests of other crates.

use std::time::Duration;

use verger_access::{
    Attempt, Authority, GoodCopy, Hop, Jitter, Knowledge, LastAttempt, Outcome, Profile, Reply,
    RestOfSite, Timestamp,
};
use verger_store::{Acquisition, KeptHeaders, Observation, PackedFacts, Store};

/// Returns the time `number` days after 2026-09-21 14:13:20 UTC, in seconds since 1970.
pub(crate) const fn day(number: u64) -> u64 {
    1_790_000_000 + number * 86_400
}

pub(crate) struct Past<S> {
    pub(crate) store: S,
    authority: Authority,
    knowledge: Knowledge,
    /// The facts of the hop of each following attempt.
    pub(crate) facts: PackedFacts,
}

impl<S: Store> Past<S> {
    pub(crate) fn within(store: S, site: &str) -> Self {
        Self {
            store,
            authority: Authority::from_url(site).unwrap(),
            knowledge: Knowledge::default(),
            facts: PackedFacts::default(),
        }
    }

    /// Puts a fetched body.
    pub(crate) fn body(&mut self, at: u64, body: impl AsRef<[u8]>) {
        let copy = GoodCopy {
            body: body.as_ref().into(),
            url: self.authority.robots_url().clone(),
            entity_tag: None,
            last_modified: None,
            validated_at: Timestamp::from_unix_seconds(at),
            stated_lifetime: None,
        };
        self.put(at, Outcome::Successful(Reply::Http(200)), Some(copy));
    }

    /// Puts a 304 for the last body.
    pub(crate) fn not_modified(&mut self, at: u64) {
        let mut copy = self.knowledge.copy.clone().unwrap();
        copy.validated_at = Timestamp::from_unix_seconds(at);
        self.put(at, Outcome::Successful(Reply::Http(304)), Some(copy));
    }

    /// Puts a status without a body.
    pub(crate) fn status(&mut self, at: u64, status: u16) {
        self.put(at, Outcome::Error(Reply::Http(status)), None);
    }

    fn put(&mut self, at: u64, outcome: Outcome, copy: Option<GoodCopy>) {
        let at = Timestamp::from_unix_seconds(at);
        let (Outcome::Successful(reply) | Outcome::Error(reply)) = outcome else {
            panic!("a reply is meant: {outcome}");
        };
        let attempt = Attempt {
            last: LastAttempt {
                at,
                outcome,
                stated_lifetime: None,
                retry_after: None,
            },
            hops: vec![Hop {
                url: self.authority.robots_url().clone(),
                reply: Some(reply),
            }],
            copy,
            warnings: Vec::new(),
        };
        let profile = Profile::RFC9309;
        self.knowledge.record(&attempt, &profile, Jitter::NONE);
        let answer = self.knowledge.answer(&profile, at, RestOfSite::default());
        let observation = Observation {
            authority: self.authority.clone(),
            profile: profile.name.clone(),
            attempt,
            knowledge: self.knowledge.clone(),
            headers: KeptHeaders::default(),
            peer: None,
            fresh_until: answer.ask_again_at(),
            facts: self.facts.clone(),
        };
        let minute = Duration::from_secs(60);
        let lease = self.store.acquire(&self.authority, "test", at, minute);
        let Acquisition::Granted(lease) = lease.unwrap() else {
            panic!("there is another lease");
        };
        self.store.put(&observation, &lease).unwrap();
    }
}
