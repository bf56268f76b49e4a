//! Credentials in URLs (`https://user:password@host/`), which are never sent and never shown.

use std::borrow::Cow;
use std::ops::Range;

/// Schemes that have an authority after any number of slashes or backslashes (WHATWG URL).
const SPECIAL: [&[u8]; 5] = [b"http", b"https", b"ftp", b"ws", b"wss"];

/// Returns the place of the credentials in a URL with their `@`, or an empty range without any.
///
/// ```
/// use verger_access::credentials_in;
///
/// assert_eq!(credentials_in(b"https://me:secret@h.example/a@b"), 8..18);
/// assert_eq!(credentials_in(b"https:/me:secret@h.example/"), 7..17);
/// assert!(credentials_in(b"https://h.example/a@b").is_empty());
/// ```
#[must_use]
pub fn credentials_in(url: &[u8]) -> Range<usize> {
    let scheme = url.iter().position(|&byte| !is_of_scheme(byte));
    let found = scheme.and_then(|colon| credentials_after(url, colon));
    found.unwrap_or(0..0)
}

fn is_of_scheme(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)
}

/// Returns the place of the credentials if a scheme ends at `colon` and an authority follows. They end with the last
/// `@` of the authority.
fn credentials_after(text: &[u8], colon: usize) -> Option<Range<usize>> {
    let before = text.get(..colon)?;
    let rest = text[colon..].strip_prefix(b":")?;
    let named = before.rsplit(|&byte| !is_of_scheme(byte)).next()?;
    let is_special = SPECIAL.iter().any(|it| it.eq_ignore_ascii_case(named));
    let is_slash = |byte: &u8| *byte == b'/' || is_special && *byte == b'\\';
    let slashes = rest.iter().take_while(|byte| is_slash(byte)).count();
    let slashes = match (is_special, slashes) {
        (true, any) => any,
        (false, 2..) => 2,
        (false, _) => return None,
    };
    let start = colon + 1 + slashes;
    let ends = |byte: &u8| b"?#".contains(byte) || is_slash(byte);
    let authority = text[start..].split(ends).next()?;
    let end = authority.iter().rposition(|&byte| byte == b'@');
    Some(start..end.map_or(start, |at| start + at + 1))
}

/// How messages write credentials that the reader has to fill in: `postgres://USER@HOST/DATABASE`.
const PLACEHOLDER: &str = "USER@";

/// Returns a text without the credentials of the URLs in it, for messages. A URL ends at white space.
#[must_use]
pub fn without_credentials(text: &str) -> Cow<'_, str> {
    let mut shown = Cow::Borrowed(text);
    let mut end = 0;
    while let Some(colon) = shown[end..].find(':').map(|at| end + at) {
        end = colon + 1;
        let word = shown[colon..]
            .find(char::is_whitespace)
            .map_or(shown.len(), |at| colon + at);
        let found = credentials_after(&shown.as_bytes()[..word], colon);
        let found = found.filter(|it| !it.is_empty() && shown[it.clone()] != *PLACEHOLDER);
        if let Some(credentials) = found {
            end = credentials.start;
            shown.to_mut().replace_range(credentials, "");
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_url_has_credentials_only_in_its_own_authority() {
        for (url, credentials) in [
            ("https://u:p q'@h/", "u:p q'@"),
            ("/x?u=http://a@b/", ""),
            ("https://h/?u=http://a@b/", ""),
            ("u:p@h", ""),
            ("", ""),
        ] {
            assert_eq!(&url[credentials_in(url.as_bytes())], credentials, "{url}");
        }
    }

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
            ("`https:/u:p@h/`: no", "`https:/h/`: no"),
            ("https:u:p@h HTTP:///u:p@i", "https:h HTTP:///i"),
            ("ftp:\\u:p@h\\a@b", "ftp:\\h\\a@b"),
            ("mailto:a@b a:/b@c a:///b@c", "mailto:a@b a:/b@c a:///b@c"),
            ("`https://u:p'`\"<>@h`", "`https://h`"),
            ("https://h/?u=http://a:b@c", "https://h/?u=http://c"),
            ("a://b:c\\d@e", "a://e"),
        ] {
            assert_eq!(without_credentials(text), shown, "{text}");
        }
    }
}
