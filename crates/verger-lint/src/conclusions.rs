//! The conclusions that crawlers draw from a response without a file.

use std::fmt;

use verger_access::{OutageStance, Outcome, Profile, Treatment};

use crate::finding::{Draft, Findings};
use crate::subject::Subject;

/// The conclusions of crawlers that know nothing about the site yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conclusions {
    AllOpen,
    AllClosed,
    /// Google's crawlers and most others fetch everything, careful ones nothing.
    MostOpen,
    /// Google's crawlers and most others fetch nothing, a few everything.
    MostClosed,
}

impl Conclusions {
    /// Returns the conclusions of all built-in profiles.
    pub(crate) fn of(outcome: Outcome) -> Self {
        let mut profiles = Profile::ALL.iter();
        let is_open = |profile: &Profile| allows(profile, outcome);
        match (profiles.clone().all(is_open), profiles.any(is_open)) {
            (true, _) => Self::AllOpen,
            (_, false) => Self::AllClosed,
            _ if is_open(&Profile::GOOGLE) => Self::MostOpen,
            _ => Self::MostClosed,
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
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AllOpen => "crawlers may fetch everything",
            Self::AllClosed => "crawlers may fetch nothing",
            Self::MostOpen => {
                "Google and most other crawlers may fetch everything, careful ones nothing"
            }
            Self::MostClosed => "Google and most other crawlers may fetch nothing, some everything",
        })
    }
}

/// Adds a finding if the server answers with one of some statuses instead of the file.
pub(crate) fn add_answer(
    file: &Subject<'_>,
    is_one: fn(u16) -> bool,
    help: &'static str,
    found: &mut Findings,
) {
    let fetch = file.served.fetch.as_ref();
    let answer = fetch.and_then(|it| Some((it.outcome, it.error_status()?)));
    if let Some((outcome, status)) = answer.filter(|(_, status)| is_one(*status)) {
        let conclusions = Conclusions::of(outcome);
        let message = format!("the server answers with status {status}: {conclusions}");
        found.add(Draft::of_serving(message).help(help));
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
    fn crawlers_are_told_apart_where_they_differ() {
        let error = |status| of(Outcome::Error(Reply::Http(status)));
        assert_eq!(error(404), "crawlers may fetch everything");
        assert_eq!(error(503), "crawlers may fetch nothing");
        assert_eq!(
            error(403),
            "Google and most other crawlers may fetch everything, careful ones nothing"
        );
        assert_eq!(
            error(429),
            "Google and most other crawlers may fetch nothing, some everything"
        );
        let failed = Outcome::Failed(TransportFailure::Timeout);
        assert_eq!(of(failed), "crawlers may fetch nothing");
    }
}
