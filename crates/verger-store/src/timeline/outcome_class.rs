//! `OutcomeClass`: the outcome of an attempt, as one of five classes.

use verger_access::{AccessResult, Outcome, Profile};

/// A class of outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutcomeClass {
    /// There is a robots.txt.
    Successful,
    /// A body that is not legible was served instead, such as an HTML page without rules.
    Illegible,
    /// The profile treats the file as missing.
    Unavailable,
    /// A redirect was not followed.
    Redirected,
    /// It could not be determined whether there is a robots.txt.
    Unreachable,
}

impl OutcomeClass {
    /// All classes, from best to worst.
    pub const ALL: &'static [Self] = &[
        Self::Successful,
        Self::Illegible,
        Self::Unavailable,
        Self::Redirected,
        Self::Unreachable,
    ];

    /// Classifies an outcome under a profile.
    #[must_use]
    pub fn new(outcome: Outcome, profile: &Profile) -> Self {
        match (outcome, profile.access_result(outcome)) {
            (Outcome::Redirect(_), _) => Self::Redirected,
            (Outcome::Illegible(..), _) => Self::Illegible,
            (_, AccessResult::Successful(_)) => Self::Successful,
            (_, AccessResult::Unavailable(_)) => Self::Unavailable,
            (_, AccessResult::Unreachable(_)) => Self::Unreachable,
        }
    }

    /// Returns the name of the class for people.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Successful => "successful",
            Self::Illegible => "not legible",
            Self::Unavailable => "unavailable",
            Self::Redirected => "redirected",
            Self::Unreachable => "unreachable",
        }
    }

    pub(super) const fn index(self) -> usize {
        self as usize
    }
}

#[cfg(test)]
mod tests {
    use verger_access::{Illegible, RedirectEnd, Reply, TransportFailure};

    use super::*;

    #[test]
    fn an_outcome_has_the_class_that_its_profile_gives_it() {
        let too_many_requests = Outcome::Error(Reply::Http(429));
        for (outcome, profile, class) in [
            (
                Outcome::Successful(Reply::Http(304)),
                Profile::RFC9309,
                OutcomeClass::Successful,
            ),
            (
                Outcome::Illegible(Reply::Http(200), Illegible::Page),
                Profile::CAUTIOUS,
                OutcomeClass::Illegible,
            ),
            (
                Outcome::Error(Reply::Http(404)),
                Profile::RFC9309,
                OutcomeClass::Unavailable,
            ),
            (
                Outcome::Error(Reply::Http(503)),
                Profile::RFC9309,
                OutcomeClass::Unreachable,
            ),
            (
                too_many_requests,
                Profile::DRAFT2019,
                OutcomeClass::Unavailable,
            ),
            (
                too_many_requests,
                Profile::GOOGLE,
                OutcomeClass::Unreachable,
            ),
            (
                Outcome::Redirect(RedirectEnd::Loop),
                Profile::RFC9309,
                OutcomeClass::Redirected,
            ),
            (
                Outcome::Failed(TransportFailure::ALL[0]),
                Profile::GOOGLE,
                OutcomeClass::Unreachable,
            ),
        ] {
            assert_eq!(OutcomeClass::new(outcome, &profile), class, "{outcome}");
        }
    }

    #[test]
    fn a_class_is_at_its_place_among_all() {
        for (place, class) in OutcomeClass::ALL.iter().copied().enumerate() {
            assert_eq!(class.index(), place);
        }
    }
}
