//! `RecordedChain`: how a redirect chain that was fetched under one profile ends under another.

use core::time::Duration;

use http::HeaderValue;

use crate::attempt::{Hop, LastAttempt};
use crate::authority::Authority;
use crate::freshness::ConditionalRequests;
use crate::outcome::{Outcome, RedirectEnd, Reply};
use crate::profile::Profile;
use crate::redirect::{NextHop, location, next_hop};

/// The requests of an ended attempt, as a store keeps them.
#[derive(Clone, Copy, Debug)]
pub struct RecordedChain<'r> {
    /// The authority whose robots.txt was fetched.
    pub authority: &'r Authority,
    /// Every request and its reply, in order.
    pub hops: &'r [Hop],
    /// How the attempt ended.
    pub last: LastAttempt,
    /// The `Location` fields of the last response, or empty if unknown.
    pub locations: &'r [&'r HeaderValue],
}

impl RecordedChain<'_> {
    /// Returns how the attempt would have ended under `profile`, whose rules judge each redirect as in a fetch. Returns
    /// `None` if only a fetch can tell:
    ///
    /// - `profile` would have followed a redirect when the recorded attempt ended.
    /// - `profile` would have asked about a URL of the chain, which does not record the answer.
    /// - The attempt ended at an address that the client refused, and another client may not refuse it.
    /// - The attempt ended with an unasked 304, and under `profile` the request might have been conditional.
    ///
    /// If the attempt would have ended earlier, the headers of that response are unknown. Its lifetime counts as zero,
    /// and
    /// `Retry-After` as missing. The attempt has a body only if its outcome is as recorded.
    #[must_use]
    pub fn ended_under(&self, profile: &Profile) -> Option<LastAttempt> {
        for asked in 1..self.hops.len() {
            let (before, after) = self.hops.split_at(asked);
            match next_hop(&profile.redirects, self.authority, before, &after[0].url) {
                NextHop::Fetch => {}
                NextHop::Ask => return None,
                NextHop::None(end) => {
                    return Some(LastAttempt {
                        at: self.last.at,
                        outcome: Outcome::Redirect(end),
                        stated_lifetime: Some(Duration::ZERO),
                        retry_after: None,
                    });
                }
            }
        }
        match self.last.outcome {
            Outcome::Redirect(end) => self.last_redirect(end, profile),
            // A refused address says nothing about the site.
            outcome => outcome.is_about_the_site().then_some(self.last),
        }
    }

    /// Returns whether `profile` asks about a URL of the chain before it follows a redirect
    /// ([`DisallowedHops::Asked`](crate::DisallowedHops::Asked)), or whether the chain ended at a disallowed URL. If
    /// so, the attempt is valid only for the crawler for which it was made, because the rules for another crawler may
    /// differ. G-3xx-2.
    ///
    /// `last` must be the end under `profile`. A profile that ends the chain before the disallowed URL does not ask.
    #[must_use]
    pub fn asks_about_hop(&self, profile: &Profile) -> bool {
        for asked in 1..self.hops.len() {
            let (before, after) = self.hops.split_at(asked);
            match next_hop(&profile.redirects, self.authority, before, &after[0].url) {
                NextHop::Fetch => {}
                NextHop::Ask => return true,
                NextHop::None(_) => return false,
            }
        }
        self.last.outcome == Outcome::Redirect(RedirectEnd::DisallowedHop)
    }

    fn last_redirect(&self, end: RedirectEnd, profile: &Profile) -> Option<LastAttempt> {
        match end {
            // No profile follows these redirects.
            RedirectEnd::NoLocation
            | RedirectEnd::BadLocation
            | RedirectEnd::OtherScheme
            | RedirectEnd::BadPort => {
                return Some(self.last);
            }
            RedirectEnd::UnaskedNotModified => {
                let conditions = profile.freshness.conditional_requests;
                return (conditions == ConditionalRequests::NotSent).then_some(self.last);
            }
            RedirectEnd::TooMany
            | RedirectEnd::Loop
            | RedirectEnd::OtherHost
            | RedirectEnd::Downgrade
            | RedirectEnd::DisallowedHop
            | RedirectEnd::Overridden => {}
        }
        let hop = self.hops.last()?;
        let Some(Reply::Http(status)) = hop.reply else {
            return None;
        };
        let url = location(status, self.locations.iter().copied(), &hop.url).ok()?;
        match next_hop(&profile.redirects, self.authority, self.hops, &url) {
            NextHop::Fetch | NextHop::Ask => None,
            // The same response ends it, perhaps for another reason.
            NextHop::None(end) => Some(LastAttempt {
                outcome: Outcome::Redirect(end),
                ..self.last
            }),
        }
    }
}
