use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use verger_access::{AccessResult, Answer, Authority, Outcome, Profile, Timestamp};
use verger_answer::{ReadAs, ReadError};

use crate::deliveries::{Deliveries, SeenSite, StoredRules};
use crate::delivery_queue::DeliveryQueue;
use crate::receiver::{Receiver, WatchObserver};
use crate::seen_rules::SeenRules;

/// Maximum number of sites fetched at once, which bounds the bodies in memory.
const SITES_AT_ONCE: usize = 64;

/// Shortest interval between two fetches of a site.
pub const WATCH_INTERVAL_MIN: Duration = Duration::from_secs(1);

/// Delay before a site is fetched again if the fetch failed on this machine or a delivery queue was
/// full.
const PAUSE_AFTER_ERROR: Duration = Duration::from_secs(60);

/// Longest sleep. It limits the delay until a changed clock is noticed.
const WAIT_MAX: Duration = Duration::from_secs(60);
const WAIT_MIN: Duration = Duration::from_millis(100);

/// Fetches robots.txt files.
pub trait SiteFetcher {
    /// Fetches these sites now. Returns the results in the same order.
    fn fetch(&self, sites: &[Authority]) -> Vec<Result<FetchedSite, ReadError>>;
}

/// The result of a fetch.
#[derive(Clone, Debug)]
pub struct FetchedSite {
    /// The answer.
    pub answer: Answer,
    /// Description of the outcome.
    pub outcome: String,
    /// When the fetch attempt ended.
    pub at: Timestamp,
}

/// Fetches sites when they are due and tells each receiver what changed since it was last told. A
/// new receiver starts from the stored state of the site.
#[derive(Clone, Copy)]
pub struct Watch<'w> {
    /// The store of snapshots and deliveries.
    pub store: &'w dyn verger_store::Deliveries,
    /// The profile that interprets fetches.
    pub profile: &'w Profile,
    /// Which dialect each crawler is judged in.
    pub read_as: ReadAs,
    /// A local file that the served one should be equivalent to.
    pub file: Option<&'w [u8]>,
    /// The receivers of changes.
    pub receivers: &'w [&'w dyn Receiver],
    /// The fetcher.
    pub fetcher: &'w dyn SiteFetcher,
    /// The observer of failures.
    pub observer: &'w dyn WatchObserver,
    /// The clock.
    pub now: &'w (dyn Fn() -> Timestamp + Sync),
}

impl core::fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Watch").finish_non_exhaustive()
    }
}

/// The result of [`Watch::once`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// Whether a receiver accepted a change, or a served file differs from the local one.
    pub has_changed: bool,
    /// Whether a site could not be fetched or compared, or a change is still due.
    pub has_failed: bool,
}

/// A site and when to fetch it.
struct Watched {
    site: Authority,
    due: Timestamp,
    /// When `due` was set.
    since: Timestamp,
}

impl Watched {
    /// Returns whether the site has not been fetched yet.
    fn is_new(&self) -> bool {
        self.since == Timestamp::from_unix_seconds(0)
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
    pub fn once(&self, sites: &[Authority]) -> io::Result<Round> {
        let deliveries = self.deliveries(true);
        let has_failed = thread::scope(|scope| {
            deliveries.start(scope);
            let has_failed = self.round(&mut watched(sites), None, &deliveries);
            deliveries.end(DeliveryQueue::close);
            has_failed
        });
        match deliveries.gone() {
            Some(error) => Err(error),
            None => Ok(Round {
                has_changed: deliveries.delivered() > 0 || deliveries.differs(),
                has_failed: has_failed || deliveries.has_given_up(),
            }),
        }
    }

    /// Fetches each site at the interval `every`, or when its answer expires. Returns if a receiver
    /// closes.
    pub fn run(&self, sites: &[Authority], every: Option<Duration>) -> io::Error {
        let deliveries = self.deliveries(false);
        let mut sites = watched(sites);
        thread::scope(|scope| {
            deliveries.start(scope);
            loop {
                self.round(&mut sites, every, &deliveries);
                let next = sites.iter().map(|watched| watched.due).min();
                let length = next.map_or(WAIT_MAX, |next| next.since((self.now)()));
                if let Some(error) = deliveries.wait(length.clamp(WAIT_MIN, WAIT_MAX)) {
                    return error;
                }
            }
        })
    }

    fn deliveries(&self, is_once: bool) -> Deliveries<'_> {
        Deliveries::new(
            (self.store, self.profile, self.read_as),
            self.file.map(Arc::from),
            self.receivers,
            self.observer,
            self.now,
            is_once,
        )
    }

