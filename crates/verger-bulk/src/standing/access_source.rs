use std::fmt;
use std::sync::Arc;
use verger_answer::ReadError;

use verger_access::{Knowledge, Profile, RestOfSite, Stance, Timestamp};
use verger_inputs::rulebook::{BYTES_DEFAULT, BoundedCache, Found, FoundCache, RulesMaker};
use verger_store::BodyHash;

use super::known_standing::{CapturePlace, Standing, StandingRules};
use super::standing_source::{StandingSource, When};

/// Overhead of a standing in bytes, excluding its rules, which may be cached elsewhere.
const STANDING_BYTES: usize = 512;

const LACKS_BODY: &str = "the body of the deciding capture is not in the input";

/// The knowledge about an authority at a time.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct KnownAt {
    /// The knowledge.
    pub knowledge: Knowledge,
    /// The time of the question.
    pub at: Timestamp,
    /// When the knowledge changes.
    pub until: Timestamp,
    /// The place of the last attempt.
    pub last: CapturePlace,
    /// The place of the copy, if known.
    pub copy: Option<CapturePlace>,
    /// Whether the body of the copy is missing, so its rules are unknown.
    pub lacks_body: bool,
}

/// A source of knowledge about authorities at a time.
pub trait KnowledgeSource: Sync {
    /// Returns the knowledge about an authority under a profile, or `None` if there was none.
    ///
    /// # Errors
    ///
    /// Returns an error if the source cannot be read.
    fn known(
        &self,
        authority: &str,
        profile: &Profile,
        when: When,
    ) -> Result<Option<KnownAt>, ReadError>;

    /// Returns when the first knowledge after `at` arrives, for an authority that was unknown at
    /// `at`.
    ///
    /// # Errors
    ///
    /// Returns an error if the source cannot be read.
    fn unknown_until(&self, authority: &str, at: Timestamp) -> Result<Timestamp, ReadError>;
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
        let made = self.knowledge.known(authority, &self.profile, when);
        let made = made.and_then(|known| match (known, when) {
            (Some(known), _) => Ok(self.of_known(known)),
            (None, When::At(at)) => {
                let until = self.knowledge.unknown_until(authority, at)?;
                Ok(Standing {
                    during: at.unix_seconds()..until.unix_seconds(),
                    rules: StandingRules::Unknown,
                })
            }
            (None, When::Newest) => Ok(Standing {
                during: 0..u64::MAX,
                rules: StandingRules::Unknown,
            }),
        });
        made.map_or_else(
            |error| Standing::always(StandingRules::Unreadable(error)),
            Arc::new,
        )
    }

    fn of_known(&self, known: KnownAt) -> Standing {
        let KnownAt {
            knowledge,
            at,
            until,
            last,
            copy,
            lacks_body,
        } = known;
        let answer = knowledge.answer(&self.profile, at, RestOfSite::default());
        let stance = answer.stance();
        let rules = match (stance, answer.body()) {
            (Stance::Rules | Stance::Copy, Some(body)) => {
                let hash = BodyHash::new(body);
                let found = || Found::Rules(self.maker.rules(body));
                self.rules.found(hash.bytes(), found)
            }
            _ => Arc::clone(&self.without_rules),
        };
        let has_copy = matches!(stance, Stance::Rules | Stance::Copy);
        let capture = copy.filter(|_| has_copy).unwrap_or(last);
        let start = at.unix_seconds();
        let holds = answer.holds_until().unix_seconds();
        // Expired knowledge defers until there is more.
        let ends = if holds > start { holds } else { u64::MAX };
        let rules = if has_copy && lacks_body {
            StandingRules::Unreadable(LACKS_BODY.into())
        } else {
            StandingRules::Access {
                stance,
                result: answer.access_result(),
                rules,
                capture: Some(Arc::new(capture)),
            }
        };
        Standing {
            during: start..ends.min(until.unix_seconds()),
            rules,
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
            let bytes = match &standing.rules {
                StandingRules::Access { rules, .. } => match &**rules {
                    Found::Rules(rules) => rules.heap_bytes(),
                    Found::NoBody | Found::Unreadable(_) => 0,
                },
                _ => 0,
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
