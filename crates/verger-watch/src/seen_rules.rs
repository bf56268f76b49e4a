use std::sync::Arc;

use verger::{Reading, RobotsTxt};
use verger_access::{Profile, Stance, Timestamp};
use verger_store::{BodyHash, Delivery};

use crate::site_fetcher::FetchedSite;

/// A site's robots.txt as a profile interprets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SeenRules {
    pub(crate) stance: Stance,
    /// The body whose rules apply, or `None` if the stance has no rules.
    pub(crate) body: Option<Arc<[u8]>>,
    /// Whether the first phase of an outage is over.
    pub(crate) is_overdue: bool,
}

/// The end of the stored text of an overdue state.
const OVERDUE: &str = " overdue";

impl SeenRules {
    pub(crate) fn of(fetched: &FetchedSite, profile: &Profile) -> Self {
        let outage = fetched.unreachable_since.map(|it| fetched.at.since(it));
        Self {
            stance: fetched.answer.stance(),
            body: fetched.answer.body().cloned(),
            is_overdue: outage.is_some_and(|it| it >= profile.outage.early_until),
        }
    }

    /// Returns what a receiver was told, or `None` if the stored text is not understood.
    pub(crate) fn delivered(delivery: &Delivery) -> Option<Self> {
        let stance = delivery.state.strip_suffix(OVERDUE);
        let mut told = Self {
            stance: stance.unwrap_or(&delivery.state).parse().ok()?,
            body: delivery.body.clone(),
            is_overdue: stance.is_some(),
        };
        if !told.has_rules() {
            told.body = None;
        }
        Some(told)
    }

    /// Returns the last state with rules that a receiver was told, or `None` if the site was closed
    /// when it was first seen.
    pub(crate) fn delivered_rules(delivery: &Delivery) -> Option<Self> {
        let told = Self::delivered(delivery)?;
        if told.has_rules() {
            return Some(told);
        }
        let body = delivery.body.clone()?;
        let (stance, body) = if body.is_empty() {
            (Stance::Open, None)
        } else {
            (Stance::Rules, Some(body))
        };
        Some(Self {
            stance,
            body,
            is_overdue: false,
        })
    }

    /// Returns the body to store with the state after `last`. A state without rules keeps the rules of
    /// the one before, as a body that is empty if everything was allowed.
    pub(crate) fn body_after(&self, last: &Delivery) -> Option<Arc<[u8]>> {
        if self.has_rules() {
            return self.body.clone();
        }
        let rules = Self::delivered_rules(last)?;
        Some(rules.body.unwrap_or_default())
    }

    /// Returns the entry for a receiver that was told this state. `body` is that of [`SeenRules::body_after`].
    pub(crate) fn delivery(
        &self,
        event: String,
        at: Timestamp,
        body: Option<Arc<[u8]>>,
    ) -> Delivery {
        Delivery {
            event,
            at,
            state: self.state(),
            body,
        }
    }

    /// Returns the stored text: the stance, and whether an outage is overdue.
    fn state(&self) -> String {
        let overdue = if self.is_overdue { OVERDUE } else { "" };
        format!("{}{overdue}", self.stance)
    }

    /// Returns false if everything is disallowed without rules.
    pub(crate) fn has_rules(&self) -> bool {
        matches!(self.stance, Stance::Rules | Stance::Copy | Stance::Open)
    }

    /// Returns the rules, or `None` if everything is disallowed without rules.
    pub(crate) fn rules(&self, reading: Reading) -> Option<RobotsTxt> {
        let body = self.body.as_deref().unwrap_or_default();
        self.has_rules().then(|| RobotsTxt::parse(body, reading))
    }

    /// Returns the id of the event after `before`. The same history yields the same id, and a
    /// change back yields a new one.
    pub(crate) fn id_after(&self, what: &str, before: &str) -> String {
        let body = self.body.as_ref().map(|body| BodyHash::new(body));
        let body = body.map_or_else(|| "-".to_owned(), |hash| hash.to_string());
        let text = format!("{what}\n{before}\n{}\n{body}\n", self.state());
        let mut id = BodyHash::new(text.as_bytes()).to_string();
        id.truncate(ID_DIGITS);
        id
    }
}

/// Length of an id: 128 bits of a hash.
const ID_DIGITS: usize = 32;
