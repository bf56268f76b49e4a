//! The loop in virtual time, compared with a model that knows what each file means because it wrote
//! the files. The model shares no code with the watch.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use serde_json::Value;
use verger_access::{
    Attempt, Authority, GoodCopy, Jitter, Knowledge, LastAttempt, Outcome, Profile, Reply,
    RestOfSite, Timestamp, TransportFailure,
};
use verger_answer::{ReadAs, ReadError};
use verger_store::{
    Acquisition, Deliveries, KeptHeaders, MemoryStore, Observation, PackedFacts, SnapshotId,
    SqliteStore,
};
use verger_testkit::generate::Rng;
use verger_watch::{
    FailedDelivery, FetchedSite, NotTaken, Receiver, SiteFetcher, Watch, WatchEnd, WatchEvent,
    WatchEventKind, WatchObserver, WatchedSite,
};

const HOUR: u64 = 3600;
const START: u64 = 1_800_000_000;
const GRACE: u64 = 12 * HOUR;

/// Set this variable for 200 sites and 30 days, which takes minutes. Otherwise 40 sites and 10 days.
const FULL: &str = "VERGER_TEST_WATCH_MODEL";

/// Maximum number of times that a fetch finds the site leased.
const LEASED_MAX: usize = 1_000_000;

/// How much the rules of a group close.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Closed {
    Nothing,
    PathA,
    Everything,
}

impl Closed {
    fn any(rng: &mut Rng) -> Self {
        [Self::Nothing, Self::PathA, Self::PathA, Self::Everything][rng.below(4)]
    }

    fn line(self) -> &'static str {
        match self {
            Self::Nothing => "Disallow:\n",
            Self::PathA => "Disallow: /a\n",
            Self::Everything => "Disallow: /\n",
        }
    }
}

/// A robots.txt. A group that it lacks is that of `*`.
#[derive(Clone, Debug)]
struct File {
    star: Closed,
    googlebot: Option<Closed>,
    gptbot: Option<Closed>,
    has_sitemap: bool,
    has_mistake: bool,
    comment: u64,
}

const EMPTY: File = File {
    star: Closed::Nothing,
    googlebot: None,
    gptbot: None,
    has_sitemap: false,
    has_mistake: false,
    comment: 0,
};

impl File {
    fn any(rng: &mut Rng) -> Self {
        let star = Closed::any(rng);
        let mut group = || rng.one_in(3).then(|| Closed::any(rng));
        let (googlebot, gptbot) = (group(), group());
        Self {
            star,
            googlebot,
            gptbot,
            has_sitemap: !rng.one_in(4),
            has_mistake: rng.one_in(6),
            comment: rng.draw(),
        }
    }

    fn text(&self) -> String {
        let mistake = if self.has_mistake {
            "Disallow: private\n"
        } else {
            ""
        };
        let mut text = format!(
            "# {}\nUser-agent: *\n{}{mistake}\n",
            self.comment,
            self.star.line()
        );
        for (name, group) in [("Googlebot", self.googlebot), ("GPTBot", self.gptbot)] {
            if let Some(closed) = group {
                let _ = writeln!(text, "User-agent: {name}\n{}", closed.line());
            }
        }
        if self.has_sitemap {
            text += "Sitemap: https://h.example/sitemap.xml\n";
        }
        text
    }

    /// Returns how much is closed to Googlebot, other crawlers and `GPTBot`.
    fn meaning(&self) -> [Closed; 3] {
        let star = self.star;
        [
            self.googlebot.unwrap_or(star),
            star,
            self.gptbot.unwrap_or(star),
        ]
    }
}

/// The reply of a site.
#[derive(Clone, Debug)]
enum Served {
    File(File),
    NotFound,
    Unavailable,
    Down,
}

/// The replies of a site over time.
type Script = Vec<(u64, Served)>;

