//! Several processes with one store, and a watch that ends or fails.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use url::Url;
use verger_access::{Authority, Profile, Timestamp};
use verger_answer::{ReadAs, ReadError};
use verger_store::{Deliveries, SnapshotId, SqliteStore};
use verger_watch::{
    FetchedSite, NotTaken, Receiver, SiteFetcher, Watch, WatchEnd, WatchEvent, WatchedSite,
};

use crate::scene::{
    A, B, C, CHANGED, NOTHING, Problems, SITEMAP, SITEMAP_B, Scene, Served, Told, severity_of,
};

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
