//! Cached answers: how long they are valid, and how they are refreshed.

use std::sync::Arc;
use std::time::Duration;

use verger_client::RefreshAhead;
use verger_store::MemoryStore;

use crate::web::{SetClock, Web, client, crawler, status, text};

const ROBOTS: &str = "https://h.example/robots.txt";
const PAGE: &str = "https://h.example/private";
const HOUR: i64 = 3600;

#[tokio::test]
async fn an_answer_is_valid_until_the_second_before_it_expires() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say_text(ROBOTS, "User-agent: *\nDisallow: /private\n");
    let client = client(&web, &clock)
        .refresh_ahead(RefreshAhead::Off)
        .build()
        .unwrap();
    let foo_bot = crawler("FooBot");
    assert!(client.decide_from_memory(&foo_bot, PAGE).is_none());
    for (at, requests) in [
        (0, 1),
        (24 * HOUR - 1, 1),
        (24 * HOUR, 2),
        (24 * HOUR + 1, 2),
    ] {
        clock.set(at);
        let decision = client.decide(&foo_bot, PAGE).await.unwrap();
        assert!(!decision.is_allowed());
        assert_eq!(web.request_count(), requests, "at {at}");
    }
    clock.set(48 * HOUR);
    assert!(client.decide_from_memory(&foo_bot, PAGE).is_none());
    // After the clock has gone back, the answer is expired.
    clock.set(-HOUR);
    assert!(client.decide_from_memory(&foo_bot, PAGE).is_none());
}

#[tokio::test]
async fn other_spellings_of_an_authority_are_answered_from_memory() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say_text(ROBOTS, "");
    let client = client(&web, &clock).build().unwrap();
    let foo_bot = crawler("FooBot");
    client.decide(&foo_bot, PAGE).await.unwrap();
    for url in [
        "https://h.example",
        "https://h.example:443/x",
        "HTTPS://user@H.EXAMPLE/x",
        "https://%68.example/",
    ] {
        assert!(client.decide_from_memory(&foo_bot, url).is_some(), "{url}");
    }
    for url in [
        "http://h.example/",
        "https://h.example:444/",
        "https://i.example/",
    ] {
        assert!(client.decide_from_memory(&foo_bot, url).is_none(), "{url}");
    }
    assert_eq!(web.request_count(), 1);
}

#[tokio::test]
async fn the_pacing_is_that_of_the_answer_with_one_fetch() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say_text(
        ROBOTS,
        "User-agent: FooBot\nCrawl-delay: 1.5\nDisallow: /a\nUser-agent: *\nRequest-rate: 1/10\n",
    );
    let client = client(&web, &clock).build().unwrap();
    let pacing = client.pacing(&crawler("FooBot"), PAGE).await.unwrap();
    let delay = pacing.crawl_delay().unwrap();
    assert_eq!((delay.milliseconds(), delay.line().get()), (1500, 2));
    assert!(pacing.request_rates().is_empty());
    let decision = client.decide(&crawler("FooBot"), PAGE).await.unwrap();
    assert_eq!(decision.delay(), std::time::Duration::from_millis(1500));
    let decision = client.decide(&crawler("BarBot"), PAGE).await.unwrap();
    let rates = decision.pacing().request_rates();
    assert_eq!(rates[0].interval_milliseconds(), 10_000);
    assert_eq!(decision.delay(), std::time::Duration::from_secs(10));
    assert_eq!(web.request_count(), 1);
    assert!(client.pacing(&crawler("BarBot"), "no URL").await.is_err());
}

/// A delay between two user-agent lines is for the first one only. V-87.
#[tokio::test]
async fn a_delay_for_another_crawler_is_not_kept() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say_text(
        ROBOTS,
        "User-agent: FooBot\nCrawl-delay: 3600\n\nUser-agent: *\nDisallow: /next/\n",
    );
    let client = client(&web, &clock).build().unwrap();
    for (name, seconds) in [("FooBot", 3600), ("BarBot", 0)] {
        let crawler = crawler(name);
        let decision = client.decide(&crawler, "https://h.example/next/").await;
        let decision = decision.unwrap();
        assert!(!decision.is_allowed());
        assert_eq!(decision.delay(), std::time::Duration::from_secs(seconds));
    }
}

#[tokio::test]
async fn crawlers_share_a_fetch_and_not_an_answer() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say_text(ROBOTS, "User-agent: FooBot\nDisallow: /private\n");
    let client = client(&web, &clock).build().unwrap();
    let foo_bot = client.decide(&crawler("FooBot"), PAGE).await.unwrap();
    let bar_bot = client.decide(&crawler("BarBot"), PAGE).await.unwrap();
    assert_eq!(foo_bot.rule().unwrap().line.get(), 2);
    assert!(bar_bot.rule().is_none());
    assert_eq!(
        bar_bot.to_string(),
        "allowed: no group applies to the crawler"
    );
    assert_eq!(foo_bot.snapshot(), bar_bot.snapshot());
    assert_eq!(web.request_count(), 1);
    assert_eq!(client.held_stat().answers, 2);
}

