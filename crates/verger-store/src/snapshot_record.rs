//! `SnapshotRecord`: a snapshot encoded as bytes.
//!
//! As separate values, URLs, header values and their lists take several times the memory of their text. A store in
//! memory holds one snapshot of most authorities and rarely decodes it.
//!
//! The encoding never leaves the process. The references to bodies come first. Numbers have a variable length (seven
//! bits per byte, lowest first), texts follow their length. A value that usually equals an earlier one, such as the
//! URL of the first request, takes a single byte in that case.

use core::time::Duration;
use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use http::header::{ETAG, LAST_MODIFIED};
use http::{HeaderName, HeaderValue};
use url::Url;
use verger_access::{Authority, FailureStreak, Hop, Jitter, LastAttempt, Reply, Timestamp};

use crate::body_hash::BodyHash;
use crate::kept_copy::{BodyDigest, KeptCopy};
use crate::kept_headers::{KeptHeaders, NAMES};
use crate::snapshot::{Snapshot, SnapshotId};

/// The value is absent.
const ABSENT: u8 = 0;

/// The value equals an earlier one.
const SAME: u8 = 1;

/// The value follows.
const WRITTEN: u8 = 2;

/// An encoded snapshot, without its id and its authority.
pub(crate) struct SnapshotRecord(Box<[u8]>);

impl SnapshotRecord {
    pub(crate) fn of(snapshot: &Snapshot) -> Self {
        let mut writer = Writer(Vec::with_capacity(256));
        writer.bodies(snapshot);
        writer.bytes(snapshot.profile.as_bytes());
        writer.attempt(&snapshot.attempt);
        writer.number(snapshot.hops.len() as u64);
        for hop in &snapshot.hops {
            writer.url(&hop.url, Some(snapshot.authority.robots_url()));
            writer.reply(hop.reply);
        }
        writer.headers(&snapshot.headers);
        writer.number(snapshot.warnings.len() as u64);
        for warning in &snapshot.warnings {
            writer.bytes(warning.code().as_bytes());
        }
        writer.peer(snapshot.peer);
        writer.time(snapshot.fresh_until);
        if let Some(copy) = &snapshot.copy {
            let last_hop = snapshot.hops.last().map(|hop| &hop.url);
            writer.copy(copy, last_hop, &snapshot.headers);
        }
        if let Some(streak) = snapshot.streak {
            writer.streak(streak);
        }
        Self(writer.0.into_boxed_slice())
    }

    /// Decodes the snapshot, or returns `None` if the bytes are not a record.
    pub(crate) fn snapshot(&self, id: SnapshotId, authority: &Authority) -> Option<Snapshot> {
        let mut reader = Reader(&self.0);
        let (body, copy_body) = reader.bodies()?;
        let profile = Cow::Owned(reader.text()?.to_owned());
        let attempt = reader.attempt()?;
        let hop = |reader: &mut Reader<'_>| {
            Some(Hop {
                url: reader.url(Some(authority.robots_url()))?,
                reply: reader.reply()?,
            })
        };
        let hops = reader.list(hop)?;
        let headers = reader.headers()?;
        let warnings = reader.list(|reader| reader.text()?.parse().ok())?;
        let peer = reader.peer()?;
        let fresh_until = reader.time()?;
        let copy = match copy_body {
            Some(body) => {
                let last_hop = hops.last().map(|hop| &hop.url);
                Some(reader.copy(body, last_hop, &headers)?)
            }
            None => None,
        };
        let streak = if reader.0.is_empty() {
            None
        } else {
            Some(reader.streak()?)
        };
        Some(Snapshot {
            id,
            authority: authority.clone(),
            profile,
            attempt,
            hops,
            headers,
            warnings,
            peer,
            fresh_until,
            body,
            copy,
            streak,
        })
    }

    /// Returns the bodies of the attempt and of the last good copy. A body that is both is returned twice.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = BodyHash> {
        let (body, copy) = Reader(&self.0).bodies().unwrap_or_default();
        body.into_iter().chain(copy).map(|body| body.hash)
    }

    /// Returns the bytes. Two records are equal exactly if their snapshots are.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns its length in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.0.len()
    }
}

