//! Histories recorded under one profile and replayed under another.

use std::time::Duration;

use http::header::{ETAG, LAST_MODIFIED};
use verger_access::{
    Answer, Attempt, FailureStreak, GoodCopy, Jitter, Knowledge, Outcome, Profile, RecordedChain,
    Reply, RestOfSite, Stance, Timestamp, TransportFailure,
};
use verger_store::{
    Archive, History, KeptHeaders, MemoryStore, Observation, PackedFacts, REPLAYED_SNAPSHOTS_MAX,
    Snapshot, SnapshotId, SqliteStore, Store, knowledge_under,
};
use verger_testkit::case::testdata_dir;
use verger_testkit::scenario::load_scenarios;

use crate::replay::Replay;
use crate::scene::{at, authority, body_seen, knowledge, new_file, put, remove, timeout_seen};

pub(crate) const HOST: &str = "h.example";
const DAY: u64 = 86_400;

/// Puts an attempt as a fetch under `profile` does, and returns the resulting knowledge.
pub(crate) fn put_under(
    store: &dyn Archive,
    profile: &Profile,
    attempt: &Attempt,
    jitter: Jitter,
) -> Knowledge {
    let mut known = knowledge(store, HOST);
    known.record(attempt, profile, jitter);
    let seen = Observation {
        authority: authority(HOST),
        profile: profile.name.clone(),
        attempt: attempt.clone(),
        knowledge: known.clone(),
        headers: attempt.copy.as_ref().map(validators).unwrap_or_default(),
        peer: None,
        fresh_until: attempt.last.at,
        facts: PackedFacts::default(),
    };
    put(store, &seen);
    known
}

/// Returns the headers of the copy's response. A profile that does not accept the copy keeps none.
fn validators(copy: &GoodCopy) -> KeptHeaders {
    let fields = [
        (ETAG, copy.entity_tag.clone()),
        (LAST_MODIFIED, copy.last_modified.clone()),
    ];
    let fields = fields.into_iter();
    let headers = fields.filter_map(|(name, value)| Some((name, value?)));
    KeptHeaders::new(&headers.collect())
}

fn known_under(store: &dyn Archive, profile: &Profile, now: Timestamp) -> Knowledge {
    let state = knowledge_under(store, &authority(HOST), profile, now).unwrap();
    state.map(|it| it.knowledge).unwrap_or_default()
}

/// Returns the attempt if it counts for `profile`. No `Location` is kept here.
pub(crate) fn counted(attempt: &Attempt, profile: &Profile) -> Option<Attempt> {
    let chain = RecordedChain {
        authority: &authority(HOST),
        hops: &attempt.hops,
        last: attempt.last,
        locations: &[],
    };
    let last = chain.ended_under(profile)?;
    let copy = attempt.copy.clone();
    Some(Attempt {
        copy: copy.filter(|_| last.outcome == attempt.last.outcome),
        last,
        ..attempt.clone()
    })
}

/// Puts attempts under `recorded`. After each one, compares the knowledge from a replay under `asked` with the
/// knowledge from recording under `asked`.
fn holds(store: &dyn Archive, recorded: &Profile, asked: &Profile, attempts: &[(Attempt, Jitter)]) {
    let mut direct = Knowledge::default();
    for (attempt, jitter) in attempts {
        let known = put_under(store, recorded, attempt, *jitter);
        let jitter = known.streak.map_or(Jitter::NONE, |streak| streak.jitter);
        if recorded.name == asked.name {
            direct.record(attempt, asked, jitter);
        } else if let Some(attempt) = counted(attempt, asked) {
            direct.record(&attempt, asked, jitter);
        }
        let replayed = known_under(store, asked, attempt.last.at);
        let (recorded, asked) = (&recorded.name, &asked.name);
        assert_eq!(replayed, direct, "{recorded} asked as {asked}: {attempt:?}");
    }
}

fn pairs() -> impl Iterator<Item = (Profile, Profile)> {
    let all = Profile::ALL.iter();
    all.flat_map(|recorded| {
        Profile::ALL
            .iter()
            .map(|asked| (recorded.clone(), asked.clone()))
    })
}

