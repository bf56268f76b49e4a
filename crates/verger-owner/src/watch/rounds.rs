//! `Watch`: fetches sites when they are due, and has receivers told what changed.

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use verger_answer::ReadError;

use verger_access::{AccessResult, Answer, Authority, Outcome, Profile, Timestamp};
use verger_store::Store;

use crate::watch::deliveries::{Deliveries, SeenSite, StoredRules};
use crate::watch::delivery_queue::DeliveryQueue;
use crate::watch::receiver::{Receiver, WatchObserver};
use crate::watch::seen_rules::SeenRules;

/// How many sites are fetched at once, so that their bodies are not all in memory together.
const SITES_AT_ONCE: usize = 64;

/// The shortest time between two fetches of a site.
pub const WATCH_INTERVAL_MIN: Duration = Duration::from_secs(1);

/// A site that could not be fetched for a reason of this machine's, or whose change had no place among those that
/// wait, is fetched again after so long.
const PAUSE_AFTER_ERROR: Duration = Duration::from_secs(60);

/// A clock that is set is noticed after so long.
const WAIT_MAX: Duration = Duration::from_secs(60);
const WAIT_MIN: Duration = Duration::from_millis(100);

/// Fetches robots.txt files.
pub trait SiteFetcher {
    /// Fetches those of some sites now, and returns what came in the same order.
    fn fetch(&self, sites: &[Authority]) -> Vec<Result<FetchedSite, ReadError>>;
}

/// The knowledge about a site after a fetch.
#[derive(Clone, Debug)]
pub struct FetchedSite {
    /// The answer.
    pub answer: Answer,
    /// The outcome of the fetch in words.
    pub outcome: String,
    /// When the attempt ended from which this is known.
    pub at: Timestamp,
}

/// Fetches sites when they are due, and has receivers told what changed since each was told last: what the store has of
/// it, or of a new receiver what the store had of the site.
#[derive(Clone, Copy)]
pub struct Watch<'w> {
    /// Has what was seen, and what receivers took.
    pub store: &'w dyn Store,
    /// The profile that answers.
    pub profile: &'w Profile,
    /// A file that what is served should have the meaning of.
    pub file: Option<&'w [u8]>,
    /// The receivers of changes.
    pub receivers: &'w [&'w dyn Receiver],
    /// Fetches.
    pub fetcher: &'w dyn SiteFetcher,
    /// Hears what goes wrong.
    pub observer: &'w dyn WatchObserver,
    /// The clock.
    pub now: &'w (dyn Fn() -> Timestamp + Sync),
}

impl core::fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Watch").finish_non_exhaustive()
    }
}

/// The result of a watch that fetches once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// Whether a receiver took a change, or what is served differs from the file.
    pub has_changed: bool,
    /// Whether a site could not be fetched or compared, or a change is still due.
    pub has_failed: bool,
}

/// A site, and when it is to be fetched.
struct Watched {
    site: Authority,
    due: Timestamp,
    /// When that was said.
    since: Timestamp,
}

impl Watched {
    /// Whether it is to be fetched; a clock that was set back does not put it off.
    fn is_due(&self, now: Timestamp) -> bool {
        self.due <= now || now < self.since
    }
}

impl Watch<'_> {
    /// Fetches each site once, and has each receiver told what changed.
    ///
    /// # Errors
    ///
    /// Where a receiver is gone.
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

    /// Fetches each site `every` so often, or when its answer is no longer good. It returns where a receiver is gone.
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
            (self.store, self.profile),
            self.file.map(Arc::from),
            self.receivers,
            self.observer,
            self.now,
            is_once,
        )
    }

    /// Fetches all that are due; true where one could not be fetched or compared.
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
                let done = before
                    .and_then(|before| self.compare(&watched.site, &before, fetched?, deliveries));
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

    /// Has receivers told what changed, and returns until when the answer is good. In a watch that fetches once, a site
    /// about which nothing could be said is an error.
    fn compare(
        &self,
        site: &Authority,
        before: &StoredRules,
        fetched: FetchedSite,
        deliveries: &Deliveries<'_>,
    ) -> Result<Timestamp, ReadError> {
        let outcome = fetched.answer.access_result().map(AccessResult::outcome);
        if outcome.is_some_and(|it| !it.is_about_the_site()) {
            let outcome = &fetched.outcome;
            return Err(format!("it was not looked at: {outcome}").into());
        }
        let seen = SeenSite {
            site: site.clone(),
            rules: SeenRules::of(&fetched.answer),
            outcome: fetched.outcome.into(),
            at: fetched.at,
            time: (self.now)(),
        };
        let has_failed = matches!(outcome, Some(Outcome::Failed(_)));
        let lacks_rules = self.file.is_some() && !seen.rules.has_rules();
        match deliveries.offer(before, &seen) {
            Ok(true) if deliveries.is_once() && (has_failed || lacks_rules) => {
                Err(format!("there is nothing to compare: {}", seen.outcome).into())
            }
            Ok(true) => Ok(fetched.answer.ask_again_at()),
            Ok(false) => Err("too many changes wait for a receiver".into()),
            Err(error) => Err(error.to_string().into()),
        }
    }
}

/// Each site once.
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
