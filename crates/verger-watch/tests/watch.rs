//! Watching: the changes that each receiver gets, and those that stay due.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;
use verger_answer::ReadError;

use serde_json::Value;
use url::Url;
use verger_access::{
    Answer, Attempt, Authority, GoodCopy, Jitter, Knowledge, LastAttempt, Outcome, Profile, Reply,
    RestOfSite, Timestamp, TransportFailure,
};
use verger_answer::ReadAs;
use verger_store::{Deliveries, MemoryStore, SnapshotId, SqliteStore};
use verger_watch::{
    FailedDelivery, FetchedSite, Look, NotTaken, Program, Receiver, Round, SiteFetcher, Watch,
    WatchEnd, WatchEvent, WatchEventKind, WatchObserver, WatchedSite, Webhook, webhook_url,
};

const A: &str = "User-agent: *\nDisallow: /a\n";
const B: &str = "User-agent: *\nDisallow: /b\n";
const C: &str = "User-agent: *\nDisallow: /c\n";

/// Stand-ins for a body: the site's address was refused, or its server is unreachable.
const REFUSED: &str = "refused";
const GONE: &str = "gone";

/// The bodies that sites serve. `None` means status 503.
#[derive(Default)]
struct Served(Mutex<BTreeMap<String, Option<&'static str>>>);

impl Served {
    fn say(&self, site: &str, body: Option<&'static str>) {
        self.0.lock().unwrap().insert(site.to_owned(), body);
    }
}

fn answer(site: &Authority, body: Option<&str>) -> Answer {
    let at = Timestamp::from_unix_seconds(1_800_000_000);
    let failure = match body {
        Some(REFUSED) => Some(TransportFailure::AddressRefused),
        Some(GONE) => Some(TransportFailure::Connect),
        _ => None,
    };
    let copy = body.filter(|_| failure.is_none()).map(|body| GoodCopy {
        body: body.as_bytes().into(),
        url: site.robots_url().clone(),
        entity_tag: None,
        last_modified: None,
        validated_at: at,
        stated_lifetime: None,
    });
    let outcome = match (body, failure) {
        (_, Some(failure)) => Outcome::Failed(failure),
        (Some(_), None) => Outcome::Successful(Reply::Http(200)),
        (None, None) => Outcome::Error(Reply::Http(503)),
    };
    let attempt = Attempt {
        last: LastAttempt {
            at,
            outcome,
            stated_lifetime: None,
            retry_after: None,
        },
        hops: Vec::new(),
        copy,
        warnings: Vec::new(),
    };
    let mut knowledge = Knowledge::default();
    knowledge.record(&attempt, &Profile::RFC9309, Jitter::NONE);
    knowledge.answer(&Profile::RFC9309, at, RestOfSite::default())
}

impl SiteFetcher for Served {
    fn fetch(&self, site: &Authority, _: Option<SnapshotId>) -> Result<FetchedSite, ReadError> {
        let body = self.0.lock().unwrap()[site.host()];
        let at = Timestamp::from_unix_seconds(1_800_000_000);
        Ok(FetchedSite {
            answer: answer(site, body),
            outcome: "what came".to_owned(),
            at,
            unreachable_since: matches!(body, None | Some(GONE)).then_some(at),
            snapshot: None,
        })
    }

    fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        let text = path.to_str().unwrap();
        match text {
            "missing" => Err("cannot read `missing`".into()),
            _ => Ok(text.as_bytes().to_vec()),
        }
    }

    /// A sitemap with one page outside of `/b` and two in it.
    fn sitemap(&self, url: &Url) -> Result<Vec<u8>, ReadError> {
        assert_eq!(url.as_str(), "https://h.example/s.xml");
        Ok("https://h.example/\nhttps://h.example/b/1\nhttps://h.example/b/2\n".into())
    }
}

/// A receiver that records all attempts and the changes it accepted.
struct Told {
    name: &'static str,
    /// Whether it accepts changes.
    takes: Mutex<bool>,
    attempts: Mutex<Vec<Value>>,
    taken: Mutex<Vec<Value>>,
    /// Accepts a change of this site only after one of another site.
    waits_at: Option<&'static str>,
    changed: Condvar,
}

impl Told {
    fn new(name: &'static str) -> Self {
        Self {
            name,
            takes: Mutex::new(true),
            attempts: Mutex::default(),
            taken: Mutex::default(),
            waits_at: None,
            changed: Condvar::new(),
        }
    }

    fn takes(&self, takes: bool) {
        *self.takes.lock().unwrap() = takes;
    }

    fn taken(&self) -> Vec<Value> {
        std::mem::take(&mut *self.taken.lock().unwrap())
    }

    fn attempts(&self) -> Vec<Value> {
        std::mem::take(&mut *self.attempts.lock().unwrap())
    }
}

