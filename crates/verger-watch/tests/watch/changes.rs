//! The changes that each receiver gets, and those that stay due.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use verger_access::{Authority, Timestamp};
use verger_answer::ReadError;
use verger_store::SnapshotId;
use verger_watch::{
    FailedDelivery, FetchedSite, Look, Program, Receiver, SiteFetcher, Watch, WatchEnd,
    WatchEventKind, WatchObserver, Webhook, webhook_url,
};

use crate::scene::{
    A, B, C, CHANGED, GONE, NOTHING, REFUSED, SITEMAP, SITEMAP_B, Scene, Served, Told, kinds,
    reasons_of, severity_of, url,
};

#[test]
fn a_change_stays_due_to_the_receiver_that_did_not_take_it() {
    let scene = Scene::serving(&["h.example"]);
    let (printed, hook) = (Told::new("stdout"), Told::new("webhook"));
    assert_eq!(scene.watch(&[&printed, &hook], None), NOTHING);
    scene.served.say("h.example", Some(B));
    hook.takes(false);
    let round = scene.watch(&[&printed, &hook], None);
    assert!(round.has_changed && round.has_failed);
    assert_eq!(
        scene.problems(),
        ["https://h.example to the receiver webhook: not now true; the next watch with webhook"]
    );
    let [event] = &*printed.taken() else {
        panic!("it was printed once");
    };
    let [refused] = &*hook.attempts() else {
        panic!("it was tried once");
    };
    assert_eq!(event["id"], refused["id"]);
    // The next process starts, and nothing has changed since.
    hook.takes(true);
    assert_eq!(scene.watch(&[&printed, &hook], None), CHANGED);
    let [taken] = &*hook.taken() else {
        panic!("it is delivered now");
    };
    assert_eq!(
        (&taken["id"], &taken["changes"]),
        (&event["id"], &event["changes"])
    );
    assert_eq!(scene.watch(&[&printed, &hook], None), NOTHING);
    assert_eq!((printed.taken(), hook.taken()), (vec![], vec![]));
}

#[test]
fn several_changes_come_as_one_and_a_return_as_none() {
    let scene = Scene::serving(&["h.example"]);
    let hook = Told::new("webhook");
    scene.watch(&[&hook], None);
    hook.takes(false);
    for body in [B, C] {
        scene.served.say("h.example", Some(body));
        assert!(scene.watch(&[&hook], None).has_failed);
    }
    let ids = hook.attempts();
    assert_ne!(ids[0]["id"], ids[1]["id"], "they are different changes");
    hook.takes(true);
    scene.watch(&[&hook], None);
    let taken = hook.taken();
    assert_eq!(
        (taken.len(), url(&taken[0])),
        (1, &"https://h.example/c".into())
    );
    assert_eq!(
        taken[0]["changes"][0]["newly_allowed"]["url"],
        "https://h.example/a"
    );
    hook.takes(false);
    scene.served.say("h.example", Some(B));
    assert!(scene.watch(&[&hook], None).has_failed);
    scene.served.say("h.example", Some(C));
    assert_eq!(scene.watch(&[&hook], None), NOTHING);
}

#[test]
fn each_change_has_an_id_of_its_own_also_where_a_state_returns() {
    let scene = Scene::serving(&["h.example", "other.example"]);
    let hook = Told::new("webhook");
    scene.watch(&[&hook], None);
    let mut ids = BTreeSet::new();
    for body in [Some(B), Some(A), Some(B), None, Some(B), None] {
        for site in ["h.example", "other.example"] {
            scene.served.say(site, body);
        }
        assert_eq!(scene.watch(&[&hook], None), CHANGED);
        for event in hook.taken() {
            let id = event["id"].as_str().unwrap().to_owned();
            assert_eq!(id.len(), 32);
            assert!(ids.insert(id), "{event}");
        }
    }
    assert_eq!(ids.len(), 12);
}

#[test]
fn a_slow_receiver_holds_up_no_other_site() {
    let scene = Scene::serving(&["a.example", "b.example"]);
    let hook = Told {
        waits_at: Some("a.example"),
        ..Told::new("webhook")
    };
    scene.watch(&[&hook], None);
    for site in ["a.example", "b.example"] {
        scene.served.say(site, Some(B));
    }
    assert_eq!(scene.watch(&[&hook], None), CHANGED);
    let sites = hook.taken();
    let sites: Vec<&Value> = sites.iter().map(|it| &it["site"]).collect();
    assert_eq!(sites, ["https://b.example", "https://a.example"]);
}

