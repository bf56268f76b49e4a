//! The lines of an export: `verger.store/1`, the JSON Lines format in `docs/json.md`.

use core::time::Duration;
use std::borrow::Cow;
use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use http::HeaderValue;
use serde::{Deserialize, Serialize};
use url::Url;
use verger_access::{
    Attempt, Authority, FailureStreak, GoodCopy, Hop, Jitter, Knowledge, LastAttempt, Reply,
    Timestamp, Warning,
};

use crate::body_hash::BodyHash;
use crate::history_import::SECONDS_MAX;
use crate::hop_facts::HopFacts;
use crate::kept_copy::{BodyDigest, KeptCopy};
use crate::observation::Observation;
use crate::packed_facts::PackedFacts;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::time_text::time_of_text;
use crate::transfer::field_text::{FieldText, headers, text_of, value_of};
use crate::transfer::line_error::{BODY, LineError, SCHEMA, SNAPSHOT};

/// The keys that every line has.
#[derive(Deserialize)]
struct Head<'l> {
    #[serde(borrow)]
    schema: Cow<'l, str>,
    #[serde(borrow)]
    kind: Cow<'l, str>,
}

/// A body, before the first snapshot that refers to it.
#[derive(Deserialize, Serialize)]
pub(crate) struct BodyLine {
    schema: String,
    kind: String,
    sha256: String,
    bytes_base64: String,
}

/// A snapshot and the knowledge after it, without its id.
#[derive(Deserialize, Serialize)]
pub(crate) struct SnapshotLine {
    schema: String,
    kind: String,
    authority: String,
    profile: String,
    ended_at: String,
    outcome: String,
    stated_lifetime: Option<u64>,
    retry_after: Option<u64>,
    hops: Vec<HopText>,
    headers: Vec<FieldText>,
    warnings: Vec<String>,
    peer: Option<String>,
    fresh_until: String,
    body: Option<String>,
    copy: Option<CopyText>,
    streak: Option<StreakText>,
}

#[derive(Deserialize, Serialize)]
struct HopText {
    url: String,
    reply: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    facts: Option<HopFacts>,
}

#[derive(Deserialize, Serialize)]
struct CopyText {
    body: String,
    url: String,
    entity_tag: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    entity_tag_base64: Option<String>,
    last_modified: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_modified_base64: Option<String>,
    validated_at: String,
    stated_lifetime: Option<u64>,
}

#[derive(Deserialize, Serialize)]
struct StreakText {
    first_at: String,
    failures: u32,
    jitter: i16,
}

pub(crate) enum StoreLine {
    /// A body that matches its hash.
    Body(BodyHash, Arc<[u8]>),
    /// A snapshot.
    Snapshot(Box<SnapshotLine>),
}

impl BodyLine {
    pub(crate) fn of(hash: BodyHash, bytes: &[u8]) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            kind: BODY.to_owned(),
            sha256: hash.to_string(),
            bytes_base64: BASE64_STANDARD.encode(bytes),
        }
    }

    fn read(&self) -> Result<StoreLine, LineError> {
        let bytes = BASE64_STANDARD.decode(&self.bytes_base64);
        let bytes: Arc<[u8]> = bytes
            .map_err(|_| LineError::InvalidValue("bytes_base64"))?
            .into();
        let hash = BodyHash::new(&bytes);
        if hash != hash_of(&self.sha256, "sha256")? {
            return Err(LineError::OtherHash(hash));
        }
        Ok(StoreLine::Body(hash, bytes))
    }
}

impl StoreLine {
    pub(crate) fn read(line: &[u8]) -> Result<Self, LineError> {
        let head: Head<'_> = serde_json::from_slice(line).map_err(LineError::Unreadable)?;
        if head.schema != SCHEMA {
            return Err(LineError::OtherSchema(head.schema.into_owned()));
        }
        match head.kind.as_ref() {
            BODY => {
                let line: BodyLine = serde_json::from_slice(line).map_err(LineError::Unreadable)?;
                line.read()
            }
            SNAPSHOT => serde_json::from_slice(line)
                .map(Self::Snapshot)
                .map_err(LineError::Unreadable),
            _ => Err(LineError::OtherKind(head.kind.into_owned())),
        }
    }
}

