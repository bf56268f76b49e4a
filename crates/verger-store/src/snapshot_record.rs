//! `SnapshotRecord`: a snapshot as one string of octets.
//!
//! URLs, header values and lists of them take several times their text where each is an allocation
//! of its own. A store in memory has one snapshot of most authorities, and reads it rarely.
//!
//! The octets are private to the process. Where its bodies are stands first. Numbers are written
//! seven bits an octet, lowest first; texts behind their lengths. What usually is the same as
//! something before it, such as the URL of the first request, is a single octet then.

use core::time::Duration;
use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use http::HeaderValue;
use url::Url;
use verger_access::{
    Authority, FailureStreak, Hop, Jitter, LastAttempt, Outcome, Reply, Timestamp, Warning,
};

use crate::body_hash::BodyHash;
use crate::kept_copy::{BodyAddress, KeptCopy};
use crate::kept_headers::KeptHeaders;
use crate::snapshot::{Snapshot, SnapshotId};

/// What is not there.
const ABSENT: u8 = 0;

/// What is the same as something that was written before.
const SAME: u8 = 1;

/// What follows.
const WRITTEN: u8 = 2;

/// A snapshot without its id and its authority, which stand elsewhere.
pub(crate) struct SnapshotRecord(Box<[u8]>);

impl SnapshotRecord {
    pub(crate) fn of(snapshot: &Snapshot) -> Self {
        let mut writer = Writer(Vec::with_capacity(256));
        writer.bodies(snapshot);
        writer.octets(snapshot.profile.as_bytes());
        writer.attempt(&snapshot.attempt);
        writer.number(snapshot.hops.len() as u64);
        for hop in &snapshot.hops {
            writer.url(&hop.url, Some(snapshot.authority.robots_url()));
            writer.reply(hop.reply);
        }
        writer.octets(&snapshot.headers.to_lines());
        writer.number(snapshot.warnings.len() as u64);
        for warning in &snapshot.warnings {
            writer.octets(warning.code().as_bytes());
        }
        writer.peer(snapshot.peer);
        writer.time(snapshot.fresh_until);
        if let Some(copy) = &snapshot.copy {
            writer.copy(copy, snapshot.hops.last().map(|hop| &hop.url));
        }
        if let Some(streak) = snapshot.streak {
            writer.streak(streak);
        }
        Self(writer.0.into_boxed_slice())
    }

    /// The snapshot again; `None` only for octets that are no record.
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
        let headers = KeptHeaders::of_lines(reader.octets()?)?;
        let warnings = reader.list(|reader| Warning::by_code(reader.text()?))?;
        let peer = reader.peer()?;
        let fresh_until = reader.time()?;
        let copy = match copy_body {
            Some(body) => Some(reader.copy(body, hops.last().map(|hop| &hop.url))?),
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

    /// The bodies of the attempt and of the last good copy; one that is both comes twice.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = BodyHash> {
        let (body, copy) = Reader(&self.0).bodies().unwrap_or_default();
        body.into_iter().chain(copy).map(|body| body.hash)
    }

