//! Outages. The crawler fetches whenever it should, and computes the answer again whenever the previous one has
//! expired.

use http::HeaderMap;
use verger_access::{
    Action, Attempt, Authority, BodyEnd, Jitter, Knowledge, Profile, Response, RestOfSite, Stance,
    Timestamp, TransportFailure, begin,
};

use crate::replay::time;

const HOUR: i64 = 60 * 60;
const DAY: i64 = 24 * HOUR;

/// Makes one attempt: a file while the authority is up, and a timeout while it is down.
fn attempt(profile: &Profile, knowledge: &Knowledge, now: Timestamp, is_up: bool) -> Attempt {
    let authority = Authority::from_url("https://h.example/").unwrap();
    let Action::Send(pending) = begin(&authority, profile, knowledge.copy.as_ref()) else {
        panic!("begins with a request");
    };
    let action = if is_up {
        let response = Response {
            status: 200,
            headers: &HeaderMap::new(),
            body: b"User-agent: *".as_slice().into(),
            body_end: BodyEnd::Whole,
        };
        pending.response(response, now)
    } else {
        pending.failure(TransportFailure::Timeout, now)
    };
    match action {
        Action::Done(attempt) => attempt,
        other => panic!("{other:?}"),
    }
}

/// Returns the stances of 40 days with the times at which they begin, and the number of attempts. The authority is down
/// from `outage_from` seconds after time zero on.
fn stances_and_attempts(
    profile: &Profile,
    outage_from: i64,
    jitter: i16,
    rest_of_site: RestOfSite,
) -> (Vec<(i64, Stance)>, usize) {
    let mut knowledge = Knowledge::default();
    let mut stances: Vec<(i64, Stance)> = Vec::new();
    let (mut now, mut attempts) = (0, 0);
    while now < 40 * DAY {
        if knowledge
            .answer(profile, time(now), rest_of_site)
            .is_due(time(now))
        {
            let attempt = attempt(profile, &knowledge, time(now), now < outage_from);
            knowledge.record(&attempt, profile, Jitter::from_thousandths(jitter));
            attempts += 1;
        }
        let answer = knowledge.answer(profile, time(now), rest_of_site);
        if stances
            .last()
            .is_none_or(|&(_, stance)| stance != answer.stance())
        {
            // A phase begins with an attempt that shows it. Attempts are an hour apart, or more with jitter.
            stances.push((now - now % (2 * HOUR), answer.stance()));
        }
        let next = answer.holds_until().min(answer.ask_again_at());
        let left = next.since(time(now)).as_secs();
        assert!(left > 0, "{}: nothing holds at {now} s", profile.name);
        now += i64::try_from(left).unwrap();
    }
    (stances, attempts)
}

fn stances(profile: &Profile, outage_from: i64, rest_of_site: RestOfSite) -> Vec<(i64, Stance)> {
    let (stances, _) = stances_and_attempts(profile, outage_from, 0, rest_of_site);
    let jittered = stances_and_attempts(profile, outage_from, 77, rest_of_site).0;
    assert_eq!(stances, jittered, "{}", profile.name);
    stances
}

#[test]
fn an_outage_without_a_copy_has_the_phases_of_the_profile() {
    use Stance::{Closed, Defer, Open};
    let rest = RestOfSite::NotKnownToBeUp;
    let of = |profile: &Profile| stances(profile, 0, rest);
    let thirty_days = [(0, Closed), (30 * DAY, Open)];
    assert_eq!(of(&Profile::RFC9309), thirty_days);
    assert_eq!(
        of(&Profile::GOOGLE),
        [(0, Closed), (12 * HOUR, Open), (30 * DAY, Closed)]
    );
    assert_eq!(of(&Profile::GOOGLE_2023), thirty_days);
    assert_eq!(of(&Profile::DRAFT2019), thirty_days);
    assert_eq!(of(&Profile::KOSTER1996), [(0, Defer)]);
    assert_eq!(of(&Profile::CAUTIOUS), [(0, Closed)]);
    let up = stances(&Profile::GOOGLE, 0, RestOfSite::Up);
    assert_eq!(up, [(0, Closed), (12 * HOUR, Open)]);
}

