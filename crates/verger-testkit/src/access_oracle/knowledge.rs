//! What a profile knows of an authority, and what it makes of it.

use super::chain::{Copy, Seen};
use super::profile::{ProfileName, Treatment};

const DAY: u64 = 24 * 60 * 60;

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// `rules`, `open`, `closed`, `copy` or `defer`.
    pub stance: String,
    /// What became of the last attempt; `None` where there was none.
    pub outcome: Option<String>,
    /// When the authority is to be asked again.
    pub ask_again: u64,
    /// The body whose rules decide.
    pub body: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Knowledge {
    pub(super) last: Option<Seen>,
    pub(super) copy: Option<Copy>,
    /// When the first failure in a row was, and how many there are.
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
                self.copy = copy.filter(|copy| seen.at < copy.validated_at + DAY);
                self.failures = None;
            }
            Treatment::Unreachable => {
                let (first, count) = self.failures.unwrap_or((seen.at, 0));
                self.failures = Some((first, count + 1));
            }
        }
        self.last = Some(seen);
    }

    pub(super) fn told(&self, profile: ProfileName, now: u64) -> Told {
        let Some(last) = &self.last else {
            return Told {
                stance: "defer".to_owned(),
                outcome: None,
                ask_again: now,
                body: None,
            };
        };
        let (stance, ask_again) = match profile.treatment(&last.end) {
            Treatment::Unreachable => {
                let (first, count) = self.failures.unwrap_or((last.at, 1));
                let wait = profile.wait(count, &last.end, last.retry_after);
                let is_fresh = self
                    .copy
                    .as_ref()
                    .map(|copy| now < copy.validated_at + profile.lifetime(copy.stated));
                (
                    profile.while_unreachable(now - first, is_fresh),
                    last.at + wait,
                )
            }
            treatment => {
                let until = last.at + profile.lifetime(last.stated);
                let young = |copy: &Copy| now < copy.validated_at + DAY;
                let stance = match treatment {
                    _ if now >= until => "defer",
                    Treatment::Rules => "rules",
                    Treatment::OpenOrYoungCopy if self.copy.as_ref().is_some_and(young) => "copy",
                    Treatment::Closed => "closed",
                    _ => "open",
                };
                (stance, until)
            }
        };
        let has_rules = matches!(stance, "rules" | "copy");
        let copy = self.copy.as_ref().filter(|_| has_rules);
        Told {
            stance: stance.to_owned(),
            outcome: Some(last.end.code()),
            ask_again,
            body: copy.map(|copy| copy.content.text()),
        }
    }
}
