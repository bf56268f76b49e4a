//! The profiles, as the documents and `docs/reference/choices.md` define them.
#![expect(clippy::match_same_arms, reason = "an arm is a row of a table")]

use super::end::{ADDRESS_REFUSED, End, RedirectEnd};

/// A profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProfileName {
    /// RFC 9309.
    Rfc9309,
    /// Google's page of 2026.
    Google,
    /// Google's page until 2023.
    Google2023,
    /// The draft of 2019.
    Draft2019,
    /// The draft of 1996.
    Koster1996,
    /// The careful profile, which follows no document.
    Cautious,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Treatment {
    Rules,
    Open,
    /// Open, but a good copy younger than 24 hours stays in use.
    OpenOrYoungCopy,
    Closed,
    Unreachable,
}

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

use ProfileName::{Cautious, Draft2019, Google, Google2023, Koster1996, Rfc9309};

impl ProfileName {
    /// All profiles.
    pub const ALL: &[Self] = &[Rfc9309, Google, Google2023, Draft2019, Koster1996, Cautious];

    /// Returns the product's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Rfc9309 => "rfc9309",
            Google => "google",
            Google2023 => "google-2023",
            Draft2019 => "draft2019",
            Koster1996 => "koster1996",
            Cautious => "cautious",
        }
    }

    fn is_googles(self) -> bool {
        matches!(self, Google | Google2023)
    }

    /// "redirects followed".
    pub(super) fn redirects_followed(self) -> usize {
        if self == Koster1996 { 20 } else { 5 }
    }

    /// "redirect to another host", "https → http": all but the careful profile follow.
    pub(super) fn stays_on_the_site(self) -> bool {
        self == Cautious
    }

    /// "hop disallowed by a rule": only Google checks.
    pub(super) fn asks_about_hops(self) -> bool {
        self.is_googles()
    }

    /// "conditional request".
    pub(super) fn sends_conditions(self) -> bool {
        !self.is_googles()
    }

    pub(super) fn treatment(self, end: &End) -> Treatment {
        use Treatment::{Closed, Open, OpenOrYoungCopy, Rules, Unreachable};
        let failed = Unreachable;
        match *end {
            End::Success(_) => Rules,
            // "2xx whose body is not legible"
            End::Illegible(..) if self == Cautious => failed,
            End::Illegible(..) => Rules,
            // "206 that states a part of the file: a body that is not whole"
            End::Part => failed,
            // "other scheme, refused address"
            End::Failed(ADDRESS_REFUSED) if self == Koster1996 => failed,
            End::Failed(ADDRESS_REFUSED) => Closed,
            End::NotFoundPage(_) if self == Google2023 => Open,
            End::NotFoundPage(_) | End::Failed(_) => failed,
            End::Redirect(end) => match (end, self) {
                (RedirectEnd::TooMany | RedirectEnd::Loop, Koster1996) => failed,
                (RedirectEnd::TooMany | RedirectEnd::Loop, Cautious) => Closed,
                (RedirectEnd::TooMany | RedirectEnd::Loop, _) => Open,
                (RedirectEnd::OtherHost | RedirectEnd::Downgrade, _) => Closed,
                (RedirectEnd::OtherScheme, Koster1996) => failed,
                (RedirectEnd::OtherScheme, _) => Closed,
                (RedirectEnd::DisallowedHop, _) => Open,
                (
                    RedirectEnd::NoLocation
                    | RedirectEnd::BadLocation
                    | RedirectEnd::UnaskedNotModified,
                    _,
                ) => failed,
            },
            End::Error(status) => match (status, self) {
                (404 | 410, Draft2019) => OpenOrYoungCopy,
                (404 | 410, _) => Open,
                (401 | 403, Koster1996 | Cautious) => Closed,
                (429, Draft2019) => OpenOrYoungCopy,
                (429, _) => failed,
                (400..=499, Draft2019) => OpenOrYoungCopy,
                (400..=499, Koster1996) => failed,
                (400..=499, Cautious) => Closed,
                (400..=499, _) => Open,
                _ => failed,
            },
        }
    }

    /// Returns the lifetime of an answer or a copy that states this one.
    pub(super) fn lifetime(self, stated: Option<u64>) -> u64 {
        let (usual, most) = match self {
            Rfc9309 | Draft2019 | Cautious => (DAY, DAY),
            Google | Google2023 => (DAY, 7 * DAY),
            Koster1996 => (7 * DAY, 30 * DAY),
        };
        stated.unwrap_or(usual).min(most).max(MINUTE)
    }

    /// Returns the wait after this many consecutive failures.
    pub(super) fn wait(self, failures: u32, end: &End, retry_after: Option<u64>) -> u64 {
        if let Some(seconds) = retry_after {
            return seconds.clamp(10, DAY);
        }
        let is_503 = matches!(end, End::Error(503) | End::NotFoundPage(503));
        let most = if is_503 && self.is_googles() {
            15 * MINUTE
        } else {
            HOUR
        };
        (1..failures)
            .fold(MINUTE, |wait, _| (2 * wait).min(most))
            .min(most)
    }

    /// Returns the stance while unreachable, `outage` seconds after the first of the consecutive
    /// failures. `is_copy_fresh` is `None` without a copy.
    pub(super) fn while_unreachable(
        self,
        outage: u64,
        is_copy_fresh: Option<bool>,
    ) -> &'static str {
        let (is_early, is_late) = (outage < 12 * HOUR, outage >= 30 * DAY);
        match (self, is_copy_fresh) {
            (Rfc9309 | Draft2019, Some(_)) => "copy",
            (Rfc9309 | Draft2019 | Google2023, None) if is_late => "open",
            (Rfc9309 | Draft2019 | Google2023, None) => "closed",
            // Histories never say whether the rest of the site is up.
            (Google, _) if is_early || is_late => "closed",
            (Google, Some(_)) => "copy",
            (Google, None) => "open",
            (Google2023, Some(_)) if is_late => "copy",
            (Google2023, Some(_)) => "closed",
            (Koster1996 | Cautious, Some(true)) => "copy",
            (Koster1996, _) => "defer",
            (Cautious, _) => "closed",
        }
    }
}
