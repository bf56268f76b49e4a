//! `Visit`: the last requests of a crawler to an authority.

use verger_access::Timestamp;

use crate::identity::RequestCheck;
use crate::tally::RobotsRequest;

/// The last requests of a crawler to an authority.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Visit {
    /// The time of the latest request, by the result of the check.
    latest: [Option<Timestamp>; RequestCheck::ALL.len()],
    /// The newest verified request for robots.txt.
    of_verified: Option<RobotsRequest>,
    /// The newest one that was not an impostor's.
    of_own: Option<RobotsRequest>,
    /// The newest one of an impostor.
    of_impostor: Option<RobotsRequest>,
}

impl Visit {
    /// Counts a request at a time, and returns the latest time before it of a request with the same check result.
    pub(crate) fn put_time(&mut self, check: RequestCheck, time: Timestamp) -> Option<Timestamp> {
        let latest = &mut self.latest[check as usize];
        let before = *latest;
        *latest = before.max(Some(time));
        before
    }

    /// Counts in a request for robots.txt.
    pub(crate) fn put_robots(&mut self, check: RequestCheck, request: RobotsRequest) {
        let request = Some(request);
        match check {
            RequestCheck::Verified => {
                self.of_verified = request;
                self.of_own = request;
            }
            RequestCheck::Unverifiable => self.of_own = request,
            RequestCheck::Impostor => self.of_impostor = request,
        }
    }

    /// The newest request for robots.txt of the sender of a request, at its time or before. A crawler may ask for it
    /// from one address and for pages from others, so that a verified request holds for unverifiable ones too. An
    /// unverifiable one holds for verified ones only where none of these asked. That of an impostor holds for
    /// impostors alone.
    pub(crate) fn robots(&self, check: RequestCheck, time: Timestamp) -> Option<RobotsRequest> {
        let by_then = |robots: Option<RobotsRequest>| robots.filter(|robots| robots.time <= time);
        match check {
            RequestCheck::Verified => by_then(self.of_verified).or(by_then(self.of_own)),
            RequestCheck::Unverifiable => by_then(self.of_own),
            RequestCheck::Impostor => by_then(self.of_impostor),
        }
    }
}

#[cfg(test)]
mod tests {
    use RequestCheck::{Impostor, Unverifiable, Verified};
    use RobotsAnswer::{Refused, Served};

    use super::*;
    use crate::tally::RobotsAnswer;

    #[test]
    fn an_answer_holds_for_those_that_can_have_had_it() {
        for (answers, expected) in [
            (&[][..], [false, false, false]),
            (&[(Verified, Refused)], [true, true, false]),
            (&[(Unverifiable, Refused)], [true, true, false]),
            (&[(Impostor, Refused)], [false, false, true]),
            (
                &[(Verified, Served), (Unverifiable, Refused)],
                [false, true, false],
            ),
            (
                &[(Verified, Refused), (Unverifiable, Served)],
                [true, false, false],
            ),
            (
                &[(Unverifiable, Refused), (Verified, Served)],
                [false, false, false],
            ),
            (
                &[(Verified, Refused), (Impostor, Served)],
                [true, true, false],
            ),
        ] {
            let mut visit = Visit::default();
            let time = Timestamp::from_unix_seconds(0);
            for &(check, answer) in answers {
                visit.put_robots(check, RobotsRequest { time, answer });
            }
            let is_refused = |robots: RobotsRequest| robots.answer == Refused;
            let refused = RequestCheck::ALL
                .iter()
                .map(|check| visit.robots(*check, time).is_some_and(is_refused));
            assert!(refused.eq(expected), "{answers:?}");
        }
    }

    #[test]
    fn times_are_apart_by_the_result_of_the_check() {
        let at = Timestamp::from_unix_seconds;
        let mut visit = Visit::default();
        assert_eq!(visit.put_time(Verified, at(5)), None);
        assert_eq!(visit.put_time(Impostor, at(7)), None);
        assert_eq!(visit.put_time(Verified, at(3)), Some(at(5)));
        assert_eq!(visit.put_time(Verified, at(6)), Some(at(5)));
        assert_eq!(visit.put_time(Impostor, at(8)), Some(at(7)));
    }
}
