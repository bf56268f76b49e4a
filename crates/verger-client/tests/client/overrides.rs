//! Overrides answer instead of a site's robots.txt. V-89.

use std::sync::atomic::{AtomicIsize, Ordering};
use std::sync::{Arc, OnceLock};

use tokio::task::JoinSet;
use verger_access::{Authority, Profile, Timestamp};
use verger_client::{
    Asking, Client, ClientError, Clock, Crawler, Decision, MemoryStore, NotKept, Override, Store,
};

use crate::web::{SetClock, Web, client, redirect, status};

const CLOSES: &str = "User-agent: *\nDisallow: /\n";

fn rules(body: &str) -> Override {
    Override::Rules(body.as_bytes().into())
}

fn authority(url: &str) -> Authority {
    Authority::from_url(url).unwrap()
}

/// A client with overrides, over a web in which every robots.txt closes.
fn overriding(overrides: &[(&str, Override)], profile: &Profile) -> (Arc<Web>, Client) {
    let (web, clock) = (Web::open(), SetClock::at(0));
    for host in ["a", "b", "c"] {
        for scheme in ["http", "https"] {
            web.say_text(&format!("{scheme}://{host}.example/robots.txt"), CLOSES);
        }
    }
    let mut builder = client(&web, &clock).profile(profile.clone());
    for (sites, given) in overrides {
        builder = builder.override_site(sites.parse().unwrap(), given.clone());
    }
    (web, builder.build().unwrap())
}

async fn decision(client: &Client, url: &str) -> Decision {
    client.decide(&Crawler::unnamed(), url).await.unwrap()
}

async fn decided(client: &Client, url: &str) -> (bool, bool, String) {
    let decision = decision(client, url).await;
    let is_overridden = decision.answer().is_overridden();
    (decision.is_allowed(), is_overridden, decision.to_string())
}

/// V-89: no request, and the answer says so.
#[tokio::test]
async fn a_site_with_an_override_gets_no_request_and_the_answer_says_so() {
    let given = [
        ("http://a.example:8080", Override::Open),
        ("https://a.example", rules("User-agent: *\nDisallow: /x")),
        ("https://b.example:443", Override::Closed),
        ("gemini://a.example", Override::Open),
    ];
    let (web, client) = overriding(&given, &Profile::RFC9309);
    for (url, is_allowed, start) in [
        ("http://a.example:8080/x", true, "allowed"),
        ("https://a.example/x", false, "disallowed"),
        ("https://a.example/y", true, "allowed"),
        ("https://b.example/y", false, "disallowed"),
        ("https://b.example/robots.txt", true, "allowed"),
        ("gemini://a.example/y", true, "allowed"),
    ] {
        let (allowed, basis, text) = decided(&client, url).await;
        assert_eq!((allowed, basis), (is_allowed, true), "{url}");
        assert!(
            text.starts_with(start) && text.ends_with(", by an override"),
            "{text}"
        );
    }
    assert_eq!(web.request_count(), 0);
    let (allowed, basis, text) = decided(&client, "http://b.example/y").await;
    assert_eq!((allowed, basis), (false, false));
    assert!(!text.contains("override"), "{text}");
    assert_eq!(web.request_count(), 1);
    let gopher = client
        .decide(&Crawler::unnamed(), "gopher://b.example/")
        .await;
    assert!(matches!(gopher, Err(ClientError::SchemeNotFetched(_))));
}

