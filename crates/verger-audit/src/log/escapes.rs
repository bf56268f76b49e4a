use std::borrow::Cow;

/// Undoes the escapes of nginx (`\x22`) and Apache (`\"`, `\\`, `\t`).
pub(super) fn unescaped(text: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let Some(first) = memchr::memchr(b'\\', &text) else {
        return text;
    };
    let mut bytes = text[..first].to_vec();
    let mut rest = &text[first..];
    while let [byte, after @ ..] = rest {
        let (read, length) = match (byte, after) {
            (b'\\', [b'x' | b'X', high, low, ..]) => match (digit(*high), digit(*low)) {
                (Some(high), Some(low)) => (high << 4 | low, 4),
                _ => (b'\\', 1),
            },
            (b'\\', [b'n', ..]) => (b'\n', 2),
            (b'\\', [b'r', ..]) => (b'\r', 2),
            (b'\\', [b't', ..]) => (b'\t', 2),
            (b'\\', [special @ (b'"' | b'\\'), ..]) => (*special, 2),
            _ => (*byte, 1),
        };
        bytes.push(read);
        rest = &rest[length..];
    }
    Cow::Owned(bytes)
}

/// Undoes percent-encoding once. `CloudFront` encodes some fields twice.
pub(super) fn percent_decoded(text: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = memchr::memchr(b'%', text) else {
        return Cow::Borrowed(text);
    };
    let mut bytes = text[..first].to_vec();
    let mut rest = &text[first..];
    while let [byte, after @ ..] = rest {
        let escaped = match (byte, after) {
            (b'%', [high, low, ..]) => digit(*high).zip(digit(*low)),
            _ => None,
        };
        let (read, length) = match escaped {
            Some((high, low)) => (high << 4 | low, 3),
            None => (*byte, 1),
        };
        bytes.push(read);
        rest = &rest[length..];
    }
    Cow::Owned(bytes)
}

fn digit(byte: u8) -> Option<u8> {
    let value = char::from(byte).to_digit(16)?;
    u8::try_from(value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_undone() {
        for (text, expected) in [
            ("plain", "plain"),
            (r"a\x22b", "a\"b"),
            (r#"a\"b\\c"#, "a\"b\\c"),
            (r"\xZZ\q\", r"\xZZ\q\"),
            (r"\x4", r"\x4"),
            (r"a\nb\rc\td", "a\nb\rc\td"),
        ] {
            let bytes = unescaped(Cow::Borrowed(text.as_bytes()));
            assert_eq!(bytes, expected.as_bytes(), "{text}");
        }
        for (text, expected) in [
            ("a%20b", "a b"),
            ("%2520", "%20"),
            ("%", "%"),
            ("%zz%4", "%zz%4"),
        ] {
            assert_eq!(
                percent_decoded(text.as_bytes()),
                expected.as_bytes(),
                "{text}"
            );
        }
    }
}
