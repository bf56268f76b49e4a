//! `AccessOracle`: asks a web that changes, as the documents say, and keeps everything.

use std::collections::BTreeMap;

use super::chain::{Attempt, Copy, Next, Seen, Step, next};
use super::end::{End, RedirectEnd};
use super::history::{Event, Question};
use super::knowledge::{Knowledge, Told};
use super::profile::ProfileName;
use super::web::{Page, Reply, Site};

/// Answers questions about a web that changes, under profiles that share what they have seen.
#[derive(Clone, Debug, Default)]
pub struct AccessOracle {
    web: BTreeMap<Page, Reply>,
    attempts: BTreeMap<Site, Vec<Attempt>>,
    requests: Vec<String>,
}

/// What a fetch does about hops that are to be asked about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hops {
    AskedAbout,
    Followed,
}

impl AccessOracle {
    /// Takes the changes of the web, asks, and returns the answer with the URLs that are requested
    /// for it, in order.
    pub fn event(&mut self, event: &Event) -> (Told, Vec<String>) {
        for change in &event.changes {
            self.web.insert(change.page.clone(), change.reply.clone());
        }
        let Question {
            site,
            profile,
            is_fetched_anyway,
        } = event.question;
        let now = event.at;
        let told = self.known(site, profile).told(profile, now);
        if is_fetched_anyway || told.ask_again <= now {
            let (attempt, _) = self.fetch(site, profile, now, Hops::AskedAbout);
            self.attempts.entry(site).or_default().push(attempt);
        }
        let told = self.known(site, profile).told(profile, now);
        (told, std::mem::take(&mut self.requests))
    }

    fn known(&self, site: Site, profile: ProfileName) -> Knowledge {
        let mut known = Knowledge::default();
        for attempt in self.attempts.get(&site).into_iter().flatten() {
            if let Some(seen) = attempt.seen_by(profile, site) {
                known.record(seen, profile);
            }
        }
        known
    }

    /// Fetches; also whether a hop was followed that was to be asked about.
    fn fetch(&mut self, site: Site, by: ProfileName, at: u64, hops: Hops) -> (Attempt, bool) {
        let copy = self.known(site, by).copy;
        let mut steps: Vec<Step> = Vec::new();
        let mut page = site.robots();
        let mut is_followed_unasked = false;
        let (end, copy) = loop {
            self.requests.push(page.to_string());
            let reply = self.web.get(&page).cloned();
            let reply = reply.unwrap_or(Reply::Failure("dns"));
            let conditional = copy
                .as_ref()
                .filter(|copy| by.sends_conditions() && copy.page == page && copy.etag.is_some());
            steps.push(Step {
                page: page.clone(),
                reply: reply.clone(),
            });
            let to = match reply_end(&page, &reply, conditional, at) {
                Ok(ended) => break ended,
                Err(to) => to,
            };
            page = match next(by, site, &steps, &to) {
                Next::Go(page) => page,
                Next::End(end) => break (End::Redirect(end), None),
                Next::Ask(page) => {
                    if hops == Hops::AskedAbout {
                        if self.disallows(&page, by, at) {
                            break (End::Redirect(RedirectEnd::DisallowedHop), None);
                        }
                    } else {
                        is_followed_unasked = true;
                    }
                    page
                }
            };
        };
        let stated = steps[steps.len() - 1].reply.stated();
        let of_copy = copy.as_ref().and_then(|copy: &Copy| copy.stated);
        let seen = Seen {
            at,
            end,
            stated: stated.max_age.or(of_copy),
            retry_after: stated.retry_after,
            copy,
        };
        (Attempt { by, steps, seen }, is_followed_unasked)
    }

    /// Whether a rule of a body that was read disallows the page, by its own authority.
    fn disallows(&mut self, page: &Page, by: ProfileName, at: u64) -> bool {
        let mut known = self.known(page.site, by);
        if known.told(by, at).ask_again <= at {
            let (attempt, is_followed_unasked) = self.fetch(page.site, by, at, Hops::Followed);
            known.record(attempt.seen.clone(), by);
            // What was found without asking is not kept as the answer of its authority.
            if !is_followed_unasked {
                self.attempts.entry(page.site).or_default().push(attempt);
            }
        }
        let told = known.told(by, at);
        let rules = known.copy.filter(|_| told.body.is_some());
        rules.is_some_and(|copy| {
            let paths = copy.disallowed.iter();
            paths.into_iter().any(|path| page.path.starts_with(&**path))
        })
    }
}

type Ended = (End, Option<Copy>);

/// How a reply ends an attempt, or where it leads.
fn reply_end(
    page: &Page,
    reply: &Reply,
    conditional: Option<&Copy>,
    at: u64,
) -> Result<Ended, super::web::Location> {
    let renewed = |copy: &Copy, stated: Option<u64>| Copy {
        validated_at: at,
        stated: stated.or(copy.stated),
        ..copy.clone()
    };
    Ok(match reply {
        Reply::Redirect { to, .. } => return Err(to.clone()),
        Reply::Failure(name) => (End::Failed(name), None),
        Reply::Status {
            status,
            says_not_found,
            ..
        } if *says_not_found && says_so_of_no_pause(*status, reply) => {
            (End::NotFoundPage(*status), None)
        }
        Reply::Status { status, .. } => (End::Error(*status), None),
        Reply::NotModified { stated } => match conditional {
            Some(copy) => (End::Success(304), Some(renewed(copy, stated.max_age))),
            None => (End::Redirect(RedirectEnd::UnaskedNotModified), None),
        },
        Reply::File {
            status,
            disallowed,
            etag,
            stated,
        } => {
            if let Some(copy) = conditional.filter(|copy| copy.etag == *etag) {
                return Ok((End::Success(304), Some(renewed(copy, stated.max_age))));
            }
            let copy = Copy {
                page: page.clone(),
                disallowed: disallowed.clone(),
                etag: etag.clone(),
                validated_at: at,
                stated: stated.max_age,
            };
            (End::Success(*status), Some(copy))
        }
    })
}

/// Whether a page that says "not found" counts: on a 5xx, but neither on a 503 nor beside a
/// `Retry-After`.
fn says_so_of_no_pause(status: u16, reply: &Reply) -> bool {
    (500..=599).contains(&status) && status != 503 && reply.stated().retry_after.is_none()
}
