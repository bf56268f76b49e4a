//! `AccessSource`: the standing of authorities under a profile, from captures or the snapshots of a store.

use std::fmt;
use std::sync::Arc;
use verger_answer::ReadError;

use verger_access::{Knowledge, Profile, RestOfSite, Stance, Timestamp};
use verger_answer::rulebook::{BYTES_DEFAULT, BoundedCache, Found, FoundCache, RulesMaker};
use verger_store::BodyHash;

use super::known_standing::{CapturePlace, Standing, StandingRules};
use super::standing_source::{StandingSource, When};

/// What a standing takes beside its rules, which may have room elsewhere.
const STANDING_BYTES: usize = 512;

/// What is said of a copy whose body is nowhere.
const LACKS_BODY: &str = "no capture that was given has the body of the one that decides";

/// The knowledge about an authority at a time.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct KnownAt {
    /// The knowledge.
    pub knowledge: Knowledge,
    /// The time that is answered about.
    pub at: Timestamp,
    /// When more was known.
    pub until: Timestamp,
    /// The place of the last attempt.
    pub last: CapturePlace,
    /// The place of the copy, if it is known.
    pub copy: Option<CapturePlace>,
    /// Whether the body of the copy is nowhere, so that its rules are unknown.
    pub lacks_body: bool,
}

/// A source of the knowledge about authorities at a time.
pub trait KnowledgeSource: Sync {
    /// What was known of an authority under a profile; `None` where nothing was.
    ///
    /// # Errors
    ///
    /// A sentence, where it cannot be read.
    fn known(
        &self,
        authority: &str,
        profile: &Profile,
        when: When,
    ) -> Result<Option<KnownAt>, ReadError>;

    /// Until when nothing is known of an authority of which nothing was known at a time.
    ///
    /// # Errors
    ///
    /// A sentence, where it cannot be read.
    fn unknown_until(&self, authority: &str, at: Timestamp) -> Result<Timestamp, ReadError>;
}

/// The answers of a profile, from a source of knowledge. Standings at one time for all URLs are kept in bounded memory,
/// and so are rules by the SHA-256 of their body.
pub struct AccessSource<K> {
    knowledge: K,
    profile: Profile,
    maker: RulesMaker,
    rules: FoundCache,
    standings: BoundedCache<Arc<Standing>>,
    /// The time of all URLs, where they have none of their own.
    fixed: Option<When>,
    without_rules: Arc<Found>,
}

impl<K: KnowledgeSource> AccessSource<K> {
    /// What `profile` makes of it; `maker` reads as the profile does. `fixed` is the time of all URLs,
    /// where they have none of their own.
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
        // What has expired defers until more is known.
        let ends = if holds > start { holds } else { u64::MAX };
        let rules = if has_copy && lacks_body {
            StandingRules::Unreadable(LACKS_BODY.into())
        } else {
            StandingRules::Access {
                stance,
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
