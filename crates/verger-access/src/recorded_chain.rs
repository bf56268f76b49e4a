//! `RecordedChain`: what a chain that was fetched under one profile says to another.

use core::time::Duration;

use http::HeaderValue;

use crate::attempt::{Hop, LastAttempt};
use crate::authority::Authority;
use crate::freshness::ConditionalRequests;
use crate::outcome::{Outcome, RedirectEnd, Reply};
use crate::profile::Profile;
use crate::redirect::{NextHop, location, next_hop};

/// The requests of one ended attempt, as a history keeps them.
#[derive(Clone, Copy, Debug)]
pub struct RecordedChain<'r> {
    /// Whose robots.txt was asked for.
    pub authority: &'r Authority,
    /// Every request and its reply, in order.
    pub hops: &'r [Hop],
    /// What became of the attempt.
    pub last: LastAttempt,
    /// The `Location` fields of the last response; none where they are not known any more.
    pub locations: &'r [&'r HeaderValue],
}

impl RecordedChain<'_> {
    /// Returns how the attempt would have ended under `profile`, whose rules judge redirect by
    /// redirect, as they do in a fetch; `None` where only a fetch of its own tells:
    ///
    /// - It would have gone on where the recorded attempt ended.
    /// - It would have asked about a URL on the way. What that URL's own authority said then, and
    ///   what follows from it under `profile`, the chain does not tell.
    /// - It would have come to an address that the one that recorded refused.
    /// - The attempt ended with an unasked 304, and under `profile` it might have been asked for.
    ///
    /// Where it would have ended earlier, what the response there stated about time is not known:
    /// the lifetime counts as the least, and no wait as stated. The attempt has a body only where
    /// its outcome is as recorded.
    #[must_use]
    pub fn ended_under(&self, profile: &Profile) -> Option<LastAttempt> {
        for asked in 1..self.hops.len() {
            let (before, behind) = self.hops.split_at(asked);
            match next_hop(&profile.redirects, self.authority, before, &behind[0].url) {
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

    /// Judges the redirect that the attempt ended with.
    fn last_redirect(&self, end: RedirectEnd, profile: &Profile) -> Option<LastAttempt> {
        match end {
            // They lead nowhere under any profile.
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
            | RedirectEnd::DisallowedHop => {}
        }
        let hop = self.hops.last()?;
        let Some(Reply::Http(status)) = hop.reply else {
            return None;
        };
        let url = location(status, self.locations.iter().copied(), &hop.url).ok()?;
        match next_hop(&profile.redirects, self.authority, self.hops, &url) {
            NextHop::Fetch | NextHop::Ask => None,
            // The same response ends it, whatever for.
            NextHop::None(end) => Some(LastAttempt {
                outcome: Outcome::Redirect(end),
                ..self.last
            }),
        }
    }
}
