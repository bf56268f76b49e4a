//! The six profiles. Each is the access method of one document, as a value.

use std::borrow::Cow;
use std::str::FromStr;

use core::time::Duration;

use verger::{Clause, Dialect, Reading};

use crate::consequence::Treatment::{Closed, Open, OpenUnlessCopyYoungerThan, Rules, Unreachable};
use crate::freshness::{ConditionalRequests, FreshnessRules};
use crate::outage_policy::{OutagePolicy, OutageRule, OutageStance};
use crate::profile::{DisallowedHops, Following, MissingPages, Profile, RedirectRules, ReplyRules};
use crate::retry::RetrySchedule;

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Makes a clause. Profiles are constants, so a malformed id fails to compile.
const fn clause(id: &'static str) -> Clause {
    Clause::new(id)
}

/// One minute, doubling to an hour. The documents give no numbers.
const RETRY: RetrySchedule = RetrySchedule {
    first: MINUTE,
    longest: HOUR,
    longest_after_503: HOUR,
    retry_after_min: Duration::from_secs(10),
    retry_after_max: DAY,
};

/// Google fetches much more often after a 503. G-5xx-3.
const RETRY_GOOGLE: RetrySchedule = RetrySchedule {
    longest_after_503: Duration::from_secs(15 * 60),
    ..RETRY
};

const fn outage(with_copy: [OutageRule; 3], without_copy: [OutageRule; 3]) -> OutagePolicy {
    OutagePolicy {
        early_until: Duration::from_secs(12 * 60 * 60),
        late_from: Duration::from_secs(30 * 24 * 60 * 60),
        with_copy,
        without_copy,
    }
}

impl Profile {
    /// RFC 9309. This profile allows everything wherever the RFC permits it (MAY), except for 429: "too many
    /// requests" does not mean that the site has no rules.
    pub const RFC9309: Self = Self {
        name: Cow::Borrowed("rfc9309"),
        reading: Reading::new(Dialect::Rfc9309),
        redirects: RedirectRules {
            followed_max: 5,
            too_many: Open.by(clause("R9309-2.3.1.2-3")),
            other_host: Following::Followed,
            downgrade: Following::Followed,
            disallowed_hop: DisallowedHops::NotAsked,
            refused: Closed.by(clause("V-49")),
            unusable: Unreachable.by(clause("R9309-2.3.1.4-1")),
        },
        replies: ReplyRules {
            success: Rules.by(clause("R9309-2.3.1.1-1")),
            illegible: Rules.by(clause("R9309-2.3.1.1-1")),
            part_of_file: Unreachable.by(clause("V-55")),
            not_found: Open.by(clause("R9309-2.3.1.3-2")),
            denied: Open.by(clause("R9309-2.3.1.3-2")),
            too_many_requests: Unreachable.by(clause("V-52")),
            other_client_error: Open.by(clause("R9309-2.3.1.3-2")),
            server_error: Unreachable.by(clause("R9309-2.3.1.4-1")),
            missing_page: MissingPages::NotRecognised,
            undefined_status: Unreachable.by(clause("R9309-2.3.1.4-1")),
            network: Unreachable.by(clause("R9309-2.3.1.4-1")),
        },
        // "the crawler MUST assume complete disallow. [...] If the robots.txt is undefined for a
        // reasonably long period of time (for example, 30 days), crawlers MAY assume the robots.txt
        // is unavailable [...] or continue to use a cached copy."
        outage: outage(
            [OutageStance::Copy.by(clause("R9309-2.4-3")); 3],
            [
                OutageStance::Closed.by(clause("R9309-2.3.1.4-1")),
                OutageStance::Closed.by(clause("R9309-2.3.1.4-1")),
                OutageStance::Open.by(clause("R9309-2.3.1.4-2")),
            ],
        ),
        freshness: FreshnessRules {
            default_lifetime: DAY,
            lifetime_max: DAY,
            lifetime_min: MINUTE,
            failure_lifetime: DAY,
            conditional_requests: ConditionalRequests::Sent,
            clause: clause("R9309-2.4-3"),
            clause_before_first_fetch: clause("R9309-2.3.1.1-1"),
        },
        retry: RETRY,
    };