#[test]
fn that_a_file_is_left_stays_due_too() {
    let scene = Scene::serving(&["h.example"]);
    let hook = Told::new("webhook");
    assert_eq!(scene.watch(&[&hook], Some(A)), NOTHING);
    scene.served.say("h.example", Some(B));
    hook.takes(false);
    let round = scene.watch(&[&hook], Some(A));
    assert!(round.has_failed);
    hook.takes(true);
    assert_eq!(scene.watch(&[&hook], Some(A)), CHANGED);
    assert_eq!(kinds(hook.taken()), ["changed", "differs_from_file"]);
    scene.problems();
    // The difference is not reported again, and the result is still not a success.
    let other = Told::new("other");
    for _ in 0..2 {
        assert_eq!(scene.watch(&[&hook, &other], Some(A)), CHANGED);
        assert_eq!(scene.problems(), ["https://h.example still differs"]);
    }
    scene.served.say("h.example", Some(A));
    assert_eq!(scene.watch(&[&hook], Some(A)), CHANGED);
    let told = hook.taken();
    assert_eq!(
        severity_of(&told[1]),
        "warning",
        "as severe as the difference"
    );
    assert_eq!(kinds(told), ["changed", "agrees_with_file"]);
    // A result for one file does not apply to another.
    assert_eq!(scene.watch(&[&hook], Some(C)), CHANGED);
    assert_eq!(kinds(hook.taken()), ["differs_from_file"]);
}

#[test]
fn the_meaning_decides_and_a_first_sight_is_no_change() {
    let scene = Scene::serving(&["h.example"]);
    let hook = Arc::new(Told::new("webhook"));
    scene.watch(&[&hook], None);
    let moved = "# moved\nUser-agent: *\nDisallow: /a/\nDisallow: /a\n";
    scene.served.say("h.example", Some(moved));
    assert_eq!(scene.watch(&[&hook], None), NOTHING);
    assert_eq!(hook.attempts(), Vec::<Value>::new());
    // A new receiver starts from the current state.
    let late = Told::new("late");
    assert_eq!(scene.watch(&[&late], None), NOTHING);
    scene.served.say("h.example", None);
    scene.watch(&[&late, &hook], None);
    let [event] = &*late.taken() else {
        panic!("that it fails is a change");
    };
    assert_eq!(
        [&event["stance_before"], &event["stance_after"]],
        ["rules", "closed"]
    );
}

const STAR: &str = "User-agent: *\nDisallow: /\n";
const HOME_ONLY: &str = "User-agent: *\nDisallow: /\nAllow: /$\n";
const TRAINER: &str = "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /a\n";
const SITEMAP_B1: &str = "User-agent: *\nDisallow: /b/1\nSitemap: https://h.example/s.xml\n";
const MISTAKE: &str = "User-agent: *\nDisallow: /a\nDisallow: private\n";

#[test]
fn the_severity_is_what_crawlers_lose_and_not_the_text() {
    // Each change follows the one before. A change that is not told has no line.
    for (before, after, severity, reasons) in [
        (A, STAR, "critical", "search_lost crawler_lost"),
        (STAR, A, "warning", "crawler_gained"),
        (A, HOME_ONLY, "critical", "search_lost crawler_lost"),
        (A, TRAINER, "warning", "crawler_lost"),
        (TRAINER, A, "warning", "crawler_gained"),
        (SITEMAP, A, "warning", "sitemap_gone"),
        (SITEMAP, SITEMAP_B, "critical", "sitemap_urls_lost"),
        (SITEMAP, SITEMAP_B1, "notice", ""),
        (SITEMAP_B, SITEMAP_B1, "notice", ""),
        (A, MISTAKE, "warning", "lint_error"),
        (A, B, "notice", ""),
        (A, SITEMAP, "", ""),
        (MISTAKE, A, "", ""),
        (
            TRAINER,
            "User-agent: *\nDisallow: /a\nUser-agent: gptbot\nDisallow: /*\n",
            "",
            "",
        ),
    ] {
        let scene = Scene::serving(&["h.example"]);
        let hook = Told::new("webhook");
        scene.served.say("h.example", Some(before));
        scene.watch(&[&hook], None);
        scene.served.say("h.example", Some(after));
        scene.watch(&[&hook], None);
        let told = hook.taken();
        let told: Vec<_> = told
            .iter()
            .map(|it| (severity_of(it), reasons_of(it)))
            .collect();
        let expected = [(severity.to_owned(), reasons.to_owned())];
        let expected = &expected[..usize::from(!severity.is_empty())];
        assert_eq!(told, expected, "{before}to\n{after}");
    }
}

