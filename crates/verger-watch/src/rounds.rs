use std::collections::BTreeSet;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use verger_access::{Profile, Timestamp};
use verger_answer::{ReadAs, ReadError};
use verger_owner::ClaimFile;
use verger_store::{BodyHash, SnapshotId};

use crate::deliveries::{Deliveries, StoredRules};
use crate::delivery_queue::DeliveryQueue;
use crate::receiver::{Receiver, WatchObserver};
use crate::seen_site::{Expected, ExpectedClaims, Replaced, SeenSite};
use crate::site_fetcher::{FetchedSite, SiteFetcher};
use crate::site_state::Look;
use crate::watch_end::WatchEnd;
use crate::watched_site::WatchedSite;

/// Maximum number of sites that are fetched and compared at the same time.
const SITES_AT_ONCE: usize = 32;

/// Shortest interval between two fetches of a site.
pub const WATCH_INTERVAL_MIN: Duration = Duration::from_secs(1);

/// Delay before a site is fetched again if the fetch failed on this machine or a delivery queue was
/// full.
const PAUSE_AFTER_ERROR: Duration = Duration::from_secs(60);

const QUEUE_IS_FULL: &str =
    "too many changes are waiting for a receiver, so the site is fetched again later";

/// Longest sleep. It limits the delay until a changed clock is noticed.
const WAIT_MAX: Duration = Duration::from_secs(60);
const WAIT_MIN: Duration = Duration::from_millis(100);

const DEFECT: &str = "a defect of Verger: please report it";

/// Fetches sites when they are due and tells each receiver what changed since it was last told. A
/// new receiver starts from the stored state of the site.
///
/// Several processes with the same store share the work: one process fetches a site, and the others
/// compare its snapshot. One process delivers an event. If it ends before that, another one delivers.
#[derive(Clone, Copy)]
pub struct Watch<'w> {
    /// The store of snapshots and deliveries.
    pub store: &'w dyn verger_store::Deliveries,
    /// The profile that interprets fetches.
    pub profile: &'w Profile,
    /// Which dialect each crawler is judged in.
    pub read_as: ReadAs,
    /// The receivers of changes.
    pub receivers: &'w [&'w dyn Receiver],
    /// The fetcher.
    pub fetcher: &'w dyn SiteFetcher,
    /// The observer of failures.
    pub observer: &'w dyn WatchObserver,
    /// The clock.
    pub now: &'w (dyn Fn() -> Timestamp + Sync),
    /// Whether the first look at a site with an interval uses a stored result that is younger than
    /// the interval.
    pub resumes: bool,
}

impl core::fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Watch").finish_non_exhaustive()
    }
}

/// The result of [`Watch::once`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// Whether a receiver accepted a change, a served file differs from the local one, or claims fail.
    pub has_changed: bool,
    /// Whether a site could not be fetched or compared, or a change is still due.
    pub has_failed: bool,
}

/// A site and when to fetch it.
struct Watched<'s> {
    of: &'s WatchedSite,
    due: Timestamp,
    /// When `due` was set.
    since: Timestamp,
    /// The last snapshot seen.
    snapshot: Option<SnapshotId>,
    /// The last documents of the owner.
    documents: [Option<BodyHash>; 2],
}

impl Watched<'_> {
    /// Returns whether the site has not been fetched yet.
    fn is_new(&self) -> bool {
        self.since == Timestamp::from_unix_seconds(0)
    }

    /// Returns the documents that took the place of those of the last look.
    fn replaced(&self, expected: &Expected) -> Vec<Replaced> {
        let both = expected.documents().into_iter().zip(self.documents);
        let replaced = both.filter_map(|((name, new), old)| {
            let (old, new) = old.zip(new).filter(|(old, new)| old != new)?;
            Some(Replaced { name, old, new })
        });
        replaced.collect()
    }

    /// Remembers the documents. One that cannot be read now is not replaced.
    fn keep(&mut self, expected: &Expected) {
        for (kept, (_, new)) in self.documents.iter_mut().zip(expected.documents()) {
            *kept = new.or(*kept);
        }
    }

    /// Returns whether to fetch the site. Setting the clock back does not delay it.
    fn is_due(&self, now: Timestamp) -> bool {
        self.due <= now || now < self.since
    }
}

