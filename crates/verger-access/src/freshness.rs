//! The lifetime of an answer: the time that the response states, within the limits of a profile. RFC 9111,
//! R9309-2.4-2, G-cache-3, K96-3.4-2.

use core::time::Duration;

use http::HeaderMap;
use http::header::{AGE, CACHE_CONTROL, DATE, EXPIRES, HeaderValue};
use verger::Clause;

use crate::timestamp::Timestamp;

/// Whether requests for a known body carry `If-None-Match` and `If-Modified-Since`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConditionalRequests {
    /// They are sent. R9309-2.4-2, K96-3.4-1.
    Sent,
    /// They are not sent: Google sends a GET without conditions. G-loc-3.
    NotSent,
}

/// The lifetimes of answers in a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FreshnessRules {
    /// The lifetime if the response states none.
    pub default_lifetime: Duration,
    /// The longest lifetime, whatever the response states.
    pub lifetime_max: Duration,
    /// The shortest lifetime, even for `no-store`, `no-cache`, `max-age=0` and a date in the past.
    pub lifetime_min: Duration,
    /// How long a failure decides. After that, nothing is known and everything is deferred.
    pub failure_lifetime: Duration,
    /// Whether requests for a known body are conditional.
    pub conditional_requests: ConditionalRequests,
    /// The clause by which an expired answer is no longer used.
    pub clause: Clause,
    /// The clause by which no other URL is fetched before robots.txt.
    pub clause_before_first_fetch: Clause,
}

impl FreshnessRules {
    /// Returns the lifetime of an answer whose response states `stated`.
    #[must_use]
    pub fn lifetime(&self, stated: Option<Duration>) -> Duration {
        let lifetime = stated.unwrap_or(self.default_lifetime);
        lifetime.min(self.lifetime_max).max(self.lifetime_min)
    }
}

/// Returns the lifetime that a response states, less its age, or `None` if it states none.
///
/// `s-maxage` takes precedence over `max-age`, which takes precedence over `Expires` (RFC 9111 4.2.1). `Expires` is
/// compared with the `Date` of the response, which is by the same clock, or with the time of receipt. Each directive of
/// `Cache-Control` is parsed by itself. A malformed statement means a lifetime of zero, because caches are encouraged
/// to consider such responses stale, and a malformed directive might be `no-store`.
#[must_use]
pub fn stated_lifetime(headers: &HeaderMap, received: Timestamp) -> Option<Duration> {
    let (mut s_maxage, mut max_age) = (None, None);
    let lines = headers.get_all(CACHE_CONTROL).iter();
    for directive in lines.flat_map(|line| members(line.as_bytes())) {
        match Directive::read(directive) {
            // The response may not be stored, or not be reused without validation.
            Directive::Forbidding | Directive::Unreadable => return Some(Duration::ZERO),
            // The first of repeated directives is used (RFC 9111 4.2.1).
            Directive::SharedMaxAge(lifetime) => s_maxage = s_maxage.or(Some(lifetime)),
            Directive::MaxAge(lifetime) => max_age = max_age.or(Some(lifetime)),
            Directive::Other => {}
        }
    }
    let stated = s_maxage
        .or(max_age)
        .or_else(|| stated_by_expires(headers, received))?;
    Some(stated.saturating_sub(age(headers)))
}

/// Returns the age of the response when it was received. "SHOULD use the first member of the field value", and if
/// that is not a number "SHOULD ignore the field" (RFC 9111 5.1).
fn age(headers: &HeaderMap) -> Duration {
    let value = headers.get(AGE).map_or(&b""[..], HeaderValue::as_bytes);
    let first = value.split(|&byte| byte == b',').next();
    first.and_then(seconds).unwrap_or(Duration::ZERO)
}

fn stated_by_expires(headers: &HeaderMap, received: Timestamp) -> Option<Duration> {
    let value = headers.get(EXPIRES)?;
    // "a cache recipient MUST interpret invalid date formats, especially the value "0", as
    // representing a time in the past" (RFC 9111 5.3).
    let expires = value.to_str().ok().and_then(Timestamp::from_http_date);
    let sent = date_of(headers).unwrap_or(received);
    Some(expires.map_or(Duration::ZERO, |expires| expires.since(sent)))
}

/// Returns the `Date` of the response, by the origin's clock.
pub(crate) fn date_of(headers: &HeaderMap) -> Option<Timestamp> {
    Timestamp::from_http_date(headers.get(DATE)?.to_str().ok()?)
}

/// A directive of `Cache-Control`, to the extent that lifetimes depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Directive {
    /// `no-store`, `no-cache`.
    Forbidding,
    /// `s-maxage`.
    SharedMaxAge(Duration),
    /// `max-age`.
    MaxAge(Duration),
    /// Any other directive: "A cache MUST ignore unrecognized cache directives" (RFC 9111 5.2.3).
    Other,
    /// A malformed directive.
    Unreadable,
}

impl Directive {
    /// Parses a directive without the white space around it.
    ///
    /// A directive is malformed if its name is not a token (RFC 9110 5.6.2), if white space stands around its `=`, if its
    /// argument contains bytes other than visible ASCII, space and TAB, if quotes do not enclose the whole argument, or if the argument of `s-maxage` or
    /// `max-age` is missing or not a number.
    fn read(directive: &[u8]) -> Self {
        let (name, argument) = match directive.iter().position(|&byte| byte == b'=') {
            Some(at) => (&directive[..at], Some(&directive[at + 1..])),
            None => (directive, None),
        };
        let Some(argument) = argument.map_or(Some(&b""[..]), unquoted) else {
            return Self::Unreadable;
        };
        if name.is_empty() || !name.iter().all(|&byte| is_token_byte(byte)) {
            return Self::Unreadable;
        }
        let lasting = |kind: fn(Duration) -> Self| seconds(argument).map_or(Self::Unreadable, kind);
        match name.to_ascii_lowercase().as_slice() {
            b"no-store" | b"no-cache" => Self::Forbidding,
            b"s-maxage" => lasting(Self::SharedMaxAge),
            b"max-age" => lasting(Self::MaxAge),
            _ => Self::Other,
        }
    }
}

