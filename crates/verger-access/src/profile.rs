//! `Profile`: a value of named choices that turn outcomes into a stance.

use core::time::Duration;
use std::borrow::Cow;
use std::sync::Arc;

use verger::Reading;
use verger::dialect::EncodingMismatch;

use crate::access_result::AccessResult;
use crate::consequence::{Consequence, Treatment};
use crate::freshness::FreshnessRules;
use crate::good_copy::GoodCopy;
use crate::illegible::Illegible;
use crate::outage_policy::OutagePolicy;
use crate::outcome::{Outcome, RedirectEnd, Reply};
use crate::retry::RetrySchedule;
use crate::transport_failure::TransportFailure;

/// Whether a kind of redirect is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Following {
    /// It is followed.
    Followed,
    /// It is not followed, with this consequence.
    Refused(Consequence),
}

/// Whether the robots.txt of a redirect's target is checked before the redirect is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DisallowedHops {
    /// It is not checked.
    NotAsked,
    /// It is checked, with this consequence if the target is disallowed. G-3xx-2.
    Asked(Consequence),
}

/// How redirects are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RedirectRules {
    /// Maximum number of redirects followed in a row.
    pub followed_max: u8,
    /// The consequence of one more redirect, or of a loop.
    pub too_many: Consequence,
    /// Redirects to another host. A leading `www.` and the choice of http or https make no difference.
    pub other_host: Following,
    /// Redirects from https to http.
    pub downgrade: Following,
    /// Redirects to a URL that its own authority disallows. Neither `/robots.txt` itself nor URLs on the authority
    /// whose file is being fetched are checked.
    pub disallowed_hop: DisallowedHops,
    /// Redirects to a scheme other than http and https, to a bad port, or to a refused address.
    pub refused: Consequence,
    /// Redirects without a usable `Location`, and a 304 to a request without conditions.
    pub unusable: Consequence,
}

/// Whether a server error may count as a 404.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MissingPages {
    /// Only the status counts.
    NotRecognised,
    /// A 5xx whose page says "not found" has this consequence, except a 503 or a reply with `Retry-After`. G-5xx-6.
    Recognised(Consequence),
}

/// How the last reply of a server, or its absence, is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ReplyRules {
    /// 2xx including 204 and a 206 with the whole file, a 304 to a conditional request, and an FTP transfer.
    pub success: Consequence,
    /// A success whose body is not legible ([`Outcome::Illegible`]), unless the profile's reading decodes it.
    pub illegible: Consequence,
    /// A 206 with a part of the file ([`Outcome::PartOfFile`]).
    pub part_of_file: Consequence,
    /// 404 and 410, and the FTP replies 550 and 553.
    pub not_found: Consequence,
    /// 401 and 403, and the FTP reply 530.
    pub denied: Consequence,
    /// 429.
    pub too_many_requests: Consequence,
    /// Every other status from 400 to 499.
    pub other_client_error: Consequence,
    /// 500 to 599.
    pub server_error: Consequence,
    /// 500 to 599 whose page says "not found" ([`Outcome::ErrorSayingNotFound`]).
    pub missing_page: MissingPages,
    /// Undefined statuses: below 200, and 600 and above.
    pub undefined_status: Consequence,
    /// No complete reply, and any other FTP reply.
    pub network: Consequence,
}

/// A set of choices that turn outcomes into a stance. Six profiles are built in ([`Profile::ALL`]). To make your own,
/// copy one, change it and give it a name:
///
/// ```
/// use verger::Clause;
/// use verger_access::{Profile, Treatment};
///
/// let mut mine = Profile::RFC9309;
/// mine.name = "mine".into();
/// mine.replies.denied = Treatment::Closed.by(Clause::new("OWN-1"));
/// assert_ne!(mine, Profile::RFC9309);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Profile {
    /// The name, which answers and stores carry.
    pub name: Cow<'static, str>,
    /// How bodies are read: the dialect and its options.
    pub reading: Reading,
    /// How redirects are treated.
    pub redirects: RedirectRules,
    /// How the last reply of a server is treated.
    pub replies: ReplyRules,
    /// The stance while an authority is unreachable, by the length of the outage.
    pub outage: OutagePolicy,
    /// The lifetimes of answers.
    pub freshness: FreshnessRules,
    /// When an unreachable authority is fetched again.
    pub retry: RetrySchedule,
}

impl From<&Profile> for Arc<Profile> {
    fn from(profile: &Profile) -> Self {
        Self::new(profile.clone())
    }
}

