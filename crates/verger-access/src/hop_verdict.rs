//! `HopVerdict`: whether the robots.txt of another authority allows a URL of a redirect chain. G-3xx-2.

use url::Url;
use verger::{Crawler, Effect};

use crate::answer::Answer;
use crate::requested_url::requested_target;
use crate::stance::Stance;

/// Whether the robots.txt of another authority allows a URL of a redirect chain. G-3xx-2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HopVerdict {
    /// It may be fetched.
    Allowed,
    /// A rule or an override disallows it.
    Disallowed,
    /// No rules decide: the file could not be fetched, is not known yet, or is being fetched. The redirect is followed,
    /// and its outcome decides.
    Unknown,
}

impl HopVerdict {
    /// Judges `url`, on the authority of `answer`, for the crawler that fetches.
    ///
    /// "Any disallowed URL in the redirect chain" means a URL that a rule disallows, from the last body or from a copy
    /// in use. A stance that closes or defers means that the authority failed, and is not a rule about the URL. A chain
    /// with a disallowed URL may count as a 404, which allows everything. The failure of one server must not have that
    /// effect for another.
    #[must_use]
    pub fn new(answer: &Answer, crawler: &Crawler, url: &Url) -> Self {
        match answer.stance() {
            Stance::Open => return Self::Allowed,
            Stance::Closed if answer.is_overridden() => return Self::Disallowed,
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
