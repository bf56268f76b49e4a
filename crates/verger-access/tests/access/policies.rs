//! What a crawler keeps of an answer: the copy in use, its memory, and the order of authorities.

use std::collections::BTreeSet;

use http::HeaderMap;
use verger::{Crawler, allocated_bytes};
use verger_access::{
    AccessPolicy, Action, Answer, Authority, BodyEnd, GoodCopy, Jitter, Knowledge, Profile,
    Response, RestOfSite, begin,
};
use verger_extensions::Pacing;

use crate::replay::time;

fn answer(profile: &Profile, body: &str) -> Answer {
    let authority = Authority::from_url("https://h.example/").unwrap();
    let Action::Send(pending) = begin(&authority, profile, None) else {
        panic!("begins with a request");
    };
    let response = Response {
        status: 200,
        headers: &HeaderMap::new(),
        body: body.as_bytes().into(),
        body_end: BodyEnd::Whole,
    };
    let Action::Done(attempt) = pending.response(response, time(0)) else {
        panic!("ends with a file");
    };
    let mut knowledge = Knowledge::default();
    knowledge.record(&attempt, profile, Jitter::NONE);
    knowledge.answer(profile, time(0), RestOfSite::default())
}

const BODY: &str = "User-agent: *\nDisallow: /private/*.html\n";

#[test]
fn a_policy_counts_its_rules_and_a_name_that_is_not_built_in() {
    let built_in = answer(&Profile::RFC9309, BODY);
    let built_in = AccessPolicy::new(&built_in, &Crawler::unnamed());
    assert!(built_in.heap_bytes() > "/private/*.html".len());
    assert_eq!(built_in.heap_bytes(), built_in.rules().heap_bytes());

    let name = "a profile of the caller's";
    let own = Profile {
        name: name.to_owned().into(),
        ..Profile::RFC9309
    };
    let own = AccessPolicy::new(&answer(&own, BODY), &Crawler::unnamed());
    let of_name = own.heap_bytes() - own.rules().heap_bytes();
    assert_eq!(of_name, allocated_bytes(name.len()));
}

/// V-75.
#[test]
fn a_policy_keeps_the_pacing_of_its_groups_and_counts_its_memory() {
    let body = "User-agent: *\nCrawl-delay: 2\nRequest-rate: 1/5s\nVisit-time: 0600-0845\n";
    let policy = AccessPolicy::new(&answer(&Profile::RFC9309, body), &Crawler::unnamed());
    let pacing = policy.pacing();
    let delay = pacing.crawl_delay().unwrap();
    assert_eq!((delay.milliseconds(), delay.line().get()), (2000, 2));
    assert_eq!(pacing.request_rates()[0].interval_milliseconds(), 5000);
    assert_eq!(pacing.visit_times()[0].line().get(), 4);
    let of_pacing = policy.heap_bytes() - policy.rules().heap_bytes();
    let least = size_of::<Pacing>();
    assert!((least..2 * least + 200).contains(&of_pacing));

    let without = AccessPolicy::new(&answer(&Profile::RFC9309, BODY), &Crawler::unnamed());
    assert_eq!(without.pacing(), &Pacing::NONE);
    let no_rules = Knowledge::default().answer(&Profile::RFC9309, time(0), RestOfSite::default());
    let no_rules = AccessPolicy::new(&no_rules, &Crawler::unnamed());
    assert!(no_rules.pacing().is_none());
}

#[test]
fn a_page_without_rules_is_a_good_copy_only_where_such_a_page_is_a_success() {
    let copy = |body: &str| GoodCopy {
        body: body.as_bytes().into(),
        url: "https://h.example/robots.txt".parse().unwrap(),
        entity_tag: None,
        last_modified: None,
        validated_at: time(0),
        stated_lifetime: None,
    };
    let knowledge = Knowledge {
        copy: Some(copy(BODY)),
        ..Knowledge::default()
    };
    assert!(knowledge.heap_bytes() > BODY.len());
    assert!(Profile::RFC9309.accepts(&copy("<html>")));
    assert!(!Profile::CAUTIOUS.accepts(&copy("<html>")));
    for profile in Profile::ALL {
        assert!(profile.accepts(&copy(BODY)), "{}", profile.name);
    }
}

#[test]
fn authorities_are_ordered_by_their_text() {
    let urls = [
        "http://b.example/x",
        "https://a.example/",
        "http://b.example:8080/",
        "HTTP://A.example:80/y",
    ];
    let sorted: BTreeSet<Authority> = urls.map(|url| url.parse().unwrap()).into();
    let names: Vec<String> = sorted.iter().map(Authority::to_string).collect();
    let expected = [
        "http://a.example",
        "http://b.example",
        "http://b.example:8080",
        "https://a.example",
    ];
    assert_eq!(names, expected);
    assert!(sorted.iter().is_sorted_by(|a, b| a < b));
}