#[test]
fn an_outage_with_a_copy_has_the_phases_of_the_profile() {
    use Stance::{Closed, Copy, Defer, Open, Rules};
    let rest = RestOfSite::NotKnownToBeUp;
    let of = |profile: &Profile| stances(profile, 1, rest);
    assert_eq!(of(&Profile::RFC9309), [(0, Rules), (DAY, Copy)]);
    assert_eq!(
        of(&Profile::GOOGLE),
        [
            (0, Rules),
            (DAY, Closed),
            (DAY + 12 * HOUR, Copy),
            (31 * DAY, Closed)
        ]
    );
    assert_eq!(
        of(&Profile::GOOGLE_2023),
        [(0, Rules), (DAY, Closed), (31 * DAY, Copy)]
    );
    assert_eq!(of(&Profile::DRAFT2019), [(0, Rules), (DAY, Copy)]);
    assert_eq!(of(&Profile::KOSTER1996), [(0, Rules), (7 * DAY, Defer)]);
    assert_eq!(of(&Profile::CAUTIOUS), [(0, Rules), (DAY, Closed)]);
    let up = stances(&Profile::GOOGLE, 1, RestOfSite::Up);
    assert_eq!(up.last(), Some(&(31 * DAY, Open)));
}

#[test]
fn an_unreachable_authority_is_fetched_once_an_hour() {
    for profile in Profile::ALL {
        let (_, attempts) = stances_and_attempts(profile, 0, 0, RestOfSite::NotKnownToBeUp);
        // One attempt per hour for 40 days, and six more in the first hour.
        assert!(
            (960..=966).contains(&attempts),
            "{}: {attempts}",
            profile.name
        );
    }
}

#[test]
fn a_refused_address_leaves_copy_and_outage_as_they_were() {
    for profile in Profile::ALL {
        let mut known = Knowledge::default();
        let jitter = Jitter::NONE;
        known.record(&attempt(profile, &known, time(0), true), profile, jitter);
        let copy = known.copy.clone();
        assert!(copy.is_some());
        known.record(&attempt(profile, &known, time(DAY), false), profile, jitter);
        let (copy, streak) = (known.copy.clone(), known.streak);
        known.record(&refusal(profile, time(2 * DAY)), profile, jitter);
        assert_eq!((&known.copy, known.streak), (&copy, streak));
        let answer = known.answer(profile, time(2 * DAY), RestOfSite::default());
        let fact = answer.access_result().unwrap().outcome();
        assert_eq!(fact.code(), "failed address-refused");
        let stance = answer.stance();
        assert!(
            !matches!(stance, Stance::Open | Stance::Rules),
            "{}: {stance}",
            profile.name
        );
    }
}

fn refusal(profile: &Profile, now: Timestamp) -> Attempt {
    let authority = Authority::from_url("https://h.example/").unwrap();
    let Action::Send(pending) = begin(&authority, profile, None) else {
        panic!("begins with a request");
    };
    match pending.failure(TransportFailure::AddressRefused, now) {
        Action::Done(attempt) => attempt,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_answer_in_use_is_refreshed_in_its_last_tenth_and_a_retry_is_never_early() {
    let profile = &Profile::RFC9309;
    let refreshed = |is_up, thousandths| {
        let mut knowledge = Knowledge::default();
        let attempt = attempt(profile, &knowledge, time(HOUR), is_up);
        knowledge.record(&attempt, profile, Jitter::NONE);
        let answer = knowledge.answer(profile, time(HOUR), RestOfSite::default());
        let at = answer.refresh_at(time(HOUR), Jitter::from_thousandths(thousandths));
        (answer.ask_again_at(), at)
    };
    for (thousandths, minutes) in [(0, 144), (-100, 72), (100, 216)] {
        let (due, at) = refreshed(true, thousandths);
        assert_eq!(due, time(HOUR + DAY));
        assert_eq!(at, Some(time(HOUR + DAY - minutes * 60)));
    }
    assert_eq!(refreshed(false, 0).1, None);
}