#[tokio::test]
async fn an_answer_in_use_is_refreshed_before_it_expires_without_a_wait() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say_text(ROBOTS, "User-agent: *\nDisallow: /private\n");
    let client = client(&web, &clock).build().unwrap();
    let foo_bot = crawler("FooBot");
    client.decide(&foo_bot, PAGE).await.unwrap();
    web.say_text(ROBOTS, "");
    // A tenth of 24 hours is 2 hours and 24 minutes.
    let ahead = 24 * HOUR - 8640;
    for (at, requests) in [(ahead - 1, 1), (ahead, 2)] {
        clock.set(at);
        let decision = client.decide_from_memory(&foo_bot, PAGE).unwrap();
        assert!(!decision.is_allowed());
        client.decide_from_memory(&foo_bot, PAGE).unwrap();
        while web.request_count() < requests {
            tokio::task::yield_now().await;
        }
        assert_eq!(web.request_count(), requests, "at {at}");
    }
    while !client
        .decide_from_memory(&foo_bot, PAGE)
        .unwrap()
        .is_allowed()
    {
        tokio::task::yield_now().await;
    }
    clock.set(ahead + 12 * HOUR);
    assert!(client.decide_from_memory(&foo_bot, PAGE).is_some());
    assert_eq!(web.request_count(), 2);
}

#[test]
fn a_call_outside_a_runtime_leaves_the_refresh_to_others() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say_text(ROBOTS, "User-agent: *\nDisallow: /private\n");
    let client = client(&web, &clock).build().unwrap();
    let foo_bot = crawler("FooBot");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(client.decide(&foo_bot, PAGE)).unwrap();
    clock.set(23 * HOUR);
    client.decide_from_memory(&foo_bot, PAGE).unwrap();
    let asked = async {
        client.decide_from_memory(&foo_bot, PAGE).unwrap();
        while web.request_count() < 2 {
            tokio::task::yield_now().await;
        }
    };
    let asked = async { tokio::time::timeout(Duration::from_secs(20), asked).await };
    runtime.block_on(asked).expect("it is not refreshed");
}

#[tokio::test]
async fn a_retry_is_never_early() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say(ROBOTS, status(500));
    let client = client(&web, &clock).build().unwrap();
    let foo_bot = crawler("FooBot");
    client.decide(&foo_bot, PAGE).await.unwrap();
    clock.set(59);
    client.decide(&foo_bot, PAGE).await.unwrap();
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert_eq!(web.request_count(), 1);
    clock.set(60);
    client.decide(&foo_bot, PAGE).await.unwrap();
    assert_eq!(web.request_count(), 2);
}

#[tokio::test]
async fn a_fetch_replaces_the_cached_answers_of_all_crawlers() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say(
        ROBOTS,
        text("User-agent: *\nDisallow: /\n", &[("etag", "\"1\"")]),
    );
    let client = client(&web, &clock).build().unwrap();
    for token in ["FooBot", "BarBot"] {
        let decision = client.decide(&crawler(token), PAGE).await.unwrap();
        assert!(!decision.is_allowed());
    }
    web.say(ROBOTS, text("", &[("etag", "\"2\"")]));
    let authority = verger_access::Authority::from_url(PAGE).unwrap();
    let report = client.fetch(&authority).await.unwrap();
    assert_eq!(report.fetched.unwrap().exchanges.len(), 1);
    for token in ["FooBot", "BarBot"] {
        let decision = client.decide(&crawler(token), PAGE).await.unwrap();
        assert!(decision.is_allowed());
        assert_eq!(decision.snapshot(), report.snapshot);
    }
    assert_eq!(web.request_count(), 2);
}

#[tokio::test]
async fn cached_answers_stay_within_the_bound() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    let rules: Vec<String> = (0..500)
        .map(|number| format!("Disallow: /{number}/*/x\n"))
        .collect();
    let rules = rules.concat();
    for number in 0..200 {
        let robots = format!("https://h{number}.example/robots.txt");
        web.say_text(&robots, &format!("User-agent: *\n{rules}"));
    }
    let bytes_max = 500_000;
    let store = Arc::new(MemoryStore::new(64 << 20));
    let client = client(&web, &clock).store(store);
    let client = client.memory_bytes_max(bytes_max).build().unwrap();
    let foo_bot = crawler("FooBot");
    for number in 0..200 {
        let url = format!("https://h{number}.example/7/y/x");
        assert!(!client.decide(&foo_bot, &url).await.unwrap().is_allowed());
        let held = client.held_stat();
        assert!(held.bytes() <= bytes_max, "{held:?}");
    }
    assert!(client.held_stat().answers >= 5);
    // An evicted answer is compiled again from the store.
    let url = "https://h0.example/7/y/x";
    assert!(!client.decide(&foo_bot, url).await.unwrap().is_allowed());
    assert_eq!(web.request_count(), 200);
}

#[tokio::test]
async fn an_answer_that_is_asked_often_is_counted_with_its_tables() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    let rules = (0..500).map(|number| format!("Disallow: /{number}/*/x\n"));
    let robots = format!("User-agent: *\n{}", rules.collect::<String>());
    web.say_text(ROBOTS, &robots);
    let client = client(&web, &clock).build().unwrap();
    let foo_bot = crawler("FooBot");
    client.decide(&foo_bot, PAGE).await.unwrap();
    // Measure without tables, then with first bytes of rules, then with an index.
    let mut counted = vec![client.held_stat().bytes()];
    for number in 0..100_000 {
        let url = format!("https://h.example/{number}/y/x");
        let decision = client.decide_from_memory(&foo_bot, &url).unwrap();
        assert_eq!(decision.is_allowed(), number >= 500);
        counted.push(client.held_stat().bytes());
        counted.dedup();
        if counted.len() == 3 {
            break;
        }
    }
    let [bare, with_heads, with_index] = counted[..] else {
        panic!("{counted:?}");
    };
    assert!(with_heads >= bare + 500 * 4, "{counted:?}");
    assert!(with_index > with_heads + 500 * 16, "{counted:?}");
    assert_eq!(client.held_stat().answers, 1);
    assert_eq!(web.request_count(), 1);
}
