use std::collections::VecDeque;
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use verger_answer::ReadError;
use verger_store::InForce;

use verger_access::{
    Attempt, Authority, FailureStreak, GoodCopy, Jitter, Knowledge, LastAttempt, Outcome, Profile,
    RestOfSite, Stance, Timestamp, Treatment,
};

use super::access_source::{CaptureEvidence, KnowledgeSource, KnownAt};
use super::known_standing::{CapturePlace, END_OF_TIME};
use super::standing_source::When;
use crate::capture_index::{Capture, CaptureIndex, FoundCapture};

/// Maximum number of captures replayed, the same as for a store.
const REPLAYED_CAPTURES_MAX: u64 = 1000;

/// Maximum number of replays kept for later queries. Each takes at most about 20 KiB.
const REPLAYS_MAX: usize = 64;

/// The knowledge from captures at a time.
///
/// The captures of an authority up to that time are replayed as fetch attempts. The replay starts
/// at the last capture that is sufficient by itself, such as a body, or after the last capture with
/// an unknown result: a redirect that the profile follows to a URL that was not captured. A capture
/// has no stated lifetime, no `Retry-After`, and no conditional requests.
///
/// Queries about an authority in time order read each capture at most once. Other orders give the
/// same answers.
#[derive(Debug)]
pub struct CapturedKnowledge {
    index: CaptureIndex,
    replayed_max: u64,
    /// Replays of the last queries, newest last.
    replays: Mutex<VecDeque<Replay>>,
}

/// The captures of an authority up to one of them, under a profile.
#[derive(Debug)]
struct Replay {
    authority: String,
    profile: Profile,
    /// One past the last capture.
    end: u64,
    /// Its copy has an empty body.
    knowledge: Knowledge,
    /// The capture that the copy comes from, and its number.
    copy: Option<(u64, FoundCapture)>,
    /// The numbers and times of consecutive failures.
    failures: VecDeque<(u64, Timestamp)>,
    /// The last replayed capture.
    last: Option<(u64, CapturePlace, Timestamp)>,
}

impl Replay {
    fn new(authority: &str, profile: &Profile) -> Self {
        Self {
            authority: authority.to_owned(),
            profile: profile.clone(),
            end: 0,
            knowledge: Knowledge::default(),
            copy: None,
            failures: VecDeque::new(),
            last: None,
        }
    }

    /// Replays a capture, which must be later than all others.
    fn record(&mut self, nth: u64, found: FoundCapture, outcome: Outcome, site: &Authority) {
        let capture = &found.capture;
        let attempt = attempt(capture, outcome, site);
        self.knowledge.record(&attempt, &self.profile, Jitter::NONE);
        self.last = Some((nth, place_of(capture), capture.time()));
        match self.knowledge.streak {
            None => self.failures.clear(),
            Some(streak) if streak.failures as usize > self.failures.len() => {
                self.failures.push_back((nth, capture.time()));
            }
            Some(_) => {}
        }
        match (&self.knowledge.copy, &self.copy) {
            (None, _) => self.copy = None,
            // Only the first capture provides a copy.
            (Some(_), None) => self.copy = Some((nth, found)),
            (Some(_), Some(_)) => {}
        }
    }

    /// Restores the state without captures before `oldest`. This works because only the first
    /// capture provides a copy, and a streak consists of the last failures.
    fn forget_before(&mut self, oldest: u64) {
        if self.last.as_ref().is_none_or(|(nth, ..)| *nth < oldest) {
            *self = Self::new(&self.authority, &self.profile);
            return;
        }
        if self.copy.as_ref().is_some_and(|(nth, _)| *nth < oldest) {
            self.copy = None;
            self.knowledge.copy = None;
        }
        while self.failures.front().is_some_and(|(nth, _)| *nth < oldest) {
            self.failures.pop_front();
        }
        let first = self.failures.front();
        self.knowledge.streak = first.zip(self.knowledge.streak).map(|(first, streak)| {
            let failures = u32::try_from(self.failures.len()).unwrap_or(u32::MAX);
            FailureStreak {
                first_at: first.1,
                failures,
                ..streak
            }
        });
    }
}

impl CapturedKnowledge {
    /// Creates the knowledge from an index of captures.
    #[must_use]
    pub fn new(index: CaptureIndex) -> Self {
        Self {
            index,
            replayed_max: REPLAYED_CAPTURES_MAX,
            replays: Mutex::default(),
        }
    }

