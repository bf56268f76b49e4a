//! `CapturedRecord`: the parts of a record that rows and redirects need.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use http::header::{HeaderMap, HeaderValue};
use jiff::Timestamp as Instant;
use url::Url;
use verger_access::{Authority, BODY_BYTES_WANTED, BodyEnd, Timestamp, TransportFailure};

use crate::warc::http_reply::HttpReply;
use crate::warc::warc_head::Field;
use crate::warc::warc_records::{Kind, WarcRecord};

/// Maximum number of decoded bytes kept of a body. No profile uses more.
const BODY_BYTES_MAX: usize = BODY_BYTES_WANTED;

/// Upper bound in bytes, excluding body, URL and redirect target.
const OVERHEAD_BYTES: usize = 1024;

/// What is unusual about a row, or why it contains less than others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mark {
    Damaged,
    Resynchronised,
    NoHttp,
    Revisit,
    RedirectWithoutTarget,
    Coding,
    Truncated,
    Page,
}

impl Mark {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Damaged => "damaged",
            Self::Resynchronised => "resynchronised",
            Self::NoHttp => "no-http",
            Self::Revisit => "revisit",
            Self::RedirectWithoutTarget => "redirect-without-target",
            Self::Coding => "coding",
            Self::Truncated => "truncated",
            Self::Page => "page",
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Recorded {
    Http {
        status: u16,
        headers: HeaderMap,
        body: Arc<[u8]>,
        body_end: BodyEnd,
    },
    FtpFile {
        body: Arc<[u8]>,
        body_end: BodyEnd,
    },
    /// The response is incomplete.
    Failure {
        failure: TransportFailure,
        status: u16,
    },
    /// A revisit takes the values that it lacks from an earlier capture.
    Revisit(Revisit),
    /// There is nothing that could be judged.
    Nothing,
}

#[derive(Clone, Debug)]
pub(crate) struct Revisit {
    pub(crate) url: Url,
    /// Its time, in microseconds since 1970.
    pub(crate) refers_to: Option<i64>,
    pub(crate) payload_digest: Option<u64>,
    /// The status and headers of the revisit record itself.
    own: Option<(u16, HeaderMap)>,
}

#[derive(Clone, Debug)]
pub(crate) struct CapturedRecord {
    pub(crate) written_url: Option<String>,
    pub(crate) url: Option<Url>,
    /// `None` if this is not a robots.txt.
    pub(crate) authority: Option<Authority>,
    /// Microseconds since 1970.
    pub(crate) time: Option<i64>,
    /// A hash of the stated payload digest.
    pub(crate) payload_digest: Option<u64>,
    pub(crate) recorded: Recorded,
    pub(crate) mark: Option<Mark>,
    pub(crate) problem: String,
    pub(crate) offset: u64,
    pub(crate) length: Option<u64>,
}

impl CapturedRecord {
    /// Returns `None` for a readable record without a response.
    pub(crate) fn of(record: &WarcRecord) -> Option<Self> {
        let kind = record.kind();
        if kind == Kind::Other && record.problem.is_empty() {
            return None;
        }
        let mut capture = Self {
            written_url: None,
            url: None,
            authority: None,
            time: time(record, Field::Date),
            payload_digest: payload_digest(record),
            recorded: Recorded::Nothing,
            mark: None,
            problem: record.problem.clone(),
            offset: record.offset,
            length: record.length,
        };
        capture.take_url(record);
        if !capture.problem.is_empty() {
            capture.mark = Some(Mark::Damaged);
        } else if record.is_resynchronised {
            capture.mark = Some(Mark::Resynchronised);
        } else if kind == Kind::Revisit {
            capture.mark = Some(Mark::Revisit);
            capture.take_revisit(record);
        } else {
            capture.take_response(record);
        }
        Some(capture)
    }

    fn take_url(&mut self, record: &WarcRecord) {
        if record.head.is_too_long(Field::TargetUri) {
            self.problem += "the URL of the record is too long";
        }
        let Some(value) = record.head.value(Field::TargetUri) else {
            if record.problem.is_empty() && self.problem.is_empty() {
                self.problem += "the record has no WARC-Target-URI";
            }
            return;
        };
        let (text, url) = read_url(value);
        match url {
            Ok(url) => {
                let is_robots_txt = url.path() == "/robots.txt" && url.query().is_none();
                let authority = is_robots_txt.then(|| Authority::from_parsed_url(&url).ok());
                self.authority = authority.flatten();
                self.url = Some(url);
            }
            Err(error) if self.problem.is_empty() => {
                self.problem = format!("the URL of the record cannot be read: {error}");
            }
            Err(_) => {}
        }
        self.written_url = Some(text);
    }

    fn take_revisit(&mut self, record: &WarcRecord) {
        let named = record.head.value(Field::RefersToTargetUri);
        let url = match named {
            Some(value) => read_url(value).1.ok(),
            None => self.url.clone(),
        };
        let Some(url) = url else {
            return;
        };
        let reply = HttpReply::read(&record.block, true, BODY_BYTES_MAX);
        // A 304 means that the earlier response is still valid.
        let own = reply.filter(|reply| reply.status != 304);
        self.recorded = Recorded::Revisit(Revisit {
            url,
            refers_to: time(record, Field::RefersToDate),
            payload_digest: self.payload_digest,
            own: own.map(|reply| (reply.status, reply.headers)),
        });
    }