/// Returns an argument without the quotes around it, or `None` if it is malformed.
fn unquoted(argument: &[u8]) -> Option<&[u8]> {
    let is_readable = |&byte: &u8| byte == b'\t' || (b' '..=b'~').contains(&byte);
    let is_apart = argument.first().is_some_and(u8::is_ascii_whitespace);
    if is_apart || !argument.iter().all(is_readable) {
        return None;
    }
    let Some(quoted) = argument.strip_prefix(b"\"") else {
        // With a quote inside, the end of the directive is unclear.
        return (!argument.contains(&b'"')).then_some(argument);
    };
    let end = closing_quote(quoted)?;
    (end + 1 == quoted.len()).then(|| &quoted[..end])
}

/// Returns the position of the closing quote. A byte after a backslash does not close.
fn closing_quote(quoted: &[u8]) -> Option<usize> {
    let mut escaped = false;
    quoted.iter().position(|&byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}

/// Iterates over the non-empty members of a list, without the white space around them (RFC 9110 5.6.1). A comma in a
/// quoted string does not separate members.
fn members(list: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (mut quoted, mut escaped) = (false, false);
    let members = list.split(move |&byte| {
        let separates = byte == b',' && !quoted;
        quoted ^= byte == b'"' && !escaped;
        escaped = quoted && byte == b'\\' && !escaped;
        separates
    });
    let members = members.map(<[u8]>::trim_ascii);
    members.filter(|member| !member.is_empty())
}

/// Returns whether a byte may be part of a token: names of header fields, methods, directives (RFC 9110 5.6.2).
fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// Parses delta-seconds, which are only digits. A number over 64 bits becomes the largest number.
fn seconds(digits: &[u8]) -> Option<Duration> {
    let digits = std::str::from_utf8(digits.trim_ascii()).ok()?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| Duration::from_secs(digits.parse().unwrap_or(u64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_unix_seconds(784_111_777);

    fn stated<V: AsRef<[u8]>>(lines: &[(&'static str, V)]) -> Option<u64> {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, HeaderValue::from_bytes(value.as_ref()).unwrap());
        }
        stated_lifetime(&headers, NOW).map(|lifetime| lifetime.as_secs())
    }

    #[test]
    fn s_maxage_takes_precedence_over_max_age_and_that_over_expires() {
        let expires = ("expires", "Sun, 06 Nov 1994 09:49:37 GMT");
        assert_eq!(stated::<&str>(&[]), None);
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
    fn the_age_is_subtracted_from_the_stated_lifetime() {
        let age = ("age", "100");
        assert_eq!(stated(&[age]), None);
        assert_eq!(stated(&[age, ("cache-control", "max-age=160")]), Some(60));
        assert_eq!(stated(&[age, ("cache-control", "max-age=60")]), Some(0));
    }

    #[test]
    fn expires_is_compared_with_the_date_of_the_response() {
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
    fn no_store_no_cache_and_malformed_directives_state_a_lifetime_of_zero() {
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

    fn stated_by(value: &[u8]) -> Option<u64> {
        stated(&[("cache-control", value)])
    }

    #[test]
    fn one_malformed_directive_states_a_lifetime_of_zero() {
        for readable in [
            &b"max-age=60, x-ext"[..],
            b"max-age=60, x-ext=\"a, no-store\"",
            b"private=\"a,b\", max-age=60",
            b"private=\"a\\\", no-store\", max-age=60",
            b"x=a/b;c:d, ,,\tmax-age=60 ,",
            b"community=\"\", max-age=\"60\"",
        ] {
            let text = String::from_utf8_lossy(readable);
            assert_eq!(stated_by(readable), Some(60), "{text}");
        }
        for unreadable in [
            &b"max-age=600, x-caf\xE9"[..],
            b"x-ext=\"caf\xE9\", max-age=600",
            b"max-age=6\xFF00",
            b"max-age = 60",
            b"max-age =60",
            b"max-age= 60",
            b"max-age=\t60",
            b"max-age=600, x = y",
            b"max-age=600, private=\"a, b",
            b"max-age=600, private=\"a\"b",
            b"max-age=600, s-maxage=",
            b"max-age=600, s-maxage=\"\"",
            b"max-age=600; public",
            b"public; max-age=600",
            b"=, max-age=600",
            b"max-age=600, x=a\"b, no-store",
        ] {
            let text = String::from_utf8_lossy(unreadable);
            assert_eq!(stated_by(unreadable), Some(0), "{text}");
        }
        assert_eq!(stated_by(b" , ,"), None);
        assert_eq!(stated_by(b"x-ext"), None);
    }

    #[test]
    fn a_malformed_expires_states_zero_and_a_malformed_age_is_ignored() {
        let expires = ("expires", &b"Sun, 06 Nov 1994 09:49:37 GMT\xA0"[..]);
        assert_eq!(stated(&[expires, ("cache-control", &b"x"[..])]), Some(0));
        let lifetime = ("cache-control", &b"x, max-age=60"[..]);
        let with_age = |age: &[u8]| stated(&[("age", age), lifetime]);
        assert_eq!(with_age(b"1\xFF0"), Some(60));
        assert_eq!(with_age(b"soon"), Some(60));
        // The first of several ages is used.
        assert_eq!(with_age(b"10, 20"), Some(50));
    }
}
