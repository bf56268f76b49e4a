//! `KeptCopy`: the last good copy in a snapshot, without its body.

use core::time::Duration;
use std::sync::Arc;

use http::HeaderValue;
use url::Url;
use verger_access::{GoodCopy, Timestamp};

use crate::body_hash::BodyHash;

/// A reference to a stored body: its hash and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BodyDigest {
    /// The hash of the body.
    pub hash: BodyHash,
    /// Its length in bytes.
    pub bytes: u64,
}

impl BodyDigest {
    /// Computes the reference to a body.
    #[must_use]
    pub fn new(body: &[u8]) -> Self {
        Self {
            hash: BodyHash::new(body),
            bytes: body.len() as u64,
        }
    }
}

/// A [`GoodCopy`] with a reference instead of its body.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeptCopy {
    /// The body.
    pub body: BodyDigest,
    /// The URL that the body was fetched from, after redirects.
    pub url: Url,
    /// The `ETag`, as sent.
    pub entity_tag: Option<HeaderValue>,
    /// The `Last-Modified`, as sent.
    pub last_modified: Option<HeaderValue>,
    /// When the body was fetched, or last confirmed by a 304.
    pub validated_at: Timestamp,
    /// The lifetime that the response stated, less its age.
    pub stated_lifetime: Option<Duration>,
}

impl KeptCopy {
    /// Creates the reference to a copy whose body is stored as `body`.
    pub(crate) fn of(copy: &GoodCopy, body: BodyDigest) -> Self {
        Self {
            body,
            url: copy.url.clone(),
            entity_tag: copy.entity_tag.clone(),
            last_modified: copy.last_modified.clone(),
            validated_at: copy.validated_at,
            stated_lifetime: copy.stated_lifetime,
        }
    }

    pub(crate) fn with_bytes(&self, bytes: Arc<[u8]>) -> GoodCopy {
        GoodCopy {
            body: bytes,
            url: self.url.clone(),
            entity_tag: self.entity_tag.clone(),
            last_modified: self.last_modified.clone(),
            validated_at: self.validated_at,
            stated_lifetime: self.stated_lifetime,
        }
    }
}
