//! `GoodCopy`: the last good body, and how to ask whether it still is.

use core::time::Duration;
use std::sync::Arc;

use http::HeaderMap;
use http::header::{ETAG, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED};
use url::Url;

use crate::freshness::{FreshnessRules, stated_lifetime};
use crate::timestamp::Timestamp;

/// A header value of more octets is not kept: half a value could mean something else, and no request
/// carries a longer one back.
pub const HEADER_VALUE_OCTETS_MAX: usize = 1024;

/// A body that was fetched, with what is needed to use it longer or to ask whether it changed.
///
/// The fields are open, so that a store can keep them in its own form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoodCopy {
    /// The octets that count, at most 512,000.
    pub body: Arc<[u8]>,
    /// Where it was found, behind any redirects. A question whether it changed belongs there.
    pub url: Url,
    /// Its `ETag`, as sent; one of more than [`HEADER_VALUE_OCTETS_MAX`] octets is none.
    pub entity_tag: Option<HeaderValue>,
    /// Its `Last-Modified`, as sent; one of more octets than that is none.
    pub last_modified: Option<HeaderValue>,
    /// When it was last found to be so.
    pub validated_at: Timestamp,
    /// The lifetime that was stated then, less the age.
    pub stated_lifetime: Option<Duration>,
}

impl GoodCopy {
    /// The copy that a response brings.
    pub(crate) fn of_response(
        body: Vec<u8>,
        url: Url,
        headers: &HeaderMap,
        now: Timestamp,
    ) -> Self {
        Self {
            body: body.into(),
            url,
            entity_tag: kept(headers.get(ETAG)),
            last_modified: kept(headers.get(LAST_MODIFIED)),
            validated_at: now,
            stated_lifetime: stated_lifetime(headers, now),
        }
    }

    /// The same copy, found unchanged. What the response to that question states goes before what
    /// was stated earlier (RFC 9111 3.2).
    pub(crate) fn renewed(mut self, headers: &HeaderMap, now: Timestamp) -> Self {
        let renewed = Self::of_response(Vec::new(), self.url.clone(), headers, now);
        self.entity_tag = renewed.entity_tag.or(self.entity_tag);
        self.last_modified = renewed.last_modified.or(self.last_modified);
        self.stated_lifetime = renewed.stated_lifetime.or(self.stated_lifetime);
        self.validated_at = now;
        self
    }

    /// The headers that ask whether it changed; none where nothing identifies it.
    pub(crate) fn conditions(&self) -> HeaderMap {
        let mut conditions = HeaderMap::new();
        // A store may hand in any value.
        if let Some(tag) = kept(self.entity_tag.as_ref()) {
            conditions.insert(IF_NONE_MATCH, tag);
        }
        if let Some(date) = kept(self.last_modified.as_ref()) {
            conditions.insert(IF_MODIFIED_SINCE, date);
        }
        conditions
    }

    /// Until when it is within its lifetime; `None` where it no longer is, or where the clock has
    /// gone back behind its beginning, since then nobody knows.
    pub(crate) fn fresh_until(&self, rules: &FreshnessRules, now: Timestamp) -> Option<Timestamp> {
        self.younger_until(rules.lifetime(self.stated_lifetime), now)
    }

    /// Until when it is younger than `age`; `None` as above.
    pub(crate) fn younger_until(&self, age: Duration, now: Timestamp) -> Option<Timestamp> {
        let end = self.validated_at.after(age);
        (self.validated_at <= now && now < end).then_some(end)
    }
}

/// A value that is short enough to be kept, in octets of its own: the value of a response shares
/// the buffer that the whole head was read into, and would keep all of it.
fn kept(value: Option<&HeaderValue>) -> Option<HeaderValue> {
    let octets = value?.as_bytes();
    if octets.len() > HEADER_VALUE_OCTETS_MAX {
        return None;
    }
    HeaderValue::from_bytes(octets).ok()
}
