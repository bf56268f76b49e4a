//! `web_url`: a URL as it is requested over HTTP.

use url::Url;

/// Returns a URL as requested over HTTP, without fragment and credentials, or `None` for other schemes.
#[must_use]
pub fn web_url(mut url: Url) -> Option<Url> {
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    url.set_fragment(None);
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    Some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_and_fragments_are_not_sent() {
        let url = |text: &str| web_url(Url::parse(text).unwrap()).map(String::from);
        let expected = Some("https://h.example/a?b".to_owned());
        assert_eq!(url("https://me:secret@h.example/a?b#c"), expected);
        assert_eq!(url("ftp://h.example/"), None);
        assert_eq!(url("file:///etc/passwd"), None);
    }
}
