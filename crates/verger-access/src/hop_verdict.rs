//! `HopVerdict`: what the robots.txt of another authority says about a URL on the way. G-3xx-2.

use url::Url;
use verger::{Crawler, Effect};

use crate::access_policy::AccessPolicy;
use crate::answer::Answer;
use crate::stance::Stance;

/// What the robots.txt of another authority says about a URL on the way. G-3xx-2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HopVerdict {
    /// It may be fetched.
    Allowed,
    /// A rule disallows it.
    Disallowed,
    /// There are no rules to decide: the file could not be had, is not known yet, or is the one that
    /// is being fetched. The redirect is followed, and what comes of it decides.
    Unknown,
}

impl HopVerdict {
    /// Judges `url`, on the authority that `answer` is about, for the crawler that fetches.
    ///
    /// "Any disallowed URL in the redirect chain" is one that a rule of a body disallows: the last
    /// one, or a copy that is in use. A stance that closes or defers says nothing about the URL. It
    /// says that this authority failed, and a server that fails must not open another one, which it
    /// would where the chain counts as a 404.
    #[must_use]
    pub fn of(answer: &Answer, crawler: &Crawler, url: &Url) -> Self {
        match answer.stance() {
            Stance::Open => return Self::Allowed,
            Stance::Closed | Stance::Defer => return Self::Unknown,
            Stance::Rules | Stance::Copy => {}
        }
        // Where there are rules, a rule alone disallows: the effect tells it.
        match AccessPolicy::new(answer, crawler).decide_url(url.as_str()) {
            Ok(decision) if decision.effect() == Effect::Disallow => Self::Disallowed,
            Ok(_) => Self::Allowed,
            Err(_) => Self::Unknown,
        }
    }
}