    /// Google's page as of 2026: in an outage, everything is disallowed for twelve hours. Then the last good copy is
    /// used. After 30 days the answer depends on whether the rest of the site is up.
    pub const GOOGLE: Self = Self {
        name: Cow::Borrowed("google"),
        reading: Reading::new(Dialect::Google),
        redirects: RedirectRules {
            followed_max: 5,
            too_many: Open.by(clause("G-3xx-1")),
            other_host: Following::Followed,
            downgrade: Following::Followed,
            disallowed_hop: DisallowedHops::Asked(Open.by(clause("G-3xx-2"))),
            refused: Closed.by(clause("V-49")),
            unusable: Unreachable.by(clause("G-err-1")),
        },
        replies: ReplyRules {
            success: Rules.by(clause("G-2xx-1")),
            illegible: Rules.by(clause("G-2xx-1")),
            part_of_file: Unreachable.by(clause("V-55")),
            not_found: Open.by(clause("G-4xx-1")),
            denied: Open.by(clause("G-4xx-1")),
            too_many_requests: Unreachable.by(clause("G-5xx-1")),
            other_client_error: Open.by(clause("G-4xx-1")),
            server_error: Unreachable.by(clause("G-5xx-1")),
            missing_page: MissingPages::NotRecognised,
            undefined_status: Unreachable.by(clause("G-err-1")),
            network: Unreachable.by(clause("G-err-1")),
        },
        outage: outage(
            [
                OutageStance::Closed.by(clause("G26-5xx-1")),
                OutageStance::Copy.by(clause("G26-5xx-2")),
                OutageStance::OpenIfRestOfSiteIsUp.by(clause("G26-5xx-3")),
            ],
            [
                OutageStance::Closed.by(clause("G26-5xx-1")),
                OutageStance::Open.by(clause("G26-5xx-2")),
                OutageStance::OpenIfRestOfSiteIsUp.by(clause("G26-5xx-3")),
            ],
        ),
        freshness: FreshnessRules {
            default_lifetime: DAY,
            lifetime_max: Duration::from_secs(7 * 24 * 60 * 60),
            lifetime_min: MINUTE,
            failure_lifetime: DAY,
            conditional_requests: ConditionalRequests::NotSent,
            clause: clause("G-cache-1"),
            clause_before_first_fetch: clause("G-1-1"),
        },
        retry: RETRY_GOOGLE,
    };

    /// Google's page until 2023: in an outage everything is disallowed for 30 days. Then the last good copy is used,
    /// and without a copy everything is allowed. The page also said that a copy may be kept longer if it cannot be
    /// refreshed. Here it is used only after those 30 days.
    pub const GOOGLE_2023: Self = Self {
        name: Cow::Borrowed("google-2023"),
        replies: ReplyRules {
            missing_page: MissingPages::Recognised(Open.by(clause("G-5xx-6"))),
            ..Self::GOOGLE.replies
        },
        outage: outage(
            [
                OutageStance::Closed.by(clause("G-5xx-1")),
                OutageStance::Closed.by(clause("G-5xx-1")),
                OutageStance::Copy.by(clause("G-5xx-4")),
            ],
            [
                OutageStance::Closed.by(clause("G-5xx-1")),
                OutageStance::Closed.by(clause("G-5xx-1")),
                OutageStance::Open.by(clause("G-5xx-4")),
            ],
        ),
        reading: Self::GOOGLE.reading,
        redirects: Self::GOOGLE.redirects,
        freshness: Self::GOOGLE.freshness,
        retry: Self::GOOGLE.retry,
    };

    /// draft-koster-rep-00 of 2019: every 4xx is unavailable, even 429, but a good copy stays in use until it is a day
    /// old.
    pub const DRAFT2019: Self = Self {
        name: Cow::Borrowed("draft2019"),
        reading: Reading::new(Dialect::Draft2019),
        redirects: RedirectRules {
            too_many: Open.by(clause("D00-2.3.1.2-3")),
            unusable: Unreachable.by(clause("D00-2.3.1.4-3")),
            ..Self::RFC9309.redirects
        },
        replies: ReplyRules {
            success: Rules.by(clause("D00-2.3.1.1-1")),
            illegible: Rules.by(clause("D00-2.3.1.1-1")),
            part_of_file: Unreachable.by(clause("V-55")),
            not_found: OpenUnlessCopyYoungerThan(DAY).by(clause("D00-2.3.1.3-2")),
            denied: OpenUnlessCopyYoungerThan(DAY).by(clause("D00-2.3.1.3-2")),
            too_many_requests: OpenUnlessCopyYoungerThan(DAY).by(clause("D00-2.3.1.3-2")),
            other_client_error: OpenUnlessCopyYoungerThan(DAY).by(clause("D00-2.3.1.3-2")),
            server_error: Unreachable.by(clause("D00-2.3.1.4-2")),
            missing_page: MissingPages::NotRecognised,
            undefined_status: Unreachable.by(clause("D00-2.3.1.4-3")),
            network: Unreachable.by(clause("D00-2.3.1.4-1")),
        },
        outage: outage(
            [
                OutageStance::Copy.by(clause("D00-2.4-3")),
                OutageStance::Copy.by(clause("D00-2.4-3")),
                OutageStance::Copy.by(clause("D00-2.3.1.4-4")),
            ],
            [
                OutageStance::Closed.by(clause("D00-2.3.1.4-1")),
                OutageStance::Closed.by(clause("D00-2.3.1.4-1")),
                OutageStance::Open.by(clause("D00-2.3.1.4-4")),
            ],
        ),
        freshness: FreshnessRules {
            clause: clause("D00-2.4-3"),
            clause_before_first_fetch: clause("D00-1-2"),
            ..Self::RFC9309.freshness
        },
        retry: RETRY,
    };