fn script(rng: &mut Rng, seconds: u64) -> Script {
    let mut file = File::any(rng);
    let first = match rng.below(6) {
        0 => Served::Down,
        1 => Served::NotFound,
        _ => Served::File(file.clone()),
    };
    let (mut script, mut at) = (vec![(0, first)], 0);
    while at < seconds {
        at += HOUR / 2 + rng.draw() % (40 * HOUR);
        match rng.below(20) {
            0..3 => {
                let down = if rng.one_in(2) {
                    Served::Down
                } else {
                    Served::Unavailable
                };
                script.push((at, down));
                at += HOUR / 4 + rng.draw() % (30 * HOUR);
            }
            3..5 => {
                script.push((at, Served::NotFound));
                at += HOUR / 4 + rng.draw() % (9 * HOUR);
            }
            5..9 => file.comment = rng.draw(),
            _ => file = File::any(rng),
        }
        script.push((at, Served::File(file.clone())));
    }
    script
}

/// A clock that can be set, and the time that passes.
#[derive(Default)]
struct Clock {
    passed: AtomicU64,
    set_by: AtomicI64,
}

impl Clock {
    fn passed(&self) -> u64 {
        self.passed.load(Ordering::SeqCst)
    }

    fn now(&self) -> Timestamp {
        let now = (START + self.passed()).checked_add_signed(self.set_by.load(Ordering::SeqCst));
        Timestamp::from_unix_seconds(now.unwrap())
    }
}

/// A fetch: when, by the time that passes and by the clock, and the reply.
type Fetch = (u64, u64, Served);

/// The sites, whose fetches the store's leases admit.
struct Web<'w> {
    store: &'w dyn Deliveries,
    clock: &'w Clock,
    scripts: BTreeMap<String, Script>,
    fetches: Mutex<BTreeMap<String, Vec<Fetch>>>,
}

impl Web<'_> {
    fn fetched(&self, site: &Authority) -> Option<FetchedSite> {
        let state = self.store.latest(site).unwrap()?;
        let at = state.snapshot.attempt.at;
        Some(FetchedSite {
            answer: state
                .knowledge
                .answer(&Profile::RFC9309, at, RestOfSite::default()),
            outcome: "what came".to_owned(),
            at,
            unreachable_since: state.knowledge.streak.map(|it| it.first_at),
            snapshot: Some(state.snapshot.id),
        })
    }

    /// Fetches a site, unless another process has put a snapshot after this one.
    fn fetch_one(&self, site: &Authority, seen: Option<SnapshotId>) -> FetchedSite {
        for _ in 0..LEASED_MAX {
            let known = self.fetched(site);
            if let Some(known) = known.filter(|it| seen.is_some() && it.snapshot > seen) {
                return known;
            }
            let length = Duration::from_secs(60);
            let lease = self.store.acquire(site, "me", self.clock.now(), length);
            let Acquisition::Granted(lease) = lease.unwrap() else {
                std::thread::yield_now();
                continue;
            };
            let known = self.fetched(site);
            if let Some(known) = known.filter(|it| seen.is_some() && it.snapshot > seen) {
                self.store.release(&lease).unwrap();
                return known;
            }
            let passed = self.clock.passed();
            let script = &self.scripts[site.host()];
            let served = script.iter().rev().find(|(from, _)| *from <= passed);
            let served = &served.unwrap().1;
            // Slow answers take up to half a minute.
            let slow = if (passed / 60).is_multiple_of(7) {
                passed % 30
            } else {
                0
            };
            self.clock.passed.fetch_add(slow, Ordering::SeqCst);
            let at = self.clock.now();
            let fetch = (passed, at.unix_seconds(), served.clone());
            let mut fetches = self.fetches.lock().unwrap();
            fetches.entry(site.to_string()).or_default().push(fetch);
            drop(fetches);
            let observation = self.observation(site, served, at);
            self.store.put(&observation, &lease).unwrap();
            return self.fetched(site).unwrap();
        }
        panic!("{site} stays leased");
    }

    fn observation(&self, site: &Authority, served: &Served, at: Timestamp) -> Observation {
        let (outcome, body) = match served {
            Served::File(file) => (Outcome::Successful(Reply::Http(200)), Some(file.text())),
            Served::NotFound => (Outcome::Error(Reply::Http(404)), None),
            Served::Unavailable => (Outcome::Error(Reply::Http(503)), None),
            Served::Down => (Outcome::Failed(TransportFailure::Connect), None),
        };
        let attempt = Attempt {
            last: LastAttempt {
                at,
                outcome,
                stated_lifetime: None,
                retry_after: None,
            },
            hops: Vec::new(),
            copy: body.map(|body| GoodCopy {
                body: body.into_bytes().into(),
                url: site.robots_url().clone(),
                entity_tag: None,
                last_modified: None,
                validated_at: at,
                stated_lifetime: None,
            }),
            warnings: Vec::new(),
        };
        let before = self.store.latest(site).unwrap();
        let mut knowledge: Knowledge = before.map(|it| it.knowledge).unwrap_or_default();
        knowledge.record(&attempt, &Profile::RFC9309, Jitter::NONE);
        Observation {
            authority: site.clone(),
            profile: "rfc9309".into(),
            attempt,
            knowledge,
            headers: KeptHeaders::default(),
            peer: None,
            fresh_until: at,
            facts: PackedFacts::default(),
        }
    }
}