impl Receiver for Told {
    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn in_words(&self) -> String {
        format!("the receiver {}", self.name)
    }

    fn next_watch(&self) -> String {
        format!("the next watch with {}", self.name)
    }

    fn changes_at_once(&self) -> usize {
        2
    }

    fn attempts_once(&self) -> u32 {
        1
    }

    fn take(&self, event: &WatchEvent<'_>) -> Result<(), NotTaken> {
        let line = serde_json::to_value(event).unwrap();
        self.attempts.lock().unwrap().push(line.clone());
        if self.name == "gone" {
            return Err(NotTaken::Gone(io::Error::other("closed")));
        }
        if !*self.takes.lock().unwrap() {
            return Err(NotTaken::Failed("not now".to_owned()));
        }
        let mut taken = self.taken.lock().unwrap();
        if self.waits_at == Some(event.site.host()) {
            taken = self
                .changed
                .wait_while(taken, |taken| taken.is_empty())
                .unwrap();
        }
        taken.push(line);
        self.changed.notify_all();
        Ok(())
    }
}

#[derive(Default)]
struct Problems(Mutex<Vec<String>>);

impl WatchObserver for Problems {
    fn site_failed(&self, site: &Authority, problem: &str) {
        self.0.lock().unwrap().push(format!("{site}: {problem}"));
    }

    fn delivery_failed(&self, failed: &FailedDelivery<'_>) {
        let FailedDelivery {
            site,
            receiver,
            next_watch,
            problem,
            is_last,
        } = failed;
        let line = format!("{site} to {receiver}: {problem} {is_last}; {next_watch}");
        self.0.lock().unwrap().push(line);
    }

    fn still_differs(&self, site: &Authority, _: WatchEventKind, _: Timestamp) {
        self.0.lock().unwrap().push(format!("{site} still differs"));
    }
}

/// The state that outlives a watch. Each watch stands for another process.
struct Scene {
    store: MemoryStore,
    served: Served,
    problems: Problems,
    seconds: AtomicU64,
    claims: Option<&'static str>,
}

impl Scene {
    fn serving(sites: &[&str]) -> Self {
        let scene = Self {
            store: MemoryStore::new(1 << 20),
            served: Served::default(),
            problems: Problems::default(),
            seconds: AtomicU64::new(1_800_000_000),
            claims: None,
        };
        for site in sites {
            scene.served.say(site, Some(A));
        }
        scene
    }

    fn watch(&self, receivers: &[&Told], file: Option<&str>) -> Round {
        self.watch_by(receivers, file, |watch, sites| watch.once(sites).unwrap())
    }

    fn watch_by<T>(
        &self,
        receivers: &[&Told],
        file: Option<&str>,
        act: impl FnOnce(&Watch<'_>, &[WatchedSite]) -> T,
    ) -> T {
        let receivers: Vec<&dyn Receiver> = receivers.iter().map(|it| *it as _).collect();
        let site = |host: &String| Authority::from_url(&format!("https://{host}/")).unwrap();
        let watched = |host: &String| {
            let mut watched =
                WatchedSite::new(site(host), WatchedSite::usual_crawlers(ReadAs::default()));
            watched.file = file.map(Into::into);
            watched.claims = self.claims.map(Into::into);
            watched
        };
        let sites: Vec<WatchedSite> = {
            let served = self.served.0.lock().unwrap();
            served.keys().map(watched).collect()
        };
        let now = || Timestamp::from_unix_seconds(self.seconds.fetch_add(1, Ordering::SeqCst));
        let watch = Watch {
            store: &self.store,
            profile: &Profile::RFC9309,
            read_as: ReadAs::default(),
            receivers: &receivers,
            fetcher: &self.served,
            observer: &self.problems,
            now: &now,
            resumes: false,
        };
        act(&watch, &sites)
    }

    fn problems(&self) -> Vec<String> {
        std::mem::take(&mut *self.problems.0.lock().unwrap())
    }
}

const NOTHING: Round = Round {
    has_changed: false,
    has_failed: false,
};
const CHANGED: Round = Round {
    has_changed: true,
    has_failed: false,
};

fn kinds(taken: Vec<Value>) -> Vec<String> {
    let kinds = taken
        .into_iter()
        .map(|it| it["event"].as_str().map(str::to_owned));
    kinds.collect::<Option<_>>().unwrap()
}

fn url(event: &Value) -> &Value {
    &event["changes"][0]["newly_disallowed"]["url"]
}

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
const SITEMAP: &str = "User-agent: *\nDisallow: /a\nSitemap: https://h.example/s.xml\n";
const SITEMAP_B: &str = "User-agent: *\nDisallow: /b\nSitemap: https://h.example/s.xml\n";
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

fn severity_of(event: &Value) -> String {
    event["severity"].as_str().unwrap().to_owned()
}

fn reasons_of(event: &Value) -> String {
    let reasons = event["reasons"].as_array().unwrap().iter();
    let reasons: Vec<&str> = reasons.map(|it| it["reason"].as_str().unwrap()).collect();
    reasons.join(" ")
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
    let lost = "critical search_lost crawler_lost";
    assert_eq!(
        told,
        [
            "warning outage",
            "notice ",
            "warning outage",
            lost,
            "warning outage",
            "notice "
        ]
    );
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
            &["notice", "warning", "notice"],
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

/// Several processes with a store in a file.
struct Processes {
    store: SqliteStore,
    served: Served,
    problems: Problems,
    seconds: AtomicU64,
    _directory: tempfile::TempDir,
}

/// A receiver or site in whose work another process does something.
struct Meanwhile<'m> {
    processes: &'m Processes,
    act: Box<dyn Fn() + Sync + 'm>,
    taken: Mutex<Vec<String>>,
    /// Whether it rejects the first event.
    fails_first: bool,
}

impl Processes {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let processes = Self {
            store: SqliteStore::open(&directory.path().join("store.db")).unwrap(),
            served: Served::default(),
            problems: Problems::default(),
            seconds: AtomicU64::new(1_800_000_000),
            _directory: directory,
        };
        processes.served.say("h.example", Some(SITEMAP));
        processes
    }

