use super::chain::{Copy, Seen};
use super::profile::{ProfileName, Treatment};

const DAY: u64 = 24 * 60 * 60;

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// `rules`, `open`, `closed`, `copy` or `defer`.
    pub stance: String,
    /// How the last attempt ended, if there was one.
    pub outcome: Option<String>,
    /// When to fetch the authority again.
    pub ask_again: u64,
    /// The body whose rules decide.
    pub body: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Knowledge {
    pub(super) last: Option<Seen>,
    pub(super) copy: Option<Copy>,
    /// When the failures in a row began, and how many there are.
    failures: Option<(u64, u32)>,
}

impl Knowledge {
    pub(super) fn record(&mut self, seen: Seen, profile: ProfileName) {
        if !seen.end.is_about_the_site() {
            self.last = Some(seen);
            return;
        }
        match profile.treatment(&seen.end) {
            Treatment::Rules => {
                self.copy.clone_from(&seen.copy);
                self.failures = None;
            }
            Treatment::Open | Treatment::Closed => {
                self.copy = None;
                self.failures = None;
            }
            Treatment::OpenOrYoungCopy => {
                let copy = self.copy.take();
                self.copy = copy.filter(|copy| copy.is_younger_than(DAY, seen.at));
                self.failures = None;
            }
            Treatment::Unreachable => {
                let (first, count) = self.failures.unwrap_or((seen.at, 0));
                // "A clock that goes back never lengthens […] an outage": V-70.
                self.failures = Some((first.min(seen.at), count + 1));
            }
        }
        self.last = Some(seen);
    }

    /// Returns the answer of `profile`. The last attempt is valid for `hold` if given, for 24 hours
    /// if it failed, or else for the profile's lifetime. After that, or before the attempt, nothing
    /// is known.
    pub(super) fn told(&self, profile: ProfileName, hold: Option<u64>, now: u64) -> Told {
        let Some(last) = &self.last else {
            return Told {
                stance: "defer".to_owned(),
                outcome: None,
                ask_again: now,
                body: None,
            };
        };
        let treatment = profile.treatment(&last.end);
        let lifetime = |stated| hold.unwrap_or_else(|| profile.lifetime(stated));
        let (speaks_for, asked_after) = match treatment {
            Treatment::Unreachable => {
                let (_, count) = self.failures.unwrap_or((last.at, 1));
                let wait = profile.wait(count, &last.end, last.retry_after);
                (hold.unwrap_or(DAY), wait)
            }
            _ => (lifetime(last.stated), lifetime(last.stated)),
        };
        let is_known = last.at <= now && now < last.at + speaks_for;
        let copy = self.copy.as_ref();
        let is_young = copy.is_some_and(|copy| copy.is_younger_than(DAY, now));
        let stance = match treatment {
            _ if !is_known => "defer",
            Treatment::Rules => "rules",
            Treatment::OpenOrYoungCopy if is_young => "copy",
            Treatment::Open | Treatment::OpenOrYoungCopy => "open",
            Treatment::Closed => "closed",
            Treatment::Unreachable => {
                // An attempt that says nothing about the site cannot prolong its outage.
                let lasted = match self.failures {
                    Some((first, _)) if last.end.is_about_the_site() => last.at - first,
                    _ => 0,
                };
                let is_fresh = copy.map(|copy| copy.is_younger_than(lifetime(copy.stated), now));
                profile.while_unreachable(lasted, is_fresh)
            }
        };
        let has_rules = matches!(stance, "rules" | "copy");
        let ask_again = if now < last.at {
            now
        } else {
            last.at + asked_after
        };
        Told {
            stance: stance.to_owned(),
            outcome: Some(last.end.code()),
            ask_again,
            body: copy.filter(|_| has_rules).map(|copy| copy.content.text()),
        }
    }
}