impl SnapshotLine {
    pub(crate) fn of(it: &Snapshot) -> Self {
        let hop = |hop: &Hop| HopText {
            url: hop.url.to_string(),
            reply: hop.reply.map(Reply::code),
            facts: None,
        };
        let streak = |streak: FailureStreak| StreakText {
            first_at: kept_time_text(streak.first_at),
            failures: streak.failures,
            jitter: streak.jitter.thousandths(),
        };
        Self {
            schema: SCHEMA.to_owned(),
            kind: SNAPSHOT.to_owned(),
            authority: it.authority.to_string(),
            profile: it.profile.to_string(),
            ended_at: kept_time_text(it.attempt.at),
            outcome: it.attempt.outcome.code(),
            stated_lifetime: seconds(it.attempt.stated_lifetime),
            retry_after: seconds(it.attempt.retry_after),
            hops: it.hops.iter().map(hop).collect(),
            headers: it.headers.fields().map(FieldText::of).collect(),
            warnings: it.warnings.iter().map(Warning::code).collect(),
            peer: it.peer.map(|peer| peer.to_string()),
            fresh_until: kept_time_text(it.fresh_until),
            body: it.body.map(|body| body.hash.to_string()),
            copy: it.copy.as_ref().map(CopyText::of),
            streak: it.streak.map(streak),
        }
    }

    /// Adds the facts of the hops, as far as they can be read.
    pub(crate) fn with_facts(mut self, facts: &PackedFacts) -> Self {
        let facts = facts.hops().unwrap_or_default();
        for (hop, facts) in self.hops.iter_mut().zip(facts) {
            hop.facts = Some(facts);
        }
        self
    }

    fn facts(&self) -> PackedFacts {
        if self.hops.iter().all(|hop| hop.facts.is_none()) {
            return PackedFacts::default();
        }
        let facts = self.hops.iter().map(|hop| hop.facts.clone());
        let facts: Vec<HopFacts> = facts.map(Option::unwrap_or_default).collect();
        PackedFacts::from_hops(&facts)
    }

    /// Writes the line, without its line end.
    pub(crate) fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    pub(crate) fn authority(&self) -> Result<Authority, LineError> {
        Authority::from_url(&self.authority).map_err(|_| LineError::InvalidValue("authority"))
    }

    /// Returns the bodies that it refers to: of the attempt, and of the copy.
    pub(crate) fn bodies(&self) -> Result<[Option<BodyHash>; 2], LineError> {
        let body = self.body.as_deref().map(|hash| hash_of(hash, "body"));
        let copy = self.copy.as_ref();
        let copy = copy.map(|copy| hash_of(&copy.body, "copy.body"));
        Ok([body.transpose()?, copy.transpose()?])
    }

    /// Makes the snapshot with this id. `lengths` are the lengths of [`SnapshotLine::bodies`], if they exist.
    pub(crate) fn snapshot(
        &self,
        id: SnapshotId,
        lengths: [Option<u64>; 2],
    ) -> Result<Snapshot, LineError> {
        let outcome = (self.outcome.parse()).map_err(|_| LineError::InvalidValue("outcome"))?;
        let authority = self.authority()?;
        let usual = authority.robots_url();
        let [body, copy_body] = self.bodies()?;
        let [body, copy_body] =
            [(body, lengths[0]), (copy_body, lengths[1])].map(|(hash, length)| {
                Some(BodyDigest {
                    hash: hash?,
                    bytes: length?,
                })
            });
        let copy = self.copy.as_ref().zip(copy_body);
        let warnings = self.warnings.iter().map(|code| warning(code));
        let peer = self.peer.as_ref().map(|peer| peer.parse());
        let hops = self.hops.iter().map(|hop| hop.read(usual));
        Ok(Snapshot {
            id,
            profile: self.profile.clone().into(),
            attempt: LastAttempt {
                at: time(&self.ended_at, "ended_at")?,
                outcome,
                stated_lifetime: self.stated_lifetime.map(Duration::from_secs),
                retry_after: self.retry_after.map(Duration::from_secs),
            },
            hops: hops.collect::<Result<_, _>>()?,
            headers: headers(&self.headers)?,
            warnings: warnings
                .collect::<Option<_>>()
                .ok_or(LineError::InvalidValue("warnings"))?,
            peer: peer
                .transpose()
                .map_err(|_| LineError::InvalidValue("peer"))?,
            fresh_until: time(&self.fresh_until, "fresh_until")?,
            body,
            copy: copy
                .map(|(copy, body)| copy.read(body, usual))
                .transpose()?,
            streak: self.streak.as_ref().map(StreakText::read).transpose()?,
            authority,
        })
    }

