//! `KeptCopy`: the last good copy as a snapshot keeps it, its octets apart.

use core::time::Duration;
use std::sync::Arc;

use http::HeaderValue;
use url::Url;
use verger_access::{GoodCopy, Timestamp};

use crate::body_hash::BodyHash;

/// Which body something has; the octets are stored once, apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BodyAddress {
    /// The hash of its octets.
    pub hash: BodyHash,
    /// How many there are.
    pub octets: u64,
}

impl BodyAddress {
    /// Where that body is.
    #[must_use]
    pub fn of(body: &[u8]) -> Self {
        Self {
            hash: BodyHash::of(body),
            octets: body.len() as u64,
        }
    }
}

/// A [`GoodCopy`] whose octets are stored apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptCopy {
    /// Its octets.
    pub body: BodyAddress,
    /// Where it was found, behind any redirects.
    pub url: Url,
    /// Its `ETag`, as sent.
    pub entity_tag: Option<HeaderValue>,
    /// Its `Last-Modified`, as sent.
    pub last_modified: Option<HeaderValue>,
    /// When it was last found to be so.
    pub validated_at: Timestamp,
    /// The lifetime that was stated then, less the age.
    pub stated_lifetime: Option<Duration>,
}

impl KeptCopy {
    /// A copy whose octets are, or will be, at `body`.
    pub(crate) fn of(copy: &GoodCopy, body: BodyAddress) -> Self {
        Self {
            body,
            url: copy.url.clone(),
            entity_tag: copy.entity_tag.clone(),
            last_modified: copy.last_modified.clone(),
            validated_at: copy.validated_at,
            stated_lifetime: copy.stated_lifetime,
        }
    }

    /// The copy with its octets.
    pub(crate) fn with_octets(&self, octets: Arc<[u8]>) -> GoodCopy {
        GoodCopy {
            body: octets,
            url: self.url.clone(),
            entity_tag: self.entity_tag.clone(),
            last_modified: self.last_modified.clone(),
            validated_at: self.validated_at,
            stated_lifetime: self.stated_lifetime,
        }
    }
}