impl SiteFetcher for Web<'_> {
    fn fetch(&self, site: &Authority, seen: Option<SnapshotId>) -> Result<FetchedSite, ReadError> {
        let seen = seen.or_else(|| self.fetched(site)?.snapshot);
        // A site without a snapshot is fetched.
        Ok(self.fetch_one(site, seen.or(Some(SnapshotId::BEFORE_ALL))))
    }

    fn read(&self, _: &Path) -> Result<Vec<u8>, ReadError> {
        Err("no file".into())
    }
}

/// Accepts every event at once.
#[derive(Default)]
struct Log(Mutex<Vec<Value>>);

impl Receiver for Log {
    fn name(&self) -> String {
        "log".to_owned()
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

    fn take(&self, event: &WatchEvent<'_>) -> Result<(), NotTaken> {
        self.0
            .lock()
            .unwrap()
            .push(serde_json::to_value(event).unwrap());
        Ok(())
    }
}

struct Silent;

impl WatchObserver for Silent {
    fn site_failed(&self, _: &Authority, _: &str) {}
    fn delivery_failed(&self, failed: &FailedDelivery<'_>) {
        panic!("{}", failed.problem);
    }
    fn still_differs(&self, _: &Authority, _: WatchEventKind, _: Timestamp) {}
}

fn watch<'w>(
    web: &'w Web<'w>,
    receivers: &'w [&'w dyn Receiver],
    now: &'w (dyn Fn() -> Timestamp + Sync),
) -> Watch<'w> {
    Watch {
        store: web.store,
        profile: &Profile::RFC9309,
        read_as: ReadAs::default(),
        receivers,
        fetcher: web,
        observer: &Silent,
        now,
        resumes: true,
    }
}

fn sites(names: &[String], every: impl Fn(usize) -> u64) -> Vec<WatchedSite> {
    let crawlers = WatchedSite::usual_crawlers(ReadAs::default());
    let sites = names.iter().enumerate().map(|(nth, name)| {
        let site = Authority::from_url(&format!("https://{name}/")).unwrap();
        let mut site = WatchedSite::new(site, crawlers.clone());
        site.every = Some(Duration::from_secs(every(nth)));
        site
    });
    sites.collect()
}

/// A state as crawlers by RFC 9309 conclude it.
#[derive(Clone, Debug)]
struct Concluded {
    stance: &'static str,
    /// The rules that decide. None: everything is disallowed.
    rules: Option<File>,
    /// Whether there is a body, and not merely permission.
    has_body: bool,
    is_overdue: bool,
}

/// Returns the states after each fetch.
fn concluded(fetches: &[Fetch]) -> Vec<Concluded> {
    let (mut copy, mut first_failure): (Option<File>, Option<u64>) = (None, None);
    let conclude = |(_, at, served): &Fetch| {
        let (stance, rules) = match served {
            Served::File(file) => {
                (copy, first_failure) = (Some(file.clone()), None);
                ("rules", copy.clone())
            }
            Served::NotFound => {
                (copy, first_failure) = (None, None);
                ("open", Some(EMPTY))
            }
            Served::Unavailable | Served::Down => {
                first_failure = Some(first_failure.unwrap_or(*at).min(*at));
                (if copy.is_some() { "copy" } else { "closed" }, copy.clone())
            }
        };
        Concluded {
            stance,
            rules,
            has_body: copy.is_some(),
            is_overdue: first_failure.is_some_and(|first| at - first >= GRACE),
        }
    };
    fetches.iter().map(conclude).collect()
}