    fn pass(&self, seconds: u64) {
        self.seconds.fetch_add(seconds, Ordering::SeqCst);
    }

    /// Runs a process for one round.
    fn round(&self, receiver: &dyn Receiver, fetcher: &dyn SiteFetcher, file: Option<&str>) {
        let site = Authority::from_url("https://h.example/").unwrap();
        let mut site = WatchedSite::new(site, WatchedSite::usual_crawlers(ReadAs::default()));
        site.file = file.map(Into::into);
        let now = || Timestamp::from_unix_seconds(self.seconds.load(Ordering::SeqCst));
        let watch = Watch {
            store: &self.store,
            profile: &Profile::RFC9309,
            read_as: ReadAs::default(),
            receivers: &[receiver],
            fetcher,
            observer: &self.problems,
            now: &now,
            resumes: false,
        };
        watch
            .run_by(&[site], &WatchEnd::default(), |_| true)
            .unwrap();
    }
}

impl<'m> Meanwhile<'m> {
    fn new(processes: &'m Processes, act: impl Fn() + Sync + 'm) -> Self {
        Self {
            processes,
            act: Box::new(act),
            taken: Mutex::default(),
            fails_first: false,
        }
    }

    fn taken(&self) -> Vec<String> {
        self.taken.lock().unwrap().clone()
    }
}

impl SiteFetcher for Meanwhile<'_> {
    fn fetch(&self, site: &Authority, seen: Option<SnapshotId>) -> Result<FetchedSite, ReadError> {
        self.processes.served.fetch(site, seen)
    }

    fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        self.processes.served.read(path)
    }

    fn sitemap(&self, url: &Url) -> Result<Vec<u8>, ReadError> {
        (self.act)();
        self.processes.served.sitemap(url)
    }
}

impl Receiver for Meanwhile<'_> {
    fn name(&self) -> String {
        "one".to_owned()
    }

    fn in_words(&self) -> String {
        self.name()
    }

    fn next_watch(&self) -> String {
        self.name()
    }

    fn changes_at_once(&self) -> usize {
        0
    }

    fn attempts_once(&self) -> u32 {
        1
    }

    fn limit(&self) -> Duration {
        Duration::from_secs(60)
    }

    fn take(&self, event: &WatchEvent<'_>) -> Result<(), NotTaken> {
        self.taken.lock().unwrap().push(event.id.clone());
        (self.act)();
        let is_first = self.taken().len() == 1;
        if self.fails_first && is_first {
            return Err(NotTaken::Failed("not now".to_owned()));
        }
        Ok(())
    }
}

#[test]
fn a_change_that_another_process_delivered_meanwhile_is_not_delivered_again() {
    let processes = Processes::new();
    let hook = Meanwhile::new(&processes, || ());
    processes.round(&hook, &processes.served, None);
    processes.served.say("h.example", Some(SITEMAP_B));
    let reads = AtomicU64::new(0);
    // While one process reads the sitemap, another one delivers, and its turn is over.
    let slow = Meanwhile::new(&processes, || {
        if reads.fetch_add(1, Ordering::SeqCst) == 0 {
            processes.round(&hook, &processes.served, None);
            processes.pass(600);
        }
    });
    processes.round(&hook, &slow, None);
    assert_eq!((hook.taken().len(), reads.load(Ordering::SeqCst)), (1, 1));
}