/// V-73.
#[test]
fn every_scenario_is_replayed_as_if_it_had_been_recorded_under_that_profile() {
    let corpus = load_scenarios(&testdata_dir()).unwrap_or_else(|error| panic!("{error}"));
    let mut attempts_seen = 0;
    for (number, scenario) in corpus.scenarios.iter().enumerate() {
        // Six consecutive scenarios cover all pairs of profiles. All pairs for each would be slow.
        for (recorded, asked) in pairs().skip(number % 6).step_by(6) {
            let mut replay = Replay::new(scenario, &recorded);
            let attempts: Vec<_> = (scenario.moments.iter())
                .filter_map(|moment| {
                    let replayed = replay.moment(moment);
                    assert_eq!(replayed.answer.profile(), recorded.name);
                    let attempt = replayed.attempt?;
                    Some((attempt, Jitter::from_thousandths(moment.jitter)))
                })
                .collect();
            attempts_seen += attempts.len();
            holds(&MemoryStore::new(1 << 30), &recorded, &asked, &attempts);
        }
    }
    assert!(attempts_seen > 500, "{attempts_seen}");
}

fn attempt(time: u64, outcome: Outcome, copy: Option<GoodCopy>) -> (Attempt, Jitter) {
    let mut attempt = timeout_seen(HOST, at(time), Knowledge::default()).attempt;
    attempt.last.outcome = outcome;
    attempt.copy = copy;
    (attempt, Jitter::NONE)
}

fn error(time: u64, status: u16) -> (Attempt, Jitter) {
    attempt(time, Outcome::Error(Reply::Http(status)), None)
}

fn timeout(time: u64) -> (Attempt, Jitter) {
    let timeout = Outcome::Failed(TransportFailure::Timeout);
    attempt(time, timeout, None)
}

fn body(time: u64, bytes: &[u8]) -> (Attempt, Jitter) {
    (body_seen(HOST, at(time), bytes).attempt, Jitter::NONE)
}

/// Makes a 304 that confirms the copy of `before`, without its own lifetime.
fn renewal(time: u64, before: &(Attempt, Jitter)) -> (Attempt, Jitter) {
    let mut copy = before.0.copy.clone().unwrap();
    copy.validated_at = at(time);
    attempt(time, Outcome::Successful(Reply::Http(304)), Some(copy))
}

fn eventful() -> Vec<(Attempt, Jitter)> {
    let first = body(100, b"Disallow: /a");
    let renewed = renewal(3000, &first);
    let mut failure = timeout(4000);
    failure.1 = Jitter::from_thousandths(73);
    vec![
        timeout(0),
        error(10, 429),
        error(20, 503),
        first,
        error(200, 404),
        timeout(300),
        renewed,
        failure,
        error(5000, 429),
        error(6000, 401),
        timeout(7000),
        error(8000, 451),
        error(9000, 403),
        body(10_000, b"Disallow: /b"),
        error(10_000 + DAY - 1, 404),
        error(10_000 + DAY, 404),
        timeout(10_000 + 2 * DAY),
        error(10_000 + 40 * DAY, 500),
        // The clock goes back.
        timeout(10_000 + 39 * DAY),
        error(10_000, 404),
    ]
}

#[test]
fn an_eventful_history_is_replayed_out_of_both_stores() {
    for (number, (recorded, asked)) in pairs().enumerate() {
        let path = new_file(&format!("under-{number}"));
        holds(&MemoryStore::new(1 << 30), &recorded, &asked, &eventful());
        let store = SqliteStore::open(&path).unwrap();
        holds(&store, &recorded, &asked, &eventful());
        drop(store);
        remove(&path);
    }
}

#[test]
fn a_copy_that_a_404_ends_under_one_profile_stays_under_another() {
    let store = MemoryStore::new(1 << 30);
    for (attempt, jitter) in [body(0, b"Disallow: /kept"), error(3600, 404)] {
        put_under(&store, &Profile::RFC9309, &attempt, jitter);
    }
    let answer = |profile: &Profile| -> Answer {
        let known = known_under(&store, profile, at(3600));
        known.answer(profile, at(3600), RestOfSite::default())
    };
    assert_eq!(answer(&Profile::RFC9309).stance(), Stance::Open);
    let kept = answer(&Profile::DRAFT2019);
    assert_eq!(kept.stance(), Stance::Copy);
    assert_eq!(kept.body().unwrap()[..], b"Disallow: /kept"[..]);
    let state = knowledge_under(&store, &authority(HOST), &Profile::DRAFT2019, at(3600));
    assert_eq!(state.unwrap().unwrap().snapshot.profile, "rfc9309");

    // After a sweep has deleted the body, the copy is unknown.
    store.sweep(at(3600), at(3600)).unwrap();
    assert_eq!(answer(&Profile::DRAFT2019).stance(), Stance::Open);
}

