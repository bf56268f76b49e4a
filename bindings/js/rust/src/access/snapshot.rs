//! A snapshot as bytes: a line of JSON, then the body.

use core::time::Duration;

use http::HeaderValue;
use serde::{Deserialize, Serialize};
use verger_access::{
    Authority, FailureStreak, GoodCopy, Jitter, Knowledge, LastAttempt, Profile, Timestamp,
};

const SCHEMA: &str = "verger.js-snapshot/1";

/// The state of an authority, and the profile and crawler it is valid for.
#[derive(Deserialize, Serialize)]
pub(super) struct Kept {
    schema: String,
    authority: String,
    profile: String,
    /// The crawler whose rules decided about a redirect target. The last attempt is valid only for
    /// it.
    agents: Option<Vec<String>>,
    last: Option<Last>,
    copy: Option<Copy>,
    streak: Option<Streak>,
    #[serde(skip)]
    known: Knowledge,
}

/// Seconds and nanoseconds.
type Time = (u64, u32);

#[derive(Deserialize, Serialize)]
struct Last {
    at: u64,
    outcome: String,
    stated_lifetime: Option<Time>,
    retry_after: Option<Time>,
}

#[derive(Deserialize, Serialize)]
struct Copy {
    bytes: usize,
    url: String,
    entity_tag: Option<Vec<u8>>,
    last_modified: Option<Vec<u8>>,
    validated_at: u64,
    stated_lifetime: Option<Time>,
}

#[derive(Deserialize, Serialize)]
struct Streak {
    first_at: u64,
    failures: u32,
    jitter: i16,
}

impl Kept {
    /// Returns the line before the body.
    pub(super) fn line(
        authority: &Authority,
        profile: &Profile,
        agents: Option<Vec<String>>,
        known: &Knowledge,
    ) -> String {
        let header = |value: &HeaderValue| value.as_bytes().to_vec();
        let kept = Self {
            schema: SCHEMA.to_owned(),
            authority: authority.to_string(),
            profile: profile.name.to_string(),
            agents,
            last: known.last.map(|last| Last {
                at: last.at.unix_seconds(),
                outcome: last.outcome.code(),
                stated_lifetime: last.stated_lifetime.map(time),
                retry_after: last.retry_after.map(time),
            }),
            copy: known.copy.as_ref().map(|copy| Copy {
                bytes: copy.body.len(),
                url: copy.url.to_string(),
                entity_tag: copy.entity_tag.as_ref().map(header),
                last_modified: copy.last_modified.as_ref().map(header),
                validated_at: copy.validated_at.unix_seconds(),
                stated_lifetime: copy.stated_lifetime.map(time),
            }),
            streak: known.streak.map(|streak| Streak {
                first_at: streak.first_at.unix_seconds(),
                failures: streak.failures,
                jitter: streak.jitter.thousandths(),
            }),
            known: Knowledge::default(),
        };
        // Numbers and strings always serialize.
        serde_json::to_string(&kept).unwrap_or_default()
    }

    /// Parses a snapshot, or returns `None` if it is empty, damaged or of another authority.
    pub(super) fn read(bytes: &[u8], authority: &Authority) -> Option<Self> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let (line, body) = (&bytes[..end], &bytes[end + 1..]);
        let mut kept: Self = serde_json::from_slice(line).ok()?;
        if kept.schema != SCHEMA || kept.authority != authority.to_string() {
            return None;
        }
        kept.known = Knowledge {
            last: optional(kept.last.as_ref(), last_of)?,
            copy: optional(kept.copy.as_ref(), |copy| copy_of(copy, body))?,
            streak: kept.streak.as_ref().map(|streak| FailureStreak {
                first_at: Timestamp::from_unix_seconds(streak.first_at),
                failures: streak.failures.max(1),
                jitter: Jitter::from_thousandths(streak.jitter),
            }),
        };
        Some(kept)
    }

    /// Returns the part that is valid for a profile and crawler. If another one fetched, the
    /// authority must be fetched again, and the copy serves if that fails.
    pub(super) fn under(self, profile: &Profile, agents: &[String]) -> Knowledge {
        let is_same_profile = self.profile == profile.name;
        let is_same_crawler = self.agents.as_deref().is_none_or(|it| it == agents);
        let Knowledge { last, copy, streak } = self.known;
        Knowledge {
            last: last.filter(|_| is_same_profile && is_same_crawler),
            copy: copy.filter(|copy| is_same_profile || profile.accepts(copy)),
            streak: streak.filter(|_| is_same_profile),
        }
    }
}

/// Converts a present value, or returns `None` if it is damaged.
#[expect(clippy::option_option, reason = "the outer one is for what is damaged")]
fn optional<T, R>(written: Option<T>, read: impl FnOnce(T) -> Option<R>) -> Option<Option<R>> {
    match written {
        None => Some(None),
        Some(written) => read(written).map(Some),
    }
}

fn last_of(last: &Last) -> Option<LastAttempt> {
    Some(LastAttempt {
        at: Timestamp::from_unix_seconds(last.at),
        outcome: last.outcome.parse().ok()?,
        stated_lifetime: optional(last.stated_lifetime, duration)?,
        retry_after: optional(last.retry_after, duration)?,
    })
}

fn copy_of(copy: &Copy, body: &[u8]) -> Option<GoodCopy> {
    let header = |value: &Vec<u8>| HeaderValue::from_bytes(value).ok();
    Some(GoodCopy {
        body: (body.len() == copy.bytes).then(|| body.into())?,
        url: copy.url.parse().ok()?,
        entity_tag: optional(copy.entity_tag.as_ref(), header)?,
        last_modified: optional(copy.last_modified.as_ref(), header)?,
        validated_at: Timestamp::from_unix_seconds(copy.validated_at),
        stated_lifetime: optional(copy.stated_lifetime, duration)?,
    })
}

fn time(duration: Duration) -> Time {
    (duration.as_secs(), duration.subsec_nanos())
}

/// Returns `None` if the nanoseconds exceed a second.
fn duration((seconds, nanoseconds): Time) -> Option<Duration> {
    (nanoseconds < 1_000_000_000).then(|| Duration::new(seconds, nanoseconds))
}
