use core::str::FromStr;
use std::fmt;

use url::Url;

/// Maximum length of a contact in bytes, because long ones fill logs.
const BYTES_MAX: usize = 200;

/// How a site's owner reaches the crawler's operator: a URL or mail address that fits into a
/// comment of a `User-Agent` header (RFC 9110 5.6.5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contact(String);

impl FromStr for Contact {
    type Err = NotAContact;

    /// Parses an `http` or `https` URL, or a mail address.
    fn from_str(text: &str) -> Result<Self, NotAContact> {
        // Excludes characters that could end the comment or the address for readers of the header.
        let is_plain = |it: char| it.is_ascii_graphic() && !"()<>;,\\\"".contains(it);
        let is_contact = (1..=BYTES_MAX).contains(&text.len()) && text.chars().all(is_plain);
        if is_contact && is_url(text) {
            return Ok(Self(format!("+{text}")));
        }
        if is_contact && is_mail_address(text) {
            return Ok(Self(text.to_owned()));
        }
        Err(NotAContact)
    }
}

fn is_url(text: &str) -> bool {
    let url = Url::parse(text).ok();
    url.is_some_and(|url| {
        matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.has_host()
    })
}

fn is_mail_address(text: &str) -> bool {
    let (name, host) = text.split_once('@').unwrap_or_default();
    let labels = host.split('.');
    !name.is_empty()
        && !text.contains(':')
        && host.contains('.')
        && labels.into_iter().all(|label| {
            let is_part = |it: char| it.is_ascii_alphanumeric() || it == '-';
            !label.is_empty() && label.chars().all(is_part)
        })
}

impl fmt::Display for Contact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text is not a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write https://example.com/bot or bots@example.com")]
pub struct NotAContact;

#[cfg(test)]
mod tests {
    use super::*;

    /// R9309-2.2.1-4.
    #[test]
    fn a_contact_is_a_url_of_the_web_or_a_mail_address() {
        for (text, sent) in [
            (
                "https://example.com/bot?a=b",
                Some("+https://example.com/bot?a=b"),
            ),
            ("bots@example.com", Some("bots@example.com")),
            ("a+b@mail.example.com", Some("a+b@mail.example.com")),
            ("", None),
            ("example.com", None),
            ("ftp://example.com/", None),
            ("https://me@example.com/", None),
            ("https://example.com/a)b", None),
            ("https://example.com/\r\nX: y", None),
            ("two words@example.com", None),
            ("a@b@example.com", None),
            ("@example.com", None),
            ("bots@example.", None),
            ("b\u{fc}cher@example.com", None),
        ] {
            let contact = text.parse::<Contact>().ok().map(|it| it.to_string());
            assert_eq!(contact.as_deref(), sent, "{text:?}");
        }
        let long = format!("https://example.com/{}", "a".repeat(BYTES_MAX));
        assert!(long.parse::<Contact>().is_err());
    }
}
