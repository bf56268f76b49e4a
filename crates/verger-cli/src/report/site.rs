//! What is known about a site: its robots.txt, what happened to it, and its past.

use std::collections::VecDeque;
use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use verger::Crawler;
use verger_access::{Authority, Hop, Profile, Timestamp, Warning};
use verger_answer::{AuthorityLookup, LineChanges};
use verger_client::{Asking, Clock as _, Observer, SystemClock, state_of_report, state_of_stored};
use verger_page::{BodyChange, SiteFacts, SiteHistory};
use verger_store::{BodyHash, Store, StoreError, Timeline, knowledge_under};

use crate::check::when::When;
use crate::fetch_arguments::FetchArguments;
use crate::fetch_progress::FetchProgress;

/// How many slots of time the history has.
const SLOTS_MAX: u64 = 160;
/// How many changes of the body are shown, the last ones.
const CHANGES_MAX: usize = 10;
/// A comparison of two bodies ends after this time.
const COMPARISON_MAX: Duration = Duration::from_millis(500);

/// Looks a site up: asks it, or the store alone.
///
/// # Errors
///
/// Where an option cannot be used, or the store fails.
pub(super) fn look(
    authority: &Authority,
    fetching: &FetchArguments,
    profile: &Profile,
    when: When,
) -> Result<SiteFacts, Box<dyn Error>> {
    match when {
        When::Now => ask(authority, fetching, profile, Asking::WhereDue),
        When::Refreshed => ask(authority, fetching, profile, Asking::Now),
        When::Offline => look_back(authority, fetching, profile, SystemClock.now()),
        When::At(time) => look_back(authority, fetching, profile, time),
    }
}

fn ask(
    authority: &Authority,
    fetching: &FetchArguments,
    profile: &Profile,
    asking: Asking,
) -> Result<SiteFacts, Box<dyn Error>> {
    let unnamed = Crawler::unnamed();
    fetching.note_user_agent([&unnamed]);
    let store = fetching.open_store()?.store;
    let progress = Arc::new(FetchProgress::start());
    let observer = Arc::clone(&progress) as Arc<dyn Observer>;
    let shared = Arc::clone(&store);
    let client = fetching.client(profile.clone(), shared, &unnamed, observer)?;
    let asked = [authority.clone()];
    let reports = progress.during(|| client.report_many(&asked, asking));
    let report = reports.into_iter().next();
    let report = report.ok_or("the site was not looked up")??;
    let at = SystemClock.now();
    let attempt = report.fetched.as_ref().map(|fetched| &fetched.attempt);
    let (hops, warnings) = match attempt {
        Some(attempt) => (attempt.hops.clone(), attempt.warnings.clone()),
        None => last_attempt(&*store, authority, at),
    };
    Ok(SiteFacts {
        lookup: AuthorityLookup {
            authority: authority.clone(),
            profile: profile.name.to_string(),
            state: state_of_report(report),
        },
        at,
        hops,
        warnings,
        // A store that fails has no past; the lookup says why nothing is kept.
        history: history(&*store, authority, profile, at).unwrap_or_default(),
    })
}

fn last_attempt(
    store: &dyn Store,
    authority: &Authority,
    at: Timestamp,
) -> (Vec<Hop>, Vec<Warning>) {
    let state = store.state_at(authority, at).ok().flatten();
    let snapshot = state.map(|state| state.snapshot);
    snapshot.map_or_else(Default::default, |it| (it.hops, it.warnings))
}

fn look_back(
    authority: &Authority,
    fetching: &FetchArguments,
    profile: &Profile,
    at: Timestamp,
) -> Result<SiteFacts, Box<dyn Error>> {
    if fetching.has_no_store() {
        return Err("--no-store fetches, and --offline and --at do not: give a store".into());
    }
    let mut site = SiteFacts {
        lookup: AuthorityLookup {
            authority: authority.clone(),
            profile: profile.name.to_string(),
            state: None,
        },
        at,
        hops: Vec::new(),
        warnings: Vec::new(),
        history: None,
    };
    let Some(store) = fetching.store.find()? else {
        return Ok(site);
    };
    if let Some(standing) = knowledge_under(&store, authority, profile, at)? {
        site.hops.clone_from(&standing.snapshot.hops);
        site.warnings.clone_from(&standing.snapshot.warnings);
        site.lookup.state = state_of_stored(standing, profile, at);
    }
    site.history = history(&store, authority, profile, at)?;
    Ok(site)
}

/// What the store had at a time; only the bodies of the last changes are read.
fn history(
    store: &dyn Store,
    authority: &Authority,
    profile: &Profile,
    at: Timestamp,
) -> Result<Option<SiteHistory>, StoreError> {
    let until = at.after(Duration::from_secs(1));
    let during = Timestamp::default()..until;
    let mut last_changed = VecDeque::new();
    let timeline = Timeline::read(
        store,
        authority,
        during,
        (profile, SLOTS_MAX),
        |snapshot, before| -> Result<(), StoreError> {
            if let (Some(before), Some(now)) = (before, snapshot.body) {
                if last_changed.len() == CHANGES_MAX {
                    last_changed.pop_front();
                }
                last_changed.push_back((snapshot.attempt, before, now.hash));
            }
            Ok(())
        },
    )?;
    let Some(timeline) = timeline else {
        return Ok(None);
    };
    let mut changes = VecDeque::new();
    for (attempt, before, now) in last_changed {
        changes.push_back(BodyChange {
            at: attempt.at,
            outcome: attempt.outcome,
            lines: lines(store, before, now)?,
        });
    }
    Ok(Some(SiteHistory { timeline, changes }))
}

fn lines(
    store: &dyn Store,
    before: BodyHash,
    now: BodyHash,
) -> Result<Option<LineChanges>, StoreError> {
    let (Some(before), Some(now)) = (store.body(before)?, store.body(now)?) else {
        return Ok(None);
    };
    let deadline = Instant::now() + COMPARISON_MAX;
    Ok(Some(LineChanges::between(before, now, Some(deadline))))
}
