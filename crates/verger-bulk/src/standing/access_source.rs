use std::fmt;
use std::sync::Arc;
use verger_answer::ReadError;

use verger_access::{Profile, Stance, Timestamp};
use verger_inputs::rulebook::{BYTES_DEFAULT, BoundedCache, Found, FoundCache, RulesMaker};
use verger_store::{BodyHash, InForce};

use super::known_standing::{CapturePlace, Standing};
use super::standing_source::{StandingSource, When};

/// Overhead of a standing in bytes, excluding its rules, which may be cached elsewhere.
const STANDING_BYTES: usize = 512;

const LACKS_BODY: &str = "the body of the deciding capture is not in the input";

/// The captures behind an answer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CaptureEvidence {
    /// The place of the last attempt.
    pub last: CapturePlace,
    /// The place of the copy, if known.
    pub copy: Option<CapturePlace>,
    /// Whether the body of the copy is missing, so its rules are unknown.
    pub lacks_body: bool,
}

/// What is known about an authority at a time.
#[derive(Clone, Debug)]
pub enum KnownAt {
    /// The answer of a profile during a period that contains the time.
    InForce(Box<InForce<CaptureEvidence>>),
    /// Nothing, until this time.
    NothingUntil(Timestamp),
}

/// A source of knowledge about authorities at a time.
pub trait KnowledgeSource: Sync {
    /// Returns what is known about an authority under a profile.
    ///
    /// # Errors
    ///
    /// Returns an error if the source cannot be read.
    fn known(&self, authority: &str, profile: &Profile, when: When) -> Result<KnownAt, ReadError>;
}

/// Answers of a profile, from a source of knowledge. Standings are cached if all URLs have the same
/// time. Rules are cached by the SHA-256 of their body.
pub struct AccessSource<K> {
    knowledge: K,
    profile: Profile,
    maker: RulesMaker,
    rules: FoundCache,
    standings: BoundedCache<Arc<Standing>>,
    /// The time of all URLs, if they have none of their own.
    fixed: Option<When>,
    without_rules: Arc<Found>,
}

impl<K: KnowledgeSource> AccessSource<K> {
    /// Creates a source for `profile`. `maker` must read bodies as the profile does. `fixed` is the
    /// time of all URLs, if they have none of their own.
    #[must_use]
    pub fn new(knowledge: K, profile: Profile, maker: RulesMaker, fixed: Option<When>) -> Self {
        let nothing = maker.rules("");
        Self {
            knowledge,
            profile,
            maker,
            rules: FoundCache::new(BYTES_DEFAULT),
            standings: BoundedCache::new(BYTES_DEFAULT),
            fixed,
            without_rules: Arc::new(Found::Rules(nothing)),
        }
    }

    fn made(&self, authority: &str, when: When) -> Arc<Standing> {
        let start = match when {
            When::At(at) => at.unix_seconds(),
            When::Newest => 0,
        };
        match self.knowledge.known(authority, &self.profile, when) {
            Ok(KnownAt::InForce(period)) => Arc::new(self.of_period(*period)),
            Ok(KnownAt::NothingUntil(until)) => {
                let during = start..until.unix_seconds();
                Arc::new(Standing::of_body(during, Arc::new(Found::NoBody)))
            }
            Err(error) => Standing::always(Arc::new(Found::Unreadable(error))),
        }
    }

    fn of_period(&self, period: InForce<CaptureEvidence>) -> Standing {
        let (answer, evidence) = (period.answer, period.evidence);
        let during = period.from.unix_seconds()..period.until.unix_seconds();
        let has_copy = matches!(answer.stance(), Stance::Rules | Stance::Copy);
        if has_copy && evidence.lacks_body {
            let unknown = Found::Unreadable(LACKS_BODY.into());
            return Standing::of_body(during, Arc::new(unknown));
        }
        let rules = match answer.body().filter(|_| has_copy) {
            Some(body) => {
                let hash = BodyHash::new(body);
                let found = || Found::Rules(self.maker.rules(body));
                self.rules.found(hash.bytes(), found)
            }
            None => Arc::clone(&self.without_rules),
        };
        Standing {
            stance: Some(answer.stance()),
            result: answer.access_result(),
            capture: Some((evidence.copy.filter(|_| has_copy)).unwrap_or(evidence.last)),
            ..Standing::of_body(during, rules)
        }
    }
}

impl<K: KnowledgeSource> StandingSource for AccessSource<K> {
    fn standing(&self, authority: &str, when: When) -> Arc<Standing> {
        if self.fixed != Some(when) {
            return self.made(authority, when);
        }
        self.standings.held_or_made(authority.as_bytes(), || {
            let standing = self.made(authority, when);
            let bytes = match &*standing.rules {
                Found::Rules(rules) => rules.heap_bytes(),
                Found::NoBody | Found::Unreadable(_) => 0,
            };
            (standing, bytes + STANDING_BYTES)
        })
    }

    fn profile(&self) -> Option<&str> {
        Some(&self.profile.name)
    }
}

impl<K> fmt::Debug for AccessSource<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("AccessSource");
        shown.field("profile", &self.profile.name);
        shown.finish_non_exhaustive()
    }
}
