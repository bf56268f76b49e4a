//! The periods of generated histories, compared with a model that answers for each minute by itself.

use std::time::Duration;

use verger_access::{
    AccessResult, Answer, Attempt, Jitter, Knowledge, Outcome, Profile, RedirectEnd, Reply,
    RestOfSite, Timestamp, TransportFailure,
};
use verger_store::{
    Archive, Basis, InForce, MemoryStore, SqliteStore, StoreError, in_force, in_force_at,
};
use verger_testkit::generate::Rng;

use crate::scene::{at, authority, body_seen, new_file, remove, timeout_seen};
use crate::under::{HOST, counted, put_under};

/// The last minute that is asked about, and the last one in which an attempt may end.
const MINUTES: u64 = 5000;
const LAST_ATTEMPT: u64 = 3600;

fn minute(number: u64) -> Timestamp {
    at(number * 60)
}

/// An attempt without redirects, or one that only the profile that made it can judge.
fn attempt(rng: &mut Rng, time: u64, copy_before: Option<Attempt>) -> Attempt {
    let bodies: [&[u8]; 3] = [b"Disallow: /a", b"Disallow: /b", b""];
    let mut attempt = timeout_seen(HOST, minute(time), Knowledge::default()).attempt;
    let status = |status| Outcome::Error(Reply::Http(status));
    let stated = [None, Some(30), Some(200), Some(2000)][rng.below(4)];
    let stated = stated.map(|minutes| Duration::from_secs(minutes * 60));
    attempt.last.stated_lifetime = stated;
    match (rng.below(16), copy_before) {
        (0..5, _) => {
            attempt = body_seen(HOST, minute(time), rng.pick(&bodies)).attempt;
            attempt.last.stated_lifetime = stated;
            attempt.copy.as_mut().unwrap().stated_lifetime = stated;
        }
        (5..7, Some(before)) => {
            attempt.copy = before.copy;
            let copy = attempt.copy.as_mut().unwrap();
            (copy.validated_at, copy.stated_lifetime) = (minute(time), stated);
            attempt.last.outcome = Outcome::Successful(Reply::Http(304));
        }
        (7..9, _) => attempt.last.outcome = status(404),
        (9, _) => attempt.last.outcome = status(403),
        (10, _) => attempt.last.outcome = status(429),
        (11..13, _) => attempt.last.outcome = status(503),
        (13, _) => attempt.last.outcome = Outcome::Redirect(RedirectEnd::TooMany),
        _ => attempt.last.outcome = Outcome::Failed(TransportFailure::Timeout),
    }
    attempt
}

/// Generates attempts in the order of their puts. The clock sometimes goes back, or is ahead for a while.
fn history(rng: &mut Rng) -> Vec<Attempt> {
    let count = [1, 3, 9, 40, 300][rng.below(5)];
    let step = 2 * LAST_ATTEMPT / count;
    let mut attempts: Vec<Attempt> = Vec::new();
    let (mut time, mut ahead) = (0, 0);
    for _ in 0..count {
        time += rng.draw() % (step + 1);
        if rng.one_in(20) {
            ahead = [0, rng.draw() % 1000][rng.below(2)];
        }
        if rng.one_in(15) {
            time = time.saturating_sub(rng.draw() % 400);
        }
        let before = attempts.iter().rev().find(|it| it.copy.is_some()).cloned();
        attempts.push(attempt(rng, (time + ahead).min(LAST_ATTEMPT), before));
    }
    attempts
}

/// What is known at any time, without pages and without recording anything twice.
struct Model<'m> {
    profile: &'m Profile,
    attempts: &'m [Attempt],
    /// For each attempt, the knowledge while it is in force, if anything is known.
    known: Vec<Option<Knowledge>>,
}

impl<'m> Model<'m> {
    /// `own` is the knowledge after each put, if the profile itself fetched.
    fn new(profile: &'m Profile, attempts: &'m [Attempt], own: Option<&[Knowledge]>) -> Self {
        let known = (0..attempts.len()).map(|newest| match own {
            Some(own) => Some(own[newest].clone()),
            None => knowledge(profile, &attempts[..=newest]),
        });
        Self {
            profile,
            attempts,
            known: known.collect(),
        }
    }

    /// The attempt in force: the one that ended last, and the one put last among those of one second.
    fn attempt(&self, time: Timestamp) -> Option<usize> {
        let ended = (0..self.attempts.len()).filter(|nth| self.attempts[*nth].last.at <= time);
        ended.max_by_key(|nth| (self.attempts[*nth].last.at, *nth))
    }

    fn knowledge(&self, time: Timestamp) -> Option<&Knowledge> {
        self.known[self.attempt(time)?].as_ref()
    }

    fn answer(&self, time: Timestamp) -> Option<Answer> {
        let known = self.knowledge(time)?;
        Some(known.answer(self.profile, time, RestOfSite::default()))
    }

    fn basis(&self, from: Timestamp) -> Basis {
        let last = self.knowledge(from).unwrap().last.unwrap();
        let result = self.profile.access_result(last.outcome);
        match result {
            AccessResult::Successful(_) | AccessResult::Unavailable(_) if last.at == from => {
                Basis::Observed
            }
            _ => Basis::CarriedOver,
        }
    }
}

/// The knowledge of a profile after attempts of another one, of which the last is in force. Nothing is known before the
/// first one that counts. Attempts that end later do not decide, but came before.
fn knowledge(profile: &Profile, attempts: &[Attempt]) -> Option<Knowledge> {
    let in_force = attempts.last()?.last.at;
    let counts = |it: &Attempt| it.last.at <= in_force && counted(it, profile).is_some();
    let newest = attempts.iter().rposition(counts)?;
    let mut known = Knowledge::default();
    for attempt in &attempts[..=newest] {
        if let Some(attempt) = counted(attempt, profile) {
            known.record(&attempt, profile, Jitter::NONE);
        }
    }
    Some(known)
}

