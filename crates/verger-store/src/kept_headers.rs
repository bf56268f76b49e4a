//! `KeptHeaders`: the headers that freshness and history need.

use http::header::{
    AGE, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, DATE, ETAG, EXPIRES, LAST_MODIFIED,
    LOCATION, RETRY_AFTER, SERVER,
};
use http::{HeaderMap, HeaderName, HeaderValue};
use verger_access::HEADER_VALUE_BYTES_MAX;

/// The names of the stored fields, in this order. Cookies are never stored.
pub(crate) const NAMES: [HeaderName; 11] = [
    AGE,
    CACHE_CONTROL,
    CONTENT_ENCODING,
    CONTENT_TYPE,
    DATE,
    ETAG,
    EXPIRES,
    LAST_MODIFIED,
    LOCATION,
    RETRY_AFTER,
    SERVER,
];

/// Maximum number of stored fields. A server may repeat a field without end.
pub const HEADER_FIELDS_MAX: usize = 32;

/// A bounded part of the headers of the last response: at most [`HEADER_FIELDS_MAX`] fields of at most
/// [`HEADER_VALUE_BYTES_MAX`] bytes each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptHeaders(Vec<(HeaderName, HeaderValue)>);

impl KeptHeaders {
    /// Selects the fields of `headers` to store.
    #[must_use]
    pub fn new(headers: &HeaderMap) -> Self {
        let fields = NAMES.iter().flat_map(|name| {
            let values = headers.get_all(name).into_iter();
            values.map(move |value| (name, value))
        });
        let fields = fields.filter(|(_, value)| value.len() <= HEADER_VALUE_BYTES_MAX);
        let kept = fields.map(|(name, value)| (name.clone(), copied(value)));
        Self(kept.take(HEADER_FIELDS_MAX).collect())
    }

    /// Returns the fields, with values as sent, ordered by name.
    pub fn fields(&self) -> impl Iterator<Item = (&HeaderName, &HeaderValue)> {
        self.0.iter().map(|(name, value)| (name, value))
    }

    pub(crate) fn of_fields(fields: Vec<(HeaderName, HeaderValue)>) -> Self {
        Self(fields)
    }

    pub(crate) fn first(&self, name: &HeaderName) -> Option<&HeaderValue> {
        let mut fields = self.fields();
        fields.find(|(it, _)| *it == name).map(|(_, value)| value)
    }

    /// Writes a line `name: value` for each field. Values have no line ends.
    #[cfg(feature = "sqlite")]
    pub(crate) fn to_lines(&self) -> Vec<u8> {
        let mut lines = Vec::new();
        for (name, value) in &self.0 {
            lines.extend_from_slice(name.as_str().as_bytes());
            lines.extend_from_slice(b": ");
            lines.extend_from_slice(value.as_bytes());
            lines.push(b'\n');
        }
        lines
    }

    /// Parses these lines, or returns `None` if one is malformed.
    #[cfg(feature = "sqlite")]
    pub(crate) fn of_lines(lines: &[u8]) -> Option<Self> {
        let lines = lines.split_inclusive(|&byte| byte == b'\n');
        let field = |line: &[u8]| {
            let line = line.strip_suffix(b"\n")?;
            let colon = line.windows(2).position(|pair| pair == b": ")?;
            let name = HeaderName::from_bytes(&line[..colon]).ok()?;
            let value = HeaderValue::from_bytes(&line[colon + 2..]).ok()?;
            Some((name, value))
        };
        lines.map(field).collect::<Option<Vec<_>>>().map(Self)
    }
}

/// Copies a value. A received value is a slice of the buffer of the whole head, and would keep all of it in memory.
fn copied(value: &HeaderValue) -> HeaderValue {
    // The bytes of a value are valid.
    HeaderValue::from_bytes(value.as_bytes()).unwrap_or_else(|_| value.clone())
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    fn headers(fields: &[(&'static str, Vec<u8>)]) -> HeaderMap {
        let fields = fields.iter().map(|(name, value)| {
            let value = HeaderValue::from_bytes(value).unwrap();
            (HeaderName::from_static(name), value)
        });
        fields.collect()
    }

    #[test]
    fn kept_headers_are_read_back_from_their_lines() {
        let kept = KeptHeaders::new(&headers(&[
            ("set-cookie", b"secret=1".to_vec()),
            ("etag", b"\"a: b\"".to_vec()),
            ("server", b"caf\xe9".to_vec()),
            ("expires", Vec::new()),
        ]));
        let names: Vec<&str> = kept.fields().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["etag", "expires", "server"]);
        assert_eq!(KeptHeaders::of_lines(&kept.to_lines()), Some(kept));
        assert_eq!(KeptHeaders::of_lines(b""), Some(KeptHeaders::default()));
        for other in [&b"etag"[..], b"etag: a", b"no name: a\n", b"etag: \0\n"] {
            assert_eq!(KeptHeaders::of_lines(other), None, "{other:?}");
        }
    }

    #[test]
    fn kept_values_do_not_share_the_buffer_of_the_response() {
        let read = Bytes::from(vec![b'a'; 60_000]);
        let mut headers = HeaderMap::new();
        let value = HeaderValue::from_maybe_shared(read.slice(7..20)).unwrap();
        headers.insert(ETAG, value);
        let kept = KeptHeaders::new(&headers);
        drop(headers);
        assert_eq!(kept.fields().count(), 1);
        assert!(read.is_unique());
    }

    #[test]
    fn a_value_one_byte_too_long_is_left_out() {
        for (bytes, kept) in [(1023, 1), (1024, 1), (1025, 0)] {
            let headers = headers(&[("etag", vec![b'a'; bytes])]);
            assert_eq!(KeptHeaders::new(&headers).fields().count(), kept, "{bytes}");
        }
    }

    #[test]
    fn fields_beyond_the_limit_are_left_out() {
        for (fields, kept) in [(31, 31), (32, 32), (33, 32)] {
            let mut headers = HeaderMap::new();
            for _ in 0..fields {
                headers.append(CACHE_CONTROL, HeaderValue::from_static("no-store"));
            }
            assert_eq!(
                KeptHeaders::new(&headers).fields().count(),
                kept,
                "{fields}"
            );
        }
    }
}
