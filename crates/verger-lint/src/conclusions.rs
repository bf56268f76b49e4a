//! What crawlers conclude from a response without a file, by profile.

use std::fmt;

use verger_access::{OutageStance, Outcome, Profile, Treatment};

/// The conclusions of crawlers that know nothing about the site yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Conclusions {
    allowed: Vec<String>,
    disallowed: Vec<String>,
}

impl Conclusions {
    /// Returns the conclusions of all built-in profiles.
    pub(crate) fn of(outcome: Outcome) -> Self {
        let (mut allowed, mut disallowed) = (Vec::new(), Vec::new());
        for profile in Profile::ALL {
            let list = if allows(profile, outcome) {
                &mut allowed
            } else {
                &mut disallowed
            };
            list.push(profile.name.to_string());
        }
        Self {
            allowed,
            disallowed,
        }
    }
}

/// Returns whether a profile allows everything after an outcome. A deferring profile disallows
/// everything for now.
fn allows(profile: &Profile, outcome: Outcome) -> bool {
    match profile.consequence(outcome).treatment {
        // A file without rules.
        Treatment::Rules | Treatment::Open | Treatment::OpenUnlessCopyYoungerThan(_) => true,
        Treatment::Unreachable => matches!(
            profile.outage.without_copy[0].stance,
            OutageStance::Open | OutageStance::OpenIfRestOfSiteIsUp
        ),
        _ => false,
    }
}

impl fmt::Display for Conclusions {
    /// Writes the common conclusion, or one for each profile.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.allowed[..], &self.disallowed[..]) {
            (_, []) => f.write_str("crawlers may fetch everything"),
            ([], _) => f.write_str("crawlers may fetch nothing"),
            (allowed, disallowed) => write!(
                f,
                "crawlers may fetch everything by {}, and nothing by {}",
                joined(allowed),
                joined(disallowed)
            ),
        }
    }
}

/// `a, b and c`.
fn joined(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [front @ .., last] => format!("{} and {last}", front.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use verger_access::{Reply, TransportFailure};

    fn of(outcome: Outcome) -> String {
        Conclusions::of(outcome).to_string()
    }

    #[test]
    fn profiles_are_named_where_they_differ() {
        let error = |status| of(Outcome::Error(Reply::Http(status)));
        assert_eq!(error(404), "crawlers may fetch everything");
        assert_eq!(error(503), "crawlers may fetch nothing");
        assert_eq!(
            error(403),
            "crawlers may fetch everything by rfc9309, google, google-2023 and draft2019, and \
             nothing by koster1996 and cautious"
        );
        assert_eq!(
            error(429),
            "crawlers may fetch everything by draft2019, and nothing by rfc9309, google, \
             google-2023, koster1996 and cautious"
        );
        let failed = Outcome::Failed(TransportFailure::Timeout);
        assert_eq!(of(failed), "crawlers may fetch nothing");
    }
}
