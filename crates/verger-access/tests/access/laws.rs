//! Laws that hold for any response, at any time, in any profile.

use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue};
use proptest::prelude::*;
use proptest::sample::select;
use url::Url;
use verger::{Crawler, TargetPath};
use verger_access::{
    AccessPolicy, AccessResult, Action, Answer, Attempt, Authority, BodyEnd, HopVerdict, Jitter,
    Knowledge, Missing, Profile, Response, RestOfSite, Stance, Timestamp, TransportFailure,
    Treatment, begin,
};

const HOUR: u64 = 60 * 60;
const DAY: u64 = 24 * HOUR;

/// A reply of a server, or a failure of the network.
#[derive(Clone, Debug)]
enum Event {
    Http(u16, Vec<(&'static str, Vec<u8>)>, Vec<u8>, BodyEnd),
    FtpFile(Vec<u8>),
    FtpReply(u16),
    Failure(TransportFailure),
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let failure = select(TransportFailure::ALL.to_vec());
    let event = prop_oneof![
        8 => (statuses(), headers(), bodies(), ends())
            .prop_map(|(status, headers, body, end)| Event::Http(status, headers, body, end)),
        1 => bodies().prop_map(Event::FtpFile),
        1 => any::<u16>().prop_map(Event::FtpReply),
        2 => failure.prop_map(Event::Failure),
    ];
    prop::collection::vec(event, 1..8)
}

fn statuses() -> impl Strategy<Value = u16> {
    let usual = select(vec![
        200, 204, 206, 301, 302, 304, 305, 307, 400, 401, 403, 404, 410, 429, 500, 503, 600,
    ]);
    prop_oneof![4 => usual, 1 => any::<u16>(), 2 => 300_u16..310]
}

fn ends() -> impl Strategy<Value = BodyEnd> {
    select(vec![BodyEnd::Whole, BodyEnd::CutAtLimit])
}

fn bodies() -> impl Strategy<Value = Vec<u8>> {
    let usual = select(vec![
        b"User-agent: *\nDisallow: /private".to_vec(),
        b"<title>Not Found</title>".to_vec(),
        b"".to_vec(),
    ]);
    prop_oneof![usual, prop::collection::vec(any::<u8>(), 0..40)]
}

fn headers() -> impl Strategy<Value = Vec<(&'static str, Vec<u8>)>> {
    let name = select(vec![
        "location",
        "location",
        "location",
        "cache-control",
        "age",
        "expires",
        "date",
        "retry-after",
        "etag",
        "last-modified",
        "content-type",
    ]);
    let usual = select(vec![
        "/a",
        "b",
        "?",
        "https://h.example/robots.txt",
        "http://h.example/",
        "https://www.h.example/x",
        "//u:p@b.example/y#z",
        "http://[::1]:0/",
        "file:///x",
        "ftp://f.example/",
        "max-age=600",
        "s-maxage=99999999999999999999, no-cache=\"x\"",
        "max-age=31536000",
        "0",
        "18446744073709551615",
        "Fri, 15 Jan 2027 10:00:00 GMT",
        "\"tag\"",
        "",
    ]);
    let value = prop_oneof![
        4 => usual.prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..20),
    ];
    prop::collection::vec((name, value), 0..4)
}

fn profiles() -> impl Strategy<Value = Profile> {
    select(Profile::ALL.to_vec())
}

fn times() -> impl Strategy<Value = Timestamp> {
    let zero = 1_800_000_000_u64;
    let seconds = prop_oneof![
        6 => zero..zero + 60 * DAY,
        2 => (zero / HOUR..zero / HOUR + 60 * 24).prop_map(|hours| hours * HOUR),
        1 => any::<u64>(),
    ];
    seconds.prop_map(Timestamp::from_unix_seconds)
}

fn rests() -> impl Strategy<Value = RestOfSite> {
    select(vec![RestOfSite::NotKnownToBeUp, RestOfSite::Up])
}

fn verdicts() -> impl Strategy<Value = HopVerdict> {
    select(vec![
        HopVerdict::Allowed,
        HopVerdict::Disallowed,
        HopVerdict::Unknown,
    ])
}

/// Fetches. Each request gets the next event.
fn fetch(
    profile: &Profile,
    knowledge: &Knowledge,
    events: &[Event],
    verdict: HopVerdict,
    now: Timestamp,
) -> Attempt {
    let authority = Authority::from_url("https://h.example/").unwrap();
    let mut action = begin(&authority, profile, knowledge.copy.as_ref());
    let mut events = events.iter().cycle();
    let mut requests = 0;
    loop {
        action = match action {
            Action::Done(attempt) => return attempt,
            Action::AskAboutHop(question) => question.answer(verdict),
            Action::Send(pending) => {
                requests += 1;
                let url = &pending.request().url;
                assert!(requests <= 1 + usize::from(profile.redirects.followed_max));
                assert!(["http", "https"].contains(&url.scheme()), "{url}");
                assert!(
                    url.username().is_empty() && url.password().is_none(),
                    "{url}"
                );
                assert_eq!(url.fragment(), None, "{url}");
                match events.next().unwrap().clone() {
                    Event::FtpFile(body) => pending.ftp_file(body, BodyEnd::Whole, now),
                    Event::FtpReply(code) => pending.ftp_reply(code, now),
                    Event::Failure(failure) => pending.failure(failure, now),
                    Event::Http(status, pairs, body, body_end) => {
                        let headers = &header_map(&pairs);
                        let response = Response {
                            status,
                            headers,
                            body: body.into(),
                            body_end,
                        };
                        pending.response(response, now)
                    }
                }
            }
        }
    }
}

fn header_map(pairs: &[(&'static str, Vec<u8>)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        if let Ok(value) = HeaderValue::from_bytes(value) {
            headers.append(HeaderName::from_static(name), value);
        }
    }
    headers
}

/// Generates the knowledge after a few fetches under one profile.
fn histories() -> impl Strategy<Value = (Profile, Knowledge)> {
    let fetches = prop::collection::vec((events(), verdicts(), times(), any::<i16>()), 1..5);
    (profiles(), fetches).prop_map(|(profile, fetches)| {
        let mut knowledge = Knowledge::default();
        for (events, verdict, now, jitter) in fetches {
            let attempt = fetch(&profile, &knowledge, &events, verdict, now);
            knowledge.record(&attempt, &profile, Jitter::from_thousandths(jitter));
        }
        (profile, knowledge)
    })
}

fn gist(answer: &Answer) -> (Stance, Option<AccessResult>, &str, Timestamp) {
    let again = answer.ask_again_at();
    (
        answer.stance(),
        answer.access_result(),
        answer.clause().id(),
        again,
    )
}

proptest! {
    #[test]
    fn an_answer_does_not_change_before_holds_until(
        (profile, knowledge) in histories(),
        now in times(),
        rest in rests(),
        later in any::<u64>(),
    ) {
        let answer = knowledge.answer(&profile, now, rest);
        let left = answer.holds_until().since(now).as_secs();
        if left > 0 {
            let then = now.after(Duration::from_secs(later % left));
            let still = knowledge.answer(&profile, then, rest);
            prop_assert_eq!(gist(&still), gist(&answer));
        }
    }

    #[test]
    fn nothing_opens_for_an_unreachable_authority_unless_the_table_says_so(
        (profile, knowledge) in histories(),
        now in times(),
        rest in rests(),
    ) {
        let answer = knowledge.answer(&profile, now, rest);
        let is_unreachable = matches!(answer.access_result(), Some(AccessResult::Unreachable(_)));
        if is_unreachable && answer.stance() == Stance::Open {
            let first = knowledge.streak.unwrap().first_at;
            let outage = knowledge.last.unwrap().at.since(first).as_secs();
            let has_copy = knowledge.copy.is_some();
            let may_open = match &*profile.name {
                "rfc9309" | "google-2023" | "draft2019" => !has_copy && outage >= 30 * DAY,
                "google" if outage >= 30 * DAY => rest == RestOfSite::Up,
                "google" => !has_copy && outage >= 12 * HOUR,
                _ => false,
            };
            prop_assert!(may_open, "{} opens after {outage} s", profile.name);
        }
    }

    #[test]
    fn a_definite_answer_lasts_at_least_a_minute_and_at_most_the_longest_lifetime(
        (profile, knowledge) in histories(),
    ) {
        let last = knowledge.last.unwrap();
        let answer = knowledge.answer(&profile, last.at, RestOfSite::default());
        let wait = answer.ask_again_at().since(last.at);
        if knowledge.streak.is_none() {
            prop_assert!(wait <= profile.freshness.lifetime_max);
            prop_assert!(wait.as_secs() >= 60 || last.at.unix_seconds() > u64::MAX - 60);
        } else {
            prop_assert!(wait.as_secs() <= DAY);
        }
    }

    /// V-60. The last observation expires a day after a failure, and after its lifetime in other cases, if not earlier.
    #[test]
    fn an_answer_defers_before_its_beginning_and_after_its_end(
        (profile, knowledge) in histories(),
        now in times(),
        rest in rests(),
    ) {
        let last = knowledge.last.unwrap();
        let answer = knowledge.answer(&profile, now, rest);
        let is_outage = profile.consequence(last.outcome).treatment == Treatment::Unreachable;
        // An attempt that says nothing about the site does not change the streak.
        if last.outcome.is_about_the_site() {
            prop_assert_eq!(knowledge.streak.is_some(), is_outage);
        }
        let lifetime = if is_outage {
            Duration::from_secs(DAY)
        } else {
            profile.freshness.lifetime(last.stated_lifetime)
        };
        let ends = last.at.after(lifetime);
        prop_assert!(answer.ask_again_at() <= ends.max(now));
        if now < last.at || now >= ends {
            prop_assert!(answer.is_due(now));
            prop_assert_eq!(answer.stance(), Stance::Defer);
            prop_assert_eq!(answer.missing(), Some(Missing::AttemptAfter(last.at)));
        } else {
            prop_assert!(answer.holds_until() <= ends);
            prop_assert!(answer.holds_until() > now);
            prop_assert_eq!(answer.missing(), None);
        }
    }

    #[test]
    fn a_decision_follows_the_stance(
        (profile, knowledge) in histories(),
        now in times(),
        path in "/[a-z%?*]{0,8}",
    ) {
        let answer = knowledge.answer(&profile, now, RestOfSite::default());
        let stance = answer.stance();
        let policy = AccessPolicy::new(&answer, &Crawler::unnamed());
        let decision = policy.decide_url(&path).unwrap();
        // An answer without its body allows nothing that the answer does not allow.
        let left = policy.answer();
        let by_left = AccessPolicy::new(left, &Crawler::unnamed()).decide_url(&path).unwrap();
        let has_rules = matches!(stance, Stance::Rules | Stance::Copy);
        prop_assert!(by_left.is_allowed() == (decision.is_allowed() && !has_rules) || path == "/robots.txt");
        prop_assert_eq!(left.robots_txt().is_none(), has_rules);
        let hop = Url::parse("https://h.example/a").unwrap();
        let hop = HopVerdict::new(left, &Crawler::unnamed(), &hop);
        prop_assert_eq!(hop == HopVerdict::Allowed, stance == Stance::Open);
        match stance {
            Stance::Open => prop_assert!(decision.is_allowed()),
            Stance::Closed | Stance::Defer => prop_assert!(!decision.is_allowed()),
            Stance::Rules | Stance::Copy => {
                let rules = answer.robots_txt().unwrap().policy(&Crawler::unnamed());
                let target = TargetPath::new(&path, answer.dialect()).unwrap();
                prop_assert_eq!(decision.effect(), rules.decide(&target).effect());
            }
        }
    }

    #[test]
    fn every_profile_answers_from_the_knowledge_of_another(
        (_, knowledge) in histories(),
        profile in profiles(),
        now in times(),
    ) {
        let answer = knowledge.answer(&profile, now, RestOfSite::default());
        let has_rules = matches!(answer.stance(), Stance::Rules | Stance::Copy);
        prop_assert_eq!(has_rules, answer.body().is_some());
    }

    #[test]
    fn an_authority_is_that_of_its_robots_url(url in "(https?|ftp)://[a-zA-Z0-9.@:\\[\\]%ßツ-]{1,20}(/[a-z?#]{0,4})?") {
        if let Ok(authority) = Authority::from_url(&url) {
            let robots = authority.robots_url();
            prop_assert_eq!(Authority::from_robots_url(robots.as_str()), Some(authority.clone()));
            prop_assert_eq!(Authority::from_parsed_url(robots), Ok(authority.clone()));
            prop_assert!(robots.as_str().starts_with(&authority.to_string()));
            prop_assert!(authority.applies_to(&url));
        }
    }

    #[test]
    fn no_text_makes_an_authority_panic(text in any::<String>()) {
        let _ = Authority::from_url(&text);
    }
}