/// Writes what [`Reader`] reads with the method of the same name.
struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number.to_le_bytes()[0] | 0x80);
            number >>= 7;
        }
        self.0.push(number.to_le_bytes()[0]);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn time(&mut self, time: Timestamp) {
        self.number(time.unix_seconds());
    }

    fn bodies(&mut self, snapshot: &Snapshot) {
        let copy = snapshot.copy.as_ref().map(|copy| copy.body);
        for (body, same) in [(snapshot.body, None), (copy, snapshot.body)] {
            match body {
                None => self.0.push(ABSENT),
                Some(_) if body == same => self.0.push(SAME),
                Some(body) => {
                    self.0.push(WRITTEN);
                    self.0.extend_from_slice(body.hash.bytes());
                    self.number(body.bytes);
                }
            }
        }
    }

    fn attempt(&mut self, attempt: &LastAttempt) {
        self.time(attempt.at);
        self.bytes(attempt.outcome.code().as_bytes());
        self.duration(attempt.stated_lifetime);
        self.duration(attempt.retry_after);
    }

    fn duration(&mut self, duration: Option<Duration>) {
        let Some(duration) = duration else {
            return self.0.push(ABSENT);
        };
        self.0.push(WRITTEN);
        self.number(duration.as_secs());
        self.number(duration.subsec_nanos().into());
    }

    fn url(&mut self, url: &Url, usual: Option<&Url>) {
        if usual == Some(url) {
            return self.0.push(SAME);
        }
        self.0.push(WRITTEN);
        self.bytes(url.as_str().as_bytes());
    }

    fn reply(&mut self, reply: Option<Reply>) {
        match reply {
            None => self.0.push(ABSENT),
            Some(reply) => {
                self.0.push(WRITTEN);
                self.bytes(reply.code().as_bytes());
            }
        }
    }

    fn peer(&mut self, peer: Option<IpAddr>) {
        match peer {
            None => self.bytes(&[]),
            Some(IpAddr::V4(address)) => self.bytes(&address.octets()),
            Some(IpAddr::V6(address)) => self.bytes(&address.octets()),
        }
    }

    /// A name in [`NAMES`] is encoded as its number there, from 1 on. Any other name follows a 0.
    fn headers(&mut self, headers: &KeptHeaders) {
        self.number(headers.fields().count() as u64);
        for (name, value) in headers.fields() {
            let place = (1..).zip(&NAMES).find(|(_, it)| *it == name);
            self.0.push(place.map_or(0, |(place, _)| place));
            if place.is_none() {
                self.bytes(name.as_str().as_bytes());
            }
            self.bytes(value.as_bytes());
        }
    }

    fn copy(&mut self, copy: &KeptCopy, last_hop: Option<&Url>, headers: &KeptHeaders) {
        self.url(&copy.url, last_hop);
        for (value, name) in [
            (&copy.entity_tag, ETAG),
            (&copy.last_modified, LAST_MODIFIED),
        ] {
            match value {
                None => self.0.push(ABSENT),
                Some(value) if headers.first(&name) == Some(value) => self.0.push(SAME),
                Some(value) => {
                    self.0.push(WRITTEN);
                    self.bytes(value.as_bytes());
                }
            }
        }
        self.time(copy.validated_at);
        self.duration(copy.stated_lifetime);
    }

    fn streak(&mut self, streak: FailureStreak) {
        self.time(streak.first_at);
        self.number(streak.failures.into());
        let jitter = streak.jitter.thousandths();
        self.0.extend_from_slice(&jitter.to_le_bytes());
    }
}

/// Decodes the remaining bytes.
struct Reader<'r>(&'r [u8]);

