//! `Override`: the answer of a crawler's operator for a site, instead of its robots.txt. V-89.

use std::sync::Arc;

use crate::answer::{Answer, AnswerParts, OVERRIDDEN};
use crate::body::{self, BodyEnd};
use crate::profile::Profile;
use crate::stance::Stance;
use crate::timestamp::Timestamp;

/// The operator's own answer for a site, such as a site of its own. It applies instead of the site's robots.txt, which
/// is not requested. V-89.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Override {
    /// Everything is allowed.
    Open,
    /// Everything is disallowed.
    Closed,
    /// The rules of this body decide. Like a fetched body, it is cut at 512,000 bytes.
    Rules(Arc<[u8]>),
}

impl Override {
    /// Returns the answer since `since`, with the dialect of `profile`. It is valid for the lifetime of a response that
    /// states none.
    #[must_use]
    pub fn answer(&self, profile: &Profile, since: Timestamp) -> Answer {
        let until = since.after(profile.freshness.lifetime(None));
        let (stance, body) = match self {
            Self::Open => (Stance::Open, None),
            Self::Closed => (Stance::Closed, None),
            Self::Rules(body) => {
                let (body, _) = body::kept(Arc::clone(body), BodyEnd::Whole);
                (Stance::Rules, Some(body))
            }
        };
        Answer::from(AnswerParts {
            access_result: None,
            access_result_clause: OVERRIDDEN,
            stance,
            clause: OVERRIDDEN,
            profile: profile.name.clone(),
            reading: profile.reading,
            holds_until: until,
            ask_again_at: until,
            body,
            missing: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access_policy::AccessPolicy;
    use verger::Crawler;

    #[test]
    fn an_override_decides_and_says_so() {
        let now = Timestamp::from_unix_seconds(1_800_000_000);
        for (given, allowed) in [
            (Override::Open, [true, true]),
            (Override::Closed, [false, false]),
            (
                Override::Rules(Arc::from(*b"user-agent: *\ndisallow: /a")),
                [false, true],
            ),
        ] {
            let answer = given.answer(&Profile::RFC9309, now);
            assert!(answer.is_overridden());
            assert_eq!(answer.access_result(), None);
            assert_eq!(answer.holds_until().since(now).as_secs(), 24 * 3600);
            let policy = AccessPolicy::new(&answer, &Crawler::unnamed());
            let decided = ["/a", "/b"].map(|url| policy.decide_url(url).unwrap().is_allowed());
            assert_eq!(decided, allowed);
            assert!(policy.answer().is_overridden());
        }
    }

    #[test]
    fn a_long_body_is_cut_as_a_fetched_one_is() {
        let body = b"user-agent: *\n".repeat(40_000);
        let answer = Override::Rules(body.into()).answer(&Profile::GOOGLE, Timestamp::default());
        assert!(answer.body().unwrap().len() <= verger::limits::BODY_BYTES_MAX);
    }
}