    fn read(&self, authority: &str, profile: &Profile, when: When) -> io::Result<KnownAt> {
        let Ok(site) = Authority::from_url(authority) else {
            return Ok(KnownAt::NothingUntil(END_OF_TIME));
        };
        let index = &self.index;
        let mut captures = index.captures_of(authority)?;
        let at = match when {
            When::Newest => None,
            When::At(at) => Some(at),
        };
        let Range { start, end } = index.until(&mut captures, at)?;
        let oldest = start.max(end.saturating_sub(self.replayed_max));
        let mut carried = self.carried(authority, profile, oldest..end);
        let mut counted: Vec<(u64, FoundCapture, Outcome)> = Vec::new();
        for nth in (carried.as_ref().map_or(oldest, |it| it.end)..end).rev() {
            let Some(found) = index.capture(&mut captures, nth)? else {
                continue;
            };
            // The effect of this attempt is unknown, so earlier attempts do not matter.
            let Some(outcome) = outcome_under(&found.capture, profile) else {
                carried = None;
                break;
            };
            let treatment = profile.consequence(outcome).treatment;
            counted.push((nth, found, outcome));
            if matches!(
                treatment,
                Treatment::Rules | Treatment::Open | Treatment::Closed
            ) {
                carried = None;
                break;
            }
        }
        let mut replay = carried.unwrap_or_else(|| Replay::new(authority, profile));
        replay.forget_before(oldest);
        for (nth, found, outcome) in counted.into_iter().rev() {
            replay.record(nth, found, outcome, &site);
        }
        replay.end = end;
        let next = index.time(&mut captures, end)?.unwrap_or(END_OF_TIME);
        let Some((_, last, last_at)) = replay.last.clone() else {
            return Ok(KnownAt::NothingUntil(next));
        };
        let mut knowledge = replay.knowledge.clone();
        let (copy, lacks_body) = self.with_body(&mut knowledge, &replay)?;
        self.keep(replay);
        let evidence = CaptureEvidence {
            last,
            copy,
            lacks_body,
        };
        let from = at.unwrap_or(last_at);
        let period = InForce::new(evidence, knowledge, profile, from, next);
        Ok(KnownAt::InForce(Box::new(period)))
    }

    /// Takes the replay with the latest end within the range.
    fn carried(&self, authority: &str, profile: &Profile, within: Range<u64>) -> Option<Replay> {
        let mut replays = self.replays.lock().unwrap_or_else(PoisonError::into_inner);
        let usable = replays.iter().enumerate().filter(|(_, it)| {
            (within.start..=within.end).contains(&it.end)
                && it.authority == authority
                && it.profile == *profile
        });
        let at = usable.max_by_key(|(_, it)| it.end)?.0;
        replays.remove(at)
    }

    fn keep(&self, replay: Replay) {
        let mut replays = self.replays.lock().unwrap_or_else(PoisonError::into_inner);
        if replays.len() == REPLAYS_MAX {
            replays.pop_front();
        }
        replays.push_back(replay);
    }

    /// Returns the place of the copy, and whether its body is missing. A copy without its body
    /// stays, because its age may decide whether it is used.
    fn with_body(
        &self,
        knowledge: &mut Knowledge,
        replay: &Replay,
    ) -> io::Result<(Option<CapturePlace>, bool)> {
        let Some((mut copy, (_, found))) = knowledge.copy.take().zip(replay.copy.as_ref()) else {
            return Ok((None, false));
        };
        let bytes = self.index.body_of(found)?;
        let lacks_body = bytes.is_none();
        copy.body = bytes.unwrap_or_default().into();
        if lacks_body || replay.profile.accepts(&copy) {
            knowledge.copy = Some(copy);
        }
        Ok((Some(place_of(&found.capture)), lacks_body))
    }
}

/// Returns `None` if unknown. A custom profile uses the outcome of the profile that follows the
/// most redirects.
fn outcome_under(capture: &Capture, profile: &Profile) -> Option<Outcome> {
    let number = Profile::ALL.iter().position(|it| it.name == profile.name);
    number.map_or(capture.outcome, |number| capture.outcomes[number])
}

/// Makes an attempt whose copy has an empty body, because only the body of the final copy is read.
fn attempt(capture: &Capture, outcome: Outcome, site: &Authority) -> Attempt {
    let url = || {
        let stated = capture.final_url.as_deref();
        let stated = stated.and_then(|url| url.parse().ok());
        stated.unwrap_or_else(|| site.robots_url().clone())
    };
    let body = capture.body.filter(|_| capture.outcome == Some(outcome));
    let copy = body.map(|_| GoodCopy {
        body: Arc::default(),
        url: url(),
        entity_tag: None,
        last_modified: None,
        validated_at: capture.time(),
        stated_lifetime: None,
    });
    Attempt {
        last: LastAttempt {
            at: capture.time(),
            outcome,
            stated_lifetime: None,
            retry_after: None,
        },
        hops: Vec::new(),
        copy,
        warnings: Vec::new(),
    }
}

fn place_of(capture: &Capture) -> CapturePlace {
    CapturePlace {
        time_micros: capture.time_micros,
        file: Some(capture.file.clone()),
        offset: Some(capture.offset),
    }
}

