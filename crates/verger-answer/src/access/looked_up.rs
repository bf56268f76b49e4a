//! Lookups of authorities for tests.

use verger_access::{
    Authority, GoodCopy, Knowledge, LastAttempt, Outcome, Profile, Reply, RestOfSite, Timestamp,
};

use crate::access::authority_lookup::AuthorityLookup;
use crate::access::authority_state::AuthorityState;

/// 2027-01-15T08:00:00Z.
pub(crate) const NOW: Timestamp = Timestamp::from_unix_seconds(1_800_000_000);

/// Returns an attempt that ended at [`NOW`].
pub(crate) fn attempt(outcome: Outcome) -> LastAttempt {
    LastAttempt {
        at: NOW,
        outcome,
        stated_lifetime: None,
        retry_after: None,
    }
}

/// Returns the knowledge after a file was fetched at [`NOW`].
pub(crate) fn fetched(body: &[u8]) -> Knowledge {
    Knowledge {
        last: Some(attempt(Outcome::Successful(Reply::Http(200)))),
        copy: Some(GoodCopy {
            body: body.into(),
            url: "https://h.example/robots.txt".parse().unwrap(),
            entity_tag: None,
            last_modified: None,
            validated_at: NOW,
            stated_lifetime: None,
        }),
        streak: None,
    }
}

/// Returns the lookup of an authority with this knowledge, under a profile.
pub(crate) fn lookup(
    authority: Authority,
    knowledge: Knowledge,
    profile: &Profile,
    now: Timestamp,
) -> AuthorityLookup {
    let answer = knowledge.answer(profile, now, RestOfSite::default());
    AuthorityLookup {
        authority,
        profile: profile.name.to_string(),
        state: AuthorityState::new(knowledge, answer),
    }
}
