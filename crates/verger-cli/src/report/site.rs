//! Facts about a site: its robots.txt, its last fetch, and its history.

use std::error::Error;

use verger::Crawler;
use verger_access::{Authority, Hop, Profile, Timestamp, Warning};
use verger_answer::AuthorityLookup;
use verger_client::{Asking, Clock as _, SystemClock, state_of_report, state_of_stored};
use verger_page::{SiteFacts, SiteHistory};
use verger_store::{Store, in_force_at};

use crate::arguments::fetch::FetchArguments;
use crate::check::when::When;

/// Looks a site up on the web or in the store.
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
    let started = fetching.start(profile.clone(), &[&Crawler::unnamed()], Some(authority))?;
    let store = &*started.store.store;
    let reports = started.report_many(std::slice::from_ref(authority), asking);
    let report = reports.into_iter().next();
    let report = report.ok_or("the site was not looked up")??;
    let at = SystemClock.now();
    let attempt = report.fetched.as_ref().map(|fetched| &fetched.attempt);
    let (hops, warnings) = match attempt {
        Some(attempt) => (attempt.hops.clone(), attempt.warnings.clone()),
        None if report.answer.is_overridden() => Default::default(),
        None => last_attempt(store, authority, at),
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
        // If the store fails there is no history, and the lookup says why nothing is stored.
        history: SiteHistory::read(store, authority, profile, at).unwrap_or_default(),
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
    let store = fetching.find_store()?;
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
    let Some(store) = store else {
        return Ok(site);
    };
    if let Some(standing) = in_force_at(&*store, authority, profile, at)? {
        site.hops.clone_from(&standing.evidence.hops);
        site.warnings.clone_from(&standing.evidence.warnings);
        site.lookup.state = state_of_stored(standing);
    }
    site.history = SiteHistory::read(&*store, authority, profile, at)?;
    Ok(site)
}
