use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serializer};

/// Bytes written as `"text"`, `{ hex = "EF BB" }` or `[{ text = "a", times = 3 }]`.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Spelling")]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Spelling {
    Text(String),
    Hex { hex: String },
    Pieces(Vec<Piece>),
}

#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Piece {
    Text { text: String, times: usize },
    Hex { hex: String, times: usize },
}

impl TryFrom<Spelling> for Bytes {
    type Error = String;

    fn try_from(spelling: Spelling) -> Result<Self, String> {
        let pieces = match spelling {
            Spelling::Text(text) => return Ok(Self(text.into_bytes())),
            Spelling::Hex { hex } => return decode_hex(&hex).map(Self),
            Spelling::Pieces(pieces) => pieces.into_iter(),
        };
        let pieces = pieces.map(|piece| match piece {
            Piece::Text { text, times } => Ok(text.repeat(times).into_bytes()),
            Piece::Hex { hex, times } => Ok(decode_hex(&hex)?.repeat(times)),
        });
        let pieces = pieces.collect::<Result<Vec<_>, String>>()?;
        Ok(Self(pieces.concat()))
    }
}

pub(super) fn bytes<'de, D: Deserializer<'de>>(input: D) -> Result<Vec<u8>, D::Error> {
    Bytes::deserialize(input).map(|Bytes(bytes)| bytes)
}

fn decode_hex(hex: &str) -> Result<Vec<u8>, String> {
    let digits: Vec<char> = hex.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    let pairs = digits.chunks(2).map(|pair| match pair {
        [high, low] => Some(high.to_digit(16)? << 4 | low.to_digit(16)?),
        _ => None,
    });
    pairs
        .map(|byte| byte.and_then(|byte| u8::try_from(byte).ok()))
        .collect::<Option<Vec<u8>>>()
        .ok_or_else(|| format!("`{hex}` is not pairs of hex digits"))
}

/// Serializes bytes as base64 (RFC 4648).
pub(crate) fn as_base64<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&STANDARD.encode(bytes))
}

/// Counts lines. CR, LF and CR LF each end one, and the last may lack an end.
pub(super) fn count_lines(body: &[u8]) -> u32 {
    let mut lines = 0;
    let mut previous = b'\n';
    for &byte in body {
        if matches!(previous, b'\n' | b'\r') && !(previous == b'\r' && byte == b'\n') {
            lines += 1;
        }
        previous = byte;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_text_hex_or_repeated_pieces() {
        #[derive(Deserialize)]
        struct Table {
            #[serde(deserialize_with = "bytes")]
            body: Vec<u8>,
        }
        let body = |text: &str| toml::from_str(text).map(|it: Table| it.body).ok();
        assert_eq!(body("body = 'a'"), Some(b"a".to_vec()));
        assert_eq!(
            body("body = { hex = 'ef bb BF' }"),
            Some(vec![0xEF, 0xBB, 0xBF])
        );
        let pieces = "body = [{ text = 'a', times = 2 }, { hex = '0A', times = 1 }]";
        assert_eq!(body(pieces), Some(b"aa\n".to_vec()));
        for wrong in [
            "{ hex = 'e' }",
            "{ hex = 'zz' }",
            "{ hex = '00', text = '' }",
            "1",
        ] {
            assert_eq!(body(&format!("body = {wrong}")), None, "{wrong}");
        }
    }

    #[test]
    fn lines_end_at_cr_lf_and_both_together() {
        assert_eq!(count_lines(b""), 0);
        assert_eq!(count_lines(b"a\nb\rc\r\nd"), 4);
        assert_eq!(count_lines(b"a\r\n\r\n"), 2);
        assert_eq!(count_lines(b"a\n\rb"), 3);
    }
}