/// Returns the severity of a change for a person who knows the state `told`, and before it the rules
/// `known`, or `None` if it is not worth an event.
fn severity(
    told: &Concluded,
    known: Option<&(File, bool)>,
    now: &Concluded,
) -> Option<&'static str> {
    let is_new_overdue = now.is_overdue && !told.is_overdue;
    let is_end_of_overdue = told.is_overdue && !now.is_overdue;
    let Some(after) = &now.rules else {
        // Only an outage leaves a site without rules here.
        return match (is_new_overdue, told.rules.is_some()) {
            (true, _) => Some("critical"),
            (false, true) => Some("warning"),
            (false, false) => None,
        };
    };
    // Who never knew rules, knows of no loss.
    let Some((before, had_body)) = known else {
        let is_critical = is_new_overdue || is_end_of_overdue;
        return Some(if is_critical { "critical" } else { "notice" });
    };
    let everything = |file: &File| file.meaning().map(|it| it == Closed::Everything);
    let (was, is) = (everything(before), everything(after));
    let lost = [0, 1, 2].map(|of: usize| !was[of] && is[of]);
    let gained = [0, 1, 2].map(|of: usize| was[of] && !is[of]);
    let both = *had_body && now.has_body;
    if is_new_overdue || is_end_of_overdue || lost[0] || lost[1] {
        return Some("critical");
    }
    // Who was told of an outage is told that it is over.
    let is_warning = told.rules.is_none()
        || lost[2]
        || gained.contains(&true)
        || (both && before.has_sitemap && !after.has_sitemap)
        || (both && !before.has_mistake && after.has_mistake);
    if is_warning {
        return Some("warning");
    }
    let is_other = told
        .rules
        .as_ref()
        .is_none_or(|told| told.meaning() != after.meaning());
    (told.stance != now.stance || is_other).then_some("notice")
}

/// Returns the severity and the stance of each expected event of a site.
fn expected(fetches: &[Fetch]) -> Vec<(&'static str, &'static str)> {
    let states = concluded(fetches);
    let Some((mut told, rest)) = states.split_first() else {
        return Vec::new();
    };
    let rules_of = |state: &Concluded| Some((state.rules.clone()?, state.has_body));
    let mut known = rules_of(told);
    let mut events = Vec::new();
    for now in rest {
        if let Some(severity) = severity(told, known.as_ref(), now) {
            events.push((severity, now.stance));
        }
        told = now;
        known = rules_of(now).or(known);
    }
    events
}

/// Compares the log with the model. Returns how many events of each severity there were.
fn assert_events(log: &Log, web: &Web<'_>) -> BTreeMap<String, usize> {
    let events = std::mem::take(&mut *log.0.lock().unwrap());
    let mut ids = BTreeSet::new();
    let (mut of_sites, mut counts) = (BTreeMap::<_, Vec<_>>::new(), BTreeMap::new());
    for event in &events {
        assert!(ids.insert(event["id"].as_str().unwrap()), "twice: {event}");
        let text = |key: &str| event[key].as_str().unwrap();
        let of_site = of_sites.entry(text("site").to_owned()).or_default();
        of_site.push((text("severity"), text("stance_after")));
        *counts.entry(text("severity").to_owned()).or_default() += 1;
    }
    for (site, fetches) in &*web.fetches.lock().unwrap() {
        let told = of_sites.remove(site).unwrap_or_default();
        assert_eq!(told, expected(fetches), "{site}");
    }
    assert!(of_sites.is_empty());
    counts
}