impl Watch<'_> {
    /// Fetches each site once and delivers the changes.
    ///
    /// # Errors
    ///
    /// Returns an error if a receiver has closed.
    pub fn once(&self, sites: &[WatchedSite]) -> io::Result<Round> {
        let end = WatchEnd::default();
        let deliveries = self.deliveries(&end, true);
        let has_failed = thread::scope(|scope| {
            deliveries.start(scope);
            let has_failed = self.round(&mut watched(sites), &deliveries);
            deliveries.end(DeliveryQueue::close);
            has_failed
        });
        match end.error() {
            Some(error) => Err(error),
            None => Ok(Round {
                has_changed: deliveries.delivered() > 0 || deliveries.differs(),
                has_failed: has_failed || deliveries.has_given_up(),
            }),
        }
    }

    /// Fetches each site at its interval until `end` ends the watch.
    ///
    /// # Errors
    ///
    /// Returns an error if a receiver has closed.
    pub fn run(&self, sites: &[WatchedSite], end: &WatchEnd) -> io::Result<()> {
        self.run_by(sites, end, |length| end.wait(length))
    }

    /// Runs like [`Watch::run`], and calls `wait` to wait for a length of time. It returns whether to
    /// end. This is for a time other than that of the system.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Watch::run`].
    pub fn run_by(
        &self,
        sites: &[WatchedSite],
        end: &WatchEnd,
        mut wait: impl FnMut(Duration) -> bool,
    ) -> io::Result<()> {
        let deliveries = self.deliveries(end, false);
        let mut sites = watched(sites);
        thread::scope(|scope| {
            deliveries.start(scope);
            loop {
                self.round(&mut sites, &deliveries);
                let delivery = deliveries.deliver_here();
                let next = sites.iter().map(|watched| watched.due).min();
                let length = next.map_or(WAIT_MAX, |next| next.since((self.now)()));
                let length = delivery.map_or(length, |delivery| length.min(delivery));
                if wait(length.clamp(WAIT_MIN, WAIT_MAX)) {
                    deliveries.end(DeliveryQueue::give_up);
                    break;
                }
            }
        });
        end.error().map_or(Ok(()), Err)
    }

    fn deliveries<'d>(&'d self, end: &'d WatchEnd, is_once: bool) -> Deliveries<'d> {
        Deliveries::new(
            (self.store, self.fetcher),
            (self.profile, self.read_as),
            self.receivers,
            self.observer,
            self.now,
            end,
            is_once,
        )
    }

    /// Fetches all due sites, until the watch ends. Returns true if a site could not be fetched or
    /// compared.
    fn round(&self, sites: &mut [Watched<'_>], deliveries: &Deliveries<'_>) -> bool {
        let now = (self.now)();
        let due: Vec<_> = sites.iter_mut().filter(|it| it.is_due(now)).collect();
        let at_once = due.len().min(SITES_AT_ONCE);
        let due = Mutex::new(due.into_iter());
        let next = || due.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || {
            let mut has_failed = false;
            while !deliveries.end.is_ended()
                && let Some(watched) = next()
            {
                has_failed |= self.look(watched, deliveries);
            }
            has_failed
        };
        thread::scope(|scope| {
            let others: Vec<_> = (1..at_once).map(|_| scope.spawn(work)).collect();
            let own = work();
            let others = others.into_iter().map(|it| it.join().unwrap_or(true));
            others.fold(own, |all, has_failed| all | has_failed)
        })
    }

    /// Fetches a site. Returns true if it could not be fetched or compared. A panic is a failure of
    /// this site.
    fn look(&self, watched: &mut Watched<'_>, deliveries: &Deliveries<'_>) -> bool {
        let look = AssertUnwindSafe(|| self.try_to_look(watched, deliveries));
        let looked = catch_unwind(look).unwrap_or_else(|_| Err(DEFECT.into()));
        looked.unwrap_or_else(|problem| {
            let site = &watched.of.site;
            self.observer.site_failed(site, problem.as_str());
            watched.since = (self.now)();
            watched.due = watched.since.after(PAUSE_AFTER_ERROR);
            true
        })
    }

    /// Returns true if a file of the owner could not be read, or a receiver has too many changes waiting.
    fn try_to_look(
        &self,
        watched: &mut Watched<'_>,
        deliveries: &Deliveries<'_>,
    ) -> Result<bool, ReadError> {
        let (of, known) = (watched.of, self.resumed(watched));
        let before = deliveries.stored_rules(&of.site);
        let before = before.map_err(|error| ReadError::from(error.to_string()))?;
        let (expected, mut problems) = self.expected(of);
        let fetched = match known {
            Some(known) => known,
            None => self.fetcher.fetch(&of.site, watched.snapshot)?,
        };
        let good_until = fetched.answer.ask_again_at();
        let seen = SeenSite::new(of, fetched, expected, (self.profile, (self.now)()))?;
        let is_queued = self.compare(watched, &before, &seen, deliveries)?;
        watched.keep(&seen.expected);
        deliveries.deliver_here();
        let now = (self.now)();
        watched.since = now;
        if is_queued {
            // Processes that share the store count from the same fetch.
            let next = (of.every).map_or(good_until, |every| seen.at.min(now).after(every));
            watched.due = next.max(now.after(WATCH_INTERVAL_MIN));
            watched.snapshot = seen.snapshot;
        } else {
            watched.due = now.after(PAUSE_AFTER_ERROR);
            self.observer.site_failed(&of.site, QUEUE_IS_FULL);
            problems.push(QUEUE_IS_FULL.to_owned());
        }
        self.observer.looked(&Look {
            seen: &seen,
            problems: &problems,
            next: watched.due,
            read_as: self.read_as,
        });
        Ok(!problems.is_empty())
    }

    /// Returns the stored result for the first look at a site, if it is younger than the interval.
    /// Otherwise the fetch asks for a newer one, so that of several processes that start together one
    /// fetches.
    fn resumed(&self, watched: &mut Watched<'_>) -> Option<FetchedSite> {
        let is_first = self.resumes && watched.is_new();
        let every = watched.of.every.filter(|_| is_first)?;
        let now = (self.now)();
        let stored = FetchedSite::stored(self.store, &watched.of.site, self.profile, now);
        // A store that fails is noticed again in the fetch.
        let stored = stored.ok().flatten();
        let snapshot = stored.as_ref().and_then(|it| it.snapshot);
        watched.snapshot = Some(snapshot.unwrap_or(SnapshotId::BEFORE_ALL));
        stored.filter(|it| it.at <= now && now < it.at.after(every))
    }

    /// Reads the files of the owner. One that cannot be read is reported, and not compared.
    fn expected(&self, of: &WatchedSite) -> (Expected, Vec<String>) {
        let read = |path: &Path| {
            let read = self.fetcher.read(path);
            read.map_err(|error| error.to_string())
        };
        let file = of.file.as_deref().map(|it| read(it).map(Arc::from));
        let claims = of.claims.as_deref().map(|path| {
            let text = read(path)?;
            let file = String::from_utf8_lossy(&text);
            let file = ClaimFile::parse(&file, None);
            let file = file.map_err(|error| format!("`{}`: {error}", path.display()))?;
            let text = text.into();
            Ok(Arc::new(ExpectedClaims { text, file }))
        });
        let mut problems = Vec::new();
        let mut report = |problem: String| {
            self.observer.site_failed(&of.site, &problem);
            problems.push(problem);
        };
        let expected = Expected {
            file: file.transpose().unwrap_or_else(|problem| {
                report(problem);
                None
            }),
            claims: claims.transpose().unwrap_or_else(|problem| {
                report(problem);
                None
            }),
        };
        (expected, problems)
    }

    /// Queues a change for the receivers. Returns false if a queue is full. In a watch that fetches once,
    /// a site without an answer is an error. In others, the first answer of a site must not pass without a
    /// word.
    fn compare(
        &self,
        watched: &Watched<'_>,
        before: &StoredRules,
        seen: &SeenSite,
        deliveries: &Deliveries<'_>,
    ) -> Result<bool, ReadError> {
        let lacks_rules = !seen.expected.is_nothing() && !seen.rules.has_rules();
        match deliveries.offer(before, seen, &watched.replaced(&seen.expected)) {
            Ok(true) if deliveries.is_once() && (seen.has_failed || lacks_rules) => {
                Err(format!("nothing to compare: {}", seen.outcome).into())
            }
            Ok(is_queued) => {
                if is_queued && seen.has_failed && watched.is_new() {
                    let problem = format!("nothing to compare yet: {}", seen.outcome);
                    self.observer.site_failed(&watched.of.site, &problem);
                }
                Ok(is_queued)
            }
            Err(error) => Err(error.to_string().into()),
        }
    }
}

/// Removes duplicate sites.
fn watched(sites: &[WatchedSite]) -> Vec<Watched<'_>> {
    let mut seen = BTreeSet::new();
    let first = sites.iter().filter(|it| seen.insert(it.site.to_string()));
    let watched = first.map(|of| Watched {
        of,
        due: Timestamp::from_unix_seconds(0),
        since: Timestamp::from_unix_seconds(0),
        snapshot: None,
        documents: [None; 2],
    });
    watched.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use verger_access::Authority;

    #[test]
    fn a_clock_that_is_set_back_puts_no_site_off() {
        let at = Timestamp::from_unix_seconds;
        let site = Authority::from_url("https://h.example/").unwrap();
        let watched = Watched {
            of: &WatchedSite::new(site, Arc::from([])),
            due: at(2000),
            since: at(1000),
            snapshot: None,
            documents: [None; 2],
        };
        let due = [999, 1000, 1999, 2000].map(|now| watched.is_due(at(now)));
        assert_eq!(due, [true, false, false, true]);
    }
}
