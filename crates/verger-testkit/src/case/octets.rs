//! The octets of bodies, URLs and patterns, given as text, as hex or as repeated pieces.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serializer;

use super::shapes::RepeatShape;

pub(super) fn read_body(
    text: Option<String>,
    hex: Option<String>,
    repeat: Option<Vec<RepeatShape>>,
) -> Result<Vec<u8>, String> {
    match (text, hex, repeat) {
        (Some(text), None, None) => Ok(text.into_bytes()),
        (None, Some(hex), None) => decode_hex(&hex),
        (None, None, Some(pieces)) => {
            let mut body = Vec::new();
            for piece in pieces {
                let octets = read_octets("text", piece.text, piece.hex)?;
                body.extend(octets.repeat(piece.times));
            }
            Ok(body)
        }
        _ => Err("needs exactly one of `robots`, `robots_hex`, `robots_repeat`".to_owned()),
    }
}

pub(super) fn read_octets(
    name: &str,
    text: Option<String>,
    hex: Option<String>,
) -> Result<Vec<u8>, String> {
    match (text, hex) {
        (Some(text), None) => Ok(text.into_bytes()),
        (None, Some(hex)) => decode_hex(&hex),
        _ => Err(format!("needs exactly one of `{name}` and its hex form")),
    }
}

pub(crate) fn decode_hex(hex: &str) -> Result<Vec<u8>, String> {
    let digits: Vec<char> = hex.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    let pairs = digits.chunks(2).map(|pair| match pair {
        [high, low] => Some(high.to_digit(16)? << 4 | low.to_digit(16)?),
        _ => None,
    });
    pairs
        .map(|octet| octet.and_then(|octet| u8::try_from(octet).ok()))
        .collect::<Option<Vec<u8>>>()
        .ok_or_else(|| format!("`{hex}` is not pairs of hex digits"))
}

/// Octets in base64 (RFC 4648), as JSON has them.
pub(crate) fn as_base64<S: Serializer>(octets: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&STANDARD.encode(octets))
}

/// The number of lines, where CR, LF and CR LF each end one and a last one may be unended.
pub(super) fn count_lines(body: &[u8]) -> u32 {
    let mut lines = 0;
    let mut previous = b'\n';
    for &octet in body {
        if matches!(previous, b'\n' | b'\r') && !(previous == b'\r' && octet == b'\n') {
            lines += 1;
        }
        previous = octet;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_text_hex_or_repeated_pieces() {
        let body = |hex: &str| decode_hex(hex);
        assert_eq!(body("ef bb BF"), Ok(vec![0xEF, 0xBB, 0xBF]));
        assert!(body("e").is_err() && body("zz").is_err());
        let piece = |text: &str, times| RepeatShape {
            text: Some(text.to_owned()),
            hex: None,
            times,
        };
        let pieces = Some(vec![piece("a", 2), piece("\n", 1)]);
        assert_eq!(read_body(None, None, pieces), Ok(b"aa\n".to_vec()));
        assert!(read_body(None, None, None).is_err());
    }

    #[test]
    fn lines_end_at_cr_lf_and_both_together() {
        assert_eq!(count_lines(b""), 0);
        assert_eq!(count_lines(b"a\nb\rc\r\nd"), 4);
        assert_eq!(count_lines(b"a\r\n\r\n"), 2);
        assert_eq!(count_lines(b"a\n\rb"), 3);
    }
}
