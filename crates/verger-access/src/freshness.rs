//! How long an answer lasts: what the response states, and what a profile makes of it.
//! RFC 9111; R9309-2.4, G-cache, K96-3.4.

use core::time::Duration;

use http::HeaderMap;
use http::header::{AGE, CACHE_CONTROL, DATE, EXPIRES, HeaderName};

use crate::timestamp::Timestamp;

/// Whether a known body is asked for with `If-None-Match` and `If-Modified-Since`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConditionalRequests {
    /// They are sent. R9309-2.4-2, K96-3.4-1.
    Sent,
    /// They are not: Google sends a GET without conditions. G-loc-3.
    NotSent,
}

/// How long answers last in a profile, rules and answers without a file alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FreshnessRules {
    /// Where the response states no lifetime.
    pub default_lifetime: Duration,
    /// The longest, whatever the response states.
    pub lifetime_max: Duration,
    /// The shortest, also for `no-store`, `no-cache`, `max-age=0` and a date in the past.
    pub lifetime_min: Duration,
    /// Whether a known body is asked for conditionally.
    pub conditional_requests: ConditionalRequests,
    /// The clause by which what is expired is no longer used.
    pub clause: &'static str,
    /// The clause by which nothing is fetched before robots.txt.
    pub clause_before_first_fetch: &'static str,
}

impl FreshnessRules {
    /// How long an answer lasts that states `stated`.
    #[must_use]
    pub fn lifetime(&self, stated: Option<Duration>) -> Duration {
        let lifetime = stated.unwrap_or(self.default_lifetime);
        lifetime.min(self.lifetime_max).max(self.lifetime_min)
    }
}

/// The lifetime that a response states, less its age; `None` where it states none.
///
/// `s-maxage` goes before `max-age`, and that before `Expires` (RFC 9111 4.2.1). What is stated but
/// cannot be read is nothing at all: caches are encouraged to take such responses for stale. The date
/// of the response, where it has one, is the origin's clock, by which `Expires` is meant.
pub(crate) fn stated_lifetime(headers: &HeaderMap, received: Timestamp) -> Option<Duration> {
    let mut s_maxage = None;
    let mut max_age = None;
    for (name, value) in directives(headers) {
        match name.to_ascii_lowercase().as_str() {
            // A copy that may not be kept, or not be used without asking, lasts the least.
            "no-store" | "no-cache" => return Some(Duration::ZERO),
            // Of repeated directives the first one counts (RFC 9111 4.2.1).
            "s-maxage" => s_maxage = s_maxage.or(Some(seconds(value))),
            "max-age" => max_age = max_age.or(Some(seconds(value))),
            _ => {}
        }
    }
    let stated = s_maxage
        .or(max_age)
        .or_else(|| stated_by_expires(headers, received))?;
    let age = text(headers, &AGE).map_or(Duration::ZERO, |age| seconds(Some(age)));
    Some(stated.saturating_sub(age))
}

fn stated_by_expires(headers: &HeaderMap, received: Timestamp) -> Option<Duration> {
    let value = headers.get(EXPIRES)?;
    // "a cache recipient MUST interpret invalid date formats, especially the value "0", as
    // representing a time in the past" (RFC 9111 5.3).
    let expires = value.to_str().ok().and_then(Timestamp::from_http_date);
    let sent = date_of(headers).unwrap_or(received);
    Some(expires.map_or(Duration::ZERO, |expires| expires.since(sent)))
}

/// The date that the response carries, by the origin's clock.
pub(crate) fn date_of(headers: &HeaderMap) -> Option<Timestamp> {
    Timestamp::from_http_date(text(headers, &DATE)?)
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

/// The directives of all `Cache-Control` lines, each with its argument.
fn directives(headers: &HeaderMap) -> impl Iterator<Item = (&str, Option<&str>)> {
    headers
        .get_all(CACHE_CONTROL)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|directive| match directive.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim().trim_matches('"'))),
            None => (directive.trim(), None),
        })
}

/// Delta-seconds: digits alone. More than can be told is as long as can be told; anything else is
/// nothing.
fn seconds(text: Option<&str>) -> Duration {
    let digits = text.map_or("", str::trim);
    if digits.is_empty() || !digits.bytes().all(|octet| octet.is_ascii_digit()) {
        return Duration::ZERO;
    }
    Duration::from_secs(digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_unix_seconds(784_111_777);

    fn stated(lines: &[(&'static str, &'static str)]) -> Option<u64> {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, value.parse().unwrap());
        }
        stated_lifetime(&headers, NOW).map(|lifetime| lifetime.as_secs())
    }

    #[test]
    fn the_shared_lifetime_goes_before_the_private_one_and_that_before_expires() {
        let expires = ("expires", "Sun, 06 Nov 1994 09:49:37 GMT");
        assert_eq!(stated(&[]), None);
        assert_eq!(
            stated(&[("cache-control", "public, must-revalidate")]),
            None
        );
        assert_eq!(stated(&[expires]), Some(3600));
        assert_eq!(
            stated(&[expires, ("cache-control", "max-age=60")]),
            Some(60)
        );
        assert_eq!(
            stated(&[("cache-control", "Max-Age=\"60\" , S-MaxAge=70")]),
            Some(70)
        );
    }

    #[test]
    fn the_age_is_taken_off_what_is_stated() {
        let age = ("age", "100");
        assert_eq!(stated(&[age]), None);
        assert_eq!(stated(&[age, ("cache-control", "max-age=160")]), Some(60));
        assert_eq!(stated(&[age, ("cache-control", "max-age=60")]), Some(0));
    }

    #[test]
    fn expires_is_meant_by_the_origins_clock() {
        let expires = ("expires", "Sun, 06 Nov 1994 09:49:37 GMT");
        let date = ("date", "Sun, 06 Nov 1994 09:48:37 GMT");
        assert_eq!(stated(&[expires, date]), Some(60));
        assert_eq!(stated(&[("expires", "0")]), Some(0));
        assert_eq!(
            stated(&[("expires", "Thu, 01 Jan 1970 00:00:00 GMT")]),
            Some(0)
        );
    }

    #[test]
    fn what_may_not_be_kept_or_cannot_be_read_lasts_the_least() {
        for value in [
            "no-store",
            "max-age=60, no-cache",
            "max-age=soon",
            "max-age=-1",
            "max-age",
        ] {
            assert_eq!(stated(&[("cache-control", value)]), Some(0), "{value}");
        }
        let two = [
            ("cache-control", "max-age=60"),
            ("cache-control", "max-age=70"),
        ];
        assert_eq!(stated(&two), Some(60));
        let vast = [("cache-control", "max-age=99999999999999999999999")];
        assert_eq!(stated(&vast), Some(u64::MAX));
    }
}