#[test]
fn no_process_delivers_while_another_one_has_its_turn() {
    let processes = Processes::new();
    let other = Meanwhile::new(&processes, || ());
    let hook = Meanwhile {
        fails_first: true,
        ..Meanwhile::new(&processes, || {
            for _ in 0..2 {
                processes.pass(20);
                processes.round(&other, &processes.served, None);
            }
        })
    };
    processes.round(&hook, &processes.served, None);
    processes.served.say("h.example", Some(B));
    processes.round(&hook, &processes.served, None);
    assert_eq!((hook.taken().len(), other.taken()), (1, vec![]));
    // It ends without success, and after its turn another process delivers.
    processes.pass(30);
    processes.round(&other, &processes.served, None);
    assert_eq!(hook.taken(), other.taken());
}

#[test]
fn a_difference_from_each_document_of_the_owner_has_its_own_id() {
    let processes = Processes::new();
    let hook = Meanwhile::new(&processes, || ());
    processes.served.say("h.example", Some(A));
    // Two processes with different documents do not forget what was told.
    for file in [B, C, B, C] {
        processes.round(&hook, &processes.served, Some(file));
        processes.pass(600);
    }
    let ids: BTreeSet<String> = hook.taken().into_iter().collect();
    assert_eq!((hook.taken().len(), ids.len()), (2, 2));
    let site = Authority::from_url("https://h.example/").unwrap();
    let of_site = processes.store.delivery(&site, "rfc9309 one").unwrap();
    assert_eq!(of_site.unwrap().state, "rules");
}

/// Fetches nothing: it panics at the site `bad.example`, and ends the watch at all others.
struct Ending<'e> {
    end: &'e WatchEnd,
    fetched: AtomicU64,
}

impl SiteFetcher for Ending<'_> {
    fn fetch(&self, site: &Authority, _: Option<SnapshotId>) -> Result<FetchedSite, ReadError> {
        assert_ne!(site.host(), "bad.example");
        self.end.end();
        self.fetched.fetch_add(1, Ordering::SeqCst);
        Err("not today".into())
    }

    fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        unreachable!("{path:?}")
    }
}

#[test]
fn a_panic_is_a_failure_of_its_site_and_an_end_does_not_wait_for_all_sites() {
    let scene = Scene::serving(&[]);
    let end = WatchEnd::default();
    let fetcher = Ending {
        end: &end,
        fetched: AtomicU64::new(0),
    };
    let now = || Timestamp::from_unix_seconds(1_800_000_000);
    let watch = Watch {
        store: &scene.store,
        profile: &Profile::RFC9309,
        read_as: ReadAs::default(),
        receivers: &[],
        fetcher: &fetcher,
        observer: &scene.problems,
        now: &now,
        resumes: false,
    };
    let site = |host: String| {
        let site = Authority::from_url(&format!("https://{host}/")).unwrap();
        WatchedSite::new(site, WatchedSite::usual_crawlers(ReadAs::default()))
    };
    let bad = site("bad.example".to_owned());
    assert!(watch.once(&[bad]).unwrap().has_failed);
    assert_eq!(
        scene.problems(),
        ["https://bad.example: a defect of Verger: please report it"]
    );
    let sites: Vec<_> = (0..500)
        .map(|nth| site(format!("h{nth}.example")))
        .collect();
    watch.run(&sites, &end).unwrap();
    assert!(fetcher.fetched.into_inner() < 100);
}

#[test]
fn the_sitemaps_of_a_change_are_read_once_for_all_receivers_and_attempts() {
    let processes = Processes::new();
    let reads = AtomicU64::new(0);
    let fetcher = Meanwhile::new(&processes, || {
        reads.fetch_add(1, Ordering::SeqCst);
    });
    let (one, other) = (Told::new("one"), Told::new("other"));
    let now = || Timestamp::from_unix_seconds(1_800_000_000);
    let site = Authority::from_url("https://h.example/").unwrap();
    let sites = [WatchedSite::new(
        site,
        WatchedSite::usual_crawlers(ReadAs::default()),
    )];
    let watch = Watch {
        store: &processes.store,
        profile: &Profile::RFC9309,
        read_as: ReadAs::default(),
        receivers: &[&one, &other],
        fetcher: &fetcher,
        observer: &processes.problems,
        now: &now,
        resumes: false,
    };
    assert_eq!(watch.once(&sites).unwrap(), NOTHING);
    processes.served.say("h.example", Some(SITEMAP_B));
    assert_eq!(watch.once(&sites).unwrap(), CHANGED);
    for told in [one, other] {
        assert_eq!(severity_of(&told.taken()[0]), "critical");
    }
    assert_eq!(reads.load(Ordering::SeqCst), 1);
}
