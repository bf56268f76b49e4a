//! Tests of the state machine for cases that scenarios do not cover.

use std::sync::Arc;

use http::HeaderMap;
use verger::dialect::{AgentList, AllowLines, EncodingMismatch};
use verger::{Clause, Crawler, Dialect, Effect, Reading};
use verger_access::{
    AccessPolicy, Action, Attempt, Authority, BodyEnd, DecisionReason, GoodCopy, HopVerdict,
    Jitter, Knowledge, Outcome, PendingRequest, Profile, RedirectEnd, Reply, Response, RestOfSite,
    Stance, Timestamp, TransportFailure, Treatment, Warning, begin,
};

const NOW: Timestamp = Timestamp::from_unix_seconds(1_800_000_000);

fn pending(action: Action) -> PendingRequest {
    match action {
        Action::Send(pending) => pending,
        other => panic!("{other:?}"),
    }
}

fn done(action: Action) -> Attempt {
    match action {
        Action::Done(attempt) => attempt,
        other => panic!("{other:?}"),
    }
}

fn begun(profile: &Profile, copy: Option<&GoodCopy>) -> PendingRequest {
    let authority = Authority::from_url("https://h.example/page").unwrap();
    pending(begin(&authority, profile, copy))
}

#[test]
fn a_fetch_owns_its_profile() {
    let kept = {
        let mut own = Profile::RFC9309;
        own.redirects.followed_max = 0;
        pending(begin(
            &Authority::from_url("https://h.example/").unwrap(),
            Arc::new(own),
            None,
        ))
    };
    let attempt = done(respond(kept, 301, &[("location", "/elsewhere")], ""));
    let too_many = Outcome::Redirect(RedirectEnd::TooMany);
    assert_eq!(attempt.last.outcome, too_many);
}

/// Passes a response whose headers are given in pairs.
fn respond(
    pending: PendingRequest,
    status: u16,
    pairs: &[(&'static str, &'static str)],
    body: &str,
) -> Action {
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        headers.append(*name, value.parse().unwrap());
    }
    let response = Response {
        status,
        headers: &headers,
        body: body.as_bytes().into(),
        body_end: BodyEnd::Whole,
    };
    pending.response(response, NOW)
}

const VALIDATORS: [(&str, &str); 3] = [
    ("etag", "W/\"a\""),
    ("last-modified", "Thu, 14 Jan 2027 08:00:00 GMT"),
    ("cache-control", "max-age=600"),
];

fn copy_with_validators() -> GoodCopy {
    let attempt = done(respond(
        begun(&Profile::RFC9309, None),
        200,
        &VALIDATORS,
        "User-agent: *",
    ));
    attempt.copy.unwrap()
}

#[test]
fn a_first_request_has_no_conditions() {
    let pending = begun(&Profile::RFC9309, None);
    assert_eq!(
        pending.request().url.as_str(),
        "https://h.example/robots.txt"
    );
    assert!(pending.request().conditions.is_empty());
}

#[test]
fn a_request_for_a_known_copy_has_its_validators() {
    let copy = copy_with_validators();
    for profile in Profile::ALL {
        let pending = begun(profile, Some(&copy));
        let conditions = &pending.request().conditions;
        if profile.name.starts_with("google") {
            assert!(conditions.is_empty(), "{}", profile.name);
        } else {
            assert_eq!(conditions["if-none-match"], "W/\"a\"");
            assert_eq!(
                conditions["if-modified-since"],
                "Thu, 14 Jan 2027 08:00:00 GMT"
            );
            assert_eq!(conditions.len(), 2);
        }
    }
}

#[test]
fn a_request_for_another_url_than_that_of_the_copy_has_no_conditions() {
    let copy = copy_with_validators();
    let first = begun(&Profile::RFC9309, Some(&copy));
    let second = pending(respond(first, 301, &[("location", "/elsewhere")], ""));
    assert!(second.request().conditions.is_empty());
    // So a 304 from there is unasked.
    let attempt = done(respond(second, 304, &[], ""));
    assert_eq!(attempt.last.outcome.code(), "redirect unasked-not-modified");
    assert_eq!(attempt.copy, None);
}