#[tokio::test]
async fn an_override_is_reported_and_never_stored() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new(1 << 20));
    let (web, clock) = (Web::open(), SetClock::at(0));
    let own = "https://a.example/robots.txt";
    web.say("https://b.example/robots.txt", redirect(own));
    let client = client(&web, &clock)
        .store(Arc::clone(&store))
        .override_site(
            "https://a.example".parse().unwrap(),
            rules("User-agent: *\nDisallow: /x"),
        )
        .build()
        .unwrap();
    let site = authority("https://a.example/");
    let report = client.fetch(&site).await.unwrap();
    assert!(report.fetched.is_none() && report.snapshot.is_none() && report.not_kept.is_none());
    assert!(report.answer.is_overridden());
    assert_eq!(report.answer.body().unwrap().len(), 26);
    assert!(store.latest(&site).unwrap().is_none());
    // A redirect there is answered by it too.
    let other = authority("https://b.example/");
    for requests in [1, 1] {
        let report = client.report(&other, Asking::WhereDue).await.unwrap();
        assert!(report.answer.is_overridden());
        assert!(matches!(report.not_kept, Some(NotKept::Overridden)));
        assert_eq!(web.request_count(), requests);
    }
    assert!(store.latest(&other).unwrap().is_none());
    clock.set(24 * 3600);
    client.report(&other, Asking::WhereDue).await.unwrap();
    assert_eq!(web.requests(), ["https://b.example/robots.txt"; 2]);
}

#[tokio::test]
async fn a_redirect_to_the_robots_txt_of_such_a_site_gets_the_answer_of_the_override() {
    for profile in [Profile::RFC9309, Profile::GOOGLE] {
        for (given, allowed) in [
            (Override::Open, [true, true]),
            (Override::Closed, [false, false]),
            (rules("User-agent: *\nDisallow: /x"), [false, true]),
        ] {
            let (web, client) = overriding(&[("https://b.example", given)], &profile);
            let first = "http://a.example/robots.txt";
            web.say(first, redirect("https://b.example/robots.txt"));
            for (path, is_allowed) in ["x", "y"].iter().zip(allowed) {
                let url = format!("http://a.example/{path}");
                let (allowed, basis, _) = decided(&client, &url).await;
                assert_eq!((allowed, basis), (is_allowed, true), "{url}");
            }
            assert_eq!(web.requests(), [first]);
        }
    }
}

/// V-89: another URL of the site is fetched if the override allows it.
#[tokio::test]
async fn another_url_of_such_a_site_is_fetched_if_the_override_allows_it() {
    for profile in [Profile::RFC9309, Profile::GOOGLE] {
        for (given, is_fetched) in [
            (Override::Open, true),
            (Override::Closed, false),
            (rules("User-agent: *\nDisallow: /shared"), false),
            (rules("User-agent: *\nDisallow: /private"), true),
        ] {
            let (web, client) = overriding(&[("https://b.example", given)], &profile);
            let (first, shared) = (
                "https://a.example/robots.txt",
                "https://b.example/shared.txt",
            );
            web.say(first, redirect(shared));
            web.say_text(shared, "User-agent: *\nDisallow: /x\n");
            let decided = [
                decided(&client, "https://a.example/x").await,
                decided(&client, "https://a.example/y").await,
            ];
            let decided = decided.map(|(allowed, basis, _)| (allowed, basis));
            if is_fetched {
                assert_eq!(decided, [(false, false), (true, false)]);
                assert_eq!(web.requests(), [first, shared]);
            } else {
                assert_eq!(decided, [(false, true); 2]);
                assert_eq!(web.requests(), [first]);
            }
        }
    }
}

#[tokio::test]
async fn a_redirect_that_the_profile_does_not_follow_is_not_followed_to_an_override() {
    let (web, client) = overriding(&[("https://b.example", Override::Open)], &Profile::CAUTIOUS);
    web.say(
        "https://a.example/robots.txt",
        redirect("https://b.example/robots.txt"),
    );
    let (allowed, basis, _) = decided(&client, "https://a.example/").await;
    assert_eq!((allowed, basis), (false, false));
}

#[tokio::test]
async fn overrides_can_be_replaced() {
    let (web, client) = overriding(&[("https://a.example", Override::Open)], &Profile::RFC9309);
    assert!(decided(&client, "https://a.example/").await.0);
    let overrides = [(authority("https://b.example"), Override::Open)];
    client.set_overrides(overrides.into());
    assert!(!decided(&client, "https://a.example/").await.0);
    assert!(decided(&client, "https://b.example/").await.0);
    assert_eq!(web.requests(), ["https://a.example/robots.txt"]);
}

