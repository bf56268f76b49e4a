use std::collections::BTreeMap;

use super::chain::{Attempt, Copy, Next, Seen, Step, next};
use super::end::{End, RedirectEnd};
use super::generator::NEVER_CAPTURED;
use super::history::{Event, Question};
use super::knowledge::{Knowledge, Told};
use super::profile::ProfileName;
use super::web::{Content, Page, Range, Reply, Site, Stated};
use crate::scenario::FetchWhen;

/// Answers questions about a changing web, under profiles that share their attempts.
#[derive(Clone, Debug, Default)]
pub struct AccessOracle {
    web: BTreeMap<Page, Reply>,
    attempts: BTreeMap<Site, Vec<Attempt>>,
    /// The knowledge from refused addresses, which each profile keeps for itself.
    refused: BTreeMap<(Site, &'static str), Knowledge>,
    requests: Vec<String>,
    /// Set if captures answer. They keep no lifetimes and no validators.
    captures: Option<Captures>,
}

#[derive(Clone, Copy, Debug)]
struct Captures {
    hold: Option<u64>,
}

/// How a fetch treats hops that need a check.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hops {
    AskedAbout,
    Followed,
}

impl AccessOracle {
    /// Creates an oracle that answers from captures, which keep only what each request found.
    /// `hold` replaces lifetimes.
    #[must_use]
    pub fn of_captures(hold: Option<u64>) -> Self {
        Self {
            captures: Some(Captures { hold }),
            ..Self::default()
        }
    }

    /// Applies the changes, answers the question, and returns the answer with the URLs requested
    /// for it, in order.
    pub fn event(&mut self, event: &Event) -> (Told, Vec<String>) {
        for change in &event.changes {
            self.web.insert(change.page.clone(), change.reply.clone());
        }
        let Question {
            site,
            profile,
            fetch,
        } = event.question;
        let now = event.at;
        let known = match fetch {
            FetchWhen::Never => self.known_until(site, profile, now),
            FetchWhen::Due | FetchWhen::Always => {
                let known = self.known_still(site, profile, now);
                let is_due = || self.told(&known, profile, now).ask_again <= now;
                if self.captures.is_some() {
                    self.capture(site, profile, now)
                } else if fetch == FetchWhen::Always || is_due() {
                    let (attempt, _) = self.fetch(site, profile, now, Hops::AskedAbout);
                    self.keep(site, attempt)
                } else {
                    known
                }
            }
        };
        let told = self.told(&known, profile, now);
        (told, std::mem::take(&mut self.requests))
    }

    fn told(&self, known: &Knowledge, profile: ProfileName, now: u64) -> Told {
        known.told(profile, self.captures.and_then(|it| it.hold), now)
    }

    /// Returns what all attempts until `now` say, without refusals, as a store or captures would.
    fn known_until(&self, site: Site, profile: ProfileName, now: u64) -> Knowledge {
        let mut known = Knowledge::default();
        let attempts = self.attempts.get(&site).map_or(&[][..], Vec::as_slice);
        // A clock may have gone back since. The later of two attempts at one time is in force.
        let ended = attempts.iter().enumerate();
        let ended = ended.filter(|(_, attempt)| attempt.seen.at <= now);
        let in_force = ended.max_by_key(|(_, attempt)| attempt.seen.at);
        let until = in_force.map_or(0, |(place, _)| place + 1);
        let seen = attempts[..until].iter();
        let seen: Vec<Seen> = seen.filter_map(|it| it.seen_by(profile, site)).collect();
        // The newest attempt that the profile judges must have ended as well.
        let last = seen.iter().rposition(|seen| seen.at <= now);
        for seen in seen.into_iter().take(last.map_or(0, |last| last + 1)) {
            known.record(seen, profile);
        }
        known
    }

    /// Captures everything on the way to the robots.txt of `site`. Each robots.txt on the way is
    /// also captured for its own site.
    fn capture(&mut self, site: Site, by: ProfileName, now: u64) -> Knowledge {
        let (mut found, mut left) = (Vec::new(), vec![site]);
        while let Some(site) = left.pop() {
            if found.contains(&site) {
                continue;
            }
            found.push(site);
            let (attempt, _) = self.fetch(site, by, now, Hops::Followed);
            let pages = attempt.steps.iter().map(|step| &step.page);
            left.extend(
                pages
                    .filter(|it| it.path == "/robots.txt")
                    .map(|it| it.site),
            );
            self.keep(site, attempt);
        }
        self.known(site, by)
    }

    /// Returns what is known without a fetch. A refusal takes precedence while it is valid.
    fn known_still(&self, site: Site, profile: ProfileName, now: u64) -> Knowledge {
        let refused = self.refused.get(&(site, profile.as_str()));
        match refused.filter(|known| self.told(known, profile, now).ask_again > now) {
            Some(known) => known.clone(),
            None => self.known(site, profile),
        }
    }

