//! `Profile`: how facts become a stance, as a value of named choices.

use std::borrow::Cow;

use verger::Reading;

use crate::access_result::AccessResult;
use crate::body::is_page_without_rules;
use crate::consequence::{Consequence, Treatment};
use crate::freshness::FreshnessRules;
use crate::good_copy::GoodCopy;
use crate::outage_policy::OutagePolicy;
use crate::outcome::{Outcome, RedirectEnd, Reply};
use crate::retry::RetrySchedule;
use crate::transport_failure::TransportFailure;

/// Whether a kind of redirect is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Following {
    /// It is.
    Followed,
    /// It is not, and this follows from it.
    Refused(Consequence),
}

/// Whether the robots.txt of a redirect's target has a say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DisallowedHops {
    /// It is not asked.
    NotAsked,
    /// It is asked, and this follows where it disallows the target. G-3xx-2.
    Asked(Consequence),
}

/// What is made of redirects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RedirectRules {
    /// How many are followed in a row.
    pub followed_max: u8,
    /// One more, or a circle.
    pub too_many: Consequence,
    /// To a host that is not the same, where http and https and a leading `www.` count as same.
    pub other_host: Following,
    /// From https to http.
    pub downgrade: Following,
    /// A target that its own authority disallows; never asked of one that is exactly
    /// `/robots.txt`, nor of the authority whose file is being fetched.
    pub disallowed_hop: DisallowedHops,
    /// To a scheme other than http and https, or to an address that must not be connected to.
    pub refused: Consequence,
    /// Without a `Location` that can be used; a 304 that was not asked for.
    pub unusable: Consequence,
}

/// Whether a server error may stand in for a 404.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MissingPages {
    /// The status counts, whatever the page says.
    NotRecognised,
    /// Where the page of a 5xx says that there is no such page, this follows; never with 503 or
    /// `Retry-After`. G-5xx-6.
    Recognised(Consequence),
}

/// What is made of the last word of a server, or of none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ReplyRules {
    /// 2xx, 204 and 206 included; a 304 that was asked for; an FTP transfer.
    pub success: Consequence,
    /// The same, where the body is an HTML page in which no reading finds a rule for anyone
    /// ([`Outcome::SuccessfulPage`]).
    pub html_page: Consequence,
    /// 404 and 410; FTP replies 550 and 553.
    pub not_found: Consequence,
    /// 401 and 403; FTP reply 530.
    pub denied: Consequence,
    /// 429.
    pub too_many_requests: Consequence,
    /// Every other status from 400 to 499.
    pub other_client_error: Consequence,
    /// 500 to 599.
    pub server_error: Consequence,
    /// 500 to 599 whose page says that there is no such page ([`Outcome::ErrorSayingNotFound`]).
    pub missing_page: MissingPages,
    /// Below 200, 600 and above: no status that means anything.
    pub undefined_status: Consequence,
    /// No whole reply; any other FTP reply.
    pub network: Consequence,
}

/// How facts become a stance. Six are at hand ([`Profile::ALL`]); for one of your own, change what
/// you must in a copy and give it a name:
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
    /// What answers call it.
    pub name: Cow<'static, str>,
    /// How bodies are read: a dialect, and the options that are on.
    pub reading: Reading,
    /// What is made of redirects.
    pub redirects: RedirectRules,
    /// What is made of the last word of a server.
    pub replies: ReplyRules,
    /// What unreachable means as time goes by.
    pub outage: OutagePolicy,
    /// How long answers last.
    pub freshness: FreshnessRules,
    /// When an unreachable authority is asked again.
    pub retry: RetrySchedule,
}

impl Profile {
    /// What follows from an outcome, and why.
    #[must_use]
    pub fn consequence(&self, outcome: Outcome) -> Consequence {
        let replies = &self.replies;
        match outcome {
            Outcome::Successful(_) => replies.success,
            Outcome::SuccessfulPage(_) => replies.html_page,
            Outcome::Error(reply) => self.consequence_of_reply(reply),
            Outcome::ErrorSayingNotFound(reply) => match (replies.missing_page, reply) {
                // A 503 asks for a pause, whatever its page says; no fetch ends so.
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

    /// Whether it takes the body of a copy for a file: not where that is an HTML page without rules,
    /// and such a page is no success in this profile.
    #[must_use]
    pub fn takes(&self, copy: &GoodCopy) -> bool {
        self.replies.html_page.treatment == Treatment::Rules || !is_page_without_rules(&copy.body)
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
            // Another profile refused it; this one would have gone on, and does not know whither.
            Following::Followed => redirects.unusable,
        };
        match end {
            RedirectEnd::TooMany | RedirectEnd::Loop => redirects.too_many,
            RedirectEnd::OtherHost => if_refused(redirects.other_host),
            RedirectEnd::Downgrade => if_refused(redirects.downgrade),
            RedirectEnd::OtherScheme | RedirectEnd::BadPort => redirects.refused,
            RedirectEnd::NoLocation
            | RedirectEnd::BadLocation
            | RedirectEnd::UnaskedNotModified => redirects.unusable,
            RedirectEnd::DisallowedHop => match redirects.disallowed_hop {
                DisallowedHops::Asked(consequence) => consequence,
                DisallowedHops::NotAsked => redirects.unusable,
            },
        }
    }

    /// Which of RFC 9309's three results an outcome is in this profile.
    ///
    /// What is treated as unreachable is, and what opens is unavailable. What closes at once is
    /// what the RFC calls it: a 403 is unavailable, a refused redirect unreachable.
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