#[test]
fn a_304_renews_the_copy_and_its_stated_lifetime() {
    let copy = copy_with_validators();
    let silent = done(respond(begun(&Profile::RFC9309, Some(&copy)), 304, &[], ""));
    assert_eq!(silent.last.outcome.code(), "successful http 304");
    assert_eq!(silent.last.stated_lifetime.unwrap().as_secs(), 600);
    assert_eq!(silent.copy.as_ref(), Some(&copy));

    let news = [("cache-control", "max-age=60"), ("etag", "\"b\"")];
    let renewed = done(respond(
        begun(&Profile::RFC9309, Some(&copy)),
        304,
        &news,
        "",
    ));
    assert_eq!(renewed.last.stated_lifetime.unwrap().as_secs(), 60);
    let renewed = renewed.copy.unwrap();
    assert_eq!(renewed.entity_tag.unwrap(), "\"b\"");
    assert_eq!(renewed.last_modified, copy.last_modified);
    assert_eq!(renewed.body, copy.body);
}

#[test]
fn an_attempt_has_every_request_and_its_reply() {
    let first = begun(&Profile::RFC9309, None);
    let second = pending(respond(
        first,
        301,
        &[("location", "http://h.example/x")],
        "",
    ));
    let attempt = done(second.failure(TransportFailure::Timeout, NOW));
    let hops: Vec<_> = attempt
        .hops
        .iter()
        .map(|hop| (hop.url.as_str(), hop.reply))
        .collect();
    assert_eq!(
        hops,
        [
            ("https://h.example/robots.txt", Some(Reply::Http(301))),
            ("http://h.example/x", None),
        ]
    );
    assert_eq!(attempt.last.at, NOW);
}

