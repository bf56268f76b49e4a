//! Redirects to URLs that their own authority may disallow. G-3xx-2.

use std::sync::Arc;
use std::time::Duration;

use verger_access::{Authority, Profile};
use verger_client::{Client, FetchLimits};
use verger_store::MemoryStore;
use verger_testkit::scenario::ServerReply;

use crate::web::{SetClock, Web, client, crawler, redirect, status};

fn robots(host: &str) -> String {
    format!("https://{host}.example/robots.txt")
}

#[tokio::test]
async fn a_hop_is_checked_for_the_crawler_of_the_client() {
    for (token, stance) in [("FooBot", "open"), ("BarBot", "rules")] {
        let (web, clock) = (Web::open(), SetClock::at(0));
        web.say(&robots("a"), redirect("https://b.example/shared.txt"));
        web.say_text(&robots("b"), "User-agent: FooBot\nDisallow: /shared\n");
        web.say_text("https://b.example/shared.txt", "");
        // One permit is enough for the two fetches.
        let mut limits = FetchLimits::default();
        limits.fetches_max = 1;
        let client = client(&web, &clock)
            .profile(Profile::GOOGLE)
            .crawler(crawler(token))
            .limits(limits)
            .build()
            .unwrap();
        let authority = Authority::from_url("https://a.example/").unwrap();
        let answer = client.answer(&authority).await.unwrap();
        assert_eq!(answer.stance().as_str(), stance);
    }
}

#[tokio::test]
async fn authorities_that_redirect_to_each_other_do_not_deadlock() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say(&robots("a"), redirect("https://b.example/a.txt"));
    web.say(&robots("b"), redirect("https://a.example/b.txt"));
    web.say_text("https://b.example/a.txt", "User-agent: *\nDisallow: /a\n");
    web.say_text("https://a.example/b.txt", "User-agent: *\nDisallow: /b\n");
    let client = client(&web, &clock)
        .profile(Profile::GOOGLE)
        .build()
        .unwrap();
    let urls = ["https://a.example/a", "https://b.example/b"];
    for decision in client.decide_many(&crawler("FooBot"), &urls).await {
        assert!(!decision.unwrap().is_allowed());
    }
}

#[tokio::test]
async fn a_fetch_that_checks_a_hop_follows_its_own_hops_without_a_check() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    for number in 0..50 {
        let next = number + 1;
        let page = format!("https://h{next}.example/page");
        web.say(&robots(&format!("h{number}")), redirect(&page));
        web.say_text(&page, "");
    }
    let client = client(&web, &clock)
        .profile(Profile::GOOGLE)
        .build()
        .unwrap();
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
async fn a_fetch_lends_its_permit_to_the_fetch_that_it_waits_for() {
    let (web, clock) = (Web::shut(), SetClock::at(0));
    web.say(&robots("a"), redirect("https://b.example/shared.txt"));
    web.say_text(&robots("b"), "User-agent: *\nDisallow: /shared\n");
    web.say_text("https://b.example/shared.txt", "");
    let mut limits = FetchLimits::default();
    limits.fetches_max = 1;
    let client = client(&web, &clock)
        .profile(Profile::GOOGLE)
        .limits(limits)
        .build()
        .unwrap();
    let asks = |url: &'static str| {
        let client = client.clone();
        tokio::spawn(async move { client.decide(&crawler("FooBot"), url).await })
    };
    // The first fetch has the permit and the second waits for it before the first is redirected.
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
async fn a_fetch_with_an_unchecked_hop_is_not_kept() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say(&robots("a"), redirect("https://b.example/shared.txt"));
    web.say_text("https://b.example/shared.txt", "");
    web.say(&robots("b"), redirect("https://c.example/closed.txt"));
    web.say_text(
        "https://c.example/closed.txt",
        "User-agent: *\nDisallow: /b\n",
    );
    web.say_text(&robots("c"), "User-agent: *\nDisallow: /closed\n");
    let client = client(&web, &clock)
        .profile(Profile::GOOGLE)
        .build()
        .unwrap();
    let foo_bot = crawler("FooBot");
    let decision = client.decide(&foo_bot, "https://a.example/").await;
    assert!(decision.unwrap().is_allowed());
    // c disallows the target of b's redirect, so b has no rules, although they were read before.
    let decision = client
        .decide(&foo_bot, "https://b.example/b")
        .await
        .unwrap();
    assert!(decision.is_allowed());
    let fact = decision.answer().access_result().unwrap().outcome().code();
    assert_eq!(fact, "redirect disallowed-hop");
}

