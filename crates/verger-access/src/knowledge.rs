//! `Knowledge`: everything known about one authority, from which a profile answers.

use core::time::Duration;

use verger::Clause;

use crate::answer::Answer;
use crate::attempt::{Attempt, LastAttempt};
use crate::consequence::{Consequence, Treatment};
use crate::good_copy::GoodCopy;
use crate::missing::Missing;
use crate::outage_policy::{OutagePhase, OutagePolicy, OutageRule, OutageStance, RestOfSite};
use crate::profile::Profile;
use crate::retry::Jitter;
use crate::stance::Stance;
use crate::timestamp::Timestamp;

/// The clause by which a failure that was seen too long ago no longer decides.
const LAST_SEEN: Clause = Clause::new("V-60");

/// Failures in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailureStreak {
    /// When the first one happened.
    pub first_at: Timestamp,
    /// Number of failures, at least one.
    pub failures: u32,
    /// The jitter of the wait after the last failure.
    pub jitter: Jitter,
}

/// The knowledge about one authority. It does not depend on the current time.
///
/// It is the result of all attempts so far under one profile ([`Knowledge::record`]). Another profile can also answer
/// from it, though its streak of failures may be missing. The fields are public for stores.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Knowledge {
    /// The last attempt, or `None` before the first.
    pub last: Option<LastAttempt>,
    /// The last good body, until an attempt finds that no file exists.
    pub copy: Option<GoodCopy>,
    /// The current failures in a row, if any.
    pub streak: Option<FailureStreak>,
}

impl Knowledge {
    /// Records an attempt. `jitter` changes the wait after it, if it failed.
    ///
    /// An attempt that says nothing about the site ([`crate::Outcome::is_about_the_site`]) decides the answer, but does
    /// not change copy and streak.
    pub fn record(&mut self, attempt: &Attempt, profile: &Profile, jitter: Jitter) {
        let last = attempt.last;
        self.last = Some(last);
        if !last.outcome.is_about_the_site() {
            return;
        }
        match profile.consequence(last.outcome).treatment {
            Treatment::Rules => {
                self.copy.clone_from(&attempt.copy);
                self.streak = None;
            }
            Treatment::Open | Treatment::Closed => {
                self.copy = None;
                self.streak = None;
            }
            // "MAY use a cached version of a robots.txt file for up to 24 hours."
            //                                                                D00-2.3.1.3-2
            Treatment::OpenUnlessCopyYoungerThan(age) => {
                let copy = self.copy.take();
                self.copy = copy.filter(|copy| copy.younger_until(age, last.at).is_some());
                self.streak = None;
            }
            Treatment::Unreachable => self.streak = Some(self.longer_streak(last.at, jitter)),
        }
    }