#[test]
fn a_hop_with_an_unknown_verdict_is_followed() {
    for (verdict, ends) in [
        (HopVerdict::Allowed, None),
        (HopVerdict::Unknown, None),
        (HopVerdict::Disallowed, Some(RedirectEnd::DisallowedHop)),
    ] {
        let first = begun(&Profile::GOOGLE, None);
        let location = [
            ("location", "https://b.example/x"),
            ("cache-control", "max-age=90"),
        ];
        let Action::AskAboutHop(question) = respond(first, 302, &location, "") else {
            panic!("{verdict:?}");
        };
        assert_eq!(question.url().as_str(), "https://b.example/x");
        match (question.answer(verdict), ends) {
            (Action::Send(pending), None) => {
                assert_eq!(pending.request().url.as_str(), "https://b.example/x");
            }
            (Action::Done(attempt), Some(end)) => {
                assert_eq!(attempt.last.outcome, verger_access::Outcome::Redirect(end));
                assert_eq!(attempt.last.stated_lifetime.unwrap().as_secs(), 90);
            }
            (other, _) => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_cut_body_is_no_failure_and_its_last_line_is_dropped() {
    let response = Response {
        status: 200,
        headers: &HeaderMap::new(),
        body: b"User-agent: *\nDisallow: /a\nDisallow: /"
            .as_slice()
            .into(),
        body_end: BodyEnd::CutAtLimit,
    };
    let attempt = done(begun(&Profile::RFC9309, None).response(response, NOW));
    assert_eq!(attempt.last.outcome.code(), "successful http 200");
    assert_eq!(
        *attempt.copy.unwrap().body,
        *b"User-agent: *\nDisallow: /a\n"
    );
    assert!(attempt.warnings.contains(&Warning::BodyCut));
}

#[test]
fn a_profile_of_the_caller_decides_and_the_answer_has_its_name() {
    let mut mine = Profile::RFC9309;
    mine.name = "mine".into();
    mine.replies.denied = Treatment::Closed.by(Clause::new("OWN-7"));
    let attempt = done(respond(begun(&mine, None), 403, &[], ""));
    let mut knowledge = Knowledge::default();
    knowledge.record(&attempt, &mine, Jitter::NONE);
    let answer = knowledge.answer(&mine, NOW, RestOfSite::default());
    assert_eq!(
        (answer.stance(), answer.clause()),
        (Stance::Closed, Clause::new("OWN-7"))
    );
    assert_eq!(answer.profile(), "mine");
    // The same attempt under `rfc9309`.
    let answer = knowledge.answer(&Profile::RFC9309, NOW, RestOfSite::default());
    assert_eq!(
        (answer.stance(), answer.profile()),
        (Stance::Open, "rfc9309")
    );
}

#[test]
fn a_success_whose_body_was_lost_allows_nothing_and_is_fetched_at_once() {
    let attempt = done(respond(
        begun(&Profile::RFC9309, None),
        200,
        &[],
        "User-agent: *",
    ));
    let knowledge = Knowledge {
        last: Some(attempt.last),
        ..Knowledge::default()
    };
    let answer = knowledge.answer(&Profile::RFC9309, NOW, RestOfSite::default());
    assert_eq!(answer.stance(), Stance::Defer);
    assert!(answer.body().is_none());
    assert_eq!(answer.ask_again_at(), NOW);
}

#[test]
fn a_decision_has_the_rule_or_the_stance_that_decided() {
    let attempt = done(respond(
        begun(&Profile::RFC9309, None),
        200,
        &[],
        "User-agent: *\nDisallow: /a\n",
    ));
    let mut knowledge = Knowledge::default();
    knowledge.record(&attempt, &Profile::RFC9309, Jitter::NONE);
    let answer = knowledge.answer(&Profile::RFC9309, NOW, RestOfSite::default());
    let policy = AccessPolicy::new(&answer, &Crawler::unnamed());
    let decision = policy.decide_url("https://h.example/a?b").unwrap();
    let Some(verdict) = decision.verdict() else {
        panic!("{decision:?}");
    };
    assert_eq!(verdict.line().unwrap().get(), 2);
    assert_eq!(decision.to_string(), "disallowed by line 2");
    assert_eq!(policy.answer().clause().id(), "R9309-2.3.1.1-1");

    let attempt = done(begun(&Profile::RFC9309, None).failure(TransportFailure::Dns, NOW));
    let mut knowledge = Knowledge::default();
    knowledge.record(&attempt, &Profile::RFC9309, Jitter::NONE);
    let answer = knowledge.answer(&Profile::RFC9309, NOW, RestOfSite::default());
    let policy = AccessPolicy::new(&answer, &Crawler::unnamed());
    let decision = policy.decide_url("https://h.example/a?b").unwrap();
    assert_eq!(decision.reason(), DecisionReason::Stance(Stance::Closed));
    assert_eq!(decision.verdict(), None);
    assert_eq!(decision.to_string(), "disallowed: the stance is closed");
    assert!(
        policy
            .decide_url("https://h.example/robots.txt")
            .unwrap()
            .is_allowed()
    );
}

#[test]
fn public_types_are_send_and_sync() {
    fn is_shareable<T: Send + Sync>() {}
    is_shareable::<(Action, Attempt, Knowledge, AccessPolicy, Profile, Authority)>();
}

/// Returns the effect of `body` on `/x` for the crawler `b` in a profile with this reading.
fn effect_read(body: &[u8], dialect: Dialect, reading: Reading) -> Effect {
    let profile = Profile {
        reading,
        ..Profile::RFC9309
    };
    let response = Response {
        status: 200,
        headers: &HeaderMap::new(),
        body: body.into(),
        body_end: BodyEnd::Whole,
    };
    let attempt = done(begun(&profile, None).response(response, NOW));
    let mut knowledge = Knowledge::default();
    knowledge.record(&attempt, &profile, Jitter::NONE);
    let answer = knowledge.answer(&profile, NOW, RestOfSite::default());
    assert_eq!((answer.reading(), answer.dialect()), (reading, dialect));
    assert_eq!(*answer.robots_txt().unwrap().reading(), reading);
    let policy = AccessPolicy::new(&answer, &Crawler::named("b", reading).unwrap());
    policy.decide_url("https://h.example/x").unwrap().effect()
}

#[test]
fn the_reading_options_of_a_profile_apply_to_the_fetched_body() {
    let utf16: Vec<u8> = "\u{FEFF}User-agent: b\nDisallow: /\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    for &dialect in Dialect::ALL {
        let plain = Reading::new(dialect);
        let effects = |body: &[u8], option: Reading| {
            [plain, option].map(|reading| effect_read(body, dialect, reading))
        };
        let commas = plain.with_agent_list(AgentList::CommaSeparated);
        assert_eq!(
            effects(b"User-agent: a, b\nDisallow: /\n", commas),
            [Effect::Allow, Effect::Disallow],
            "{dialect}"
        );
        let bridging = plain.with_encoding_mismatch(EncodingMismatch::Bridge);
        assert_eq!(
            effects(&utf16, bridging),
            [Effect::Allow, Effect::Disallow],
            "{dialect}"
        );
        let no_allow = plain.with_allow_lines(AllowLines::Ignored);
        assert_eq!(
            effects(b"User-agent: b\nAllow: /x\nDisallow: /\n", no_allow),
            [Effect::Allow, Effect::Disallow],
            "{dialect}"
        );
    }
}

#[test]
fn html_pages_over_ftp_and_confirmed_by_a_304_are_recognised() {
    let page = b"<html>\n<title>Login</title>\n";
    let authority = Authority::from_url("ftp://f.example/x").unwrap();
    let file = pending(begin(&authority, &Profile::CAUTIOUS, None));
    let over_ftp = done(file.ftp_file(page.to_vec(), BodyEnd::Whole, NOW));
    assert_eq!(over_ftp.last.outcome.code(), "successful-page ftp 226");
    assert_eq!(over_ftp.warnings, [Warning::LooksLikeHtml]);
    assert_eq!(&*over_ftp.copy.as_ref().unwrap().body, page);

    let page = String::from_utf8_lossy(page);
    let first = respond(begun(&Profile::RFC9309, None), 200, &VALIDATORS, &page);
    let copy = done(first).copy.unwrap();
    let asked = begun(&Profile::RFC9309, Some(&copy));
    let confirmed = done(respond(asked, 304, &[], ""));
    assert_eq!(confirmed.last.outcome.code(), "successful-page http 304");
    assert_eq!(confirmed.warnings, [Warning::LooksLikeHtml]);

    // If a page is a failure, it never replaces a good copy.
    let good = done(respond(
        begun(&Profile::CAUTIOUS, None),
        200,
        &VALIDATORS,
        "Allow: /",
    ));
    let mut knowledge = Knowledge::default();
    knowledge.record(&good, &Profile::CAUTIOUS, Jitter::NONE);
    knowledge.record(&confirmed, &Profile::CAUTIOUS, Jitter::NONE);
    assert_eq!(knowledge.copy, good.copy);
    let answer = knowledge.answer(&Profile::CAUTIOUS, NOW, RestOfSite::default());
    assert_eq!(answer.stance(), Stance::Copy);
}

#[test]
fn a_validator_of_more_than_a_kibibyte_is_neither_kept_nor_sent_back() {
    for (bytes, kept) in [(1023, true), (1024, true), (1025, false)] {
        let mut headers = HeaderMap::new();
        for name in ["etag", "last-modified"] {
            let value = http::HeaderValue::from_bytes(&vec![b'\xE9'; bytes]);
            headers.append(name, value.unwrap());
        }
        let response = Response {
            status: 200,
            headers: &headers,
            body: b"Allow: /".as_slice().into(),
            body_end: BodyEnd::Whole,
        };
        let sent = begun(&Profile::RFC9309, None).response(response, NOW);
        let mut copy = done(sent).copy.unwrap();
        assert_eq!(copy.entity_tag.is_some(), kept, "{bytes}");
        assert_eq!(copy.last_modified.is_some(), kept, "{bytes}");
        // A copy from a store may have longer validators.
        copy.entity_tag = headers.get("etag").cloned();
        let asked = begun(&Profile::RFC9309, Some(&copy));
        assert_eq!(asked.request().conditions.is_empty(), !kept, "{bytes}");
    }
}