/// The robots.txt of a redirects to a URL of b that b disallows to `FooBot` alone.
fn rules_after_a_hop_disallowed_to_foo_bot() -> Arc<Web> {
    let web = Web::open();
    web.say(&robots("a"), redirect("https://b.example/rules.txt"));
    web.say_text(
        "https://b.example/rules.txt",
        "User-agent: *\nDisallow: /x\n",
    );
    web.say_text(&robots("b"), "User-agent: FooBot\nDisallow: /rules\n");
    web
}

/// A `google` client for this crawler that shares the store.
fn client_of(
    name: &str,
    web: &Arc<Web>,
    clock: &Arc<SetClock>,
    store: &Arc<MemoryStore>,
) -> Client {
    let client = client(web, clock).profile(Profile::GOOGLE);
    let client = client.store(Arc::<MemoryStore>::clone(store));
    client.crawler(crawler(name)).build().unwrap()
}

#[tokio::test]
async fn a_hop_disallowed_to_one_crawler_does_not_count_for_another_client_of_the_store() {
    let (web, clock) = (rules_after_a_hop_disallowed_to_foo_bot(), SetClock::at(0));
    let store = Arc::new(MemoryStore::new(1 << 20));
    let of = |name: &str| client_of(name, &web, &clock, &store);
    let (foo_bot, bar_bot) = (of("FooBot"), of("BarBot"));
    let disallowed = answer("open", "redirect disallowed-hop");
    let rules = answer("rules", "successful http 200");
    assert_eq!(answered(&foo_bot, "a").await, disallowed);
    // The crawler's own client keeps it.
    let requests = web.request_count();
    assert_eq!(answered(&foo_bot, "a").await, disallowed);
    assert_eq!(web.request_count(), requests);
    assert_eq!(answered(&bar_bot, "a").await, rules);
    // The rules are not fetched again.
    let requests = web.request_count();
    assert_eq!(answered(&bar_bot, "a").await, rules);
    assert_eq!(web.request_count(), requests);
}

#[tokio::test]
async fn a_hop_disallowed_to_another_crawler_is_no_matter_to_a_profile_that_does_not_follow_it() {
    let (web, clock) = (rules_after_a_hop_disallowed_to_foo_bot(), SetClock::at(0));
    let store = Arc::new(MemoryStore::new(1 << 20));
    let foo_bot = client_of("FooBot", &web, &clock, &store);
    let disallowed = answer("open", "redirect disallowed-hop");
    assert_eq!(answered(&foo_bot, "a").await, disallowed);
    let cautious = client(&web, &clock)
        .profile(Profile::CAUTIOUS)
        .store(Arc::<MemoryStore>::clone(&store));
    let requests = web.request_count();
    let other_host = answer("closed", "redirect other-host");
    assert_eq!(answered(&cautious.build().unwrap(), "a").await, other_host);
    // The stored redirect is enough to know that.
    assert_eq!(web.request_count(), requests);
}

