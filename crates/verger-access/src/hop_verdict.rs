//! `HopVerdict`: whether the robots.txt of another authority allows a URL on the way. G-3xx-2.

use url::Url;
use verger::{Crawler, Effect};

use crate::answer::Answer;
use crate::requested_url::requested_target;
use crate::stance::Stance;

/// Whether the robots.txt of another authority allows a URL on the way. G-3xx-2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HopVerdict {
    /// It may be fetched.
    Allowed,
    /// A rule disallows it.
    Disallowed,
    /// No rules decide: the file could not be fetched, is not known yet, or is being fetched. The redirect is
    /// followed, and its outcome decides.
    Unknown,
}

impl HopVerdict {
    /// Judges `url`, on the authority of `answer`, for the crawler that fetches.
    ///
    /// "Any disallowed URL in the redirect chain" means a URL that a rule disallows, of the last body or of a copy in
    /// use. A stance that closes or defers is not a rule about the URL: it means that this authority failed. A chain
    /// with a disallowed URL may count as a 404, which allows everything, so the failure of one server must not have
    /// that effect for another.
    #[must_use]
    pub fn new(answer: &Answer, crawler: &Crawler, url: &Url) -> Self {
        match answer.stance() {
            Stance::Open => return Self::Allowed,
            Stance::Closed | Stance::Defer => return Self::Unknown,
            Stance::Rules | Stance::Copy => {}
        }
        // With rules in force, only a rule disallows.
        let target = requested_target(url.as_str().as_bytes(), answer.reading());
        let (Some(body), Ok(target)) = (answer.deciding_body(), target) else {
            return Self::Unknown;
        };
        match verger::scan::effect_for_crawler(body, crawler, &target, answer.reading()) {
            Effect::Disallow => Self::Disallowed,
            Effect::Allow => Self::Allowed,
        }
    }
}