    /// How many octets it has.
    pub(crate) fn octets(&self) -> usize {
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

    fn octets(&mut self, octets: &[u8]) {
        self.number(octets.len() as u64);
        self.0.extend_from_slice(octets);
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
                    self.0.extend_from_slice(body.hash.octets());
                    self.number(body.octets);
                }
            }
        }
    }

    fn attempt(&mut self, attempt: &LastAttempt) {
        self.time(attempt.at);
        self.octets(attempt.outcome.code().as_bytes());
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
        self.octets(url.as_str().as_bytes());
    }

    fn reply(&mut self, reply: Option<Reply>) {
        match reply {
            None => self.0.push(ABSENT),
            Some(reply) => {
                self.0.push(WRITTEN);
                self.octets(reply.code().as_bytes());
            }
        }
    }

    fn peer(&mut self, peer: Option<IpAddr>) {
        match peer {
            None => self.octets(&[]),
            Some(IpAddr::V4(address)) => self.octets(&address.octets()),
            Some(IpAddr::V6(address)) => self.octets(&address.octets()),
        }
    }

    fn copy(&mut self, copy: &KeptCopy, last_hop: Option<&Url>) {
        self.url(&copy.url, last_hop);
        for value in [&copy.entity_tag, &copy.last_modified] {
            match value {
                None => self.0.push(ABSENT),
                Some(value) => {
                    self.0.push(WRITTEN);
                    self.octets(value.as_bytes());
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

/// What is left to be read.
struct Reader<'r>(&'r [u8]);

#[expect(
    clippy::option_option,
    reason = "the outer one is for octets that are no record, the inner one for what is absent"
)]
impl<'r> Reader<'r> {
    fn taken(&mut self, octets: usize) -> Option<&'r [u8]> {
        let (taken, left) = self.0.split_at_checked(octets)?;
        self.0 = left;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.taken(N)?.try_into().ok()
    }

    fn octet(&mut self) -> Option<u8> {
        self.array().map(|[octet]| octet)
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let octet = self.octet()?;
            number |= u64::from(octet & 0x7f) << shift;
            if octet < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn octets(&mut self) -> Option<&'r [u8]> {
        let octets = self.number()?;
        self.taken(usize::try_from(octets).ok()?)
    }

    fn text(&mut self) -> Option<&'r str> {
        std::str::from_utf8(self.octets()?).ok()
    }

    fn time(&mut self) -> Option<Timestamp> {
        self.number().map(Timestamp::from_unix_seconds)
    }

    fn list<T>(&mut self, read: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.number()?;
        (0..count).map(|_| read(self)).collect()
    }

    /// Where the bodies of the attempt and of the copy are.
    fn bodies(&mut self) -> Option<(Option<BodyAddress>, Option<BodyAddress>)> {
        let body = self.body(None)?;
        Some((body, self.body(body)?))
    }

    fn body(&mut self, same: Option<BodyAddress>) -> Option<Option<BodyAddress>> {
        Some(match self.octet()? {
            ABSENT => None,
            SAME => Some(same?),
            _ => Some(BodyAddress {
                hash: BodyHash::from_octets(self.array()?),
                octets: self.number()?,
            }),
        })
    }

    fn attempt(&mut self) -> Option<LastAttempt> {
        Some(LastAttempt {
            at: self.time()?,
            outcome: Outcome::by_code(self.text()?)?,
            stated_lifetime: self.duration()?,
            retry_after: self.duration()?,
        })
    }

    fn duration(&mut self) -> Option<Option<Duration>> {
        if self.octet()? == ABSENT {
            return Some(None);
        }
        let seconds = self.number()?;
        let nanoseconds = u32::try_from(self.number()?).ok()?;
        Some(Some(Duration::new(seconds, nanoseconds)))
    }

    fn url(&mut self, usual: Option<&Url>) -> Option<Url> {
        match self.octet()? {
            SAME => usual.cloned(),
            _ => Url::parse(self.text()?).ok(),
        }
    }

    fn reply(&mut self) -> Option<Option<Reply>> {
        Some(match self.octet()? {
            ABSENT => None,
            _ => Some(Reply::by_code(self.text()?)?),
        })
    }

    fn peer(&mut self) -> Option<Option<IpAddr>> {
        let octets = self.octets()?;
        Some(match octets.len() {
            0 => None,
            4 => Some(Ipv4Addr::from(<[u8; 4]>::try_from(octets).ok()?).into()),
            _ => Some(Ipv6Addr::from(<[u8; 16]>::try_from(octets).ok()?).into()),
        })
    }

    fn copy(&mut self, body: BodyAddress, last_hop: Option<&Url>) -> Option<KeptCopy> {
        Some(KeptCopy {
            body,
            url: self.url(last_hop)?,
            entity_tag: self.header()?,
            last_modified: self.header()?,
            validated_at: self.time()?,
            stated_lifetime: self.duration()?,
        })
    }

    fn header(&mut self) -> Option<Option<HeaderValue>> {
        Some(match self.octet()? {
            ABSENT => None,
            _ => Some(HeaderValue::from_bytes(self.octets()?).ok()?),
        })
    }

    fn streak(&mut self) -> Option<FailureStreak> {
        Some(FailureStreak {
            first_at: self.time()?,
            failures: u32::try_from(self.number()?).ok()?,
            jitter: Jitter::of_thousandths(i16::from_le_bytes(self.array()?)),
        })
    }
}