#[tokio::test]
async fn a_verdict_about_a_hop_stays_with_its_crawler_whatever_another_client_puts() {
    let (web, clock) = (rules_after_a_hop_disallowed_to_foo_bot(), SetClock::at(0));
    let store = Arc::new(MemoryStore::new(1 << 20));
    let of = |name: &str| client_of(name, &web, &clock, &store);
    let (foo_bot, bar_bot) = (of("FooBot"), of("BarBot"));
    let disallowed = answer("open", "redirect disallowed-hop");
    let rules = answer("rules", "successful http 200");
    assert_eq!(answered(&foo_bot, "a").await, disallowed);
    assert_eq!(answered(&bar_bot, "a").await, rules);
    // The store now has the rules, but FooBot may not fetch them. Its clients must ignore them,
    // whether they know the verdict or are new.
    let requests = web.request_count();
    assert_eq!(answered(&foo_bot, "a").await, disallowed);
    assert_eq!(web.request_count(), requests);
    assert_eq!(answered(&of("FooBot"), "a").await, disallowed);
    assert_eq!(web.request_count(), requests + 1);
    // Nor does that verdict apply to BarBot, which still knows the rules.
    assert_eq!(answered(&bar_bot, "a").await, rules);
    assert_eq!(web.request_count(), requests + 1);
    // A file without a redirect applies to all.
    web.say_text(&robots("a"), "User-agent: *\nDisallow: /y\n");
    clock.set(24 * 60 * 60);
    assert_eq!(answered(&bar_bot, "a").await, rules);
    assert_eq!(answered(&foo_bot, "a").await, rules);
    assert_eq!(web.request_count(), requests + 2);
}

#[tokio::test]
async fn the_copy_after_a_checked_hop_outlives_a_restart_in_an_outage() {
    let half_a_day = 12 * 60 * 60;
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say(&robots("a"), redirect("https://b.example/rules.txt"));
    web.say_text(
        "https://b.example/rules.txt",
        "User-agent: *\nDisallow: /x\n",
    );
    web.say_text(&robots("b"), "");
    let store = Arc::new(MemoryStore::new(1 << 20));
    let new_client = || {
        let client = client(&web, &clock).profile(Profile::GOOGLE);
        let client = client.store(Arc::<MemoryStore>::clone(&store));
        client.build().unwrap()
    };
    assert_eq!(answered(&new_client(), "a").await.0, "rules");
    web.say(&robots("a"), status(500));
    for (at, stance) in [(2, "closed"), (3, "copy")] {
        clock.set(at * half_a_day);
        assert_eq!(answered(&new_client(), "a").await.0, stance);
    }
}

#[tokio::test]
async fn an_unchecked_hop_to_a_refused_address_is_not_kept() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say(&robots("a"), redirect("https://b.example/shared.txt"));
    web.say_text("https://b.example/shared.txt", "");
    web.say(&robots("b"), redirect("https://c.example/closed.txt"));
    let refused = ServerReply::Failure {
        name: "address-refused".to_owned(),
    };
    web.say("https://c.example/closed.txt", refused);
    web.say_text(&robots("c"), "User-agent: *\nDisallow: /closed\n");
    let client = client(&web, &clock)
        .profile(Profile::GOOGLE)
        .build()
        .unwrap();
    let foo_bot = crawler("FooBot");
    let decision = client.decide(&foo_bot, "https://a.example/").await;
    assert!(decision.unwrap().is_allowed());
    // A fetch of b that checks the hop never connects to the refused address.
    let decision = client.decide(&foo_bot, "https://b.example/b").await;
    let decision = decision.unwrap();
    let fact = decision.answer().access_result().unwrap().outcome().code();
    assert_eq!(fact, "redirect disallowed-hop");
}

const GOOGLE_PROFILES: [Profile; 2] = [Profile::GOOGLE, Profile::GOOGLE_2023];

/// Replies that leave a site without a robots.txt.
fn outages() -> Vec<ServerReply> {
    let failures = [
        "address-refused",
        "dns",
        "connect",
        "tls",
        "timeout",
        "truncated",
    ];
    let failures = failures.map(|name| ServerReply::Failure {
        name: name.to_owned(),
    });
    let redirects = [redirect("mailto:x@b.example"), redirect("")];
    let replies = [429, 500, 503, 600].map(status);
    failures
        .into_iter()
        .chain(replies)
        .chain(redirects)
        .collect()
}

