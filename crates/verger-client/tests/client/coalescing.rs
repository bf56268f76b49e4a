//! Single flight: one fetch for all callers, and limits on concurrent requests.

use tokio::task::JoinSet;
use verger_access::{Authority, Stance};
use verger_client::{Asking, FetchLimits};

use crate::web::{SetClock, Web, client, crawler};

const ROBOTS: &str = "https://h.example/robots.txt";
const RULES: &str = "User-agent: *\nDisallow: /private\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_callers_of_one_slow_authority_send_one_request() {
    let (web, clock) = (Web::shut(), SetClock::at(0));
    web.say_text(ROBOTS, RULES);
    let client = client(&web, &clock).build().unwrap();
    let mut asked = JoinSet::new();
    for number in 0..1000 {
        let client = client.clone();
        asked.spawn(async move {
            let crawler = crawler(["FooBot", "BarBot", "BazBot"][number % 3]);
            let url = format!("https://h.example/private/{number}");
            client.decide(&crawler, &url).await.unwrap()
        });
    }
    while web.request_count() == 0 {
        tokio::task::yield_now().await;
    }
    web.open_gate();
    let mut snapshots = Vec::new();
    while let Some(decision) = asked.join_next().await {
        let decision = decision.unwrap();
        assert!(!decision.is_allowed());
        snapshots.push(decision.snapshot());
    }
    assert_eq!(web.requests(), [ROBOTS]);
    snapshots.dedup();
    assert_eq!(snapshots.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_ten_thousand_authorities_a_limited_number_is_fetched_at_once() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    for number in 0..10_000 {
        web.say_text(&format!("https://h{number}.example/robots.txt"), RULES);
    }
    let mut limits = FetchLimits::default();
    limits.fetches_max = 50;
    let memory_bytes_max = 2 << 20;
    let client = client(&web, &clock)
        .limits(limits)
        .memory_bytes_max(memory_bytes_max)
        .build()
        .unwrap();
    let urls: Vec<String> = (0..20_000)
        .map(|number| format!("https://h{}.example/private", number % 10_000))
        .collect();
    let decisions = client.decide_many(&crawler("FooBot"), &urls).await;
    assert_eq!(decisions.len(), urls.len());
    for decision in decisions {
        assert!(!decision.unwrap().is_allowed());
    }
    assert_eq!(web.request_count(), 10_000);
    assert!(web.most_at_once() <= 50, "{}", web.most_at_once());
    assert!(web.most_at_once() > 1);
    let held = client.held_stat();
    assert!(held.bytes() <= memory_bytes_max, "{held:?}");
    assert!(held.answers > 500, "{held:?}");
}

#[tokio::test]
async fn requests_to_a_host_that_many_redirect_to_are_limited() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    let shared = "https://shared.example/all.txt";
    web.say_text(shared, RULES);
    for number in 0..100 {
        let robots = format!("https://h{number}.example/robots.txt");
        web.say(&robots, crate::web::redirect(shared));
    }
    let mut limits = FetchLimits::default();
    limits.requests_per_host_max = 3;
    limits.fetches_max = 100;
    let client = client(&web, &clock).limits(limits).build().unwrap();
    let urls: Vec<String> = (0..100)
        .map(|number| format!("https://h{number}.example/private"))
        .collect();
    for decision in client.decide_many(&crawler("FooBot"), &urls).await {
        assert!(!decision.unwrap().is_allowed());
    }
    let most = web.most_at_once_of("https://shared.example");
    assert!((2..=3).contains(&most), "{most}");
}

#[tokio::test]
async fn a_caller_that_stops_waiting_cancels_nothing() {
    let (web, clock) = (Web::shut(), SetClock::at(0));
    web.say_text(ROBOTS, RULES);
    let client = client(&web, &clock).build().unwrap();
    let foo_bot = crawler("FooBot");
    {
        let mut waiting = Box::pin(client.decide(&foo_bot, "https://h.example/private"));
        let mut polls = 0;
        while web.request_count() == 0 {
            tokio::select! {
                biased;
                _ = &mut waiting => panic!("the gate is shut"),
                () = tokio::task::yield_now() => polls += 1,
            }
        }
        assert!(polls > 0);
    }
    web.open_gate();
    let decision = client.decide(&foo_bot, "https://h.example/private").await;
    assert!(!decision.unwrap().is_allowed());
    assert_eq!(web.requests(), [ROBOTS]);
}

#[tokio::test]
async fn many_urls_are_decided_in_order() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say_text(ROBOTS, RULES);
    web.say_text("http://i.example:8080/robots.txt", "");
    let client = client(&web, &clock).build().unwrap();
    let urls = [
        "https://h.example/private",
        "http://I.example:8080/x",
        "mailto:a@b.example",
        "https://H.example/",
        "/path",
        "https://h.example/private/2",
        "https://unknown.example/",
    ];
    let decisions = client.decide_many(&crawler("FooBot"), &urls).await;
    let shown: Vec<String> = decisions
        .iter()
        .map(|decision| match decision {
            Ok(decision) => decision.effect().as_str().to_owned(),
            Err(error) => error.to_string(),
        })
        .collect();
    assert_eq!(shown[0], "disallow");
    assert_eq!(shown[1], "allow");
    assert!(shown[2].contains("mailto"), "{}", shown[2]);
    assert_eq!(shown[3], "allow");
    assert!(shown[4].contains("absolute"), "{}", shown[4]);
    assert_eq!(shown[5], "disallow");
    assert_eq!(shown[6], "disallow");
    let mut requests = web.requests();
    requests.sort();
    assert_eq!(
        requests,
        [
            "http://i.example:8080/robots.txt",
            ROBOTS,
            "https://unknown.example/robots.txt"
        ]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_authorities_are_reported_in_order() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say_text(ROBOTS, RULES);
    web.say("https://g.example/robots.txt", crate::web::status(404));
    let client = client(&web, &clock).build().unwrap();
    let urls = [
        "https://h.example/",
        "https://g.example/",
        "https://h.example/",
    ];
    let authorities = urls.map(|url| Authority::from_url(url).unwrap());
    for (asking, requests) in [
        (Asking::WhereDue, 2),
        (Asking::WhereDue, 2),
        (Asking::Now, 4),
    ] {
        let reports = client.report_many(&authorities, asking).await;
        let reports = reports.into_iter().map(Result::unwrap);
        let (shown, stances): (Vec<_>, Vec<_>) = reports
            .map(|report| {
                assert!(report.snapshot.is_some() && report.knowledge.last.is_some());
                (report.authority, report.answer.stance())
            })
            .unzip();
        assert_eq!(shown, authorities);
        assert_eq!(stances, [Stance::Rules, Stance::Open, Stance::Rules]);
        assert!(web.request_count() >= requests);
        if asking == Asking::WhereDue {
            assert_eq!(web.request_count(), requests);
        }
    }
}