impl Profile {
    /// Returns the consequence of an outcome.
    #[must_use]
    pub fn consequence(&self, outcome: Outcome) -> Consequence {
        let replies = &self.replies;
        match outcome {
            Outcome::Successful(_) => replies.success,
            Outcome::Illegible(_, why) if self.decodes(why) => replies.success,
            Outcome::Illegible(..) => replies.illegible,
            Outcome::PartOfFile(_) => replies.part_of_file,
            Outcome::Error(reply) => self.consequence_of_reply(reply),
            Outcome::ErrorSayingNotFound(reply) => match (replies.missing_page, reply) {
                // The page of a 503 never counts. A fetch never has this outcome, but a store may.
                (MissingPages::NotRecognised, _) | (_, Reply::Http(503)) => {
                    self.consequence_of_reply(reply)
                }
                (MissingPages::Recognised(consequence), _) => consequence,
            },
            Outcome::Redirect(end) => self.consequence_of_redirect(end),
            Outcome::Failed(TransportFailure::AddressRefused) => self.redirects.refused,
            Outcome::Failed(_) => replies.network,
        }
    }

    /// Returns the profile with this lifetime for bodies and failures. It replaces the profile's own lifetimes and
    /// those that responses state. V-60.
    #[must_use]
    pub fn with_lifetime(mut self, lifetime: Duration) -> Self {
        self.freshness = FreshnessRules {
            default_lifetime: lifetime,
            lifetime_max: lifetime,
            lifetime_min: lifetime,
            failure_lifetime: lifetime,
            ..self.freshness
        };
        self
    }

    /// Returns whether the profile accepts the copy as a good one. It accepts a body that is not legible only if it
    /// treats such a body as a success.
    #[must_use]
    pub fn accepts(&self, copy: &GoodCopy) -> bool {
        self.replies.illegible.treatment == Treatment::Rules
            || Illegible::of(&copy.body).is_none_or(|why| self.decodes(why))
    }

    fn decodes(&self, why: Illegible) -> bool {
        why == Illegible::Utf16 && self.reading.encoding_mismatch() == EncodingMismatch::Bridge
    }

    fn consequence_of_reply(&self, reply: Reply) -> Consequence {
        let replies = &self.replies;
        match reply {
            Reply::Http(404 | 410) | Reply::Ftp(550 | 553) => replies.not_found,
            Reply::Http(401 | 403) | Reply::Ftp(530) => replies.denied,
            Reply::Http(429) => replies.too_many_requests,
            Reply::Http(400..=499) => replies.other_client_error,
            Reply::Http(500..=599) => replies.server_error,
            Reply::Http(_) => replies.undefined_status,
            Reply::Ftp(_) => replies.network,
        }
    }

    fn consequence_of_redirect(&self, end: RedirectEnd) -> Consequence {
        let redirects = &self.redirects;
        let if_refused = |following| match following {
            Following::Refused(consequence) => consequence,
            // Another profile refused it. This profile would have followed it to an unknown end.
            Following::Followed => redirects.unusable,
        };
        match end {
            RedirectEnd::TooMany | RedirectEnd::Loop => redirects.too_many,
            RedirectEnd::OtherHost => if_refused(redirects.other_host),
            RedirectEnd::Downgrade => if_refused(redirects.downgrade),
            RedirectEnd::OtherScheme | RedirectEnd::BadPort | RedirectEnd::Overridden => {
                redirects.refused
            }
            RedirectEnd::NoLocation
            | RedirectEnd::BadLocation
            | RedirectEnd::UnaskedNotModified => redirects.unusable,
            RedirectEnd::DisallowedHop => match redirects.disallowed_hop {
                DisallowedHops::Asked(consequence) => consequence,
                DisallowedHops::NotAsked => redirects.unusable,
            },
        }
    }

    /// Returns which of RFC 9309's three results an outcome is in this profile.
    ///
    /// An outcome that is treated as unreachable is unreachable. One that allows everything is unavailable. If
    /// everything is disallowed, RFC 9309 decides: a 403 is unavailable, a refused redirect is unreachable.
    #[must_use]
    pub fn access_result(&self, outcome: Outcome) -> AccessResult {
        match self.consequence(outcome).treatment {
            Treatment::Rules => AccessResult::Successful(outcome),
            Treatment::Open | Treatment::OpenUnlessCopyYoungerThan(_) => {
                AccessResult::Unavailable(outcome)
            }
            Treatment::Unreachable => AccessResult::Unreachable(outcome),
            Treatment::Closed => match outcome {
                // "unavailable status codes are in the 400-499 range", and after too many
                // redirects "crawlers MAY assume that the robots.txt is unavailable".
                //                                   R9309-2.3.1.3-1, R9309-2.3.1.2-3
                Outcome::Error(Reply::Http(400..=499) | Reply::Ftp(530 | 550 | 553))
                | Outcome::Redirect(RedirectEnd::TooMany | RedirectEnd::Loop) => {
                    AccessResult::Unavailable(outcome)
                }
                _ => AccessResult::Unreachable(outcome),
            },
        }
    }
}
