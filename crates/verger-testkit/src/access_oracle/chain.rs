//! One attempt to fetch a robots.txt.

use super::end::{End, RedirectEnd};
use super::profile::ProfileName;
use super::web::{Content, LOCATION_KEPT_MAX, Location, Page, Reply, Site};

#[derive(Clone, Debug)]
pub(super) struct Copy {
    pub(super) page: Page,
    pub(super) content: Content,
    pub(super) etag: Option<String>,
    pub(super) validated_at: u64,
    pub(super) stated: Option<u64>,
}

impl Copy {
    /// Returns `true` if the copy is younger than `age`. A copy from the future is not.
    pub(super) fn is_younger_than(&self, age: u64, now: u64) -> bool {
        self.validated_at <= now && now < self.validated_at + age
    }
}

#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) page: Page,
    pub(super) reply: Reply,
}

#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) at: u64,
    pub(super) end: End,
    pub(super) stated: Option<u64>,
    pub(super) retry_after: Option<u64>,
    pub(super) copy: Option<Copy>,
}

#[derive(Clone, Debug)]
pub(super) struct Attempt {
    pub(super) by: ProfileName,
    pub(super) steps: Vec<Step>,
    pub(super) seen: Seen,
}

pub(super) enum Next {
    Go(Page),
    Ask(Page),
    End(RedirectEnd),
}

/// Decides what `profile` does about `to`, the redirect that answered the last of `steps`, on the
/// way to the robots.txt of `site`.
pub(super) fn next(profile: ProfileName, site: Site, steps: &[Step], to: &Location) -> Next {
    let page = match to {
        Location::Missing => return Next::End(RedirectEnd::NoLocation),
        Location::NoUrl => return Next::End(RedirectEnd::BadLocation),
        Location::OtherScheme(_) => return Next::End(RedirectEnd::OtherScheme),
        Location::Page(page) => page.clone(),
    };
    let leaves_https = steps.last().is_some_and(|it| it.page.site.is_https) && !page.site.is_https;
    if profile.stays_on_the_site() && leaves_https {
        return Next::End(RedirectEnd::Downgrade);
    }
    if profile.stays_on_the_site() && !page.site.is_near(site) {
        return Next::End(RedirectEnd::OtherHost);
    }
    if steps.iter().any(|step| step.page == page) {
        return Next::End(RedirectEnd::Loop);
    }
    let followed = steps.len() - 1;
    if followed == profile.redirects_followed() {
        return Next::End(RedirectEnd::TooMany);
    }
    let is_asked_about = page.path != "/robots.txt" && page.site != site;
    if profile.asks_about_hops() && is_asked_about {
        return Next::Ask(page);
    }
    Next::Go(page)
}

impl Attempt {
    /// Returns what the attempt tells `profile`, or `None` if only its own fetch could tell.
    pub(super) fn seen_by(&self, profile: ProfileName, site: Site) -> Option<Seen> {
        if self.by == profile {
            return Some(self.seen.clone());
        }
        // A refusal says nothing about the site.
        if !self.seen.end.is_about_the_site() {
            return None;
        }
        for number in 1..=self.steps.len() {
            let (steps, rest) = self.steps.split_at(number);
            let step = &steps[number - 1];
            let to = match &step.reply {
                Reply::Redirect { to, .. } => to,
                // The request may have had conditions, from a crawler that has a copy.
                Reply::NotModified { .. } if self.seen.copy.is_none() => {
                    return (!profile.sends_conditions()).then(|| self.seen.clone());
                }
                _ => return Some(self.seen.clone()),
            };
            let is_last = rest.is_empty();
            match next(profile, site, steps, to) {
                Next::Ask(_) => return None,
                Next::Go(_) if is_last => return None,
                Next::Go(_) => {}
                Next::End(end) => {
                    let is_kept = match to {
                        Location::Page(page) => page.to_string().len() <= LOCATION_KEPT_MAX,
                        _ => true,
                    };
                    if is_last && !is_kept {
                        return None;
                    }
                    return Some(Seen {
                        at: self.seen.at,
                        end: End::Redirect(end),
                        // The lifetime of an earlier response is not kept, so assume the least.
                        stated: if is_last { self.seen.stated } else { Some(0) },
                        retry_after: self.seen.retry_after.filter(|_| is_last),
                        copy: None,
                    });
                }
            }
        }
        None
    }
}