    /// Returns how many bytes it takes on the heap, including allocator overhead. Most of them are the body.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.copy.as_ref().map_or(0, GoodCopy::heap_bytes)
    }

    fn longer_streak(&self, at: Timestamp, jitter: Jitter) -> FailureStreak {
        self.streak.map_or(
            FailureStreak {
                first_at: at,
                failures: 1,
                jitter,
            },
            |streak| FailureStreak {
                // If the clock has gone back to a time before the first failure, the outage begins now. Without this,
                // its length would stay zero until the clock has caught up.
                first_at: streak.first_at.min(at),
                failures: streak.failures.saturating_add(1),
                jitter,
            },
        )
    }

    /// Returns the answer of `profile` at `now`.
    ///
    /// Before the first attempt, and after the last result has expired, the stance is to defer: time alone never allows
    /// anything. A failure also expires ([`FreshnessRules::failure_lifetime`]). The length of an outage is the time
    /// from the first failure in a row to the last one, whatever the current time. V-60. A caller that fetches again at
    /// [`Answer::ask_again_at`] never gets an expired answer.
    ///
    /// [`FreshnessRules::failure_lifetime`]: crate::FreshnessRules::failure_lifetime
    #[must_use]
    pub fn answer(&self, profile: &Profile, now: Timestamp, rest_of_site: RestOfSite) -> Answer {
        let Some(last) = self.last else {
            // The rules must be known before any other URL of the site is fetched.   K96-3-1, G-1-1
            let clause = profile.freshness.clause_before_first_fetch;
            let asking = Answer::new(profile, None, Treatment::Unreachable.by(clause), now);
            return asking.deferred(Missing::AnyAttempt, clause, now);
        };
        let consequence = profile.consequence(last.outcome);
        match consequence.treatment {
            Treatment::Unreachable => {
                self.unreachable(profile, consequence, last, now, rest_of_site)
            }
            Treatment::Rules
            | Treatment::Open
            | Treatment::OpenUnlessCopyYoungerThan(_)
            | Treatment::Closed => self.settled(profile, consequence, last, now),
        }
    }

    /// Returns the answer after an attempt with a definite result.
    fn settled(
        &self,
        profile: &Profile,
        consequence: Consequence,
        last: LastAttempt,
        now: Timestamp,
    ) -> Answer {
        let result = profile.access_result(last.outcome);
        let lifetime = profile.freshness.lifetime(last.stated_lifetime);
        let fresh_until = due(last.at, lifetime, now);
        let answer = Answer::new(profile, Some(result), consequence, fresh_until);
        // "SHOULD NOT use the cached version for more than 24 hours, unless the robots.txt is
        // unreachable", and "must periodically verify the cached copy is fresh before using its
        // contents".                                                 R9309-2.4-3, K96-3.4-1
        if now >= fresh_until {
            let missing = Missing::AttemptAfter(last.at);
            return answer.deferred(missing, profile.freshness.clause, fresh_until);
        }
        let clause = consequence.clause;
        match (consequence.treatment, &self.copy) {
            (Treatment::Rules, Some(copy)) => {
                let answer = answer.with_stance(Stance::Rules, clause, fresh_until);
                answer.with_body(copy)
            }
            (Treatment::OpenUnlessCopyYoungerThan(age), Some(copy)) => {
                match copy.younger_until(age, now) {
                    Some(end) => {
                        let end = end.min(fresh_until);
                        let answer = answer.with_stance(Stance::Copy, clause, end);
                        answer.with_body(copy)
                    }
                    None => answer.with_stance(Stance::Open, clause, fresh_until),
                }
            }
            (Treatment::Open | Treatment::OpenUnlessCopyYoungerThan(_), _) => {
                answer.with_stance(Stance::Open, clause, fresh_until)
            }
            (Treatment::Closed, _) => answer.with_stance(Stance::Closed, clause, fresh_until),
            // The body of a success was lost and is to be fetched again. It allows nothing.
            (Treatment::Rules | Treatment::Unreachable, _) => {
                let answer = Answer::new(profile, Some(result), consequence, now);
                answer.deferred(Missing::Body, clause, now)
            }
        }
    }

    /// Returns the answer while the authority is unreachable.
    fn unreachable(
        &self,
        profile: &Profile,
        consequence: Consequence,
        last: LastAttempt,
        now: Timestamp,
        rest_of_site: RestOfSite,
    ) -> Answer {
        let streak = self.streak.unwrap_or(FailureStreak {
            first_at: last.at,
            failures: 1,
            jitter: Jitter::NONE,
        });
        let retry = &profile.retry;
        let wait = retry.wait(
            streak.failures,
            last.outcome,
            last.retry_after,
            streak.jitter,
        );
        let result = profile.access_result(last.outcome);
        let answer = Answer::new(profile, Some(result), consequence, due(last.at, wait, now));
        let until = due(last.at, profile.freshness.failure_lifetime, now);
        if now >= until {
            return answer.deferred(Missing::AttemptAfter(last.at), LAST_SEEN, until);
        }
        // An attempt that says nothing about the site does not prove that the outage continued.
        let lasted = if last.outcome.is_about_the_site() {
            last.at.since(streak.first_at)
        } else {
            Duration::ZERO
        };
        let phase = profile.outage.phase(lasted);
        self.in_phase(profile, answer, phase, (now, until), rest_of_site)
    }

    fn in_phase(
        &self,
        profile: &Profile,
        answer: Answer,
        phase: OutagePhase,
        (now, until): (Timestamp, Timestamp),
        rest_of_site: RestOfSite,
    ) -> Answer {
        let outage = &profile.outage;
        let Some(copy) = &self.copy else {
            let OutageRule { stance, clause } = OutagePolicy::rule(&outage.without_copy, phase);
            return answer.with_stance(without_copy(stance, rest_of_site), clause, until);
        };
        let OutageRule { stance, clause } = OutagePolicy::rule(&outage.with_copy, phase);
        let copy_until = match stance {
            OutageStance::Copy => Some(until),
            OutageStance::FreshCopyElseDefer | OutageStance::FreshCopyElseClosed => {
                copy.fresh_until(&profile.freshness, now)
            }
            OutageStance::Open
            | OutageStance::OpenIfRestOfSiteIsUp
            | OutageStance::Closed
            | OutageStance::Defer => None,
        };
        if let Some(copy_until) = copy_until {
            let answer = answer.with_stance(Stance::Copy, clause, copy_until.min(until));
            return answer.with_body(copy);
        }
        answer.with_stance(without_copy(stance, rest_of_site), clause, until)
    }
}

/// Returns the stance of a phase in which no copy is used.
fn without_copy(stance: OutageStance, rest_of_site: RestOfSite) -> Stance {
    match stance {
        OutageStance::Open => Stance::Open,
        OutageStance::OpenIfRestOfSiteIsUp => match rest_of_site {
            RestOfSite::Up => Stance::Open,
            RestOfSite::NotKnownToBeUp => Stance::Closed,
        },
        OutageStance::FreshCopyElseDefer | OutageStance::Defer => Stance::Defer,
        OutageStance::Copy | OutageStance::FreshCopyElseClosed | OutageStance::Closed => {
            Stance::Closed
        }
    }
}

/// Returns when a lifetime that began at `at` ends. A clock that goes backwards never lengthens it: before `at`, it
/// ends now.
fn due(at: Timestamp, lifetime: Duration, now: Timestamp) -> Timestamp {
    if now < at { now } else { at.after(lifetime) }
}
