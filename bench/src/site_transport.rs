//! `SiteTransport`: answers requests for the files of sites immediately, from memory.

use std::sync::Arc;

use http::header::{CACHE_CONTROL, CONTENT_TYPE, DATE, ETAG, LAST_MODIFIED, SERVER};
use http::{HeaderMap, HeaderName, HeaderValue};
use hyper::body::Bytes;
use tokio::time::Instant;
use verger_access::{BodyEnd, Request};
use verger_client::{Arrival, BoxFuture, HttpReply, Received, Transport};

use crate::sites::Sites;

/// Initial size of hyper's read buffer in bytes.
const READ_BYTES: usize = 8192;

/// Header fields before a body. Their values share one buffer, as in hyper.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Head {
    None,
    /// Six fields, as many servers send.
    Usual,
    /// The same fields, and this many more of this size.
    Junk {
        fields: usize,
        bytes: usize,
    },
}

pub(crate) struct SiteTransport {
    sites: Arc<Sites>,
    head: Head,
}

impl SiteTransport {
    pub(crate) fn new(sites: &Arc<Sites>, head: Head) -> Self {
        Self {
            sites: Arc::clone(sites),
            head,
        }
    }
}

impl Transport for SiteTransport {
    fn send<'a>(&'a self, request: &'a Request, _: Instant) -> BoxFuture<'a, Arrival> {
        let host = request.url.host_str().unwrap_or_default();
        let body = self.sites.body_of_host(host);
        let reply = HttpReply {
            status: if body.is_some() { 200 } else { 404 },
            headers: headers(self.head, host),
            body: body.unwrap_or_default().into_owned(),
            body_end: BodyEnd::Whole,
        };
        let arrival = Arrival::new(Received::Http(reply));
        Box::pin(async move { arrival })
    }
}

fn headers(head: Head, host: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let (junk_fields, junk_bytes) = match head {
        Head::None => return headers,
        Head::Usual => (0, 0),
        Head::Junk { fields, bytes } => (fields, bytes),
    };
    let tag = format!("\"{host}\"");
    let usual = [
        (CACHE_CONTROL, "max-age=86400"),
        (CONTENT_TYPE, "text/plain; charset=utf-8"),
        (DATE, "Sat, 21 Nov 2026 12:00:00 GMT"),
        (ETAG, &tag),
        (LAST_MODIFIED, "Sun, 01 Nov 2026 12:00:00 GMT"),
        (SERVER, "nginx/1.28.0"),
    ];
    let mut read = Vec::with_capacity(READ_BYTES.max(junk_fields * junk_bytes + 1024));
    for (_, value) in &usual {
        read.extend_from_slice(value.as_bytes());
    }
    read.resize(read.capacity(), b'j');
    let mut read = Bytes::from(read);
    let mut next = |bytes| {
        let value = HeaderValue::from_maybe_shared(read.split_to(bytes));
        value.expect("it is text")
    };
    for (name, value) in usual {
        headers.insert(name, next(value.len()));
    }
    for field in 0..junk_fields {
        let name = HeaderName::from_bytes(format!("x-junk-{field}").as_bytes());
        headers.insert(name.expect("it is a name"), next(junk_bytes));
    }
    headers
}