    /// Makes the observation to put, with the bytes of [`SnapshotLine::bodies`].
    pub(crate) fn observation(
        &self,
        bytes: [Option<Arc<[u8]>>; 2],
    ) -> Result<Observation, LineError> {
        let lengths = (bytes.each_ref()).map(|bytes| bytes.as_ref().map(|it| it.len() as u64));
        let seen = self.snapshot(SnapshotId::BEFORE_ALL, lengths)?;
        end(seen.attempt.at)?;
        let [body, copy_bytes] = bytes;
        // A snapshot keeps only the body of the copy that its attempt fetched.
        let attempted = body.map(|bytes| GoodCopy {
            body: bytes,
            url: seen.authority.robots_url().clone(),
            entity_tag: None,
            last_modified: None,
            validated_at: seen.attempt.at,
            stated_lifetime: seen.attempt.stated_lifetime,
        });
        let copy = seen.copy.as_ref().zip(copy_bytes);
        Ok(Observation {
            authority: seen.authority,
            profile: seen.profile,
            attempt: Attempt {
                last: seen.attempt,
                hops: seen.hops,
                copy: attempted,
                warnings: seen.warnings,
            },
            knowledge: Knowledge {
                last: Some(seen.attempt),
                copy: copy.map(|(copy, bytes)| copy.with_bytes(bytes)),
                streak: seen.streak,
            },
            headers: seen.headers,
            peer: seen.peer,
            fresh_until: seen.fresh_until,
            facts: self.facts(),
        })
    }
}

impl HopText {
    fn read(&self, usual: &Url) -> Result<Hop, LineError> {
        let reply = self.reply.as_deref();
        let reply = reply.map(|code| {
            code.parse()
                .map_err(|_| LineError::InvalidValue("hops.reply"))
        });
        Ok(Hop {
            url: url(&self.url, usual, "hops.url")?,
            reply: reply.transpose()?,
        })
    }
}

impl CopyText {
    fn of(copy: &KeptCopy) -> Self {
        let header = |value: &Option<HeaderValue>| match value {
            Some(value) => {
                let (text, base64) = text_of(value);
                (Some(text), base64)
            }
            None => (None, None),
        };
        let (entity_tag, entity_tag_base64) = header(&copy.entity_tag);
        let (last_modified, last_modified_base64) = header(&copy.last_modified);
        Self {
            body: copy.body.hash.to_string(),
            url: copy.url.to_string(),
            entity_tag,
            entity_tag_base64,
            last_modified,
            last_modified_base64,
            validated_at: kept_time_text(copy.validated_at),
            stated_lifetime: seconds(copy.stated_lifetime),
        }
    }

    fn read(&self, body: BodyDigest, usual: &Url) -> Result<KeptCopy, LineError> {
        let header = |text: Option<&String>, base64: Option<&String>, key| {
            let value = text.map(|text| value_of(text, base64, key));
            value.transpose()
        };
        let tag_base64 = self.entity_tag_base64.as_ref();
        let modified_base64 = self.last_modified_base64.as_ref();
        Ok(KeptCopy {
            body,
            url: url(&self.url, usual, "copy.url")?,
            entity_tag: header(self.entity_tag.as_ref(), tag_base64, "copy.entity_tag")?,
            last_modified: header(
                self.last_modified.as_ref(),
                modified_base64,
                "copy.last_modified",
            )?,
            validated_at: time(&self.validated_at, "copy.validated_at")?,
            stated_lifetime: self.stated_lifetime.map(Duration::from_secs),
        })
    }
}

impl StreakText {
    fn read(&self) -> Result<FailureStreak, LineError> {
        Ok(FailureStreak {
            first_at: time(&self.first_at, "streak.first_at")?,
            failures: self.failures,
            jitter: Jitter::from_thousandths(self.jitter),
        })
    }
}

fn seconds(length: Option<Duration>) -> Option<u64> {
    length.map(|length| length.as_secs().min(SECONDS_MAX))
}

fn kept_time_text(time: Timestamp) -> String {
    let kept = time.min(Timestamp::from_unix_seconds(SECONDS_MAX));
    kept.to_string()
}

fn hash_of(text: &str, key: &'static str) -> Result<BodyHash, LineError> {
    text.parse().map_err(|_| LineError::InvalidValue(key))
}

fn time(text: &str, key: &'static str) -> Result<Timestamp, LineError> {
    time_of_text(text).map_err(|_| LineError::InvalidValue(key))
}

/// Checks the end of an attempt. No half-open range of times contains the last second, so a snapshot that ended then
/// would be appended again by every import.
fn end(end: Timestamp) -> Result<(), LineError> {
    let is_in_range = end.unix_seconds() < SECONDS_MAX;
    is_in_range
        .then_some(())
        .ok_or(LineError::InvalidValue("ended_at"))
}

/// Parses a warning, which must be a single line, because a store in a file keeps one per line.
fn warning(code: &str) -> Option<Warning> {
    let is_line = !code.contains(['\r', '\n']);
    is_line.then(|| code.parse().ok()).flatten()
}

/// Parses a URL, unless it equals the usual one.
fn url(text: &str, usual: &Url, key: &'static str) -> Result<Url, LineError> {
    if text == usual.as_str() {
        return Ok(usual.clone());
    }
    Url::parse(text).map_err(|_| LineError::InvalidValue(key))
}
