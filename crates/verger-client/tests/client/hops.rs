//! Redirects to URLs that their own authority may disallow. G-3xx-2.

use std::time::Duration;

use verger_access::{Authority, Profile};
use verger_client::FetchLimits;

use crate::web::{SetClock, Web, client, crawler, redirect};

fn robots(host: &str) -> String {
    format!("https://{host}.example/robots.txt")
}

#[tokio::test]
async fn a_hop_is_asked_about_for_the_crawler_that_fetches() {
    for (token, stance) in [("FooBot", "open"), ("BarBot", "rules")] {
        let (web, clock) = (Web::open(), SetClock::at(0));
        web.say(&robots("a"), redirect("https://b.example/shared.txt"));
        web.say_text(&robots("b"), "User-agent: FooBot\nDisallow: /shared\n");
        web.say_text("https://b.example/shared.txt", "");
        // One fetch at once is enough for the two that this takes.
        let limits = FetchLimits {
            fetches_max: 1,
            ..FetchLimits::default()
        };
        let client = client(&web, &clock)
            .profile(Profile::GOOGLE)
            .crawler(crawler(token))
            .limits(limits)
            .build();
        let authority = Authority::of("https://a.example/").unwrap();
        let answer = client.answer(&authority).await.unwrap();
        assert_eq!(answer.stance().as_str(), stance);
    }
}

#[tokio::test]
async fn authorities_that_redirect_into_each_other_do_not_wait_for_each_other() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say(&robots("a"), redirect("https://b.example/a.txt"));
    web.say(&robots("b"), redirect("https://a.example/b.txt"));
    web.say_text("https://b.example/a.txt", "User-agent: *\nDisallow: /a\n");
    web.say_text("https://a.example/b.txt", "User-agent: *\nDisallow: /b\n");
    let client = client(&web, &clock).profile(Profile::GOOGLE).build();
    let urls = ["https://a.example/a", "https://b.example/b"];
    for decision in client.decide_many(&crawler("FooBot"), &urls).await {
        assert!(!decision.unwrap().is_allowed());
    }
}

#[tokio::test]
async fn a_chain_of_questions_about_hops_ends_with_the_first() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    for number in 0..50 {
        let next = number + 1;
        let page = format!("https://h{next}.example/page");
        web.say(&robots(&format!("h{number}")), redirect(&page));
        web.say_text(&page, "");
    }
    let client = client(&web, &clock).profile(Profile::GOOGLE).build();
    let decision = client
        .decide(&crawler("FooBot"), "https://h0.example/")
        .await;
    assert!(decision.unwrap().is_allowed());
    assert_eq!(
        web.requests(),
        [
            robots("h0"),
            robots("h1"),
            "https://h2.example/page".to_owned(),
            "https://h1.example/page".to_owned(),
        ]
    );
}

#[tokio::test]
async fn a_fetch_that_waits_for_another_one_does_not_keep_it_from_its_turn() {
    let (web, clock) = (Web::shut(), SetClock::at(0));
    web.say(&robots("a"), redirect("https://b.example/shared.txt"));
    web.say_text(&robots("b"), "User-agent: *\nDisallow: /shared\n");
    web.say_text("https://b.example/shared.txt", "");
    let limits = FetchLimits {
        fetches_max: 1,
        ..FetchLimits::default()
    };
    let client = client(&web, &clock)
        .profile(Profile::GOOGLE)
        .limits(limits)
        .build();
    let asks = |url: &'static str| {
        let client = client.clone();
        tokio::spawn(async move { client.decide(&crawler("FooBot"), url).await })
    };
    // The first has its turn, and the second waits for one, before the first is sent to it.
    let first = asks("https://a.example/");
    while web.request_count() == 0 {
        tokio::task::yield_now().await;
    }
    let second = asks("https://b.example/shared");
    for _ in 0..1000 {
        tokio::task::yield_now().await;
    }
    web.open_gate();
    let answers = async { (first.await, second.await) };
    let answers = tokio::time::timeout(Duration::from_secs(20), answers).await;
    let (first, second) = answers.expect("they wait for each other");
    assert!(first.unwrap().unwrap().is_allowed());
    assert!(!second.unwrap().unwrap().is_allowed());
    assert_eq!(web.most_at_once(), 1);
    assert_eq!(web.requests(), [robots("a"), robots("b")]);
}

#[tokio::test]
async fn what_was_followed_without_asking_is_not_kept_as_the_answer_of_its_authority() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say(&robots("a"), redirect("https://b.example/shared.txt"));
    web.say_text("https://b.example/shared.txt", "");
    web.say(&robots("b"), redirect("https://c.example/closed.txt"));
    web.say_text(
        "https://c.example/closed.txt",
        "User-agent: *\nDisallow: /b\n",
    );
    web.say_text(&robots("c"), "User-agent: *\nDisallow: /closed\n");
    let client = client(&web, &clock).profile(Profile::GOOGLE).build();
    let foo_bot = crawler("FooBot");
    let decision = client.decide(&foo_bot, "https://a.example/").await;
    assert!(decision.unwrap().is_allowed());
    // c disallows where b leads to: there are no rules of b, although they were read on the way.
    let decision = client
        .decide(&foo_bot, "https://b.example/b")
        .await
        .unwrap();
    assert!(decision.is_allowed());
    let fact = decision.answer().access_result().unwrap().outcome().code();
    assert_eq!(fact, "redirect disallowed-hop");
}
