//! One store under several profiles. A fetch under one profile answers for another as if that one
//! had fetched, or the other one fetches.

use std::sync::Arc;

use verger_access::{Answer, Authority, Profile};
use verger_client::{Client, Clock as _};
use verger_store::{HopFacts, SnapshotId, SqliteStore, Store};

use crate::store_failures::Failing;
use crate::web::{SetClock, Web, client, redirect, status};

const ROBOTS: &str = "https://h.example/robots.txt";

/// Pages that redirect from one to the next, and finally to `last`.
fn chain(web: &Web, redirects: usize, last: &str) {
    let page = |number: usize| match number {
        0 => ROBOTS.to_owned(),
        _ => format!("https://h.example/{number}"),
    };
    for number in 1..redirects {
        web.say(&page(number - 1), redirect(&page(number)));
    }
    web.say(&page(redirects - 1), redirect(last));
}

/// Webs by name, with rules at every end that a profile may reach.
fn webs() -> Vec<(String, Arc<Web>)> {
    let mut webs = Vec::new();
    let mut add = |name: String, build: &dyn Fn(&Web)| {
        let web = Web::open();
        for end in [
            "https://h.example/end",
            "https://www.h.example/end",
            "https://b.example/robots.txt",
            "https://b.example/end",
            "https://c.example/end",
            "http://h.example/end",
        ] {
            web.say_text(end, "User-agent: *\nDisallow: /private\n");
        }
        web.say_text(
            "https://c.example/robots.txt",
            "User-agent: *\nDisallow: /\n",
        );
        build(&web);
        webs.push((name, web));
    };
    for redirects in [1, 5, 6, 20, 21] {
        for end in [
            "https://h.example/end",
            "https://www.h.example/end",
            "https://b.example/robots.txt",
            "https://b.example/end",
            "https://c.example/end",
            "http://h.example/end",
            "http://b.example/none",
            "mailto:a@h.example",
            "ftp://h.example/end",
            ROBOTS,
            "",
        ] {
            add(format!("{redirects} redirects to `{end}`"), &|web| {
                chain(web, redirects, end);
            });
        }
    }
    let long = format!("https://b.example/{}", "a".repeat(1100));
    add("a long location".to_owned(), &|web| chain(web, 1, &long));
    add("an unasked 304".to_owned(), &|web| {
        web.say(ROBOTS, status(304));
    });
    add("no file".to_owned(), &|web| web.say(ROBOTS, status(404)));
    add("a failing server".to_owned(), &|web| {
        web.say(ROBOTS, status(500));
    });
    webs
}

struct Scene {
    web: Arc<Web>,
    clock: Arc<SetClock>,
    /// A store whose calls may wait.
    store: Arc<Failing>,
}

impl Scene {
    fn new(web: &Arc<Web>) -> Self {
        Self {
            web: Arc::clone(web),
            clock: SetClock::at(0),
            store: Failing::new(),
        }
    }

    fn client(&self, profile: &Profile) -> Client {
        let client = client(&self.web, &self.clock).profile(profile.clone());
        client
            .store(Arc::<Failing>::clone(&self.store))
            .build()
            .unwrap()
    }

    /// Returns the answer of a new client, and the number of its requests.
    async fn ask(&self, profile: &Profile) -> (Answer, usize) {
        let before = self.web.request_count();
        let authority = Authority::from_url(ROBOTS).unwrap();
        let answer = self.client(profile).answer(&authority).await.unwrap();
        (answer, self.web.request_count() - before)
    }
}

fn as_text(answer: &Answer) -> String {
    let outcome = answer.access_result().unwrap().outcome().code();
    let body = answer.body().map(|body| body.len());
    format!("{} {outcome} {body:?}", answer.stance())
}

