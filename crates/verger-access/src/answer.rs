//! `Answer`: the stance towards an authority, and everything it rests on.

use std::borrow::Cow;
use std::sync::Arc;

use verger::{Clause, Dialect, Reading, RobotsTxt, allocated_octets};

use crate::access_result::AccessResult;
use crate::consequence::Consequence;
use crate::good_copy::GoodCopy;
use crate::profile::Profile;
use crate::stance::Stance;
use crate::timestamp::Timestamp;

/// What a crawler may do about an authority at a time: the stance, the fact, the profile and the
/// clauses that decided, and until when all that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    result: Option<AccessResult>,
    result_clause: Clause,
    stance: Stance,
    clause: Clause,
    profile: Cow<'static, str>,
    reading: Reading,
    holds_until: Timestamp,
    ask_again_at: Timestamp,
    body: Option<Arc<[u8]>>,
}

impl Answer {
    /// An answer that defers, until it is given a stance.
    pub(crate) fn new(
        profile: &Profile,
        result: Option<AccessResult>,
        consequence: Consequence,
        ask_again_at: Timestamp,
    ) -> Self {
        Self {
            result,
            result_clause: consequence.clause,
            stance: Stance::Defer,
            clause: consequence.clause,
            profile: profile.name.clone(),
            reading: profile.reading,
            holds_until: ask_again_at,
            ask_again_at,
            body: None,
        }
    }

    pub(crate) fn with_stance(mut self, stance: Stance, clause: Clause, until: Timestamp) -> Self {
        self.stance = stance;
        self.clause = clause;
        self.holding_until(until)
    }

    /// The same, holding no longer than `until`.
    pub(crate) fn holding_until(mut self, until: Timestamp) -> Self {
        self.holds_until = self.holds_until.min(until);
        self
    }

    pub(crate) fn with_body(mut self, copy: &GoodCopy) -> Self {
        self.body = Some(Arc::clone(&copy.body));
        self
    }

    /// The same, holding on to no octets.
    pub(crate) fn without_body(&self) -> Self {
        Self {
            body: None,
            ..self.clone()
        }
    }

    /// How many octets of the heap it takes without its body: a name that is not built in.
    pub(crate) fn heap_octets(&self) -> usize {
        match &self.profile {
            Cow::Borrowed(_) => 0,
            Cow::Owned(name) => allocated_octets(name.capacity()),
        }
    }

    /// What to do.
    #[must_use]
    pub fn stance(&self) -> Stance {
        self.stance
    }

    /// The fact that decided; `None` before the first attempt has ended.
    #[must_use]
    pub fn access_result(&self) -> Option<AccessResult> {
        self.result
    }

    /// The clause that makes what happened this access result.
    #[must_use]
    pub fn access_result_clause(&self) -> Clause {
        self.result_clause
    }

    /// The clause that makes the stance.
    #[must_use]
    pub fn clause(&self) -> Clause {
        self.clause
    }

    /// The name of the profile that decided.
    #[must_use]
    pub fn profile(&self) -> &str {
        &self.profile
    }

    /// How the body is read and targets are prepared, options of the profile included.
    #[must_use]
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// The dialect of [`Answer::reading`].
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.reading.dialect()
    }

    /// The first second in which the answer may be another one, without anything being fetched;
    /// never later than [`Answer::ask_again_at`]. In the past where the next attempt is overdue.
    #[must_use]
    pub fn holds_until(&self) -> Timestamp {
        self.holds_until
    }

    /// When the authority is to be asked again.
    #[must_use]
    pub fn ask_again_at(&self) -> Timestamp {
        self.ask_again_at
    }

    /// Whether the authority is to be asked before anything else is fetched from it.
    #[must_use]
    pub fn is_due(&self, now: Timestamp) -> bool {
        now >= self.ask_again_at
    }

    /// The octets whose rules decide; `None` where there are none to decide.
    #[must_use]
    pub fn body(&self) -> Option<&Arc<[u8]>> {
        self.body.as_ref()
    }

    /// The rules that decide, read; of a stance without rules those of an empty body.
    #[must_use]
    pub fn robots_txt(&self) -> RobotsTxt {
        RobotsTxt::parse(self.body.as_deref().unwrap_or_default(), self.reading)
    }
}