#[expect(
    clippy::option_option,
    reason = "the outer one is for bytes that are no record, the inner one for what is absent"
)]
impl<'r> Reader<'r> {
    fn taken(&mut self, bytes: usize) -> Option<&'r [u8]> {
        let (taken, left) = self.0.split_at_checked(bytes)?;
        self.0 = left;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.taken(N)?.try_into().ok()
    }

    fn byte(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn bytes(&mut self) -> Option<&'r [u8]> {
        let bytes = self.number()?;
        self.taken(usize::try_from(bytes).ok()?)
    }

    fn text(&mut self) -> Option<&'r str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    fn time(&mut self) -> Option<Timestamp> {
        self.number().map(Timestamp::from_unix_seconds)
    }

    fn list<T>(&mut self, read: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.number()?;
        (0..count).map(|_| read(self)).collect()
    }

    /// Reads the references to the bodies of the attempt and of the copy.
    fn bodies(&mut self) -> Option<(Option<BodyDigest>, Option<BodyDigest>)> {
        let body = self.body(None)?;
        Some((body, self.body(body)?))
    }

    fn body(&mut self, same: Option<BodyDigest>) -> Option<Option<BodyDigest>> {
        Some(match self.byte()? {
            ABSENT => None,
            SAME => Some(same?),
            _ => Some(BodyDigest {
                hash: BodyHash::from_bytes(self.array()?),
                bytes: self.number()?,
            }),
        })
    }

    fn attempt(&mut self) -> Option<LastAttempt> {
        Some(LastAttempt {
            at: self.time()?,
            outcome: self.text()?.parse().ok()?,
            stated_lifetime: self.duration()?,
            retry_after: self.duration()?,
        })
    }

    fn duration(&mut self) -> Option<Option<Duration>> {
        if self.byte()? == ABSENT {
            return Some(None);
        }
        let seconds = self.number()?;
        let nanoseconds = u32::try_from(self.number()?).ok()?;
        Some(Some(Duration::new(seconds, nanoseconds)))
    }

    fn url(&mut self, usual: Option<&Url>) -> Option<Url> {
        match self.byte()? {
            SAME => usual.cloned(),
            _ => Url::parse(self.text()?).ok(),
        }
    }

    fn reply(&mut self) -> Option<Option<Reply>> {
        Some(match self.byte()? {
            ABSENT => None,
            _ => Some(self.text()?.parse().ok()?),
        })
    }

    fn peer(&mut self) -> Option<Option<IpAddr>> {
        let bytes = self.bytes()?;
        Some(match bytes.len() {
            0 => None,
            4 => Some(Ipv4Addr::from(<[u8; 4]>::try_from(bytes).ok()?).into()),
            _ => Some(Ipv6Addr::from(<[u8; 16]>::try_from(bytes).ok()?).into()),
        })
    }

    fn headers(&mut self) -> Option<KeptHeaders> {
        let field = |reader: &mut Self| {
            let name = match reader.byte()? {
                0 => HeaderName::from_bytes(reader.bytes()?).ok()?,
                place => NAMES.get(usize::from(place) - 1)?.clone(),
            };
            Some((name, HeaderValue::from_bytes(reader.bytes()?).ok()?))
        };
        self.list(field).map(KeptHeaders::of_fields)
    }

    fn copy(
        &mut self,
        body: BodyDigest,
        last_hop: Option<&Url>,
        headers: &KeptHeaders,
    ) -> Option<KeptCopy> {
        Some(KeptCopy {
            body,
            url: self.url(last_hop)?,
            entity_tag: self.header(headers.first(&ETAG))?,
            last_modified: self.header(headers.first(&LAST_MODIFIED))?,
            validated_at: self.time()?,
            stated_lifetime: self.duration()?,
        })
    }

    fn header(&mut self, usual: Option<&HeaderValue>) -> Option<Option<HeaderValue>> {
        Some(match self.byte()? {
            ABSENT => None,
            SAME => Some(usual?.clone()),
            _ => Some(HeaderValue::from_bytes(self.bytes()?).ok()?),
        })
    }

    fn streak(&mut self) -> Option<FailureStreak> {
        Some(FailureStreak {
            first_at: self.time()?,
            failures: u32::try_from(self.number()?).ok()?,
            jitter: Jitter::from_thousandths(i16::from_le_bytes(self.array()?)),
        })
    }
}

