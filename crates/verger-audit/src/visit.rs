//! `Visit`: what a crawler did last at an authority.

use verger_access::Timestamp;

use crate::identity::RequestCheck;
use crate::tally::RobotsAnswer;

/// What a crawler did last at an authority.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Visit {
    /// The time of the latest request, by the result of the check.
    latest: [Option<Timestamp>; RequestCheck::ALL.len()],
    /// Whether robots.txt was refused, in the newest answer to a verified request for it.
    to_verified: Option<bool>,
    /// The same of the newest answer to a request that was not an impostor's.
    to_own: Option<bool>,
    /// The same of the newest answer to an impostor.
    to_impostor: Option<bool>,
}

impl Visit {
    /// Counts a request at a time in; the latest time before it, of requests that were checked with the same result.
    pub(crate) fn put_time(&mut self, check: RequestCheck, time: Timestamp) -> Option<Timestamp> {
        let latest = &mut self.latest[check as usize];
        let before = *latest;
        *latest = before.max(Some(time));
        before
    }

    /// Counts in what a request for robots.txt was answered.
    pub(crate) fn put_answer(&mut self, check: RequestCheck, answer: RobotsAnswer) {
        let is_refused = Some(answer == RobotsAnswer::Refused);
        match check {
            RequestCheck::Verified => {
                self.to_verified = is_refused;
                self.to_own = is_refused;
            }
            RequestCheck::Unverifiable => self.to_own = is_refused,
            RequestCheck::Impostor => self.to_impostor = is_refused,
        }
    }

    /// Whether robots.txt was refused to the sender of a request. A crawler may ask for it from one address and for
    /// pages from others, so that an answer to a verified request holds for unverifiable ones too. That to an
    /// unverifiable one holds for verified ones only where none of these asked. That to an impostor holds for
    /// impostors alone.
    pub(crate) fn is_refused(&self, check: RequestCheck) -> bool {
        let newest = match check {
            RequestCheck::Verified => self.to_verified.or(self.to_own),
            RequestCheck::Unverifiable => self.to_own,
            RequestCheck::Impostor => self.to_impostor,
        };
        newest.unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use RequestCheck::{Impostor, Unverifiable, Verified};
    use RobotsAnswer::{Refused, Served};

    use super::*;

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
            for &(check, answer) in answers {
                visit.put_answer(check, answer);
            }
            let refused = RequestCheck::ALL.map(|check| visit.is_refused(check));
            assert_eq!(refused, expected, "{answers:?}");
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
