//! `HttpBody`: reads a response body up to a limit, and undoes its encoding.

use core::time::Duration;

use http::header::{CONTENT_ENCODING, TRANSFER_ENCODING};
use http::response::Parts;
use http::{HeaderMap, StatusCode, Version};
use http_body_util::BodyExt as _;
use hyper::body::{Body as _, Incoming};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout, timeout_at};
use verger_access::{BODY_BYTES_WANTED, BodyEnd, TransportFailure};

use crate::transport::content_decoding::{Coding, codings, decode, encoded_bytes_max};
use crate::transport::http_errors::{ResponsePart, transport_error};
use crate::transport::transport_error::TransportError;

/// Bytes read of an error page, whose title is near the start.
const PAGE_BYTES_MAX: usize = 64 << 10;

/// Maximum decoded size of an error page's start.
const PAGE_DECODED_MAX: usize = BODY_BYTES_WANTED;

/// Bodies of at most this many encoded bytes are decoded by the task that reads them, in at most
/// four milliseconds. Another thread would cost some microseconds each time.
const DECODED_AT_ONCE_MAX: usize = 4 << 10;

/// Limits how many bodies this process decodes at once.
static DECODINGS: Semaphore = Semaphore::const_new(4);

pub(crate) struct HttpBody {
    pub(crate) bytes: Vec<u8>,
    pub(crate) end: BodyEnd,
    pub(crate) broken: Option<TransportError>,
}

impl HttpBody {
    /// Returns an empty body, which also replaces bodies that do not matter.
    pub(crate) fn none() -> Self {
        Self {
            bytes: Vec::new(),
            end: BodyEnd::Whole,
            broken: None,
        }
    }

    /// Reads the body of a 2xx response. `bytes_max` applies to the decoded bytes.
    pub(crate) async fn read(
        body: Incoming,
        head: &Parts,
        silence: Duration,
        bytes_max: usize,
    ) -> Self {
        let headers = &head.headers;
        let sent_bytes_max = if headers.contains_key(CONTENT_ENCODING) {
            encoded_bytes_max(bytes_max)
        } else {
            bytes_max
        };
        let length = body.size_hint().exact();
        let mut sent = Self::none();
        sent.receive(body, head.version, sent_bytes_max, silence)
            .await;
        // "204 (No Content)" has no content, whatever length it states (RFC 9110 15.3.5).
        if let Some(length) = length
            && sent.is_whole()
            && head.status != StatusCode::NO_CONTENT
            && u64::try_from(sent.bytes.len()) != Ok(length)
        {
            let detail = format!("{} of {length} bytes came", sent.bytes.len());
            sent.broken = Some(TransportError::new(TransportFailure::Truncated, detail));
        }
        sent.decoded(headers, bytes_max).await
    }

    /// Reads the start of an error page, as far as it arrives within `time`.
    pub(crate) async fn page(body: Incoming, head: &Parts, time: Duration) -> Self {
        let deadline = Instant::now() + time;
        let mut sent = Self::none();
        let receiving = sent.receive(body, head.version, PAGE_BYTES_MAX, time);
        if timeout_at(deadline, receiving).await.is_err() {
            sent.end = BodyEnd::CutAtLimit;
        }
        let decoded = timeout_at(deadline, sent.decoded(&head.headers, PAGE_DECODED_MAX)).await;
        decoded.unwrap_or_else(|_| Self::none())
    }

    fn is_whole(&self) -> bool {
        self.end == BodyEnd::Whole && self.broken.is_none()
    }

    async fn decoded(self, headers: &HeaderMap, bytes_max: usize) -> Self {
        if self.bytes.is_empty() || !headers.contains_key(CONTENT_ENCODING) {
            return self;
        }
        let end = match self.broken {
            Some(_) => BodyEnd::CutAtLimit,
            None => self.end,
        };
        let decoded = match codings(headers) {
            Ok(codings) => decode_aside(codings, self.bytes, end, bytes_max).await,
            Err(words) => Err(words),
        };
        match decoded {
            Ok((bytes, end)) => Self {
                bytes,
                end,
                broken: self.broken,
            },
            Err(words) => {
                let undecoded = Self::broken(TransportFailure::ContentEncoding, words);
                Self {
                    broken: self.broken.or(undecoded.broken),
                    ..undecoded
                }
            }
        }
    }

    /// Returns the body of a response with odd framing, whose end is unknown.
    pub(crate) fn of_odd_framing(headers: &HeaderMap) -> Self {
        let values = headers.get_all(TRANSFER_ENCODING).into_iter();
        let codings: Vec<_> = values
            .map(|value| String::from_utf8_lossy(value.as_bytes()))
            .collect();
        let words = match codings.join(", ") {
            codings if codings.is_empty() => "the transfer coding cannot be read".to_owned(),
            codings => format!(
                "the transfer coding `{}` is not exactly `chunked`",
                codings.escape_debug()
            ),
        };
        Self::broken(TransportFailure::Chunking, words)
    }

    fn broken(failure: TransportFailure, words: String) -> Self {
        Self {
            bytes: Vec::new(),
            end: BodyEnd::CutAtLimit,
            broken: Some(TransportError::new(failure, words)),
        }
    }

    /// Receives bytes into `self`, so they survive if the future is dropped.
    async fn receive(
        &mut self,
        mut body: Incoming,
        version: Version,
        bytes_max: usize,
        silence: Duration,
    ) {
        loop {
            let frame = match timeout(silence, body.frame()).await {
                Ok(None) => {
                    self.broken = reset_without_error(&body, version);
                    return;
                }
                Ok(Some(Ok(frame))) => frame,
                Ok(Some(Err(error))) => {
                    self.broken = Some(transport_error(&error, ResponsePart::Body));
                    return;
                }
                Err(_) => {
                    self.broken = Some(TransportError::timeout("no byte of the body", silence));
                    return;
                }
            };
            let Ok(data) = frame.into_data() else {
                continue;
            };
            let room = bytes_max - self.bytes.len();
            self.bytes.extend_from_slice(&data[..data.len().min(room)]);
            if data.len() >= room {
                self.end = BodyEnd::CutAtLimit;
                return;
            }
        }
    }
}

/// Returns the error of an HTTP/2 stream reset with `NO_ERROR`. The HTTP library reports a regular
/// end, but the body may be incomplete.
fn reset_without_error(body: &Incoming, version: Version) -> Option<TransportError> {
    if version != Version::HTTP_2 || body.is_end_stream() {
        return None;
    }
    let detail = "the stream was reset before its end";
    Some(TransportError::new(TransportFailure::Truncated, detail))
}

/// Decodes a body on a blocking thread, because a malicious body takes half a second.
async fn decode_aside(
    codings: Vec<Coding>,
    encoded: Vec<u8>,
    end: BodyEnd,
    bytes_max: usize,
) -> Result<(Vec<u8>, BodyEnd), String> {
    if encoded.len() <= DECODED_AT_ONCE_MAX {
        return decode(&codings, encoded, end, bytes_max);
    }
    let permit = DECODINGS
        .acquire()
        .await
        .map_err(|error| error.to_string())?;
    let decoding = tokio::task::spawn_blocking(move || {
        // Held until decoding ends, even if the caller was cancelled.
        let _permit = permit;
        decode(&codings, encoded, end, bytes_max)
    });
    let decoded = decoding.await;
    decoded.unwrap_or_else(|_| Err("the decoder gave up".to_owned()))
}