    /// Koster's draft of 1996: closed if access is denied, deferred after any other error, without a time limit.
    pub const KOSTER1996: Self = Self {
        name: Cow::Borrowed("koster1996"),
        reading: Reading::new(Dialect::Koster1996),
        redirects: RedirectRules {
            followed_max: 20,
            too_many: Unreachable.by(clause("K96-3.1-8")),
            other_host: Following::Followed,
            downgrade: Following::Followed,
            disallowed_hop: DisallowedHops::NotAsked,
            refused: Unreachable.by(clause("K96-3.1-9")),
            unusable: Unreachable.by(clause("K96-3.1-9")),
        },
        replies: ReplyRules {
            success: Rules.by(clause("K96-3.1-4")),
            illegible: Rules.by(clause("K96-3.1-4")),
            part_of_file: Unreachable.by(clause("V-55")),
            not_found: Open.by(clause("K96-3.1-5")),
            denied: Closed.by(clause("K96-3.1-6")),
            too_many_requests: Unreachable.by(clause("K96-3.1-9")),
            other_client_error: Unreachable.by(clause("K96-3.1-9")),
            server_error: Unreachable.by(clause("K96-3.1-7")),
            missing_page: MissingPages::NotRecognised,
            undefined_status: Unreachable.by(clause("K96-3.1-9")),
            network: Unreachable.by(clause("K96-3.1-7")),
        },
        outage: outage(
            [OutageStance::FreshCopyElseDefer.by(clause("K96-3.1-7")); 3],
            [OutageStance::Defer.by(clause("K96-3.1-7")); 3],
        ),
        freshness: FreshnessRules {
            default_lifetime: Duration::from_secs(7 * 24 * 60 * 60),
            lifetime_max: Duration::from_secs(30 * 24 * 60 * 60),
            lifetime_min: MINUTE,
            failure_lifetime: DAY,
            conditional_requests: ConditionalRequests::Sent,
            clause: clause("K96-3.4-1"),
            clause_before_first_fetch: clause("K96-3-1"),
        },
        retry: RETRY,
    };

    /// For crawlers that would rather skip a page than fetch a disallowed one. It opens only after a 404 or 410,
    /// follows no redirect to another site, and treats a body that is not legible as a failure.
    pub const CAUTIOUS: Self = Self {
        name: Cow::Borrowed("cautious"),
        reading: Reading::new(Dialect::Rfc9309),
        redirects: RedirectRules {
            followed_max: 5,
            too_many: Closed.by(clause("V-46")),
            other_host: Following::Refused(Closed.by(clause("V-47"))),
            downgrade: Following::Refused(Closed.by(clause("V-48"))),
            disallowed_hop: DisallowedHops::NotAsked,
            refused: Closed.by(clause("V-49")),
            unusable: Unreachable.by(clause("V-50")),
        },
        replies: ReplyRules {
            success: Rules.by(clause("R9309-2.3.1.1-1")),
            illegible: Unreachable.by(clause("V-45")),
            part_of_file: Unreachable.by(clause("V-55")),
            not_found: Open.by(clause("R9309-2.3.1.3-2")),
            denied: Closed.by(clause("K96-3.1-6")),
            too_many_requests: Unreachable.by(clause("V-52")),
            other_client_error: Closed.by(clause("V-53")),
            server_error: Unreachable.by(clause("R9309-2.3.1.4-1")),
            missing_page: MissingPages::NotRecognised,
            undefined_status: Unreachable.by(clause("R9309-2.3.1.4-1")),
            network: Unreachable.by(clause("R9309-2.3.1.4-1")),
        },
        outage: outage(
            [OutageStance::FreshCopyElseClosed.by(clause("R9309-2.3.1.4-1")); 3],
            [OutageStance::Closed.by(clause("R9309-2.3.1.4-1")); 3],
        ),
        freshness: Self::RFC9309.freshness,
        retry: RETRY,
    };

    /// All six profiles, in the order of tables.
    pub const ALL: &'static [Self] = &[
        Self::RFC9309,
        Self::GOOGLE,
        Self::GOOGLE_2023,
        Self::DRAFT2019,
        Self::KOSTER1996,
        Self::CAUTIOUS,
    ];
}

impl FromStr for Profile {
    type Err = UnknownProfile;

    fn from_str(name: &str) -> Result<Self, UnknownProfile> {
        Self::ALL
            .iter()
            .find(|profile| profile.name == name)
            .cloned()
            .ok_or(UnknownProfile)
    }
}

/// The text is not the name of one of the six profiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected one of rfc9309, google, google-2023, draft2019, koster1996, cautious")]
pub struct UnknownProfile;
