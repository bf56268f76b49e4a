//! `Visit`: the last requests of a crawler to an authority.

use std::time::Duration;

use verger_access::Timestamp;

use crate::identity::RequestCheck;
use crate::tally::RobotsRequest;

/// How much later than others the line of a request may come: servers write it when the response has ended, and some
/// with the time of its beginning.
pub(crate) const LATE_LINE_MAX: Duration = Duration::from_secs(15 * 60);

/// The last requests of a crawler to an authority.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Visit {
    /// The time of the latest request, by the result of the check.
    latest: [Option<Timestamp>; RequestCheck::ALL.len()],
    /// The verified requests for robots.txt.
    of_verified: Option<RobotsStreak>,
    /// Those that were not an impostor's.
    of_own: Option<RobotsStreak>,
    /// Those of an impostor.
    of_impostor: Option<RobotsStreak>,
}

/// The newest requests for robots.txt in a row that had the same answer.
#[derive(Clone, Copy, Debug)]
struct RobotsStreak {
    since: Timestamp,
    newest: RobotsRequest,
}

impl RobotsStreak {
    /// With one more. What comes late with another answer changes nothing.
    fn with(self, request: RobotsRequest) -> Self {
        if request.answer == self.newest.answer {
            Self {
                since: self.since.min(request.time),
                newest: if request.time < self.newest.time {
                    self.newest
                } else {
                    request
                },
            }
        } else if request.time < self.newest.time {
            self
        } else {
            Self::from(request)
        }
    }

    /// One of them that came at a time or before.
    fn by(self, time: Timestamp) -> Option<RobotsRequest> {
        let first = RobotsRequest {
            time: self.since,
            ..self.newest
        };
        [self.newest, first]
            .into_iter()
            .find(|request| request.time <= time)
    }
}

impl From<RobotsRequest> for RobotsStreak {
    fn from(newest: RobotsRequest) -> Self {
        Self {
            since: newest.time,
            newest,
        }
    }
}

impl Visit {
    /// Counts a request at a time, and returns the latest time before it of a request with the same check result. After
    /// one that came much later the count goes on from this one: a clock may have run ahead.
    pub(crate) fn put_time(&mut self, check: RequestCheck, time: Timestamp) -> Option<Timestamp> {
        let latest = &mut self.latest[check as usize];
        let before = *latest;
        let is_much_later = before.is_some_and(|before| before.since(time) > LATE_LINE_MAX);
        *latest = if is_much_later {
            Some(time)
        } else {
            before.max(Some(time))
        };
        before
    }

    /// Counts in a request for robots.txt.
    pub(crate) fn put_robots(&mut self, check: RequestCheck, request: RobotsRequest) {
        let put = |slot: &mut Option<RobotsStreak>| {
            *slot = Some(slot.map_or_else(|| request.into(), |those| those.with(request)));
        };
        match check {
            RequestCheck::Verified => {
                put(&mut self.of_verified);
                put(&mut self.of_own);
            }
            RequestCheck::Unverifiable => put(&mut self.of_own),
            RequestCheck::Impostor => put(&mut self.of_impostor),
        }
    }

    /// A request for robots.txt of the sender of a request, at its time or before, with the answer of the newest. A
    /// crawler may ask for it from one address and for pages from others, so that a verified request holds for
    /// unverifiable ones too. An unverifiable one holds for verified ones only where none of these asked. That of an
    /// impostor holds for impostors alone.
    pub(crate) fn robots(&self, check: RequestCheck, time: Timestamp) -> Option<RobotsRequest> {
        let by_then = |robots: Option<RobotsStreak>| robots.and_then(|robots| robots.by(time));
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
        // By a clock that ran ahead.
        assert_eq!(visit.put_time(Impostor, at(5000)), Some(at(8)));
        assert_eq!(visit.put_time(Impostor, at(9)), Some(at(5000)));
        assert_eq!(visit.put_time(Impostor, at(10)), Some(at(9)));
    }
}