#[tokio::test]
async fn facts_of_each_hop_are_in_a_store_that_keeps_them() {
    let web = Web::open();
    web.say(ROBOTS, redirect("https://www.h.example/end"));
    web.say_text("https://www.h.example/end", "");
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = path.join(format!("facts-{}.db", std::process::id()));
    let store = Arc::new(SqliteStore::open(&path).unwrap());
    let clock = SetClock::at(7);
    let client = client(&web, &clock).store(Arc::<SqliteStore>::clone(&store));
    let authority = Authority::from_url(ROBOTS).unwrap();
    client.build().unwrap().answer(&authority).await.unwrap();
    let ids = SnapshotId::BEFORE_ALL..=SnapshotId::AFTER_ALL;
    let found = store.facts(&authority, ids).unwrap();
    let hops = found[0].1.hops().unwrap();
    let mut expected = HopFacts::default();
    expected.ended_at = Some(clock.now());
    expected.peer = Some("192.0.2.1".parse().unwrap());
    assert_eq!((found.len(), hops), (1, vec![expected.clone(), expected]));
    drop(store);
    std::fs::remove_file(&path).unwrap();
}

/// V-73.
#[tokio::test]
async fn every_profile_answers_from_the_store_as_from_its_own_fetch() {
    let mut answered_from_the_store = 0;
    for (name, web) in webs() {
        let mut alone = Vec::new();
        for profile in Profile::ALL {
            alone.push(as_text(&Scene::new(&web).ask(profile).await.0));
        }
        for recorded in Profile::ALL {
            for (asked, alone) in Profile::ALL.iter().zip(&alone) {
                let scene = Scene::new(&web);
                scene.ask(recorded).await;
                let (answer, requests) = scene.ask(asked).await;
                let place = format!("{name}, {} asked as {}", recorded.name, asked.name);
                assert_eq!(as_text(&answer), *alone, "{place}");
                answered_from_the_store += usize::from(requests == 0);
            }
        }
    }
    assert!(answered_from_the_store > 700, "{answered_from_the_store}");
}

/// V-73.
#[tokio::test]
async fn a_chain_longer_than_the_profile_follows_answers_for_the_shortest_lifetime() {
    let web = Web::open();
    chain(&web, 7, "https://h.example/end");
    web.say_text("https://h.example/end", "User-agent: *\nDisallow: /\n");
    let scene = Scene::new(&web);
    scene.ask(&Profile::KOSTER1996).await;
    for (profile, stance) in [(Profile::RFC9309, "open"), (Profile::CAUTIOUS, "closed")] {
        let (answer, requests) = scene.ask(&profile).await;
        assert_eq!((answer.stance().as_str(), requests), (stance, 0));
        // The lifetime that the sixth redirect stated is not stored.
        assert_eq!(crate::web::seconds(answer.ask_again_at()), 60);
    }
}

#[tokio::test]
async fn a_snapshot_that_does_not_count_leaves_the_knowledge_before_it() {
    let web = Web::open();
    web.say(ROBOTS, redirect("https://b.example/end"));
    web.say_text("https://b.example/end", "User-agent: *\nDisallow: /\n");
    let scene = Scene::new(&web);
    let authority = Authority::from_url(ROBOTS).unwrap();
    scene.ask(&Profile::RFC9309).await;
    let first = scene.store.latest(&authority).unwrap().unwrap().snapshot.id;
    // A redirect that `cautious` does not follow must not affect a profile that does.
    scene
        .client(&Profile::CAUTIOUS)
        .fetch(&authority)
        .await
        .unwrap();
    let report = |profile: Profile| {
        let client = scene.client(&profile);
        let authority = authority.clone();
        async move {
            client
                .report_many(&[authority], verger_client::Asking::WhereDue)
                .await
        }
    };
    let known = report(Profile::DRAFT2019).await.pop().unwrap().unwrap();
    assert!(known.fetched.is_none());
    assert_eq!(
        (known.snapshot, known.answer.stance().as_str()),
        (Some(first), "rules")
    );
    // `google` checks the hop, which no earlier fetch did.
    let known = report(Profile::GOOGLE).await.pop().unwrap().unwrap();
    assert!(known.fetched.is_some());
}