#[test]
fn the_end_of_an_outage_is_judged_by_the_rules_before_it() {
    let scene = Scene::serving(&["h.example"]);
    let hook = Told::new("webhook");
    scene.watch(&[&hook], None);
    let mut told = Vec::new();
    for body in [None, Some(A), None, Some(STAR), None, Some(STAR)] {
        scene.served.say("h.example", body);
        scene.watch(&[&hook], None);
        let events = hook.taken();
        told.extend(
            events
                .iter()
                .map(|it| format!("{} {}", severity_of(it), reasons_of(it))),
        );
    }
    let (began, ended) = ("warning outage", "warning outage_ended");
    let lost = "critical search_lost crawler_lost outage_ended";
    assert_eq!(told, [began, ended, began, lost, began, ended]);
}

#[test]
fn failing_claims_are_told_until_they_hold() {
    let mut scene = Scene::serving(&["h.example"]);
    scene.claims = Some(
        "[[claim]]\ncrawlers = ['googlebot']\nallowed = ['/b']\n\
         [[claim]]\ncrawlers = ['bingbot']\nallowed_under = ['/a/']\n",
    );
    let hook = Told::new("webhook");
    // The second claim fails at once.
    let mut told = Vec::new();
    for body in [A, B, C, C, STAR] {
        scene.served.say("h.example", Some(body));
        scene.watch(&[&hook], None);
        for event in hook.taken() {
            let (kind, names) = (&event["event"], &event["reasons"][0]["names"]);
            told.push(format!("{kind} {} {names}", severity_of(&event)));
        }
    }
    let (first, second) = (
        "googlebot: /b is allowed",
        "bingbot: everything under /a/ is allowed",
    );
    assert_eq!(
        [&told[0], &told[1], &told[2], &told[3], &told[4]],
        [
            &format!("\"claims_fail\" critical [\"{second}\"]"),
            "\"changed\" notice null",
            &format!("\"claims_fail\" critical [\"{first}\"]"),
            "\"changed\" notice null",
            "\"claims_hold\" critical null",
        ]
    );
    assert!(told[5].starts_with("\"changed\" critical"), "{told:?}");
    assert_eq!(
        told[6..],
        [format!(
            "\"claims_fail\" critical [\"{first}\",\"{second}\"]"
        )]
    );
}

/// Counts the looks, and those with a problem.
#[derive(Default)]
struct Looks(Mutex<[usize; 2]>);

impl WatchObserver for Looks {
    fn site_failed(&self, _: &Authority, problem: &str) {
        assert!(problem.starts_with("too many changes"), "{problem}");
        self.0.lock().unwrap()[1] += 1;
    }

    fn delivery_failed(&self, _: &FailedDelivery<'_>) {}
    fn still_differs(&self, _: &Authority, _: WatchEventKind, _: Timestamp) {}

    fn looked(&self, _: &Look<'_>) {
        self.0.lock().unwrap()[0] += 1;
    }
}

#[test]
fn a_receiver_that_accepts_nothing_hides_no_site() {
    let hosts: Vec<String> = (0..1_100).map(|nth| format!("h{nth}.example")).collect();
    let hosts: Vec<&str> = hosts.iter().map(|it| &**it).collect();
    let scene = Scene::serving(&hosts);
    let hook = Told::new("webhook");
    hook.takes(false);
    let looks = Looks::default();
    scene.watch_by(&[&hook], Some(B), |watch, sites| {
        let watch = Watch {
            observer: &looks,
            ..*watch
        };
        watch.run_by(sites, &WatchEnd::default(), |_| true).unwrap();
    });
    let [all, troubled] = *looks.0.lock().unwrap();
    // The queue has space for 1,024 sites.
    assert_eq!(all, hosts.len());
    assert!((1..=hosts.len() - 1_024).contains(&troubled), "{troubled}");
}

/// Reads the same document of the owner, whatever its path, as its last edit left it.
struct Edited<'e> {
    served: &'e Served,
    document: Mutex<&'e str>,
}

impl SiteFetcher for Edited<'_> {
    fn fetch(&self, site: &Authority, seen: Option<SnapshotId>) -> Result<FetchedSite, ReadError> {
        self.served.fetch(site, seen)
    }

    fn read(&self, _: &Path) -> Result<Vec<u8>, ReadError> {
        Ok(self.document.lock().unwrap().as_bytes().to_vec())
    }
}

