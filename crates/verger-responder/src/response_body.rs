//! `ResponseBody`: the body of a response, in one frame.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

/// The body of a response, in one frame or none.
#[derive(Clone, Debug, Default)]
pub struct ResponseBody(Bytes);

impl ResponseBody {
    pub(crate) fn new(octets: Bytes) -> Self {
        Self(octets)
    }

    /// Returns the octets, for callers that need no [`Body`].
    #[must_use]
    pub fn into_bytes(self) -> Bytes {
        self.0
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let octets = std::mem::take(&mut self.0);
        Poll::Ready((!octets.is_empty()).then(|| Ok(Frame::data(octets))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        // A length in memory fits in 64 bits.
        SizeHint::with_exact(self.0.len() as u64)
    }
}
