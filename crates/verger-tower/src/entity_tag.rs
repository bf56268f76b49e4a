//! `EntityTag`: identifies the served file in conditional requests. RFC 9110 8.8.3.

use http::HeaderMap;
use http::header::{HeaderValue, IF_NONE_MATCH, InvalidHeaderValue};

#[derive(Clone, Debug)]
pub(crate) struct EntityTag {
    text: String,
    value: HeaderValue,
}

impl EntityTag {
    /// Makes the tag of these bytes, the same on every machine.
    pub(crate) fn of(bytes: &[u8]) -> Result<Self, InvalidHeaderValue> {
        let text = format!("\"{:x}-{:016x}\"", bytes.len(), fnv_1a(bytes));
        let value = HeaderValue::from_str(&text)?;
        Ok(Self { text, value })
    }

    pub(crate) fn value(&self) -> HeaderValue {
        self.value.clone()
    }

    /// Returns whether `If-None-Match` contains this tag, or is `*`. "A recipient MUST use the weak comparison
    /// function" (RFC 9110 13.1.2).
    pub(crate) fn matches(&self, headers: &HeaderMap) -> bool {
        let values = headers.get_all(IF_NONE_MATCH).iter();
        let mut values = values.map(|value| value.as_bytes().trim_ascii());
        values.any(|value| value == b"*" || self.is_among(value))
    }

    /// Returns whether a list of entity tags contains this one. Stops at the first malformed member.
    fn is_among(&self, mut list: &[u8]) -> bool {
        loop {
            list = list.trim_ascii_start();
            let tag = list.strip_prefix(b"W/").unwrap_or(list);
            let Some(rest) = tag.strip_prefix(b"\"") else {
                // An empty member.
                match list.strip_prefix(b",") {
                    Some(rest) => list = rest,
                    None => return false,
                }
                continue;
            };
            let Some(length) = rest.iter().position(|&byte| byte == b'"') else {
                return false;
            };
            if &tag[..length + 2] == self.text.as_bytes() {
                return true;
            }
            list = &rest[length + 1..];
        }
    }
}

/// FNV-1a with 64 bits. It need not resist attacks: only the owner writes the file.
fn fnv_1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knows(values: &[&'static str]) -> bool {
        let mut headers = HeaderMap::new();
        for value in values {
            let value = HeaderValue::from_bytes(value.as_bytes()).unwrap();
            headers.append(IF_NONE_MATCH, value);
        }
        EntityTag::of(b"a").unwrap().matches(&headers)
    }

    #[test]
    fn the_hash_agrees_with_the_published_test_vectors() {
        assert_eq!(fnv_1a(b""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(fnv_1a(b"a"), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(fnv_1a(b"foobar"), 0x8594_4171_F739_67E8);
    }

    #[test]
    fn other_bytes_have_another_tag() {
        let tag = |bytes| EntityTag::of(bytes).unwrap().value();
        assert_eq!(tag(b"a"), "\"1-af63dc4c8601ec8c\"");
        assert_ne!(tag(b"a"), tag(b"b"));
    }

    #[test]
    fn a_tag_is_found_among_others() {
        assert!(knows(&["\"1-af63dc4c8601ec8c\""]));
        assert!(knows(&["W/\"1-af63dc4c8601ec8c\""]));
        assert!(knows(&["\"x\" ,  \"1-af63dc4c8601ec8c\""]));
        assert!(knows(&["\"x\"", " * "]));
        assert!(knows(&[
            ", W/\"a,*,b\",,\"\u{fc}\",\"1-af63dc4c8601ec8c\", x"
        ]));
        assert!(!knows(&[]));
        assert!(!knows(&[
            "\"a,*,b\"",
            "\"x\", *",
            "\"a, ",
            "x, \"1-af63dc4c8601ec8c\""
        ]));
        assert!(!knows(&["\"x\"", "1-af63dc4c8601ec8c", ""]));
    }
}