    /// Returns what all attempts say, or a refusal unless an attempt is newer.
    fn known(&self, site: Site, profile: ProfileName) -> Knowledge {
        let mut known = Knowledge::default();
        for attempt in self.attempts.get(&site).into_iter().flatten() {
            if let Some(seen) = attempt.seen_by(profile, site) {
                known.record(seen, profile);
            }
        }
        let last_at = |known: &Knowledge| known.last.as_ref().map(|last| last.at);
        match self.refused.get(&(site, profile.as_str())) {
            // It changes neither the copy nor the failures.
            Some(refused) if last_at(refused) >= last_at(&known) => {
                known.last.clone_from(&refused.last);
                known
            }
            _ => known,
        }
    }

    /// Keeps an attempt for all profiles, or only for the refused one.
    fn keep(&mut self, site: Site, attempt: Attempt) -> Knowledge {
        let of = (site, attempt.by.as_str());
        let mut known = self.known(site, attempt.by);
        known.record(attempt.seen.clone(), attempt.by);
        if attempt.seen.end.is_about_the_site() {
            self.refused.remove(&of);
            self.attempts.entry(site).or_default().push(attempt);
        } else {
            self.refused.insert(of, known.clone());
        }
        known
    }

    /// Fetches. Also returns whether a hop that needed a check was followed unchecked.
    fn fetch(&mut self, site: Site, by: ProfileName, at: u64, hops: Hops) -> (Attempt, bool) {
        let copy = self.known(site, by).copy;
        let mut steps: Vec<Step> = Vec::new();
        let mut page = site.robots();
        let mut is_followed_unasked = false;
        let (end, copy) = loop {
            self.requests.push(page.to_string());
            let reply = self.web.get(&page).cloned();
            let reply = reply.unwrap_or(match self.captures {
                Some(_) => NEVER_CAPTURED,
                None => Reply::Failure("dns"),
            });
            let sends_conditions = by.sends_conditions() && self.captures.is_none();
            let conditional = copy
                .as_ref()
                .filter(|copy| sends_conditions && copy.page == page && copy.etag.is_some());
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
        let stated = match self.captures {
            Some(_) => Stated::default(),
            None => steps[steps.len() - 1].reply.stated(),
        };
        let copy = copy.map(|copy: Copy| Copy {
            stated: copy.stated.filter(|_| self.captures.is_none()),
            ..copy
        });
        let of_copy = copy.as_ref().and_then(|copy| copy.stated);
        let seen = Seen {
            at,
            end,
            stated: stated.max_age.or(of_copy),
            retry_after: stated.retry_after,
            copy,
        };
        (Attempt { by, steps, seen }, is_followed_unasked)
    }

    /// Decides whether the page's own authority disallows it by a rule.
    fn disallows(&mut self, page: &Page, by: ProfileName, at: u64) -> bool {
        let mut known = self.known_still(page.site, by, at);
        if self.told(&known, by, at).ask_again <= at {
            let (attempt, is_followed_unasked) = self.fetch(page.site, by, at, Hops::Followed);
            // An unchecked result is not kept as the authority's answer.
            if is_followed_unasked {
                known = self.known(page.site, by);
                known.record(attempt.seen, by);
            } else {
                known = self.keep(page.site, attempt);
            }
        }
        let told = self.told(&known, by, at);
        let rules = known.copy.filter(|_| told.body.is_some());
        rules.is_some_and(|copy| copy.content.disallows(&page.path))
    }
}

type Ended = (End, Option<Copy>);

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
        Reply::Status { status, page, .. }
            if page.says_not_found && says_so_of_no_pause(*status, reply) =>
        {
            (End::NotFoundPage(*status), None)
        }
        Reply::Status { status, .. } => (End::Error(*status), None),
        Reply::NotModified { stated } => match conditional {
            Some(copy) => (
                success(304, &copy.content),
                Some(renewed(copy, stated.max_age)),
            ),
            None => (End::Redirect(RedirectEnd::UnaskedNotModified), None),
        },
        Reply::File {
            range: Range::Part | Range::OfUnknown,
            etag,
            ..
        } if conditional.is_none_or(|copy| copy.etag != *etag) => (End::Part, None),
        Reply::File {
            status,
            content,
            etag,
            stated,
            ..
        } => {
            if let Some(copy) = conditional.filter(|copy| copy.etag == *etag) {
                let end = success(304, &copy.content);
                return Ok((end, Some(renewed(copy, stated.max_age))));
            }
            let copy = Copy {
                page: page.clone(),
                content: content.clone(),
                etag: etag.clone(),
                validated_at: at,
                stated: stated.max_age,
            };
            (success(*status, content), Some(copy))
        }
    })
}

fn success(status: u16, content: &Content) -> End {
    let why = content.illegible();
    why.map_or(End::Success(status), |why| End::Illegible(why, status))
}

/// Returns `true` if a page that says "not found" matters: on a 5xx other than 503 without
/// `Retry-After`.
fn says_so_of_no_pause(status: u16, reply: &Reply) -> bool {
    (500..=599).contains(&status) && status != 503 && reply.stated().retry_after.is_none()
}
