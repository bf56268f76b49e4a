//! `GoodCopy`: the last good body, and the conditional request that validates it.

use core::time::Duration;
use std::sync::Arc;

use http::HeaderMap;
use http::header::{ETAG, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED};
use url::Url;
use verger::allocated_bytes;

use crate::freshness::{FreshnessRules, stated_lifetime};
use crate::timestamp::Timestamp;

/// Maximum length of a stored header value, in bytes. Longer values are dropped, not cut, because half a value could
/// mean something else. Requests never send a longer validator.
pub const HEADER_VALUE_BYTES_MAX: usize = 1024;

/// A fetched body, with its lifetime and its validators. The fields are public, so a store can keep them in its own
/// form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoodCopy {
    /// The used bytes, at most 512,000.
    pub body: Arc<[u8]>,
    /// The URL that it was fetched from, after any redirects. Only requests for this URL may be conditional.
    pub url: Url,
    /// The `ETag`, as sent, or `None` if it is longer than [`HEADER_VALUE_BYTES_MAX`].
    pub entity_tag: Option<HeaderValue>,
    /// The `Last-Modified`, as sent, or `None` if it is longer than that.
    pub last_modified: Option<HeaderValue>,
    /// When it was fetched, or last confirmed by a 304.
    pub validated_at: Timestamp,
    /// The lifetime that the response stated, less its age.
    pub stated_lifetime: Option<Duration>,
}

impl GoodCopy {
    pub(crate) fn from_response(
        body: Arc<[u8]>,
        url: Url,
        headers: &HeaderMap,
        now: Timestamp,
    ) -> Self {
        Self {
            body,
            url,
            entity_tag: kept(headers.get(ETAG)),
            last_modified: kept(headers.get(LAST_MODIFIED)),
            validated_at: now,
            stated_lifetime: stated_lifetime(headers, now),
        }
    }

    /// Returns the copy as confirmed by a 304, whose headers replace earlier ones (RFC 9111 3.2).
    pub(crate) fn renewed(mut self, headers: &HeaderMap, now: Timestamp) -> Self {
        let renewed = Self::from_response(Arc::default(), self.url.clone(), headers, now);
        self.entity_tag = renewed.entity_tag.or(self.entity_tag);
        self.last_modified = renewed.last_modified.or(self.last_modified);
        self.stated_lifetime = renewed.stated_lifetime.or(self.stated_lifetime);
        self.validated_at = now;
        self
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        let validators = [&self.entity_tag, &self.last_modified];
        let validators = validators.into_iter().flatten();
        allocated_bytes(size_of::<[usize; 2]>() + self.body.len())
            + allocated_bytes(self.url.as_str().len())
            + validators
                .map(|it| allocated_bytes(it.len()))
                .sum::<usize>()
    }

    /// Returns the headers of a conditional request, or no headers if there are no validators.
    pub(crate) fn conditions(&self) -> HeaderMap {
        let mut conditions = HeaderMap::new();
        // A copy from a store may have longer values.
        if let Some(tag) = kept(self.entity_tag.as_ref()) {
            conditions.insert(IF_NONE_MATCH, tag);
        }
        if let Some(date) = kept(self.last_modified.as_ref()) {
            conditions.insert(IF_MODIFIED_SINCE, date);
        }
        conditions
    }

    /// Returns when it becomes stale, or `None` if it is stale already, or if the clock has gone back to a time before
    /// its validation, so its age is unknown.
    pub(crate) fn fresh_until(&self, rules: &FreshnessRules, now: Timestamp) -> Option<Timestamp> {
        self.younger_until(rules.lifetime(self.stated_lifetime), now)
    }

    /// Returns when it reaches `age`, or `None` if it is already older or its age is unknown.
    pub(crate) fn younger_until(&self, age: Duration, now: Timestamp) -> Option<Timestamp> {
        let end = self.validated_at.after(age);
        (self.validated_at <= now && now < end).then_some(end)
    }
}

/// Copies a value that is short enough. A received value is a slice of the buffer of the whole head, and would keep
/// that buffer in memory.
fn kept(value: Option<&HeaderValue>) -> Option<HeaderValue> {
    let bytes = value?.as_bytes();
    if bytes.len() > HEADER_VALUE_BYTES_MAX {
        return None;
    }
    HeaderValue::from_bytes(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_that_of_the_body_the_url_and_the_validators() {
        let url = Url::parse("https://h.example/robots.txt").unwrap();
        let bytes = |headers: &HeaderMap| {
            let now = Timestamp::from_unix_seconds(0);
            let body = Arc::from(vec![b'a'; 1000]);
            GoodCopy::from_response(body, url.clone(), headers, now).heap_bytes()
        };
        let mut headers = HeaderMap::new();
        let without = bytes(&headers);
        let counts = 2 * size_of::<usize>();
        let of_url = allocated_bytes(url.as_str().len());
        assert_eq!(without, allocated_bytes(counts + 1000) + of_url);
        headers.insert(ETAG, HeaderValue::from_static("\"0123456789\""));
        assert_eq!(bytes(&headers), without + allocated_bytes(12));
    }
}
