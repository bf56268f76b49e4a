//! `Answer`: the stance towards an authority and its reasons. `AnswerParts`: its serialized form.

use core::time::Duration;
use std::borrow::Cow;
use std::sync::Arc;

use verger::{Clause, Dialect, Reading, RobotsTxt, allocated_bytes};

use crate::access_result::AccessResult;
use crate::consequence::Consequence;
use crate::good_copy::GoodCopy;
use crate::missing::Missing;
use crate::profile::Profile;
use crate::retry::Jitter;
use crate::stance::Stance;
use crate::timestamp::Timestamp;

/// The clause of answers by an override.
pub(crate) const OVERRIDDEN: Clause = Clause::new("V-89");

/// Share of the lifetime that is left when an answer in use is refreshed.
const AHEAD_THOUSANDTHS: u64 = 100;

/// The stance towards an authority at a time, with the fact, the profile and the clauses that led to it, and the time
/// until which it is valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    parts: AnswerParts,
}

/// The parts of an [`Answer`], for programs that store answers in their own form. [`Answer`] has a method for each.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the methods of the answer say what they are")]
pub struct AnswerParts {
    pub access_result: Option<AccessResult>,
    pub access_result_clause: Clause,
    pub stance: Stance,
    pub clause: Clause,
    pub profile: Cow<'static, str>,
    pub reading: Reading,
    pub holds_until: Timestamp,
    pub ask_again_at: Timestamp,
    pub body: Option<Arc<[u8]>>,
    pub missing: Option<Missing>,
}

impl From<AnswerParts> for Answer {
    fn from(parts: AnswerParts) -> Self {
        Self { parts }
    }
}

impl Answer {
    /// Creates an answer that defers, until [`Answer::with_stance`] sets a stance.
    pub(crate) fn new(
        profile: &Profile,
        result: Option<AccessResult>,
        consequence: Consequence,
        ask_again_at: Timestamp,
    ) -> Self {
        Self::from(AnswerParts {
            access_result: result,
            access_result_clause: consequence.clause,
            stance: Stance::Defer,
            clause: consequence.clause,
            profile: profile.name.clone(),
            reading: profile.reading,
            holds_until: ask_again_at,
            ask_again_at,
            body: None,
            missing: None,
        })
    }

    /// Returns its parts.
    #[must_use]
    pub fn parts(&self) -> &AnswerParts {
        &self.parts
    }

    pub(crate) fn with_stance(mut self, stance: Stance, clause: Clause, until: Timestamp) -> Self {
        self.parts.stance = stance;
        self.parts.clause = clause;
        self.parts.holds_until = until;
        self
    }

    /// Returns the same answer, deferred because something is missing.
    pub(crate) fn deferred(mut self, missing: Missing, clause: Clause, until: Timestamp) -> Self {
        self.parts.missing = Some(missing);
        self.with_stance(Stance::Defer, clause, until)
    }

    pub(crate) fn with_body(mut self, copy: &GoodCopy) -> Self {
        self.parts.body = Some(Arc::clone(&copy.body));
        self
    }

    /// Returns the same answer without the body.
    pub(crate) fn without_body(&self) -> Self {
        Self::from(AnswerParts {
            body: None,
            ..self.parts.clone()
        })
    }

    /// Returns the body that decides, or `None` if it is missing. It is empty if the stance has no rules.
    pub(crate) fn deciding_body(&self) -> Option<&[u8]> {
        match (self.stance(), self.body()) {
            (_, Some(body)) => Some(body),
            (Stance::Rules | Stance::Copy, None) => None,
            (Stance::Open | Stance::Closed | Stance::Defer, None) => Some(b""),
        }
    }

    /// Returns how many bytes it takes on the heap without its body, which are those of a custom profile's name.
    pub(crate) fn heap_bytes(&self) -> usize {
        match &self.parts.profile {
            Cow::Borrowed(_) => 0,
            Cow::Owned(name) => allocated_bytes(name.capacity()),
        }
    }

    /// Returns the stance.
    #[must_use]
    pub fn stance(&self) -> Stance {
        self.parts.stance
    }

    /// Returns the fact that decided, or `None` before the first attempt has ended and for an override.
    #[must_use]
    pub fn access_result(&self) -> Option<AccessResult> {
        self.parts.access_result
    }

    /// Returns the clause that makes the outcome this access result.
    #[must_use]
    pub fn access_result_clause(&self) -> Clause {
        self.parts.access_result_clause
    }

    /// Returns the clause that requires or permits the stance.
    #[must_use]
    pub fn clause(&self) -> Clause {
        self.parts.clause
    }

    /// Returns whether an [`Override`](crate::Override) answers instead of the site's robots.txt. V-89.
    #[must_use]
    pub fn is_overridden(&self) -> bool {
        self.parts.clause == OVERRIDDEN
    }

    /// Returns the name of the profile that decided.
    #[must_use]
    pub fn profile(&self) -> &str {
        &self.parts.profile
    }

    /// Returns how the body is read and targets are prepared: the dialect and options of the profile.
    #[must_use]
    pub fn reading(&self) -> Reading {
        self.parts.reading
    }

    /// Returns the dialect of [`Answer::reading`].
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.parts.reading.dialect()
    }

    /// Returns the knowledge whose absence makes the stance defer, if any.
    #[must_use]
    pub fn missing(&self) -> Option<Missing> {
        self.parts.missing
    }

    /// Returns the first second in which the answer may change without a fetch. It is not later than the expiry of the
    /// last attempt. After a failure it is later than [`Answer::ask_again_at`]. If the answer defers because it has
    /// expired, it is in the past.
    #[must_use]
    pub fn holds_until(&self) -> Timestamp {
        self.parts.holds_until
    }

    /// Returns when to fetch the robots.txt again.
    #[must_use]
    pub fn ask_again_at(&self) -> Timestamp {
        self.parts.ask_again_at
    }

    /// Returns when to refresh an answer in use before a question has to wait for a fetch: a tenth of the lifetime since
    /// `last`, the time of the last attempt, before [`Answer::ask_again_at`]. Jitter changes that tenth by up to a twentieth.
    /// Returns `None` unless the last attempt reached the site, because a retry must not be early.
    #[must_use]
    pub fn refresh_at(&self, last: Timestamp, jitter: Jitter) -> Option<Timestamp> {
        let is_reached = matches!(
            self.parts.access_result,
            Some(AccessResult::Successful(_) | AccessResult::Unavailable(_))
        );
        let lifetime = self.parts.ask_again_at.since(last);
        let thousandths =
            AHEAD_THOUSANDTHS.saturating_add_signed(i64::from(jitter.thousandths()) / 2);
        let ahead = Duration::from_secs(lifetime.as_secs().saturating_mul(thousandths) / 1000);
        is_reached.then(|| last.after(lifetime.saturating_sub(ahead)))
    }

    /// Returns whether to fetch the robots.txt before any other URL of the authority.
    #[must_use]
    pub fn is_due(&self, now: Timestamp) -> bool {
        now >= self.parts.ask_again_at
    }

    /// Returns the body whose rules decide, or `None` if the stance has no rules. [`crate::AccessPolicy::answer`] also
    /// has none.
    #[must_use]
    pub fn body(&self) -> Option<&Arc<[u8]>> {
        self.parts.body.as_ref()
    }

    /// Parses the body whose rules decide. Returns `None` if [`Answer::body`] is missing. The result is empty if the
    /// stance has no rules.
    #[must_use]
    pub fn robots_txt(&self) -> Option<RobotsTxt> {
        let body = self.deciding_body()?;
        Some(RobotsTxt::parse(body, self.parts.reading))
    }
}