#[test]
fn an_edit_of_the_document_ends_what_was_told_of_it() {
    let commented = format!("# text\n{B}");
    let [fails, holds] = ["/a", "/b"]
        .map(|path| format!("[[claim]]\ncrawlers = ['googlebot']\nallowed = ['{path}']\n"));
    let fails_too = format!("# text\n{fails}");
    for (edits, is_file, expected) in [
        (
            [B, A, B, &commented],
            true,
            ["differs_from_file", "agrees_with_file", "differs_from_file"],
        ),
        (
            [&fails, &holds, &fails, &fails_too],
            false,
            ["claims_fail", "claims_hold", "claims_fail"],
        ),
    ] {
        let mut scene = Scene::serving(&["h.example"]);
        scene.claims = (!is_file).then_some("claims");
        let mut hook = Told::new("webhook");
        // The thread that looks delivers, so each edit is told before the next one.
        hook.at_once = 0;
        let edited = Edited {
            served: &scene.served,
            document: Mutex::new(edits[0]),
        };
        let mut rest = edits[1..].iter();
        scene.watch_by(&[&hook], is_file.then_some("file"), |watch, sites| {
            let watch = Watch {
                fetcher: &edited,
                ..*watch
            };
            let wait = |_| match rest.next() {
                Some(edit) => {
                    *edited.document.lock().unwrap() = edit;
                    scene.seconds.fetch_add(100_000, Ordering::SeqCst);
                    false
                }
                None => true,
            };
            watch.run_by(sites, &WatchEnd::default(), wait).unwrap();
        });
        assert_eq!(kinds(hook.taken()), expected);
    }
}

#[test]
fn claims_that_fail_are_no_success_although_they_were_told() {
    let mut scene = Scene::serving(&["h.example"]);
    scene.claims = Some("[[claim]]\ncrawlers = ['googlebot']\nallowed = ['/a']\n");
    let hook = Told::new("webhook");
    for _ in 0..2 {
        assert_eq!(scene.watch(&[&hook], None), CHANGED);
    }
    assert_eq!(kinds(hook.taken()), ["claims_fail"]);
    assert_eq!(scene.problems(), ["https://h.example still differs"]);
}

#[test]
fn a_site_first_seen_without_rules_has_lost_nothing() {
    // The second state has rules. A loss after it is one.
    for (first, rest, expected) in [
        (None, &[Some(STAR)][..], &["notice"][..]),
        (
            None,
            &[Some(STAR), None, Some(STAR)],
            &["notice", "warning", "warning"],
        ),
        (
            None,
            &[Some(A), None, Some(STAR)],
            &["notice", "warning", "critical"],
        ),
        (Some(A), &[None, Some(STAR)], &["warning", "critical"]),
    ] {
        let scene = Scene::serving(&["h.example"]);
        let hook = Told::new("webhook");
        scene.served.say("h.example", first);
        scene.watch(&[&hook], None);
        for body in rest {
            scene.served.say("h.example", *body);
            scene.watch(&[&hook], None);
        }
        let told = hook.taken();
        let told: Vec<_> = told.iter().map(severity_of).collect();
        assert_eq!(told, expected, "{first:?} {rest:?}");
    }
}

/// Keeps the last state of a site.
#[derive(Default)]
struct LastState(Mutex<Value>);

