//! `Answer`: the stance towards an authority, and what it is based on.

use std::borrow::Cow;
use std::sync::Arc;

use verger::{Clause, Dialect, Reading, RobotsTxt, allocated_octets};

use crate::access_result::AccessResult;
use crate::consequence::Consequence;
use crate::good_copy::GoodCopy;
use crate::missing::Missing;
use crate::profile::Profile;
use crate::stance::Stance;
use crate::timestamp::Timestamp;

/// What a crawler may fetch from an authority at a time: the stance; the fact, the profile and the
/// clauses that decided; and until when that is valid.
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
    missing: Option<Missing>,
}

impl Answer {
    /// Makes an answer that defers, until [`Answer::with_stance`] sets a stance.
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
            missing: None,
        }
    }

    pub(crate) fn with_stance(mut self, stance: Stance, clause: Clause, until: Timestamp) -> Self {
        self.stance = stance;
        self.clause = clause;
        self.holds_until = until;
        self
    }

    /// The same, deferred since something is missing.
    pub(crate) fn deferred(mut self, missing: Missing, clause: Clause, until: Timestamp) -> Self {
        self.missing = Some(missing);
        self.with_stance(Stance::Defer, clause, until)
    }

    pub(crate) fn with_body(mut self, copy: &GoodCopy) -> Self {
        self.body = Some(Arc::clone(&copy.body));
        self
    }

    /// The same without the body.
    pub(crate) fn without_body(&self) -> Self {
        Self {
            body: None,
            ..self.clone()
        }
    }

    /// How many octets it takes on the heap without its body: those of a profile's name that is not
    /// built in.
    pub(crate) fn heap_octets(&self) -> usize {
        match &self.profile {
            Cow::Borrowed(_) => 0,
            Cow::Owned(name) => allocated_octets(name.capacity()),
        }
    }

    /// Returns the stance.
    #[must_use]
    pub fn stance(&self) -> Stance {
        self.stance
    }

    /// Returns the fact that decided; `None` before the first attempt has ended.
    #[must_use]
    pub fn access_result(&self) -> Option<AccessResult> {
        self.result
    }

    /// Returns the clause by which the outcome is this access result.
    #[must_use]
    pub fn access_result_clause(&self) -> Clause {
        self.result_clause
    }

    /// Returns the clause by which the stance follows.
    #[must_use]
    pub fn clause(&self) -> Clause {
        self.clause
    }

    /// Returns the name of the profile that decided.
    #[must_use]
    pub fn profile(&self) -> &str {
        &self.profile
    }

    /// Returns how the body is read and targets are prepared: dialect and options of the profile.
    #[must_use]
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// Returns the dialect of [`Answer::reading`].
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.reading.dialect()
    }

    /// Returns what is missing, where the stance is to defer since too little is known.
    #[must_use]
    pub fn missing(&self) -> Option<Missing> {
        self.missing
    }

    /// Returns the first second in which the answer may change although nothing is fetched: the end of
    /// what was seen last, at most. After a failure it is later than [`Answer::ask_again_at`], when an
    /// attempt is due. It is in the past where the answer is to defer since that end has passed.
    #[must_use]
    pub fn holds_until(&self) -> Timestamp {
        self.holds_until
    }

    /// Returns when the robots.txt is to be fetched again.
    #[must_use]
    pub fn ask_again_at(&self) -> Timestamp {
        self.ask_again_at
    }

    /// Whether the robots.txt is to be fetched before any other URL of the authority.
    #[must_use]
    pub fn is_due(&self, now: Timestamp) -> bool {
        now >= self.ask_again_at
    }

    /// Returns the body whose rules decide; `None` where the stance has no rules.
    #[must_use]
    pub fn body(&self) -> Option<&Arc<[u8]>> {
        self.body.as_ref()
    }

    /// Parses the body whose rules decide; an empty body where the stance has no rules.
    #[must_use]
    pub fn robots_txt(&self) -> RobotsTxt {
        RobotsTxt::parse(self.body.as_deref().unwrap_or_default(), self.reading)
    }
}