/// A store in which `a.example` redirects to `b.example`, whose robots.txt closes.
async fn with_a_stored_redirect(profile: &Profile) -> (Arc<Web>, Arc<SetClock>, Arc<dyn Store>) {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new(1 << 20));
    let (web, clock) = (Web::open(), SetClock::at(0));
    let target = "https://b.example/robots.txt";
    web.say("https://a.example/robots.txt", redirect(target));
    web.say_text(target, CLOSES);
    let client = client(&web, &clock).profile(profile.clone());
    let client = client.store(Arc::clone(&store)).build().unwrap();
    assert!(!decided(&client, "https://a.example/x").await.0);
    (web, clock, store)
}

#[tokio::test]
async fn an_override_applies_to_a_stored_redirect_and_the_stored_answer_applies_without_it() {
    for profile in [Profile::RFC9309, Profile::GOOGLE, Profile::KOSTER1996] {
        let (web, clock, store) = with_a_stored_redirect(&profile).await;
        let other = client(&web, &clock).profile(profile.clone());
        let other = other.store(Arc::clone(&store)).build().unwrap();
        assert!(!decided(&other, "https://a.example/x").await.1);
        for (given, answer) in [
            (Some(Override::Open), (true, true)),
            (Some(rules("User-agent: *\nDisallow: /x")), (false, true)),
            (None, (false, false)),
            (Some(Override::Open), (true, true)),
        ] {
            let given = given.map(|given| (authority("https://b.example"), given));
            other.set_overrides(given.into_iter().collect());
            for _ in 0..2 {
                let (allowed, basis, _) = decided(&other, "https://a.example/x").await;
                assert_eq!((allowed, basis), answer, "{}", profile.name);
            }
            let report = other.answer(&authority("https://a.example")).await.unwrap();
            assert_eq!(report.is_overridden(), answer.1);
        }
        if profile.name != Profile::GOOGLE.name {
            // Google's profile asks about the redirect, and the answer is only in memory.
            assert_eq!(web.request_count(), 2, "{}", profile.name);
        }
    }
}

/// The server and the command build a client with its overrides.
#[tokio::test]
async fn an_override_applies_to_what_an_earlier_client_has_stored() {
    let (web, clock, store) = with_a_stored_redirect(&Profile::RFC9309).await;
    let given = client(&web, &clock)
        .store(Arc::clone(&store))
        .override_site(authority("https://b.example"), Override::Open);
    let given = given.build().unwrap();
    let site = authority("https://a.example");
    let report = given.report(&site, Asking::WhereDue).await.unwrap();
    assert!(report.answer.is_overridden() && report.snapshot.is_none());
    assert_eq!(web.request_count(), 2);
    // A copy from there is also the override's.
    clock.set(25 * 3600);
    web.say("https://a.example/robots.txt", status(503));
    let (allowed, basis, _) = decided(&given, "https://a.example/x").await;
    assert_eq!((allowed, basis), (true, true));
    let without = client(&web, &clock).store(store).build().unwrap();
    let (allowed, basis, _) = decided(&without, "https://a.example/x").await;
    assert_eq!((allowed, basis), (false, false));
}

/// An override of a third site must not become a rule about the hop, which opens in Google's profile.
#[tokio::test]
async fn an_override_behind_the_site_of_a_hop_opens_nothing() {
    let given = [("https://c.example", Override::Closed)];
    let (web, client) = overriding(&given, &Profile::GOOGLE);
    let (first, hop) = ("https://a.example/robots.txt", "https://b.example/r.txt");
    web.say(first, redirect(hop));
    web.say_text(hop, CLOSES);
    let (of_hop, third) = (
        "https://b.example/robots.txt",
        "https://c.example/robots.txt",
    );
    web.say(of_hop, redirect(third));
    let (allowed, is_overridden, _) = decided(&client, "https://a.example/x").await;
    assert_eq!((allowed, is_overridden), (false, false));
    assert!(!web.requests().iter().any(|url| url == third));
}

