//! `EntityTag`: identifies a crawler's copy in a conditional request. RFC 9110 8.8.3.

use http::HeaderMap;
use http::header::{HeaderValue, IF_NONE_MATCH, InvalidHeaderValue};

/// The strong entity tag of a file.
#[derive(Clone, Debug)]
pub(crate) struct EntityTag {
    text: String,
    value: HeaderValue,
}

impl EntityTag {
    /// Makes the tag of these octets, the same on every machine.
    pub(crate) fn of(octets: &[u8]) -> Result<Self, InvalidHeaderValue> {
        let text = format!("\"{:x}-{:016x}\"", octets.len(), fnv_1a(octets));
        let value = HeaderValue::from_str(&text)?;
        Ok(Self { text, value })
    }

    /// Returns the tag as the value of a header.
    pub(crate) fn value(&self) -> HeaderValue {
        self.value.clone()
    }

    /// Whether `If-None-Match` contains this tag. "A recipient MUST use the weak comparison function"
    /// (RFC 9110 13.1.2).
    pub(crate) fn matches(&self, headers: &HeaderMap) -> bool {
        let values = headers.get_all(IF_NONE_MATCH).iter();
        values
            .filter_map(|value| value.to_str().ok())
            // This also splits a tag that contains a comma; ours contains none, so no part equals it.
            .flat_map(|value| value.split(','))
            .map(str::trim)
            .any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == self.text)
    }
}

/// FNV-1a with 64 bits. It need not resist attacks: only the owner writes the file.
fn fnv_1a(octets: &[u8]) -> u64 {
    octets.iter().fold(0xCBF2_9CE4_8422_2325, |hash, octet| {
        (hash ^ u64::from(*octet)).wrapping_mul(0x0100_0000_01B3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knows(values: &[&'static str]) -> bool {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(IF_NONE_MATCH, HeaderValue::from_static(value));
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
    fn other_octets_have_another_tag() {
        let tag = |octets| EntityTag::of(octets).unwrap().value();
        assert_eq!(tag(b"a"), "\"1-af63dc4c8601ec8c\"");
        assert_ne!(tag(b"a"), tag(b"b"));
    }

    #[test]
    fn a_tag_is_found_among_others() {
        assert!(knows(&["\"1-af63dc4c8601ec8c\""]));
        assert!(knows(&["W/\"1-af63dc4c8601ec8c\""]));
        assert!(knows(&["\"x\" ,  \"1-af63dc4c8601ec8c\""]));
        assert!(knows(&["\"x\"", "*"]));
        assert!(!knows(&[]));
        assert!(!knows(&["\"x\"", "1-af63dc4c8601ec8c", ""]));
    }
}