#[cfg(test)]
mod tests {
    use verger_access::{Outcome, TransportFailure, Warning};

    use super::*;

    fn value(text: &str) -> HeaderValue {
        HeaderValue::from_str(text).unwrap()
    }

    /// A snapshot in which no value is the usual one.
    fn odd() -> Snapshot {
        let url = |text| Url::parse(text).unwrap();
        Snapshot {
            id: SnapshotId(7),
            authority: Authority::from_url("https://h.example").unwrap(),
            profile: "of one's own".into(),
            attempt: LastAttempt {
                at: Timestamp::from_unix_seconds(u64::MAX),
                outcome: Outcome::Failed(TransportFailure::Timeout),
                stated_lifetime: Some(Duration::new(u64::MAX, 7)),
                retry_after: Some(Duration::ZERO),
            },
            hops: vec![
                Hop {
                    url: url("https://h.example/robots.txt"),
                    reply: Some(Reply::Http(301)),
                },
                Hop {
                    url: url("https://other.example:8443/a%20b?c"),
                    reply: None,
                },
            ],
            headers: KeptHeaders::of_fields(vec![
                (ETAG, HeaderValue::from_static("\"1\"")),
                (LAST_MODIFIED, HeaderValue::from_bytes(b"caf\xe9").unwrap()),
                (
                    HeaderName::from_static("x-other"),
                    HeaderValue::from_static(""),
                ),
            ]),
            warnings: vec![
                Warning::NotTextPlain {
                    media_type: Some("a\nb".to_owned()),
                },
                Warning::BodyCut,
            ],
            peer: Some(IpAddr::V6(Ipv6Addr::LOCALHOST)),
            fresh_until: Timestamp::from_unix_seconds(0),
            body: None,
            copy: Some(KeptCopy {
                body: BodyDigest::new(b"body"),
                url: url("https://other.example/"),
                entity_tag: Some(value("\"1\"")),
                last_modified: Some(value("other")),
                validated_at: Timestamp::from_unix_seconds(127),
                stated_lifetime: Some(Duration::from_secs(128)),
            }),
            streak: Some(FailureStreak {
                first_at: Timestamp::from_unix_seconds(1),
                failures: u32::MAX,
                jitter: Jitter::from_thousandths(-99),
            }),
        }
    }

    #[test]
    fn a_snapshot_is_decoded_from_its_record() {
        let odd = odd();
        let mut without_copy = odd.clone();
        (without_copy.copy, without_copy.streak, without_copy.peer) = (None, None, None);
        let mut with_one_body = odd.clone();
        with_one_body.body = with_one_body.copy.as_ref().map(|copy| copy.body);
        for (snapshot, bodies) in [(odd, 1), (without_copy, 0), (with_one_body, 2)] {
            let record = SnapshotRecord::of(&snapshot);
            assert_eq!(record.bodies().count(), bodies);
            let read = record.snapshot(snapshot.id, &snapshot.authority);
            assert_eq!(read, Some(snapshot));
        }
    }

    #[test]
    fn a_validator_that_is_among_the_headers_is_encoded_once() {
        let bytes = |entity_tag: &str| {
            let mut snapshot = odd();
            let copy = snapshot.copy.as_mut().unwrap();
            copy.entity_tag = Some(value(entity_tag));
            let record = SnapshotRecord::of(&snapshot);
            assert_eq!(
                record.snapshot(snapshot.id, &snapshot.authority),
                Some(snapshot)
            );
            record.0.len()
        };
        // If they differ, the value follows after its length.
        assert_eq!(bytes("\"2\"") - bytes("\"1\""), 1 + 3);
    }

    #[test]
    fn a_truncated_record_is_not_decoded() {
        let odd = odd();
        let whole = SnapshotRecord::of(&odd).0;
        for length in 0..whole.len() {
            let part = SnapshotRecord(whole[..length].into());
            // A record may end after the copy, which means that it has no streak.
            let read = part.snapshot(odd.id, &odd.authority);
            assert!(read.is_none_or(|read| read.streak.is_none()), "{length}");
        }
    }
}
