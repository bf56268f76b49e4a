//! How a site serves its robots.txt, also under its other names and to crawlers.

use std::error::Error;
use std::fmt;

use verger_access::{Authority, stated_lifetime};
use verger_client::{FetchReport, Fetched};
use verger_lint::{OtherFetch, ServedFetch, other_names_of};

use crate::screen::message::Message;
use crate::screen::notice;
use crate::sources::site_client::SiteClient;

pub(super) fn served_fetch(fetched: &Fetched) -> ServedFetch {
    let attempt = &fetched.attempt;
    let headers = fetched.headers.iter();
    let headers = headers.map(|(name, value)| (name.to_string(), value.as_bytes().to_vec()));
    // The lint is about the stated lifetime, not about what is left of it after caches on the way.
    let mut without_age = fetched.headers.clone();
    without_age.remove("age");
    ServedFetch {
        hops: attempt.hops.clone(),
        outcome: attempt.last.outcome,
        headers: headers.collect(),
        stated_lifetime: stated_lifetime(&without_age, attempt.last.at),
    }
}

/// Returns the result of another request. If nothing was fetched, returns `None` and prints a note.
fn other_fetch(name: &str, report: Result<FetchReport, impl fmt::Display>) -> Option<OtherFetch> {
    let fetched = match report {
        Ok(report) => report.fetched,
        Err(error) => {
            notice::note(Message::from_text(format_args!(
                "{name} was not checked: {error}"
            )));
            return None;
        }
    };
    let attempt = &fetched?.attempt;
    let body = attempt.copy.as_ref().map(|copy| copy.body.to_vec());
    Some(OtherFetch {
        name: name.to_owned(),
        outcome: attempt.last.outcome,
        body,
    })
}

pub(super) fn fetch_variants(
    site: &Authority,
    sites: &mut SiteClient<'_>,
) -> Result<Vec<OtherFetch>, Box<dyn Error>> {
    let variants = other_names_of(site);
    let reports = sites.fetch_all(&variants)?;
    let answered = variants.iter().zip(reports);
    let answered =
        answered.filter_map(|(variant, report)| other_fetch(variant.robots_url().as_str(), report));
    Ok(answered.collect())
}

/// Fetches the site with each User-Agent, one after another.
pub(super) fn fetch_as(
    site: &Authority,
    user_agents: &[[String; 2]],
    sites: &mut SiteClient<'_>,
) -> Vec<OtherFetch> {
    let answered = user_agents.iter().filter_map(|[name, header]| {
        let report = sites.fetch_as(site, header);
        other_fetch(name, report)
    });
    answered.collect()
}
