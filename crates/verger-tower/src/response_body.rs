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
    pub(crate) fn new(bytes: Bytes) -> Self {
        Self(bytes)
    }

    /// Returns the bytes, for callers that do not need a [`Body`].
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
        let bytes = std::mem::take(&mut self.0);
        Poll::Ready((!bytes.is_empty()).then(|| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        // A length in memory fits in 64 bits.
        SizeHint::with_exact(self.0.len() as u64)
    }
}
