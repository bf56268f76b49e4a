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
    let start = scheme.and_then(|colon| AuthorityStart::after(url, colon));
    start.map_or(0..0, |start| {
        LastAuthority::default().credentials(url, start)
    })
}

fn is_of_scheme(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)
}

#[derive(Clone, Copy)]
struct AuthorityStart {
    at: usize,
    has_special_scheme: bool,
}

impl AuthorityStart {
    /// Returns the start of an authority if a scheme ends at `colon` and an authority follows.
    fn after(text: &[u8], colon: usize) -> Option<Self> {
        let before = text.get(..colon)?;
        let rest = text[colon..].strip_prefix(b":")?;
        let named = before.rsplit(|&byte| !is_of_scheme(byte)).next()?;
        let has_special_scheme = SPECIAL.iter().any(|it| it.eq_ignore_ascii_case(named));
        let is_slash = |byte: &u8| is_slash(*byte, has_special_scheme);
        let slashes = match rest.iter().take_while(|byte| is_slash(byte)).count() {
            any if has_special_scheme => any,
            2.. => 2,
            _ => return None,
        };
        Some(Self {
            at: colon + 1 + slashes,
            has_special_scheme,
        })
    }
}

fn is_slash(byte: u8, has_special_scheme: bool) -> bool {
    byte == b'/' || has_special_scheme && byte == b'\\'
}

/// The last authority that was searched for credentials. Later colons in it begin authorities that have the same end,
/// so no byte is searched twice.
#[derive(Default)]
struct LastAuthority {
    end: usize,
    /// The end of its last `@`, or 0 without any.
    credentials_end: usize,
}

impl LastAuthority {
    /// Returns the place of the credentials at `start`, which end with the last `@` of the authority. The starts of one
    /// text must not decrease.
    fn credentials(&mut self, text: &[u8], start: AuthorityStart) -> Range<usize> {
        if start.at >= self.end {
            let ends =
                |&byte: &u8| b"?#".contains(&byte) || is_slash(byte, start.has_special_scheme);
            let rest = &text[start.at..];
            let authority = rest.split(ends).next().unwrap_or_default();
            let last = authority.iter().rposition(|&byte| byte == b'@');
            self.end = start.at + authority.len();
            self.credentials_end = last.map_or(0, |at| start.at + at + 1);
        }
        start.at..self.credentials_end.max(start.at)
    }
}

/// How messages write credentials that the reader has to fill in: `postgres://USER@HOST/DATABASE`.
const PLACEHOLDER: &str = "USER@";

/// Returns a text without the credentials of the URLs in it, for messages. A URL ends at white space.
#[must_use]
pub fn without_credentials(text: &str) -> Cow<'_, str> {
    if !text.contains('@') {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for word in text.split_inclusive(char::is_whitespace) {
        push_without_credentials(&mut shown, word);
    }
    Cow::Owned(shown)
}

/// Adds a word, which may end with white space, without the credentials in it. Takes linear time, because a server or
/// an input chooses the text.
fn push_without_credentials(shown: &mut String, word: &str) {
    let url = word.trim_end().as_bytes();
    // By whether the scheme is special, because only then a backslash ends the authority.
    let mut last = [LastAuthority::default(), LastAuthority::default()];
    let (mut pushed, mut searched) = (0, 0);
    while let Some(colon) = word[searched..].find(':').map(|at| searched + at) {
        searched = colon + 1;
        let Some(start) = AuthorityStart::after(url, colon) else {
            continue;
        };
        let last = &mut last[usize::from(start.has_special_scheme)];
        let credentials = last.credentials(url, start);
        if !credentials.is_empty() && word[credentials.clone()] != *PLACEHOLDER {
            shown.push_str(&word[pushed..credentials.start]);
            (pushed, searched) = (credentials.end, credentials.end);
        }
    }
    shown.push_str(&word[pushed..]);
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

    /// Searching the rest of the text at each colon would take hours.
    #[test]
    fn a_megabyte_without_white_space_is_searched_once() {
        for (part, shown, end) in [
            (":", ":", "@h"),
            ("@", "@", "@h"),
            ("http:", "", "http:h"),
            ("http:/", "http:/", "h"),
            ("a:\\", "a:\\", "@h"),
            ("http:?", "http:?", "@h"),
            ("http:/u@", "http:/", "h"),
        ] {
            let count = (1 << 20) / part.len();
            let text = part.repeat(count) + "@h";
            let is_expected = without_credentials(&text) == shown.repeat(count) + end;
            assert!(is_expected, "{part}");
        }
    }
}