#[test]
fn events_of_many_sites_and_days_are_those_of_the_model() {
    let (store, clock) = (MemoryStore::new(1 << 30), Clock::default());
    let is_full = std::env::var_os(FULL).is_some();
    let (count, days, events_min) = if is_full {
        (200, 30, 200)
    } else {
        (40, 10, 20)
    };
    let seconds = days * 24 * HOUR;
    let mut rng = Rng::new(57);
    let names: Vec<String> = (0..count).map(|nth| format!("h{nth}.example")).collect();
    let scripts = names
        .iter()
        .map(|name| (name.clone(), script(&mut rng, seconds)));
    let web = Web {
        store: &store,
        clock: &clock,
        scripts: scripts.collect(),
        fetches: Mutex::default(),
    };
    let every = |nth: usize| [1, 1, 2, 3][nth % 4] * HOUR;
    let (sites, log, now) = (sites(&names, every), Log::default(), || clock.now());
    let mut steps = vec![
        (seconds / 9, 5),
        (seconds / 4, -3),
        (seconds * 3 / 5, -7),
        (seconds * 2 / 3, 4),
    ];
    // The process ends at random moments, and another one starts.
    while clock.passed() < seconds {
        let ends = clock.passed() + rng.draw() % (60 * HOUR);
        let end = WatchEnd::default();
        let ran = watch(&web, &[&log], &now).run_by(&sites, &end, |length| {
            clock
                .passed
                .fetch_add(length.as_secs().max(1), Ordering::SeqCst);
            while steps.first().is_some_and(|(at, _)| *at <= clock.passed()) {
                let (_, hours) = steps.remove(0);
                clock.set_by.fetch_add(hours * 3600, Ordering::SeqCst);
            }
            clock.passed() >= ends.min(seconds)
        });
        ran.unwrap();
    }
    let counts = assert_events(&log, &web);
    assert!(
        counts.len() == 3 && counts.values().all(|count| *count >= events_min),
        "{counts:?}"
    );
    let fetches = web.fetches.lock().unwrap();
    for (nth, name) in names.iter().enumerate() {
        let fetches = &fetches[&format!("https://{name}")];
        let gaps = fetches.windows(2).map(|pair| pair[1].0 - pair[0].0);
        // Each step of the clock shortens or lengthens one interval.
        let wrong = gaps.filter(|gap| !(every(nth)..every(nth) + 300).contains(gap));
        let wrong: Vec<u64> = wrong.collect();
        assert!(wrong.len() <= 4, "{name}: {wrong:?}");
    }
}

/// Three processes with a store in a file: at each moment of virtual time all look at once.
#[test]
fn three_watches_with_one_store_fetch_once_and_tell_once() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store.db");
    let clock = Clock::default();
    let seconds = 36 * HOUR;
    let mut rng = Rng::new(3);
    let names: Vec<String> = (0..8).map(|nth| format!("h{nth}.example")).collect();
    let store = SqliteStore::open(&path).unwrap();
    let scripts = names.iter().map(|name| {
        let mut script = script(&mut rng, 8 * seconds);
        for (from, _) in &mut script {
            *from /= 8;
        }
        (name.clone(), script)
    });
    let web = Web {
        store: &store,
        clock: &clock,
        scripts: scripts.collect(),
        fetches: Mutex::default(),
    };
    let (sites, log, now) = (sites(&names, |_| HOUR), Log::default(), || clock.now());
    let (barrier, receivers) = (std::sync::Barrier::new(3), [&log as &dyn Receiver]);
    let watch = watch(&web, &receivers, &now);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let end = WatchEnd::default();
                let ran = watch.run_by(&sites, &end, |_| {
                    if barrier.wait().is_leader() {
                        clock.passed.fetch_add(60, Ordering::SeqCst);
                    }
                    barrier.wait();
                    clock.passed() >= seconds
                });
                ran.unwrap();
            });
        }
    });
    let counts = assert_events(&log, &web);
    assert!(counts.values().sum::<usize>() > 20, "{counts:?}");
    for (site, fetches) in &*web.fetches.lock().unwrap() {
        let gaps = fetches.windows(2).map(|pair| pair[1].0 - pair[0].0);
        let gaps: Vec<u64> = gaps
            .filter(|gap| !(HOUR..HOUR + 300).contains(gap))
            .collect();
        assert!(gaps.is_empty(), "{site}: {gaps:?}");
    }
}
