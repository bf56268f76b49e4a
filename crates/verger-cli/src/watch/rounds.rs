//! `Rounds`: which sites are due, when, and what changed about them.

use std::error::Error;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use verger::RobotsTxt;
use verger_access::{Authority, Profile, Timestamp};
use verger_client::{Asking, Clock as _, FetchReport, SystemClock};
use verger_compare::Budget;
use verger_owner::{FileComparison, crawlers_of};
use verger_store::Store;

use super::deliveries::Deliveries;
use super::seen_rules::SeenRules;
use super::watch_event::{WatchEvent, WatchEventKind};
use crate::interrupt::FetchClient;
use crate::notice;

/// How many sites are fetched at once, so that their bodies are not all in memory together.
const SITES_AT_ONCE: usize = 64;

/// The shortest time between two fetches of a site.
pub(super) const INTERVAL_MIN: Duration = Duration::from_secs(1);

/// A site that cannot be fetched for a reason of this machine's is tried again after so long.
const PAUSE_AFTER_ERROR: Duration = Duration::from_secs(60);

/// The sites, and what was seen of them.
pub(super) struct Rounds {
    sites: Vec<Watched>,
    client: FetchClient,
    store: Arc<dyn Store>,
    profile: Profile,
    file: Option<Vec<u8>>,
}

/// A site, and until when it was compared.
struct Watched {
    site: Authority,
    /// When what is known was compared last; `None` before the first time.
    compared_at: Option<Timestamp>,
    due: Timestamp,
    /// Whether what is served meant the same as the file; `None` before the first time.
    agrees: Option<bool>,
}

/// What became of a round.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Round {
    pub(super) has_changed: bool,
    pub(super) has_failed: bool,
}

impl Rounds {
    pub(super) fn new(
        sites: &[Authority],
        client: FetchClient,
        store: Arc<dyn Store>,
        profile: Profile,
        file: Option<Vec<u8>>,
    ) -> Self {
        let mut watched: Vec<Watched> = Vec::new();
        for site in sites {
            if watched.iter().all(|other| other.site != *site) {
                watched.push(Watched {
                    site: site.clone(),
                    compared_at: None,
                    due: Timestamp::from_unix_seconds(0),
                    agrees: None,
                });
            }
        }
        Self {
            sites: watched,
            client,
            store,
            profile,
            file,
        }
    }

    /// Fetches all that are due, and delivers what changed.
    pub(super) fn round(
        &mut self,
        every: Option<Duration>,
        deliveries: &Deliveries<'_>,
    ) -> Result<Round, Box<dyn Error>> {
        let now = SystemClock.now();
        let due: Vec<usize> = (0..self.sites.len())
            .filter(|&index| self.sites[index].due <= now)
            .collect();
        let mut round = Round::default();
        for some in due.chunks(SITES_AT_ONCE) {
            // What the store knew before the fetch, or what was compared last.
            let before = some.iter().map(|&index| {
                let Watched {
                    site, compared_at, ..
                } = &self.sites[index];
                let at = compared_at.unwrap_or(now);
                SeenRules::at(&*self.store, site, &self.profile, at)
            });
            let before: Vec<Option<SeenRules>> = before.collect::<Result<_, _>>()?;
            let names: Vec<Authority> = some
                .iter()
                .map(|&index| self.sites[index].site.clone())
                .collect();
            let reports = self.client.report_many(&names, Asking::Now);
            for ((&index, before), report) in some.iter().zip(before).zip(reports) {
                match report {
                    Ok(report) => {
                        let done = self.compare(index, before.as_ref(), &report, deliveries)?;
                        round.has_changed |= done.has_changed;
                        round.has_failed |= done.has_failed;
                        let next = every.map_or_else(
                            || report.answer.ask_again_at(),
                            |every| SystemClock.now().after(every),
                        );
                        let soonest = SystemClock.now().after(INTERVAL_MIN);
                        self.sites[index].due = next.max(soonest);
                    }
                    Err(error) => {
                        notice::error(format_args!("{}: {error}", self.sites[index].site));
                        round.has_failed = true;
                        self.sites[index].due = SystemClock.now().after(PAUSE_AFTER_ERROR);
                    }
                }
            }
        }
        Ok(round)
    }

