use std::time::Duration;

use verger_access::Timestamp;

use crate::identity::RequestCheck;
use crate::tally::RobotsRequest;

/// How late a log line may be. Servers write a line when the response ends, and some use the time
/// when it began.
pub(crate) const LATE_LINE_MAX: Duration = Duration::from_secs(15 * 60);

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Visit {
    latest: [Option<Timestamp>; RequestCheck::ALL.len()],
    /// Verified requests for robots.txt.
    of_verified: Option<RobotsStreak>,
    /// Requests for robots.txt that were not an impostor's.
    of_own: Option<RobotsStreak>,
    /// Requests of impostors for robots.txt.
    of_impostor: Option<RobotsStreak>,
}

/// The newest consecutive requests for robots.txt with the same result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RobotsStreak {
    since: Timestamp,
    newest: RobotsRequest,
    /// Whether the response allows everything.
    opens: bool,
}

impl RobotsStreak {
    pub(crate) fn of(newest: RobotsRequest, opens: bool) -> Self {
        Self {
            since: newest.time,
            newest,
            opens,
        }
    }

    /// Adds a request, unless it is a late line with another result. A streak of responses that
    /// allow everything ends if the next one comes after the lifetime of the previous one, plus the
    /// time that a line may be late.
    fn with(self, next: Self, lifetime: Duration) -> Self {
        let is_late = next.newest.time < self.newest.time;
        let is_same = (next.newest.answer, next.opens) == (self.newest.answer, self.opens);
        let is_near = |gap| !self.opens || gap < lifetime.saturating_add(LATE_LINE_MAX);
        match (is_late, is_same) {
            (false, true) if is_near(next.newest.time.since(self.newest.time)) => Self {
                newest: next.newest,
                ..self
            },
            (false, _) => next,
            (true, true) if is_near(self.since.since(next.since)) => Self {
                since: self.since.min(next.since),
                ..self
            },
            (true, _) => self,
        }
    }

    /// The streak must have begun by `time`.
    pub(crate) fn by(self, time: Timestamp) -> RobotsRequest {
        if self.newest.time <= time {
            return self.newest;
        }
        RobotsRequest {
            time: self.since,
            ..self.newest
        }
    }

    /// The streak must have begun by `time`.
    pub(crate) fn opens_at(self, time: Timestamp, lifetime: Duration) -> bool {
        self.opens && time.since(self.newest.time) < lifetime
    }
}

impl Visit {
    /// Records a request and returns the latest earlier time with the same check result. After a
    /// much later time, continues from this request, because a clock may have run ahead.
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

    /// `lifetime` is that of the response.
    pub(crate) fn put_robots(
        &mut self,
        check: RequestCheck,
        request: RobotsStreak,
        lifetime: Duration,
    ) {
        let put = |slot: &mut Option<RobotsStreak>| {
            *slot = Some(slot.map_or(request, |those| those.with(request, lifetime)));
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

    /// Returns the newest requests for robots.txt by the sender of a request at `time`. A crawler
    /// may request robots.txt from one address and pages from another, so a verified one also
    /// applies to unverifiable requests. An unverifiable one applies to verified requests only if
    /// there is no verified one. An impostor's applies only to impostors.
    pub(crate) fn robots(&self, check: RequestCheck, time: Timestamp) -> Option<RobotsStreak> {
        let by_then = |robots: Option<RobotsStreak>| robots.filter(|robots| robots.since <= time);
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
                let request = RobotsStreak::of(RobotsRequest { time, answer }, answer == Refused);
                visit.put_robots(check, request, LATE_LINE_MAX);
            }
            let is_refused = |robots: RobotsStreak| robots.opens_at(time, LATE_LINE_MAX);
            let refused = RequestCheck::ALL
                .iter()
                .map(|check| visit.robots(*check, time).is_some_and(is_refused));
            assert!(refused.eq(expected), "{answers:?}");
        }
    }

    #[test]
    fn an_answer_that_allows_everything_does_so_for_its_lifetime() {
        let at = Timestamp::from_unix_seconds;
        let lifetime = Duration::from_secs(1000);
        for (times, time, expected) in [
            (&[5][..], 1004, true),
            (&[5], 1005, false),
            (&[5], 4, false),
            // Late lines: between two results, and between two that are too far apart.
            (&[5, 1904], 1004, true),
            (&[5, 1905], 1004, false),
            (&[1905, 6], 1004, true),
            (&[1905, 5], 1004, false),
            (&[1905, 5], 1905, true),
        ] {
            let mut visit = Visit::default();
            for time in times.iter().copied().map(at) {
                let answer = Refused;
                let request = RobotsStreak::of(RobotsRequest { time, answer }, true);
                visit.put_robots(Verified, request, lifetime);
            }
            let opens = visit
                .robots(Verified, at(time))
                .is_some_and(|robots| robots.opens_at(at(time), lifetime));
            assert_eq!(opens, expected, "{times:?} {time}");
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
        // A clock had run ahead.
        assert_eq!(visit.put_time(Impostor, at(5000)), Some(at(8)));
        assert_eq!(visit.put_time(Impostor, at(9)), Some(at(5000)));
        assert_eq!(visit.put_time(Impostor, at(10)), Some(at(9)));
    }
}
