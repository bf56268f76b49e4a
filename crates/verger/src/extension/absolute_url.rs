//! Whether a value is an absolute URL.

use crate::compare::target_path::is_scheme;
use crate::read::white_space::is_space_or_tab;

/// Whether `value` starts as an absolute URL does: a scheme, `://` and an authority that is not
/// empty. What follows is not looked at.
pub(super) fn is_absolute(value: &[u8]) -> bool {
    let Some(scheme_end) = memchr::memmem::find(value, b"://") else {
        return false;
    };
    let has_authority = value
        .get(scheme_end + 3)
        .is_some_and(|octet| !matches!(octet, b'/' | b'?' | b'#') && !is_space_or_tab(*octet));
    is_scheme(&value[..scheme_end]) && has_authority
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
