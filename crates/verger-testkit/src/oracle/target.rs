//! Converts a URL to the path and query that rules are compared with.

use super::lines::before;
use crate::subject::DialectName;

/// Returns the target of a URL, starting with `/` and without the fragment.
///
/// # Errors
///
/// Returns a message if the URL is neither absolute nor a request target and the dialect is not
/// `google`.
pub(super) fn of(url: &[u8], dialect: DialectName) -> Result<Vec<u8>, String> {
    match dialect {
        DialectName::Google => Ok(of_any_string(url)),
        DialectName::Rfc9309 | DialectName::Draft2019 | DialectName::Koster1996 => {
            of_absolute_url_or_request_target(url)
        }
    }
}

/// Normalises nothing. Dot segments, `\` and `//` stay, because the question is about the URL that
/// will be requested.
fn of_absolute_url_or_request_target(url: &[u8]) -> Result<Vec<u8>, String> {
    let written = String::from_utf8_lossy(url);
    let url = before(url, b'#');
    if url.first() == Some(&b'/') {
        return Ok(url.to_vec());
    }
    let Some(scheme_end) = find(url, b"://").filter(|&end| is_scheme(&url[..end])) else {
        return Err(format!(
            "`{written}` is neither an absolute URL nor a request target that starts with `/`"
        ));
    };
    let after_scheme = &url[scheme_end + 3..];
    let authority_end = after_scheme
        .iter()
        .position(|&byte| byte == b'/' || byte == b'?')
        .unwrap_or(after_scheme.len());
    let scheme = url[..scheme_end].to_ascii_lowercase();
    if authority_end == 0 && [&b"http"[..], b"https", b"ftp"].contains(&scheme.as_slice()) {
        return Err(format!("`{written}` has no authority"));
    }
    // `http://h\a/b` is the host `h` to some readers and `h\a` to others.
    if after_scheme[..authority_end].contains(&b'\\') {
        return Err(format!("`{written}` has a backslash before its path"));
    }
    Ok(with_slash(&after_scheme[authority_end..]))
}

/// "scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )", RFC 3986 3.1.
fn is_scheme(bytes: &[u8]) -> bool {
    bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte))
}

/// Google: every string has a target. `;` also starts a path, `//x` is a host, and a NUL ends the
/// path, because paths are C strings.
fn of_any_string(url: &[u8]) -> Vec<u8> {
    let url = url.strip_prefix(b"//").unwrap_or(url);
    let starts_path = |&byte: &u8| matches!(byte, b'/' | b'?' | b';');
    let first_path_byte = url.iter().position(starts_path);
    let host_start = match find(url, b"://") {
        // `://` after the start of a path is part of the path.
        Some(scheme_end) if first_path_byte.is_none_or(|at| at > scheme_end) => scheme_end + 3,
        _ => 0,
    };
    let Some(path) = url[host_start..].iter().position(starts_path) else {
        return b"/".to_vec();
    };
    let path_start = host_start + path;
    let path_end = before(url, b'#').len();
    if path_end < path_start {
        return b"/".to_vec();
    }
    with_slash(before(&url[path_start..path_end], 0))
}

/// An empty path is `/`, and `?q` is `/?q`.                                V-37
fn with_slash(rest: &[u8]) -> Vec<u8> {
    let mut target = rest.to_vec();
    if target.first() != Some(&b'/') {
        target.insert(0, b'/');
    }
    target
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes
        .windows(wanted.len())
        .position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(url: &str, dialect: DialectName) -> Result<String, String> {
        of(url.as_bytes(), dialect)
            .map(|bytes| String::from_utf8(bytes).expect("ASCII stays ASCII"))
    }

    #[test]
    fn google_finds_a_target_in_any_string() {
        let vectors = [
            ("", "/"),
            ("http://www.example.com", "/"),
            ("http://www.example.com/", "/"),
            (
                "http://www.example.com/a/b?c=http://d.e/",
                "/a/b?c=http://d.e/",
            ),
            (
                "http://www.example.com/a/b?c=d&e=f#fragment",
                "/a/b?c=d&e=f",
            ),
            ("example.com", "/"),
            ("example.com/a", "/a"),
            ("a", "/"),
            ("a/b", "/b"),
            ("example.com?a", "/?a"),
            ("example.com/a;b#c", "/a;b"),
            ("//a/b/c", "/b/c"),
            ("///a", "/a"),
            ("////a", "//a"),
            ("/a//b", "/a//b"),
            ("http:////a", "//a"),
            ("http://h;p", "/;p"),
            ("http://h#f/a", "/"),
            ("/x?u=http://h/y", "/x?u=http://h/y"),
            ("http://h/a\0b", "/a"),
        ];
        for (url, expected) in vectors {
            assert_eq!(
                target(url, DialectName::Google).as_deref(),
                Ok(expected),
                "{url:?}"
            );
        }
    }

    #[test]
    fn the_others_take_absolute_urls_and_request_targets() {
        let vectors = [
            ("/", "/"),
            ("/a#b", "/a"),
            ("//a/b", "//a/b"),
            ("/x?u=http://h/y", "/x?u=http://h/y"),
            ("http://h", "/"),
            ("http://h#f", "/"),
            ("http://h?q", "/?q"),
            ("HTTPS://user@h:8443/a/../b//c\\d?e#f", "/a/../b//c\\d?e"),
            ("http://h;p/a", "/a"),
            ("foo+1.x://h/a", "/a"),
            ("file:///etc", "/etc"),
        ];
        for dialect in [
            DialectName::Rfc9309,
            DialectName::Draft2019,
            DialectName::Koster1996,
        ] {
            for (url, expected) in vectors {
                assert_eq!(target(url, dialect).as_deref(), Ok(expected), "{url:?}");
            }
            for url in [
                "",
                "a",
                "example.com/a",
                "?q",
                "1http://h/",
                "://h/",
                "http:/a",
                " /a",
            ] {
                assert!(target(url, dialect).is_err(), "{url:?}");
            }
            for url in ["http:///a", "HTTP://", "https://?q", "ftp://#f"] {
                assert!(target(url, dialect).is_err(), "{url:?}");
            }
        }
    }
}
