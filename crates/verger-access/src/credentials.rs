//! Credentials in URLs (`https://user:password@host/`), which are never sent and never shown.

use std::borrow::Cow;
use std::ops::Range;

/// Returns the place of the credentials in a URL with their `@`, or an empty range without any.
///
/// ```
/// use verger_access::credentials_in;
///
/// assert_eq!(credentials_in(b"https://me:secret@h.example/a@b"), 8..18);
/// assert!(credentials_in(b"https://h.example/a@b").is_empty());
/// ```
#[must_use]
pub fn credentials_in(url: &[u8]) -> Range<usize> {
    let scheme = url.windows(3).position(|bytes| bytes == b"://");
    let start = scheme.map_or(url.len(), |at| at + 3);
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"/?#\\`'\"<>".contains(byte);
    let authority = url[start..].split(ends).next().unwrap_or_default();
    let end = authority.iter().rposition(|&byte| byte == b'@');
    start..end.map_or(start, |at| start + at + 1)
}

/// How messages write credentials that the reader has to fill in: `postgres://USER@HOST/DATABASE`.
const PLACEHOLDER: &str = "USER@";

/// Returns a text without the credentials of the URLs in it, for messages.
#[must_use]
pub fn without_credentials(text: &str) -> Cow<'_, str> {
    let (mut shown, mut rest) = (String::new(), text);
    loop {
        let credentials = credentials_in(rest.as_bytes());
        if credentials.start == rest.len() {
            break;
        }
        let kept = match &rest[credentials.clone()] {
            PLACEHOLDER => credentials.end,
            _ => credentials.start,
        };
        shown.push_str(&rest[..kept]);
        rest = &rest[credentials.end..];
    }
    shown.push_str(rest);
    if shown == text {
        return Cow::Borrowed(text);
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_cut_from_every_url_of_a_text() {
        for (text, shown) in [
            ("", ""),
            ("no URL, a@b", "no URL, a@b"),
            ("https://h.example/a@b", "https://h.example/a@b"),
            ("https://me:pw@h.example/", "https://h.example/"),
            ("https://me@h.example", "https://h.example"),
            ("https://@h", "https://h"),
            ("https://a:b@c:d@h?x@y", "https://h?x@y"),
            ("https://\u{e4}:\u{f6}@h/\u{fc}", "https://h/\u{fc}"),
            (
                "`http://u:p@h` and 'ftp://v@i/' or http://j",
                "`http://h` and 'ftp://i/' or http://j",
            ),
            ("postgres://u:p@h:5432/db?x", "postgres://h:5432/db?x"),
            ("://", "://"),
            (
                "postgres://USER@HOST/DATABASE",
                "postgres://USER@HOST/DATABASE",
            ),
            ("a://b@", "a://"),
            ("a b://c d@e", "a b://c d@e"),
        ] {
            assert_eq!(without_credentials(text), shown, "{text}");
        }
    }
}