    /// Fetches all due sites. Returns true if a site could not be fetched or compared.
    fn round(
        &self,
        sites: &mut [Watched],
        every: Option<Duration>,
        deliveries: &Deliveries<'_>,
    ) -> bool {
        let now = (self.now)();
        let mut due: Vec<&mut Watched> = sites.iter_mut().filter(|it| it.is_due(now)).collect();
        let mut has_failed = false;
        for some in due.chunks_mut(SITES_AT_ONCE) {
            let before = some.iter().map(|it| deliveries.stored_rules(&it.site));
            let before: Vec<_> = before.collect();
            let names: Vec<_> = some.iter().map(|it| it.site.clone()).collect();
            let fetched = self.fetcher.fetch(&names);
            for ((watched, before), fetched) in some.iter_mut().zip(before).zip(fetched) {
                let before = before.map_err(|error| error.to_string().into());
                let done =
                    before.and_then(|before| self.compare(watched, &before, fetched?, deliveries));
                let next = match done {
                    Ok(good_until) => every.map_or(good_until, |every| (self.now)().after(every)),
                    Err(problem) => {
                        self.observer.site_failed(&watched.site, problem.as_str());
                        has_failed = true;
                        (self.now)().after(PAUSE_AFTER_ERROR)
                    }
                };
                watched.since = (self.now)();
                watched.due = next.max(watched.since.after(WATCH_INTERVAL_MIN));
            }
        }
        has_failed
    }

    /// Queues a change for the receivers and returns when the answer expires. In a watch that
    /// fetches once, a site without an answer is an error. In others, the first answer of a site must
    /// not pass without a word.
    fn compare(
        &self,
        watched: &Watched,
        before: &StoredRules,
        fetched: FetchedSite,
        deliveries: &Deliveries<'_>,
    ) -> Result<Timestamp, ReadError> {
        let outcome = fetched.answer.access_result().map(AccessResult::outcome);
        if outcome.is_some_and(|it| !it.is_about_the_site()) {
            let outcome = &fetched.outcome;
            return Err(format!("not fetched: {outcome}").into());
        }
        let seen = SeenSite {
            site: watched.site.clone(),
            rules: SeenRules::of(&fetched.answer),
            outcome: fetched.outcome.into(),
            at: fetched.at,
            time: (self.now)(),
        };
        let has_failed = matches!(outcome, Some(Outcome::Failed(_)));
        let lacks_rules = self.file.is_some() && !seen.rules.has_rules();
        match deliveries.offer(before, &seen) {
            Ok(true) if deliveries.is_once() && (has_failed || lacks_rules) => {
                Err(format!("nothing to compare: {}", seen.outcome).into())
            }
            Ok(true) => {
                if has_failed && watched.is_new() {
                    let problem = format!("nothing to compare yet: {}", seen.outcome);
                    self.observer.site_failed(&watched.site, &problem);
                }
                Ok(fetched.answer.ask_again_at())
            }
            Ok(false) => Err(
                "too many changes are waiting for a receiver, so the site is fetched again later"
                    .into(),
            ),
            Err(error) => Err(error.to_string().into()),
        }
    }
}

/// Removes duplicate sites.
fn watched(sites: &[Authority]) -> Vec<Watched> {
    let mut watched: Vec<Watched> = Vec::new();
    for site in sites {
        if watched.iter().all(|other| other.site != *site) {
            watched.push(Watched {
                site: site.clone(),
                due: Timestamp::from_unix_seconds(0),
                since: Timestamp::from_unix_seconds(0),
            });
        }
    }
    watched
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_set_back_puts_no_site_off() {
        let at = Timestamp::from_unix_seconds;
        let watched = Watched {
            site: Authority::from_url("https://h.example/").unwrap(),
            due: at(2000),
            since: at(1000),
        };
        let due = [999, 1000, 1999, 2000].map(|now| watched.is_due(at(now)));
        assert_eq!(due, [true, false, false, true]);
    }
}