    pub(crate) fn revisit(&mut self, earlier: &Self) {
        let Recorded::Revisit(revisit) = &mut self.recorded else {
            return;
        };
        let own = revisit.own.take();
        let mut recorded = earlier.recorded.clone();
        match (&mut recorded, own) {
            (Recorded::Http { .. } | Recorded::FtpFile { .. }, None) => {}
            (
                Recorded::Http {
                    status, headers, ..
                },
                Some(own),
            ) => (*status, *headers) = own,
            _ => return,
        }
        self.recorded = recorded;
        self.mark = earlier.mark;
    }

    fn take_response(&mut self, record: &WarcRecord) {
        let media_type = record.head.value(Field::ContentType).unwrap_or_default();
        let is_ftp = self.url.as_ref().is_some_and(|url| url.scheme() == "ftp");
        let truncated = record.head.value(Field::Truncated);
        // The first of several segments. The others are continuation records (WARC 1.1, 7).
        let is_segment = record.head.value(Field::SegmentNumber).is_some();
        let is_cut = record.is_cut || truncated.is_some() || is_segment;
        let is_http = media_type
            .get(.."application/http".len())
            .is_some_and(|of| of.eq_ignore_ascii_case(b"application/http"));
        if is_ftp && !is_http {
            let body_end = if is_cut {
                BodyEnd::CutAtLimit
            } else {
                BodyEnd::Whole
            };
            let body = record.block.as_slice().into();
            self.recorded = Recorded::FtpFile { body, body_end };
        } else if let Some(reply) = HttpReply::read(&record.block, is_cut, BODY_BYTES_MAX)
            && record.kind() == Kind::Response
        {
            self.take_reply(reply);
        } else {
            self.mark = Some(Mark::NoHttp);
        }
        // The archiving crawler did not receive the rest. If it truncated a long body itself, that
        // is not a failure.
        let failure = match truncated.map(<[u8]>::to_ascii_lowercase).as_deref() {
            Some(b"time") => Some(TransportFailure::Timeout),
            Some(b"disconnect") => Some(TransportFailure::Reset),
            _ => None,
        };
        if let (Some(failure), Some(status)) = (failure, self.status()) {
            self.recorded = Recorded::Failure { failure, status };
        }
        if is_cut && self.mark.is_none() {
            self.mark = Some(Mark::Truncated);
        }
    }

    fn take_reply(&mut self, reply: HttpReply) {
        let HttpReply {
            status,
            headers,
            body,
            body_end,
        } = reply;
        self.recorded = match body {
            Ok(body) => {
                if body_end == BodyEnd::CutAtLimit {
                    self.mark = Some(Mark::Truncated);
                }
                Recorded::Http {
                    status,
                    headers,
                    body,
                    body_end,
                }
            }
            // The meaning of a redirect or error status does not depend on its body.
            Err(_) if !(200..=299).contains(&status) => {
                let (body, body_end) = (Arc::default(), BodyEnd::CutAtLimit);
                Recorded::Http {
                    status,
                    headers,
                    body,
                    body_end,
                }
            }
            Err(failure) => {
                self.mark = Some(match failure {
                    TransportFailure::Truncated => Mark::Truncated,
                    _ => Mark::Coding,
                });
                Recorded::Failure { failure, status }
            }
        };
    }

    /// Returns the status of the HTTP response.
    pub(crate) fn status(&self) -> Option<u16> {
        match self.recorded {
            Recorded::Http { status, .. } | Recorded::Failure { status, .. } => Some(status),
            Recorded::FtpFile { .. } | Recorded::Revisit(_) | Recorded::Nothing => None,
        }
    }

    /// Returns true for a robots.txt URL or an unreadable URL.
    pub(crate) fn is_row(&self) -> bool {
        self.authority.is_some() || self.url.is_none() || !self.problem.is_empty()
    }

    pub(crate) fn is_judged(&self) -> bool {
        !matches!(self.recorded, Recorded::Revisit(_) | Recorded::Nothing)
    }

    pub(crate) fn seconds(&self) -> Timestamp {
        let seconds = self.time.unwrap_or(0).div_euclid(1_000_000);
        Timestamp::from_unix_seconds(u64::try_from(seconds).unwrap_or(0))
    }

    pub(crate) fn bytes(&self) -> usize {
        let (body, headers) = match &self.recorded {
            Recorded::Http { body, headers, .. } => (body.len(), Some(headers)),
            Recorded::FtpFile { body, .. } => (body.len(), None),
            Recorded::Revisit(revisit) => (0, revisit.own.as_ref().map(|(_, headers)| headers)),
            Recorded::Failure { .. } | Recorded::Nothing => (0, None),
        };
        let values = headers.into_iter().flat_map(HeaderMap::values);
        let values: usize = values.map(HeaderValue::len).sum();
        let written = self.written_url.as_ref().map_or(0, String::capacity);
        OVERHEAD_BYTES + body + values + 3 * written + self.problem.capacity()
    }
}

fn read_url(value: &[u8]) -> (String, Result<Url, url::ParseError>) {
    // An old specification had angle brackets in its grammar.
    let value = value.strip_prefix(b"<").unwrap_or(value);
    let value = value.strip_suffix(b">").unwrap_or(value);
    let text = String::from_utf8_lossy(value).into_owned();
    let url = Url::parse(&text).map(|mut url| {
        url.set_fragment(None);
        url
    });
    (text, url)
}

fn payload_digest(record: &WarcRecord) -> Option<u64> {
    let digest = record.head.value(Field::PayloadDigest)?;
    let mut hasher = DefaultHasher::new();
    digest.hash(&mut hasher);
    Some(hasher.finish())
}

fn time(record: &WarcRecord, field: Field) -> Option<i64> {
    let date = std::str::from_utf8(record.head.value(field)?).ok()?;
    let time: Instant = date.parse().ok()?;
    Some(time.as_microsecond())
}
