//! Recognizes absolute URLs.

/// Returns whether `value` starts like an absolute URL: a scheme, `://` and a non-empty authority.
/// The rest is not examined.
pub(crate) fn is_absolute(value: &[u8]) -> bool {
    let Some(scheme_end) = scheme_end(value) else {
        return false;
    };
    let has_authority = value
        .get(scheme_end + 3)
        .is_some_and(|byte| !matches!(byte, b'/' | b'?' | b'#' | b' ' | b'\t'));
    is_scheme(&value[..scheme_end]) && has_authority
}

pub(crate) fn scheme_end(value: &[u8]) -> Option<usize> {
    value.windows(3).position(|bytes| bytes == b"://")
}

/// Returns whether the bytes are a scheme. "scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )":
/// RFC 3986 3.1.
fn is_scheme(bytes: &[u8]) -> bool {
    let is_of_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    bytes.first().is_some_and(u8::is_ascii_alphabetic) && bytes.iter().all(is_of_scheme)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scheme_and_an_authority_make_a_url_absolute() {
        for url in [
            "http://h",
            "HTTPS://h.example/s.xml?a=b",
            "ftp://h/s",
            "svn+ssh://h/",
        ] {
            assert!(is_absolute(url.as_bytes()), "{url}");
        }
        for value in [
            "",
            "/sitemap.xml",
            "sitemap.xml",
            "//h.example/sitemap.xml",
            "http:/h",
            "https://",
            "https:///s.xml",
            "://h",
            "1http://h",
            "/a?u=http://h",
        ] {
            assert!(!is_absolute(value.as_bytes()), "{value}");
        }
    }
}
