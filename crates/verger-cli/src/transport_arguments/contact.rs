//! `Contact`: where a site's owner finds or reaches the organisation that sends requests.

use std::env;
use std::error::Error;
use std::fmt;

use url::Url;

use crate::octet_text::start_of;

/// The environment variable with the contact.
const VARIABLE: &str = "VERGER_CONTACT";

/// Octets of a contact; a longer one would fill a log.
const OCTETS_MAX: usize = 200;

/// A URL or a mail address, as a comment of a `User-Agent` header may have it (RFC 9110 5.6.5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Contact(String);

impl Contact {
    /// Reads a URL of the web, or a mail address.
    pub(super) fn new(text: &str) -> Result<Self, NotAContact> {
        // What may end the comment or the address in it: others read the header by these.
        let is_plain = |it: char| it.is_ascii_graphic() && !"()<>;,\\\"".contains(it);
        let is_contact = (1..=OCTETS_MAX).contains(&text.len()) && text.chars().all(is_plain);
        if is_contact && is_url(text) {
            return Ok(Self(format!("+{text}")));
        }
        if is_contact && is_mail_address(text) {
            return Ok(Self(text.to_owned()));
        }
        Err(NotAContact {
            text: text.to_owned(),
            source: "",
        })
    }

    /// The contact of the environment; `None` where it names none.
    pub(super) fn of_environment() -> Result<Option<Self>, NotAContact> {
        match env::var_os(VARIABLE) {
            Some(value) if !value.is_empty() => {
                let contact = Self::new(&value.to_string_lossy());
                let named = |error| NotAContact {
                    source: VARIABLE,
                    ..error
                };
                contact.map(Some).map_err(named)
            }
            _ => Ok(None),
        }
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

/// A text is no contact.
#[derive(Clone, Debug)]
pub(crate) struct NotAContact {
    text: String,
    /// The variable that has it; empty for an argument.
    source: &'static str,
}

impl fmt::Display for NotAContact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.source.is_empty() {
            write!(
                f,
                "`{}`: `{}` is no contact: ",
                self.source,
                start_of(&self.text)
            )?;
        }
        f.write_str("write https://example.com/bot or bots@example.com")
    }
}

impl Error for NotAContact {}

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
            let contact = Contact::new(text).ok().map(|it| it.to_string());
            assert_eq!(contact.as_deref(), sent, "{text:?}");
        }
        let long = format!("https://example.com/{}", "a".repeat(OCTETS_MAX));
        assert!(Contact::new(&long).is_err());
    }
}
