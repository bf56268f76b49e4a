//! `HttpBody`: as much of a response's body as anybody needs, its encoding undone.

use core::time::Duration;

use http::HeaderMap;
use http::header::{CONTENT_ENCODING, TRANSFER_ENCODING};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use verger_access::{BODY_OCTETS_WANTED, BodyEnd, TransportFailure};

use crate::breakdown::Breakdown;
use crate::content_decoding::{Coding, ENCODED_OCTETS_MAX, codings, decode};
use crate::http_breakdown::{Place, breakdown};

/// A body of so many encoded octets is decoded where it is read: that takes four milliseconds at
/// worst, and handing it over some microseconds in any case.
const DECODED_AT_ONCE_MAX: usize = 4 << 10;

/// How many bodies are decoded at once in this process.
static DECODINGS: Semaphore = Semaphore::const_new(4);

/// A body as far as it came.
pub(crate) struct HttpBody {
    pub(crate) octets: Vec<u8>,
    pub(crate) end: BodyEnd,
    /// What ended it early, if it was not the reader.
    pub(crate) broken: Option<Breakdown>,
}

impl HttpBody {
    /// The body of a response that has none, or none that matters.
    pub(crate) fn none() -> Self {
        Self {
            octets: Vec::new(),
            end: BodyEnd::Whole,
            broken: None,
        }
    }

    /// Reads `body`, which came with `headers`, until the limit or a silence.
    pub(crate) async fn read(body: Incoming, headers: &HeaderMap, silence: Duration) -> Self {
        if let Some(coding) = unasked_coding(headers) {
            let words = format!("nobody asked for the transfer coding {coding:?}");
            return Self::broken(TransportFailure::ContentEncoding, words);
        }
        if !headers.contains_key(CONTENT_ENCODING) {
            return Self::as_sent(body, BODY_OCTETS_WANTED, silence).await;
        }
        let sent = Self::as_sent(body, ENCODED_OCTETS_MAX, silence).await;
        if sent.octets.is_empty() {
            return sent;
        }
        let end = match sent.broken {
            Some(_) => BodyEnd::CutAtLimit,
            None => sent.end,
        };
        let decoded = match codings(headers) {
            Ok(codings) => decode_aside(codings, sent.octets, end).await,
            Err(words) => Err(words),
        };
        match decoded {
            Ok((octets, end)) => Self {
                octets,
                end,
                broken: sent.broken,
            },
            Err(words) => {
                let undecoded = Self::broken(TransportFailure::ContentEncoding, words);
                Self {
                    broken: sent.broken.or(undecoded.broken),
                    ..undecoded
                }
            }
        }
    }

    /// A body of which there is nothing to be had.
    fn broken(failure: TransportFailure, words: String) -> Self {
        Self {
            octets: Vec::new(),
            end: BodyEnd::CutAtLimit,
            broken: Some(Breakdown::new(failure, words)),
        }
    }

    /// The octets as they travelled.
    async fn as_sent(mut body: Incoming, octets_max: usize, silence: Duration) -> Self {
        let mut octets = Vec::new();
        let broken = loop {
            let frame = match timeout(silence, body.frame()).await {
                Ok(None) => break None,
                Ok(Some(Ok(frame))) => frame,
                Ok(Some(Err(error))) => break Some(breakdown(&error, Place::Body)),
                Err(_) => {
                    let detail = "the silence within the body took too long";
                    break Some(Breakdown::new(TransportFailure::Timeout, detail));
                }
            };
            // What is no data is a trailer.
            let Ok(data) = frame.into_data() else {
                continue;
            };
            let room = octets_max - octets.len();
            octets.extend_from_slice(&data[..data.len().min(room)]);
            if data.len() >= room {
                return Self {
                    octets,
                    end: BodyEnd::CutAtLimit,
                    broken: None,
                };
            }
        };
        Self {
            octets,
            end: BodyEnd::Whole,
            broken,
        }
    }
}

/// Decodes a body where nobody waits for the processor: one that is made to be slow takes half a
/// second.
async fn decode_aside(
    codings: Vec<Coding>,
    encoded: Vec<u8>,
    end: BodyEnd,
) -> Result<(Vec<u8>, BodyEnd), String> {
    if encoded.len() <= DECODED_AT_ONCE_MAX {
        return decode(&codings, encoded, end);
    }
    let turn = DECODINGS
        .acquire()
        .await
        .map_err(|error| error.to_string())?;
    let decoding = tokio::task::spawn_blocking(move || {
        // It counts until it is done, also where nobody waits for it any more.
        let _turn = turn;
        decode(&codings, encoded, end)
    });
    let decoded = decoding.await;
    decoded.unwrap_or_else(|_| Err("the decoder gave up".to_owned()))
}

/// A transfer coding besides "chunked", which a server must not use unless it is told to (RFC 9112
/// 7.4).
fn unasked_coding(headers: &HeaderMap) -> Option<String> {
    let values = headers.get_all(TRANSFER_ENCODING).into_iter();
    values
        .map(|value| String::from_utf8_lossy(value.as_bytes()).trim().to_owned())
        .find(|value| !value.eq_ignore_ascii_case("chunked"))
}