/// The parts of an answer that stay during a period.
fn said(answer: &Answer) -> impl PartialEq + core::fmt::Debug + use<> {
    let body = answer.body().map(|body| body.to_vec());
    let result = (answer.access_result(), answer.access_result_clause().id());
    let why = (answer.clause().id(), answer.missing());
    (
        answer.stance(),
        body,
        result,
        why,
        answer.profile().to_owned(),
    )
}

/// Checks each period, and that of each minute.
fn agree(store: &dyn Archive, model: &Model<'_>, since: u64, rng: &mut Rng) {
    let (site, profile) = (authority(HOST), model.profile);
    let periods = in_force(store, &site, profile, minute(since));
    let periods: Vec<InForce> = periods.map(Result::unwrap).collect();
    let at_since = model.attempt(minute(since));
    let mut begins: Vec<Timestamp> = model.attempts.iter().map(|it| it.last.at).collect();
    begins.retain(|it| *it > minute(since));
    begins.extend(at_since.map(|nth| model.attempts[nth].last.at));
    begins.retain(|it| model.knowledge(*it).is_some());
    for begin in &begins {
        assert!(periods.iter().any(|it| it.from == *begin), "{begin}");
    }
    assert_eq!(
        periods.first().map(|it| it.from),
        begins.iter().min().copied()
    );
    let ends = periods.last().map(|it| it.until.unix_seconds());
    assert_eq!(ends, (!begins.is_empty()).then_some(u64::MAX));
    for (nth, period) in periods.iter().enumerate() {
        assert!(period.from < period.until);
        assert_eq!(period.answer, model.answer(period.from).unwrap());
        assert_eq!(Some(&period.knowledge), model.knowledge(period.from));
        assert_eq!(period.basis, model.basis(period.from));
        let counts = period.knowledge.last.map(|last| last.at);
        assert_eq!(Some(period.evidence.attempt.at), counts);
        let Some(next) = periods.get(nth + 1) else {
            continue;
        };
        assert_eq!(period.until, next.from);
        // Time alone splits a period only if it changes the answer.
        let copy_at = next.knowledge.copy.as_ref().map(|copy| copy.validated_at);
        if !begins.contains(&next.from) && copy_at != Some(next.from) {
            assert_ne!(said(&period.answer), said(&next.answer), "{next:?}");
        }
    }
    for time in since..MINUTES {
        let time = minute(time);
        let mut found = periods
            .iter()
            .filter(|it| it.from <= time && time < it.until);
        let (found, other) = (found.next(), found.next());
        assert_eq!(other, None);
        let expected = model.answer(time);
        let answers = [
            found.map(|it| said(&it.answer)),
            expected.as_ref().map(said),
        ];
        assert_eq!(answers[0], answers[1], "{time}: {found:?}");
        if rng.one_in(50) {
            let asked = in_force_at(store, &site, profile, time).unwrap();
            assert_eq!(asked.as_ref().map(|it| &it.answer), expected.as_ref());
            let Some((asked, found)) = asked.zip(found) else {
                continue;
            };
            assert_eq!((asked.from, asked.basis), (found.from, found.basis));
            assert_eq!(asked.knowledge, found.knowledge);
            assert!(found.until <= asked.until);
        }
    }
}

fn hold(store: &dyn Archive, rng: &mut Rng) {
    let attempts = history(rng);
    let recorded = &Profile::ALL[rng.below(Profile::ALL.len())];
    let put = |attempt| put_under(store, recorded, attempt, Jitter::NONE);
    let own: Vec<Knowledge> = attempts.iter().map(put).collect();
    for profile in Profile::ALL {
        let is_own = profile.name == recorded.name;
        let model = Model::new(profile, &attempts, is_own.then_some(&own[..]));
        for since in [0, 100 + rng.draw() % LAST_ATTEMPT] {
            agree(store, &model, since, rng);
        }
    }
}

#[test]
fn every_minute_of_generated_histories_is_as_the_model_says() {
    for seed in 0..24 {
        let rng = &mut Rng::new(seed);
        if seed % 4 > 0 {
            hold(&MemoryStore::new(1 << 30), rng);
        } else {
            let path = new_file(&format!("in-force-{seed}"));
            hold(&SqliteStore::open(&path).unwrap(), rng);
            remove(&path);
        }
    }
}

/// The order is that of the clock, not that of the puts.
#[test]
fn a_clock_that_was_ahead_hides_no_later_put() {
    let store = MemoryStore::new(1 << 30);
    let profile = &Profile::DRAFT2019;
    let mut known = Knowledge::default();
    for attempt in [
        body_seen(HOST, at(7200), b"Disallow: /a").attempt,
        body_seen(HOST, at(3600), b"").attempt,
    ] {
        known = put_under(&store, profile, &attempt, Jitter::NONE);
    }
    assert_eq!(known.copy.unwrap().validated_at, at(3600));
    let periods = in_force(&store, &authority(HOST), profile, at(0));
    let periods: Result<Vec<InForce>, StoreError> = periods.collect();
    let periods = periods.unwrap();
    let bodies = periods
        .iter()
        .map(|it| it.answer.body().map(|body| body.len()));
    let expected = [Some(0), Some(12), None];
    assert_eq!(bodies.collect::<Vec<_>>(), expected, "{periods:?}");
}
