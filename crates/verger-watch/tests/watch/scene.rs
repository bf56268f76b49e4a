//! Sites, receivers and a watch of tests.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex};

use serde_json::Value;
use url::Url;
use verger_access::{
    Answer, Attempt, Authority, GoodCopy, Jitter, Knowledge, LastAttempt, Outcome, Profile, Reply,
    RestOfSite, Timestamp, TransportFailure,
};
use verger_answer::{ReadAs, ReadError};
use verger_store::{MemoryStore, SnapshotId};
use verger_watch::{
    FailedDelivery, FetchedSite, NotTaken, Receiver, Round, SiteFetcher, Watch, WatchEvent,
    WatchEventKind, WatchObserver, WatchedSite,
};

pub(crate) const A: &str = "User-agent: *\nDisallow: /a\n";
pub(crate) const B: &str = "User-agent: *\nDisallow: /b\n";
pub(crate) const C: &str = "User-agent: *\nDisallow: /c\n";

/// Files with a sitemap.
pub(crate) const SITEMAP: &str = "User-agent: *\nDisallow: /a\nSitemap: https://h.example/s.xml\n";
pub(crate) const SITEMAP_B: &str =
    "User-agent: *\nDisallow: /b\nSitemap: https://h.example/s.xml\n";

/// Stand-ins for a body: the site's address was refused, or its server is unreachable.
pub(crate) const REFUSED: &str = "refused";
pub(crate) const GONE: &str = "gone";

/// The bodies that sites serve. `None` means status 503.
#[derive(Default)]
pub(crate) struct Served(pub(crate) Mutex<BTreeMap<String, Option<&'static str>>>);

impl Served {
    pub(crate) fn say(&self, site: &str, body: Option<&'static str>) {
        self.0.lock().unwrap().insert(site.to_owned(), body);
    }
}

pub(crate) fn answer(site: &Authority, body: Option<&str>) -> Answer {
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
pub(crate) struct Told {
    pub(crate) name: &'static str,
    /// Whether it accepts changes.
    pub(crate) takes: Mutex<bool>,
    pub(crate) attempts: Mutex<Vec<Value>>,
    pub(crate) taken: Mutex<Vec<Value>>,
    /// Accepts a change of this site only after one of another site.
    pub(crate) waits_at: Option<&'static str>,
    pub(crate) at_once: usize,
    pub(crate) changed: Condvar,
}

impl Told {
    pub(crate) fn new(name: &'static str) -> Self {
        Self {
            name,
            takes: Mutex::new(true),
            attempts: Mutex::default(),
            taken: Mutex::default(),
            waits_at: None,
            at_once: 2,
            changed: Condvar::new(),
        }
    }

    pub(crate) fn takes(&self, takes: bool) {
        *self.takes.lock().unwrap() = takes;
    }

    pub(crate) fn taken(&self) -> Vec<Value> {
        std::mem::take(&mut *self.taken.lock().unwrap())
    }

    pub(crate) fn attempts(&self) -> Vec<Value> {
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
        self.at_once
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
pub(crate) struct Problems(pub(crate) Mutex<Vec<String>>);

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
pub(crate) struct Scene {
    pub(crate) store: MemoryStore,
    pub(crate) served: Served,
    pub(crate) problems: Problems,
    pub(crate) seconds: AtomicU64,
    pub(crate) claims: Option<&'static str>,
}

impl Scene {
    pub(crate) fn serving(sites: &[&str]) -> Self {
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

    pub(crate) fn watch(&self, receivers: &[&Told], file: Option<&str>) -> Round {
        self.watch_by(receivers, file, |watch, sites| watch.once(sites).unwrap())
    }

    pub(crate) fn watch_by<T>(
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

    pub(crate) fn problems(&self) -> Vec<String> {
        std::mem::take(&mut *self.problems.0.lock().unwrap())
    }
}

pub(crate) const NOTHING: Round = Round {
    has_changed: false,
    has_failed: false,
};
pub(crate) const CHANGED: Round = Round {
    has_changed: true,
    has_failed: false,
};

pub(crate) fn kinds(taken: Vec<Value>) -> Vec<String> {
    let kinds = taken
        .into_iter()
        .map(|it| it["event"].as_str().map(str::to_owned));
    kinds.collect::<Option<_>>().unwrap()
}

pub(crate) fn url(event: &Value) -> &Value {
    &event["changes"][0]["newly_disallowed"]["url"]
}

pub(crate) fn severity_of(event: &Value) -> String {
    event["severity"].as_str().unwrap().to_owned()
}

pub(crate) fn reasons_of(event: &Value) -> String {
    let reasons = event["reasons"].as_array().unwrap().iter();
    let reasons: Vec<&str> = reasons.map(|it| it["reason"].as_str().unwrap()).collect();
    reasons.join(" ")
}