    /// Waits until a site is due.
    pub(super) fn wait(&self) {
        let next = self.sites.iter().map(|watched| watched.due).min();
        let now = SystemClock.now();
        let length = next.map_or(INTERVAL_MIN, |next| next.since(now));
        // A clock that is set is noticed after a minute.
        thread::sleep(length.clamp(Duration::from_millis(100), Duration::from_secs(60)));
    }

    fn compare(
        &mut self,
        index: usize,
        before: Option<&SeenRules>,
        report: &FetchReport,
        deliveries: &Deliveries<'_>,
    ) -> Result<Round, Box<dyn Error>> {
        let after = SeenRules::of(&report.answer);
        let time = SystemClock.now();
        self.sites[index].compared_at = Some(time);
        let mut round = Round::default();
        let outcome = match &report.knowledge.last {
            Some(last) => last.outcome.to_string(),
            None => String::new(),
        };
        // A site that was never seen has not changed.
        if let Some(before) = before {
            let is_other = before.stance != after.stance || !before.has_same_octets(&after);
            let stances = [Some(before.stance), Some(after.stance)];
            let event = |comparison| WatchEvent {
                kind: WatchEventKind::Changed,
                time,
                site: &self.sites[index].site,
                stances,
                outcome: outcome.clone(),
                comparison,
            };
            let files = before.rules().zip(after.rules()).filter(|_| is_other);
            let crawlers = files.as_ref().map(|(old, new)| crawlers_of([old, new]));
            let comparison = match (files, &crawlers) {
                (Some((old, new)), Some(crawlers)) => Some(comparison(old, new, crawlers)?),
                _ => None,
            };
            let means_other = comparison
                .as_ref()
                .is_some_and(|it| it.is_same() != Some(true));
            if before.stance != after.stance || means_other {
                round.has_changed = true;
                round.has_failed |= !deliveries.deliver(&event(comparison.as_ref()))?;
            }
        }
        if self.file.is_some() {
            let held = self.hold_to_file(index, &after, &outcome, deliveries)?;
            round.has_changed |= held.has_changed;
            round.has_failed |= held.has_failed;
        }
        Ok(round)
    }

    /// Says when what is served begins to mean something else than the file, and when that ends.
    fn hold_to_file(
        &mut self,
        index: usize,
        after: &SeenRules,
        outcome: &str,
        deliveries: &Deliveries<'_>,
    ) -> Result<Round, Box<dyn Error>> {
        let mut round = Round::default();
        let file = self.file.clone().unwrap_or_default();
        let file = RobotsTxt::parse(file, self.profile.reading);
        // Without rules, as while a site is down, there is nothing to compare: that is a change of
        // its own.
        let Some(served) = after.rules() else {
            return Ok(round);
        };
        let crawlers = crawlers_of([&file, &served]);
        let comparison = comparison(file, served, &crawlers)?;
        let watched = &mut self.sites[index];
        let agrees = comparison.is_same() == Some(true);
        let before = watched.agrees.replace(agrees).unwrap_or(true);
        if agrees == before {
            round.has_changed = !agrees;
            return Ok(round);
        }
        let kind = if agrees {
            WatchEventKind::AgreesWithFile
        } else {
            WatchEventKind::DiffersFromFile
        };
        round.has_changed = true;
        round.has_failed = !deliveries.deliver(&WatchEvent {
            kind,
            time: SystemClock.now(),
            site: &watched.site,
            stances: [None, Some(after.stance)],
            outcome: outcome.to_owned(),
            comparison: Some(&comparison),
        })?;
        Ok(round)
    }
}

fn comparison(
    old: RobotsTxt,
    new: RobotsTxt,
    crawlers: &[verger_answer::ResolvedCrawler],
) -> Result<FileComparison<'_>, Box<dyn Error>> {
    Ok(FileComparison::of(old, new, crawlers, Budget::default())?)
}
