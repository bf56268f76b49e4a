use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;

use crate::legible::Shortened;

/// The name by which a crawler finds its groups. Comparison ignores ASCII case.
///
/// RFC 9309 allows letters, `_` and `-`. Sites also write digits and `.` (`MJ12bot`,
/// `archive.org_bot`), so those are accepted. A whole `User-Agent` header is not a product token
/// and is rejected. R9309-2.2.1-2, V-4.
///
/// ```
/// use verger::ProductToken;
///
/// assert_eq!(ProductToken::new("ExampleBot").unwrap(), ProductToken::new("examplebot").unwrap());
/// let error = ProductToken::new("Googlebot/2.1").unwrap_err();
/// assert_eq!(error.likely(), Some("Googlebot"));
/// ```
#[derive(Clone, Debug)]
pub struct ProductToken(String);

impl ProductToken {
    /// Creates a token from a text of one or more letters, digits, `_`, `-` and `.`.
    ///
    /// # Errors
    ///
    /// Returns an error if the text has other bytes or is empty. The error suggests the likely
    /// token.
    pub fn new(text: &str) -> Result<Self, ProductTokenError> {
        check(text).map(|()| Self(text.to_owned()))
    }

    /// Creates a token from any text, as Google's library does. The text is compared as it is:
    /// `Googlebot/2.1` matches no line, and the empty text matches a line that names no crawler.
    #[must_use]
    pub fn verbatim(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// Returns the text of the token.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether the text conforms to the grammar of RFC 9309: letters, `_` and `-` only.
    /// R9309-2.2.1-2, D00-2.2-9.
    #[must_use]
    pub fn is_identifier(&self) -> bool {
        !self.0.is_empty() && self.0.bytes().all(is_identifier_byte)
    }
}

impl PartialEq for ProductToken {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl Eq for ProductToken {}

impl Hash for ProductToken {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for byte in self.0.bytes() {
            state.write_u8(byte.to_ascii_lowercase());
        }
        state.write_u8(0xFF);
    }
}

impl FromStr for ProductToken {
    type Err = ProductTokenError;

    fn from_str(text: &str) -> Result<Self, ProductTokenError> {
        Self::new(text)
    }
}

impl TryFrom<&str> for ProductToken {
    type Error = ProductTokenError;

    fn try_from(text: &str) -> Result<Self, ProductTokenError> {
        Self::new(text)
    }
}

impl AsRef<str> for ProductToken {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for ProductToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

pub(crate) fn check(text: &str) -> Result<(), ProductTokenError> {
    if !text.is_empty() && text.bytes().all(is_token_byte) {
        return Ok(());
    }
    Err(ProductTokenError {
        text: text.to_owned(),
        likely: likely_token(text).map(ToOwned::to_owned),
    })
}

/// D00-2.2-9.
pub(crate) fn is_identifier_byte(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-')
}

/// Accepts digits and `.` as well, as sites write them.
pub(crate) fn is_token_byte(byte: u8) -> bool {
    is_identifier_byte(byte) || byte.is_ascii_digit() || byte == b'.'
}

/// Returns the name after `compatible;` in a browser-like header, or the text up to the first byte
/// that a token cannot have.
fn likely_token(text: &str) -> Option<&str> {
    let product = text
        .split_once("compatible;")
        .map_or(text, |(_, after)| after)
        .trim_start();
    let end = product
        .bytes()
        .position(|byte| !is_token_byte(byte))
        .unwrap_or(product.len());
    let token = &product[..end];
    (!token.is_empty() && token != "Mozilla").then_some(token)
}

/// The text is not a product token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProductTokenError {
    text: String,
    likely: Option<String>,
}

impl ProductTokenError {
    /// Returns the text that was rejected.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the token that the text probably means.
    #[must_use]
    pub fn likely(&self) -> Option<&str> {
        self.likely.as_deref()
    }
}

impl fmt::Display for ProductTokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a product token", Shortened(&self.text))?;
        match &self.likely {
            Some(likely) => write!(f, ": use `{}`", Shortened(likely)),
            None => f.write_str(": use only letters, digits, `_`, `-` and `.`"),
        }
    }
}

impl core::error::Error for ProductTokenError {}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::hash::{DefaultHasher, Hasher};

    use super::*;

    #[test]
    fn a_token_is_shown_as_it_is_written() {
        let token = ProductToken::new("FooBot").unwrap();
        assert_eq!(std::format!("{token}, {token:>8}"), "FooBot,   FooBot");
    }

    #[test]
    fn equal_tokens_alone_have_the_same_hash() {
        let hash = |text: &str| {
            let mut hasher = DefaultHasher::new();
            ProductToken::new(text).unwrap().hash(&mut hasher);
            hasher.finish()
        };
        assert_eq!(hash("FooBot"), hash("foobot"));
        assert_ne!(hash("FooBot"), hash("FooBat"));
        assert_ne!(hash("FooBot"), hash("FooBo"));
    }

    #[test]
    fn a_token_has_letters_digits_and_three_marks() {
        for text in [
            "Foobot",
            "Foo_Bar",
            "Foobot-Bar",
            "MJ12bot",
            "archive.org_bot",
        ] {
            assert_eq!(ProductToken::new(text).unwrap().as_str(), text);
        }
        for text in [
            "",
            "ツ",
            "Foobot*",
            " Foobot ",
            "Foobot/2.1",
            "Foobot Bar",
            "*",
        ] {
            assert!(ProductToken::new(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn tokens_that_differ_in_case_are_equal() {
        let token = |text: &str| ProductToken::new(text).unwrap();
        assert_eq!(token("FooBot"), token("fOObOT"));
        assert_ne!(token("FooBot"), token("FooBots"));
    }

    #[test]
    fn only_letters_underscore_and_hyphen_make_an_identifier() {
        assert!(ProductToken::new("Foo-Bar_x").unwrap().is_identifier());
        assert!(!ProductToken::new("bot2").unwrap().is_identifier());
        assert!(!ProductToken::verbatim("").is_identifier());
    }

    #[test]
    fn the_error_names_the_likely_token() {
        let likely = |text: &str| ProductToken::new(text).unwrap_err().likely;
        assert_eq!(likely("Googlebot/2.1").as_deref(), Some("Googlebot"));
        let header = "Mozilla/5.0 (compatible; ExampleBot/0.1; +https://example.com/bot)";
        assert_eq!(likely(header).as_deref(), Some("ExampleBot"));
        assert_eq!(likely("Mozilla/5.0 (X11)"), None);
        assert_eq!(likely(""), None);
        let error = ProductToken::new("Googlebot/2.1").unwrap_err();
        assert_eq!(error.text(), "Googlebot/2.1");
    }
}