#[test]
fn knowledge_recorded_under_the_same_profile_is_not_replayed() {
    let store = MemoryStore::new(1 << 30);
    let (attempt, jitter) = error(0, 503);
    put_under(&store, &Profile::GOOGLE, &attempt, jitter);
    // No replay produces this result.
    let mut seen = timeout_seen(HOST, at(10), Knowledge::default());
    let streak = seen.knowledge.streak.as_mut().unwrap();
    streak.failures = 17;
    put(&store, &seen);
    let known = known_under(&store, &Profile::RFC9309, at(10));
    assert_eq!(known, seen.knowledge);
    // Another profile continues from there.
    put_under(&store, &Profile::GOOGLE, &timeout(20).0, Jitter::NONE);
    let known = known_under(&store, &Profile::RFC9309, at(20));
    assert_eq!(known.streak.unwrap().failures, 18);
    assert_eq!(
        known_under(&store, &Profile::RFC9309, at(19)),
        seen.knowledge
    );
}

#[test]
fn an_unknown_authority_has_no_state_under_any_profile() {
    let store = MemoryStore::new(1 << 30);
    let before = knowledge_under(&store, &authority(HOST), &Profile::GOOGLE, at(0));
    assert_eq!(before.unwrap(), None);
    put_under(&store, &Profile::RFC9309, &timeout(10).0, Jitter::NONE);
    let before = knowledge_under(&store, &authority(HOST), &Profile::GOOGLE, at(9));
    assert_eq!(before.unwrap(), None);
}

#[test]
fn a_copy_that_the_recording_profile_did_not_accept_is_restored() {
    let mut odd = Profile::RFC9309;
    odd.name = "odd".into();
    odd.replies.success = odd.replies.not_found;
    let store = MemoryStore::new(1 << 30);
    let mut seen = body_seen(HOST, at(0), b"Disallow: /a");
    let copy = seen.attempt.copy.as_mut().unwrap();
    copy.entity_tag = Some("\"v1\"".parse().unwrap());
    seen.profile = odd.name.clone();
    seen.knowledge = Knowledge::default();
    seen.knowledge.record(&seen.attempt, &odd, Jitter::NONE);
    assert_eq!(seen.knowledge.copy, None);
    put(&store, &seen);
    let known = known_under(&store, &Profile::RFC9309, at(0));
    assert_eq!(known.copy, seen.attempt.copy);
}

/// V-73.
#[test]
fn a_replay_reads_at_most_so_many_attempts() {
    let most = REPLAYED_SNAPSHOTS_MAX as u64;
    for attempts in [most - 1, most, most + 1, most + 50] {
        let store = MemoryStore::new(1 << 30);
        for number in 0..attempts {
            let (attempt, jitter) = error(number, 429);
            put_under(&store, &Profile::DRAFT2019, &attempt, jitter);
        }
        // A 429 is a failure only there, so the replay counts the failures that it reads.
        let known = known_under(&store, &Profile::GOOGLE, at(attempts));
        let failures = known.streak.unwrap().failures;
        assert_eq!(u64::from(failures), attempts.min(most), "{attempts}");
    }
}

#[test]
fn the_replay_of_endless_failures_is_bounded() {
    let store = MemoryStore::new(1 << 30);
    let last = REPLAYED_SNAPSHOTS_MAX as u64 + 1;
    for number in 0..=last {
        let (attempt, jitter) = timeout(number);
        put_under(&store, &Profile::RFC9309, &attempt, jitter);
    }
    let all = store.snapshots_before(&authority(HOST), SnapshotId::AFTER_ALL, usize::MAX);
    let all: Vec<Snapshot> = all.unwrap();
    assert_eq!(all.len(), REPLAYED_SNAPSHOTS_MAX + 2);
    let known = known_under(&store, &Profile::GOOGLE, at(last));
    // The oldest snapshot that is read has the number of failures before it.
    let streak = FailureStreak {
        first_at: at(0),
        failures: u32::try_from(last).unwrap() + 1,
        jitter: Jitter::NONE,
    };
    assert_eq!(known.streak, Some(streak));
    // A profile that closes has no streak.
    let known = known_under(&store, &Profile::CAUTIOUS, at(last));
    let answer = known.answer(&Profile::CAUTIOUS, at(last), RestOfSite::default());
    assert_eq!(answer.stance(), Stance::Closed);
    assert!(answer.ask_again_at().since(at(last)) >= Duration::from_secs(60));
}