impl KnowledgeSource for CapturedKnowledge {
    fn known(&self, authority: &str, profile: &Profile, when: When) -> Result<KnownAt, ReadError> {
        let failed = |error| format!("cannot read the temporary file of captures: {error}");
        let read = self.read(authority, profile, when);
        read.map_err(|error| failed(error).into())
    }
}

/// Assumes that nothing else is known about the site. Returns `None` if the capture names no site
/// or its outcome is unknown.
pub(crate) fn stance_after(capture: &Capture, profile: &Profile) -> Option<Stance> {
    let site = Authority::from_url(&capture.authority).ok()?;
    let outcome = outcome_under(capture, profile)?;
    let mut knowledge = Knowledge::default();
    knowledge.record(&attempt(capture, outcome, &site), profile, Jitter::NONE);
    let answer = knowledge.answer(profile, capture.time(), RestOfSite::default());
    Some(answer.stance())
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::sync::atomic::Ordering;

    use proptest::prelude::*;
    use verger_store::BodyHash;

    use crate::capture_index::CaptureIndexBuilder;

    const SITE: &str = "https://a.example";
    const START: i64 = 1_790_000_000;

    const OUTCOMES: [&str; 9] = [
        "successful http 200",
        "successful-page http 200",
        "error http 404",
        "error http 403",
        "error http 429",
        "error http 503",
        "failed timeout",
        "redirect too-many",
        "",
    ];
    const BODIES: [&str; 3] = ["Disallow: /a", "<!DOCTYPE html><p>no", "in no capture"];

    /// Takes the hour, outcome and body of each capture.
    fn knowledge(captures: &[(u8, usize, usize)], replayed_max: u64) -> CapturedKnowledge {
        let mut index = CaptureIndexBuilder::new().unwrap();
        let mut time = START;
        for (nth, &(hours, outcome, body)) in captures.iter().enumerate() {
            time += i64::from(hours) * 3600;
            let outcome: Option<Outcome> = OUTCOMES[outcome].parse().ok();
            let body = BODIES.get(body);
            let capture = Capture {
                authority: SITE.to_owned(),
                time_micros: time * 1_000_000,
                outcome,
                outcomes: std::array::from_fn(|_| outcome),
                final_url: None,
                body: body.map(|body| BodyHash::new(body.as_bytes())),
                file: "a.warc".to_owned(),
                offset: i64::try_from(nth).unwrap(),
            };
            let brought = body.filter(|&&body| body != BODIES[2]);
            let brought = brought.map(|body| body.as_bytes());
            index.add(&capture, brought).unwrap();
        }
        CapturedKnowledge {
            replayed_max,
            ..CapturedKnowledge::new(index.finish().unwrap())
        }
    }

    fn at(hours: u64) -> When {
        When::At(Timestamp::from_unix_seconds(
            START.unsigned_abs() + hours * 3600,
        ))
    }

    proptest! {
        /// Continuing an earlier replay gives the same result as replaying all captures.
        #[test]
        fn an_answer_does_not_depend_on_earlier_questions(
            captures in prop::collection::vec((0_u8..9, 0..OUTCOMES.len(), 0..4_usize), 1..40),
            failures in any::<bool>(),
            replayed_max in prop_oneof![1_u64..9, Just(1000)],
            mut asked in prop::collection::vec(0_u64..200, 1..30),
            in_order in any::<bool>(),
        ) {
            let mut captures = captures;
            if failures {
                captures.iter_mut().skip(3).for_each(|it| it.1 = 3 + it.1 % 5);
            }
            if in_order {
                asked.sort_unstable();
            }
            let carried = knowledge(&captures, replayed_max);
            let anew = knowledge(&captures, replayed_max);
            let newest = asked.len() / 2;
            for (nth, &hours) in asked.iter().enumerate() {
                let when = if nth == newest { When::Newest } else { at(hours) };
                for profile in Profile::ALL {
                    anew.replays.lock().unwrap().clear();
                    let expected = anew.known(SITE, profile, when).unwrap();
                    let found = carried.known(SITE, profile, when).unwrap();
                    prop_assert_eq!(format!("{found:?}"), format!("{expected:?}"));
                }
            }
        }
    }

    #[test]
    fn questions_in_order_of_time_read_each_capture_once() {
        let profile: Profile = "rfc9309".parse().unwrap();
        for (outcome, body) in [(5, 9), (0, 0)] {
            let captures = vec![(1, outcome, body); 3000];
            let knowledge = knowledge(&captures, REPLAYED_CAPTURES_MAX);
            for hours in 1..=3000 {
                let known = knowledge.known(SITE, &profile, at(hours)).unwrap();
                assert!(matches!(known, KnownAt::InForce(_)));
            }
            assert_eq!(knowledge.index.reads.load(Ordering::Relaxed), 3000);
        }
    }
}