impl WatchObserver for LastState {
    fn site_failed(&self, _: &Authority, _: &str) {}
    fn delivery_failed(&self, _: &FailedDelivery<'_>) {}
    fn still_differs(&self, _: &Authority, _: WatchEventKind, _: Timestamp) {}

    fn looked(&self, look: &Look<'_>) {
        *self.0.lock().unwrap() = serde_json::to_value(look.state()).unwrap();
    }
}

#[test]
fn an_outage_closes_no_search_engine_and_decides_no_claim() {
    let mut scene = Scene::serving(&["h.example"]);
    scene.claims = Some("[[claim]]\ncrawlers = ['googlebot']\nallowed = ['/a']\n");
    for (body, is_closed, failed) in [
        (Some(A), false, Some(1)),
        (Some(STAR), true, Some(1)),
        (Some(B), false, Some(0)),
        (None, false, None),
    ] {
        scene.served.say("h.example", body);
        let states = LastState::default();
        scene.watch_by(&[], None, |watch, sites| {
            let observer = &states;
            let watch = Watch { observer, ..*watch };
            watch.run_by(sites, &WatchEnd::default(), |_| true).unwrap();
        });
        let state = states.0.into_inner().unwrap();
        let closed = state["search_closed"].as_array().unwrap();
        assert_eq!(!closed.is_empty(), is_closed, "{state}");
        let claims = state["claims_failed"].as_array().map(Vec::len);
        assert_eq!(claims, failed, "{state}");
    }
}

#[test]
fn a_file_that_cannot_be_read_stops_nothing() {
    let scene = Scene::serving(&["h.example"]);
    let hook = Told::new("webhook");
    scene.watch(&[&hook], None);
    scene.served.say("h.example", Some(B));
    assert!(scene.watch(&[&hook], Some("missing")).has_failed);
    assert_eq!(kinds(hook.taken()), ["changed"]);
    assert_eq!(
        scene.problems(),
        ["https://h.example: cannot read `missing`"]
    );
}

#[test]
fn a_watch_that_fetches_once_fails_where_there_is_nothing_to_compare() {
    let scene = Scene::serving(&["h.example"]);
    let hook = Told::new("webhook");
    let nothing = ["https://h.example: nothing to compare: what came"];
    for (body, file) in [(Some(GONE), None), (Some(GONE), Some(A)), (None, Some(A))] {
        scene.served.say("h.example", body);
        assert!(scene.watch(&[&hook], file).has_failed);
        assert_eq!(scene.problems(), nothing);
    }
    // The change is delivered despite the error.
    scene.served.say("h.example", Some(A));
    assert_eq!(scene.watch(&[&hook], Some(A)), CHANGED);
    scene.served.say("h.example", Some(GONE));
    let round = scene.watch(&[&hook], Some(A));
    assert!(round.has_changed && round.has_failed);
    assert_eq!(kinds(hook.taken()), ["changed", "changed"]);
}

#[test]
fn what_this_client_may_not_look_at_has_not_changed() {
    let scene = Scene::serving(&["h.example"]);
    let hook = Told::new("webhook");
    assert_eq!(scene.watch(&[&hook], None), NOTHING);
    scene.served.say("h.example", Some(REFUSED));
    assert!(scene.watch(&[&hook], None).has_failed);
    let refused = ["https://h.example: not fetched: what came"];
    assert_eq!(scene.problems(), refused);
    scene.served.say("h.example", Some(A));
    assert_eq!(scene.watch(&[&hook], None), NOTHING);
    assert_eq!(hook.attempts(), Vec::<Value>::new());
}

#[test]
fn a_watch_ends_where_a_receiver_is_gone() {
    let scene = Scene::serving(&["h.example"]);
    let gone = Told::new("gone");
    assert_eq!(scene.watch(&[&gone], None), NOTHING);
    scene.served.say("h.example", Some(B));
    let error = scene.watch_by(&[&gone], None, |watch, sites| {
        let end = WatchEnd::default();
        watch.run(sites, &end).unwrap_err()
    });
    assert_eq!(error.to_string(), "closed");
    let error = scene.watch_by(&[&gone], None, |watch, sites| {
        watch.once(sites).unwrap_err()
    });
    assert_eq!(error.to_string(), "closed");
}

#[test]
fn a_failure_at_the_first_look_is_said_at_once() {
    let scene = Scene::serving(&["h.example"]);
    let gone = Told::new("gone");
    assert_eq!(scene.watch(&[&gone], None), NOTHING);
    scene.served.say("h.example", Some(GONE));
    let error = scene.watch_by(&[&gone], None, |watch, sites| {
        let end = WatchEnd::default();
        watch.run(sites, &end).unwrap_err()
    });
    assert_eq!(error.to_string(), "closed");
    let said = ["https://h.example: nothing to compare yet: what came"];
    assert_eq!(scene.problems(), said);
}

#[test]
fn receivers_have_names_in_the_store_that_say_no_secret() {
    let url = webhook_url("https://hook.example/secret").unwrap();
    for name in [None, Some("ops")] {
        let program = Program {
            path: Path::new("./told"),
            name,
            limit: Duration::ZERO,
        };
        let webhook = Webhook {
            url: &url,
            name,
            message: None,
            post: Box::new(|_, _| Ok(())),
        };
        let receivers: [(&dyn Receiver, _, _, _); 2] = [
            (&program, "program", "program", 1),
            (&webhook, "webhook", "URL", 3),
        ];
        for (receiver, kind, what, attempts) in receivers {
            let (stored, next) = (receiver.name(), receiver.next_watch());
            match name {
                Some(_) => assert_eq!(stored, format!("{kind}:ops")),
                None => assert!(stored.starts_with(&format!("{kind} ")), "{stored}"),
            }
            assert!(
                !stored.contains("secret") && next.contains(what),
                "{stored}"
            );
            assert_eq!(
                (receiver.changes_at_once(), receiver.attempts_once()),
                (4, attempts)
            );
        }
        let shown = format!("{webhook:?}");
        assert_eq!(shown, format!("Webhook {{ name: {name:?}, .. }}"));
    }
}
