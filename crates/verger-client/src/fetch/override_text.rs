//! Overrides and headers as users write them.

use std::fs::File;
use std::io::{self, Read as _};

use http::{HeaderName, HeaderValue};
use thiserror::Error;
use verger_access::{BODY_BYTES_WANTED, NotASitePattern, Override, SitePattern};

/// Parses `HOST=open`, `HOST=closed` or `HOST=FILE`, and reads the file. A file with one of these
/// names is written `./open`.
///
/// # Errors
///
/// Returns an error if the text has another form, or if the file cannot be read.
pub fn override_of(text: &str) -> Result<(SitePattern, Override), NotAnOverride> {
    let (sites, given) = text.split_once('=').ok_or(NotAnOverride::Form)?;
    let sites: SitePattern = sites.parse()?;
    let given = match given {
        "" => return Err(NotAnOverride::Form),
        "open" => Override::Open,
        "closed" => Override::Closed,
        path => {
            let read = read_start(path);
            Override::Rules(read.map_err(|error| NotAnOverride::File(path.to_owned(), error))?)
        }
    };
    Ok((sites, given))
}

/// Reads as much of a file as a fetch would.
fn read_start(path: &str) -> io::Result<std::sync::Arc<[u8]>> {
    let mut body = Vec::new();
    let file = File::open(path)?;
    file.take(BODY_BYTES_WANTED as u64).read_to_end(&mut body)?;
    Ok(body.into())
}

/// The text is not an override.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NotAnOverride {
    /// The text has another form.
    #[error("write HOST=open, HOST=closed or HOST=FILE")]
    Form,
    /// The part before `=` names no site.
    #[error(transparent)]
    Site(#[from] NotASitePattern),
    /// The file cannot be read.
    #[error("cannot read `{name}`: {1}", name = .0.escape_debug())]
    File(String, #[source] io::Error),
}

/// A header for the robots.txt of some sites.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SiteHeader {
    /// The sites. `None` if the text names none.
    pub sites: Option<SitePattern>,
    /// The name.
    pub name: HeaderName,
    /// The value, which `Debug` does not show.
    pub value: HeaderValue,
}

/// Parses `NAME: VALUE` or `HOST=NAME: VALUE`.
///
/// # Errors
///
/// Returns an error if the text has another form. It has no part of the text, which may be secret.
pub fn site_header_of(text: &str) -> Result<SiteHeader, NotASiteHeader> {
    let named = text.split_once('=').and_then(|(sites, header)| {
        let sites = sites.parse().ok()?;
        Some((Some(sites), field_of(header)?))
    });
    let found = named.or_else(|| Some((None, field_of(text)?)));
    let (sites, (name, value)) = found.ok_or(NotASiteHeader)?;
    Ok(SiteHeader { sites, name, value })
}

fn field_of(text: &str) -> Option<(HeaderName, HeaderValue)> {
    let (name, value) = text.split_once(':')?;
    let mut value = HeaderValue::from_str(value.trim()).ok()?;
    value.set_sensitive(true);
    Some((name.parse().ok()?, value))
}

/// The text is not a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("write a header as 'NAME: VALUE' or 'HOST=NAME: VALUE'")]
pub struct NotASiteHeader;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_override_is_a_word_or_a_file() {
        let of = |text: &str| override_of(text).map_err(|error| error.to_string());
        let host = SitePattern::Host("h.example".to_owned());
        assert_eq!(of("h.example=open"), Ok((host.clone(), Override::Open)));
        assert_eq!(of("h.example=closed"), Ok((host.clone(), Override::Closed)));
        let (sites, given) = of("h.example=Cargo.toml").unwrap();
        assert!(matches!(given, Override::Rules(body) if body.starts_with(b"[package]")));
        assert_eq!(sites, host);
        for (text, start) in [
            ("h.example", "write HOST=open"),
            ("h.example=", "write HOST=open"),
            ("a b=open", "`a b` is not a site"),
            ("h.example=no-such-file", "cannot read `no-such-file`: "),
            ("h.example=Open", "cannot read `Open`: "),
        ] {
            assert!(of(text).unwrap_err().starts_with(start), "{text}");
        }
    }

    #[test]
    fn a_header_has_a_name_and_perhaps_a_site() {
        let of = |text: &str| {
            let header = site_header_of(text).ok()?;
            let value = header.value.to_str().unwrap().to_owned();
            Some((header.sites, header.name.to_string(), value))
        };
        let host = || Some("h.example".parse().unwrap());
        let origin = || Some("http://h.example:80".parse().unwrap());
        for (text, sites, name, value) in [
            ("X-Key: a=b", None, "x-key", "a=b"),
            ("Cookie:a=b", None, "cookie", "a=b"),
            (
                "Authorization: Basic YTpi==",
                None,
                "authorization",
                "Basic YTpi==",
            ),
            (
                "h.example=Authorization: Basic YTpi==",
                host(),
                "authorization",
                "Basic YTpi==",
            ),
            ("http://h.example:80=X: 1", origin(), "x", "1"),
        ] {
            let expected = (sites, name.to_owned(), value.to_owned());
            assert_eq!(of(text), Some(expected), "{text}");
        }
        for text in [
            "",
            "secret",
            "h.example=",
            "h.example=secret",
            "a b: c",
            "X: \u{1}",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
        let header = site_header_of("X: secret").unwrap();
        assert!(!format!("{header:?}").contains("secret"));
    }
}
