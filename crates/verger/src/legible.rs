use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::{self, Write};

/// Returns the bytes as text that is safe to show. Invalid UTF-8 becomes U+FFFD. Control characters
/// except TAB, characters of zero width and characters that change the direction of text are
/// escaped.
///
/// Bodies, headers, URLs and names are untrusted. An escape sequence in them must not reach a
/// terminal, and one line must not look like another.
///
/// ```
/// assert_eq!(verger::legible(b"/a\x1b[2J"), r"/a\x1b[2J");
/// assert_eq!(verger::legible("/\u{202e}txt".as_bytes()), r"/\u{202e}txt");
/// ```
#[must_use]
pub fn legible(bytes: &[u8]) -> String {
    if bytes.iter().all(|byte| matches!(byte, b' '..=b'~')) {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let mut text = String::with_capacity(bytes.len());
    for character in String::from_utf8_lossy(bytes).chars() {
        match character {
            '\t' => text.push(character),
            '\u{0}'..='\u{1f}' | '\u{7f}' => {
                let _ = write!(text, "\\x{:02x}", u32::from(character));
            }
            _ if is_unseen(character) => text.extend(character.escape_unicode()),
            _ => text.push(character),
        }
    }
    text
}

/// Returns equivalent JSON in which the characters that [`legible`] escapes are JSON escapes.
///
/// JSON writers only escape control characters below U+0020. All others can only occur inside
/// strings.
///
/// ```
/// assert_eq!(verger::legible_json("[\"\u{9b}2J\"]"), r#"["\u009b2J"]"#);
/// ```
#[must_use]
pub fn legible_json(json: &str) -> Cow<'_, str> {
    let escaped = |character: char| character == '\u{7f}' || is_unseen(character);
    if json.bytes().all(|byte| byte < 0x7F) || !json.contains(escaped) {
        return Cow::Borrowed(json);
    }
    let mut text = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        if escaped(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(text, "\\u{unit:04x}");
            }
        } else {
            text.push(character);
        }
    }
    Cow::Owned(text)
}

/// Returns true for control characters, zero width, and changes of text direction.
fn is_unseen(character: char) -> bool {
    matches!(
        character,
        '\u{80}'..='\u{9f}'
            | '\u{ad}'
            | '\u{61c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

const CHARACTERS_MAX: usize = 200;

/// Shows the start of a text.
#[derive(Clone, Copy, Debug)]
pub struct Shortened<'t>(pub &'t str);

impl fmt::Display for Shortened<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(CHARACTERS_MAX) {
            Some((end, _)) => write!(f, "{}…", &self.0[..end]),
            None => f.write_str(self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn what_cannot_be_seen_is_an_escape() {
        for (bytes, shown) in [
            (
                &b"a\0\x1b[2J\r\x07\x7f"[..],
                "a\\x00\\x1b[2J\\x0d\\x07\\x7f",
            ),
            (b"\xff\xc3", "\u{fffd}\u{fffd}"),
            (
                "\u{202e}\u{2066}\u{200b}\u{61c}".as_bytes(),
                "\\u{202e}\\u{2066}\\u{200b}\\u{61c}",
            ),
            (
                "\u{feff}\u{e0041}\u{2028}".as_bytes(),
                "\\u{feff}\\u{e0041}\\u{2028}",
            ),
            ("\u{85}\u{9b}".as_bytes(), "\\u{85}\\u{9b}"),
            ("/caf\u{e9}\t\u{5d0}".as_bytes(), "/caf\u{e9}\t\u{5d0}"),
        ] {
            assert_eq!(legible(bytes), shown);
        }
    }

    #[test]
    fn json_means_the_same() {
        let json = "{\"a\":\"\u{7f}\u{9b}\u{202e}\u{e0041}\u{e9}\\u001b\"}\n";
        let shown = "{\"a\":\"\\u007f\\u009b\\u202e\\udb40\\udc41\u{e9}\\u001b\"}\n";
        assert_eq!(legible_json(json), shown);
        assert!(matches!(legible_json("\"\u{e9}\\n\"\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn only_what_is_too_long_is_cut() {
        for (characters, shown) in [(199, 199), (200, 200), (201, 201)] {
            let text = "é".repeat(characters);
            let message = Shortened(&text).to_string();
            assert_eq!(message.chars().count(), shown);
            assert_eq!(message.ends_with('…'), characters > CHARACTERS_MAX);
        }
    }
}
