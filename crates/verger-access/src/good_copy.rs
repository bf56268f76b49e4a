//! `GoodCopy`: the last good body, and how to ask whether it still is.

use core::time::Duration;
use std::sync::Arc;

use http::HeaderMap;
use http::header::{ETAG, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED};
use url::Url;

use crate::freshness::{FreshnessRules, stated_lifetime};
use crate::timestamp::Timestamp;

/// A body that was fetched, with what is needed to use it longer or to ask whether it changed.
///
/// The fields are open, so that a store can keep them in its own form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoodCopy {
    /// The octets that count, at most 512,000.
    pub body: Arc<[u8]>,
    /// Where it was found, behind any redirects. A question whether it changed belongs there.
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
            entity_tag: headers.get(ETAG).cloned(),
            last_modified: headers.get(LAST_MODIFIED).cloned(),
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
        if let Some(tag) = &self.entity_tag {
            conditions.insert(IF_NONE_MATCH, tag.clone());
        }
        if let Some(date) = &self.last_modified {
            conditions.insert(IF_MODIFIED_SINCE, date.clone());
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