#[tokio::test]
async fn replaced_overrides_apply_at_once() {
    let given = [("https://a.example", Override::Open)];
    let (web, client) = overriding(&given, &Profile::RFC9309);
    web.say(
        "https://b.example/robots.txt",
        redirect("https://a.example/robots.txt"),
    );
    for url in ["https://a.example/x", "https://b.example/x"] {
        assert!(decided(&client, url).await.0, "{url}");
    }
    client.set_overrides([(authority("https://a.example/"), Override::Closed)].into());
    for url in ["https://a.example/x", "https://b.example/x"] {
        let (allowed, is_overridden, _) = decided(&client, url).await;
        assert_eq!((allowed, is_overridden), (false, true), "{url}");
    }
    client.set_overrides([].into());
    let (allowed, is_overridden, _) = decided(&client, "https://a.example/x").await;
    assert_eq!((allowed, is_overridden), (false, false));
}

/// A clock that removes all overrides of a client when it is read.
#[derive(Default)]
struct RemovingClock {
    client: OnceLock<Client>,
    /// Number of reads until it does, or 0 if it does not.
    reads_left: AtomicIsize,
}

impl Clock for RemovingClock {
    fn now(&self) -> Timestamp {
        if self.reads_left.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.client.get().unwrap().set_overrides([].into());
        }
        SetClock::at(0).now()
    }
}

/// Whatever the moment, the answer is not that of a site about which nothing is known.
#[tokio::test]
async fn overrides_removed_during_a_call_give_the_answer_from_before_or_after() {
    for (site, reads) in ["a", "b"]
        .iter()
        .flat_map(|it| (1..=30).map(move |n| (it, n)))
    {
        let web = Web::open();
        let target = "https://a.example/robots.txt";
        web.say_text(target, CLOSES);
        web.say("https://b.example/robots.txt", redirect(target));
        let clock = Arc::new(RemovingClock::default());
        let given: Arc<dyn Clock> = Arc::<RemovingClock>::clone(&clock);
        let client = client(&web, &SetClock::at(0)).clock(given);
        let client = client.override_site(authority(target), Override::Open);
        let client = client.build().unwrap();
        clock.client.set(client.clone()).unwrap();
        clock.reads_left.store(reads, Ordering::SeqCst);
        let url = format!("https://{site}.example/x");
        let (_, is_overridden, text) = decided(&client, &url).await;
        assert!(is_overridden || text.contains("by line 2"), "{text}");
        let is_removed = clock.reads_left.swap(0, Ordering::SeqCst) <= 0;
        // The last number is greater than that of the reads.
        assert!(reads < 30 || !is_removed, "{site}");
        let (_, is_overridden, _) = decided(&client, &url).await;
        assert_eq!(is_overridden, !is_removed, "{site} {reads}");
    }
}

#[tokio::test]
async fn the_callers_of_one_site_share_the_policy_of_an_override() {
    let (web, clock, store) = with_a_stored_redirect(&Profile::RFC9309).await;
    let client = client(&web, &clock)
        .store(store)
        .override_site(authority("https://b.example"), Override::Open);
    let client = client.build().unwrap();
    let mut asked = JoinSet::new();
    for _ in 0..10 {
        let client = client.clone();
        asked.spawn(async move { decision(&client, "https://a.example/x").await });
    }
    let decisions = asked.join_all().await;
    assert!(decisions[0].answer().is_overridden());
    let is_shared = |it: &Decision| std::ptr::eq(it.answer(), decisions[0].answer());
    assert!(decisions.iter().all(is_shared));
}