async fn answered(client: &Client, host: &str) -> (String, String) {
    let authority = Authority::from_url(&robots(host)).unwrap();
    let answer = client.answer(&authority).await.unwrap();
    let outcome = answer.access_result().unwrap().outcome().code();
    (answer.stance().to_string(), outcome)
}

fn answer(stance: &str, outcome: &str) -> (String, String) {
    (stance.to_owned(), outcome.to_owned())
}

#[tokio::test]
async fn a_hop_whose_robots_txt_cannot_be_fetched_is_followed() {
    for profile in GOOGLE_PROFILES {
        for outage in outages() {
            let (web, clock) = (Web::open(), SetClock::at(0));
            let client = client(&web, &clock)
                .profile(profile.clone())
                .build()
                .unwrap();
            for host in ["a", "c", "d"] {
                let page = format!("https://b.example/{host}.txt");
                web.say(&robots(host), redirect(&page));
            }
            web.say(&robots("b"), outage.clone());
            web.say_text("https://b.example/a.txt", "User-agent: *\nDisallow: /\n");
            web.say("https://b.example/c.txt", status(404));
            web.say("https://b.example/d.txt", status(503));
            for (host, expected) in [
                ("a", answer("rules", "successful http 200")),
                ("c", answer("open", "error http 404")),
                ("d", answer("closed", "error http 503")),
            ] {
                let got = answered(&client, host).await;
                assert_eq!(got, expected, "{}: {outage:?}", profile.name);
            }
        }
    }
}

#[tokio::test]
async fn a_copy_stays_in_use_when_a_hop_fails() {
    let half_a_day = 12 * 60 * 60;
    for (profile, later) in [(Profile::GOOGLE, "copy"), (Profile::GOOGLE_2023, "closed")] {
        let (web, clock) = (Web::open(), SetClock::at(0));
        let client = client(&web, &clock).profile(profile).build().unwrap();
        web.say_text(&robots("a"), "User-agent: *\nDisallow: /a\n");
        assert_eq!(answered(&client, "a").await.0, "rules");

        // b has no name.
        web.say(&robots("a"), redirect("https://b.example/x"));
        clock.set(2 * half_a_day);
        assert_eq!(answered(&client, "a").await, answer("closed", "failed dns"));
        clock.set(3 * half_a_day);
        assert_eq!(answered(&client, "a").await, answer(later, "failed dns"));
    }
}

#[tokio::test]
async fn a_hop_that_a_rule_or_a_copy_in_use_disallows_counts_as_404() {
    for profile in GOOGLE_PROFILES {
        let (web, clock) = (Web::open(), SetClock::at(0));
        let client = client(&web, &clock)
            .profile(profile.clone())
            .build()
            .unwrap();
        let page = redirect("https://b.example/x");
        for host in ["a", "c"] {
            web.say(&robots(host), page.clone());
        }
        web.say_text("https://b.example/x", "User-agent: *\nDisallow: /\n");
        web.say_text(&robots("b"), "User-agent: *\nDisallow: /x\n");
        let disallowed = answer("open", "redirect disallowed-hop");
        assert_eq!(answered(&client, "a").await, disallowed, "{}", profile.name);

        // b fails from now on. At first it is closed and its copy is not in use.
        let day = 24 * 60 * 60;
        web.say(&robots("b"), status(500));
        clock.set(day);
        let followed = answer("rules", "successful http 200");
        assert_eq!(answered(&client, "c").await, followed, "{}", profile.name);
        // Later its copy is in use when c is fetched again.
        let copy_from = if profile == Profile::GOOGLE { 2 } else { 31 };
        for days in 2..=copy_from {
            clock.set(days * day);
            assert_eq!(answered(&client, "b").await.1, "error http 500");
        }
        assert_eq!(answered(&client, "c").await, disallowed, "{}", profile.name);
    }
}
