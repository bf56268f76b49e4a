//! Overrides and headers for sites, as users write them.

use std::fs::File;
use std::io::{self, Read as _};

use http::{HeaderName, HeaderValue};
use thiserror::Error;
use verger_access::{Authority, BODY_BYTES_WANTED, Override};
use verger_answer::written_sites;

/// Parses `HOST=open`, `HOST=closed` or `HOST=FILE`, and reads as much of the file as a fetch would.
/// `HOST` is a host with an optional port, which means https and http, or the origin of one site. A
/// file with the name `open` is written `./open`.
///
/// # Errors
///
/// Returns an error if the text has another form, or if the file cannot be read.
pub fn overrides_of(text: &str) -> Result<(Vec<Authority>, Override), NotAnOverride> {
    let (sites, given) = text.split_once('=').unwrap_or_default();
    let sites = whole_sites(sites).ok_or(NotAnOverride::Form)?;
    let given = match given {
        "" => return Err(NotAnOverride::Form),
        "open" => Override::Open,
        "closed" => Override::Closed,
        path => {
            let mut body = Vec::new();
            let file = File::open(path).map(|file| file.take(BODY_BYTES_WANTED as u64));
            let read = file.and_then(|mut file| file.read_to_end(&mut body));
            read.map_err(|error| NotAnOverride::File(path.to_owned(), error))?;
            Override::Rules(body.into())
        }
    };
    Ok((sites, given))
}

/// Returns the sites with this name. A URL with a path is not the name of a whole site.
fn whole_sites(text: &str) -> Option<Vec<Authority>> {
    let name = text.split_once("://").map_or(text, |(_, name)| name);
    let has_path = name
        .trim_end_matches('/')
        .contains(['/', '?', '#', '@', '\\']);
    written_sites(text).ok().filter(|_| !has_path)
}

/// The text is not an override.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NotAnOverride {
    /// The text has another form.
    #[error(
        "write HOST=open, HOST=closed or HOST=FILE, with example.com, example.com:8080 or https://example.com as HOST"
    )]
    Form,
    /// The file cannot be read.
    #[error("cannot read `{name}`: {1}", name = .0.escape_debug())]
    File(String, #[source] io::Error),
}

/// Parses `NAME: VALUE` or `HOST=NAME: VALUE`, with `HOST` as in [`overrides_of`]. Without it, the
/// list of authorities is empty.
///
/// # Errors
///
/// Returns an error if the text has another form. It has no part of the text, which may be secret.
pub fn site_header_of(
    text: &str,
) -> Result<(Vec<Authority>, HeaderName, HeaderValue), NotASiteHeader> {
    let field = |text: &str| {
        let (name, value) = text.split_once(':')?;
        let mut value = HeaderValue::from_str(value.trim()).ok()?;
        value.set_sensitive(true);
        Some((name.parse().ok()?, value))
    };
    let named = text.split_once('=');
    let named = named.and_then(|(sites, text)| Some((whole_sites(sites)?, field(text)?)));
    let found = named.or_else(|| Some((Vec::new(), field(text)?)));
    let (sites, (name, value)) = found.ok_or(NotASiteHeader)?;
    Ok((sites, name, value))
}

/// The text is not a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("write a header as 'NAME: VALUE' or 'HOST=NAME: VALUE'")]
pub struct NotASiteHeader;

#[cfg(test)]
mod tests {
    use super::*;

    fn names(sites: &[Authority]) -> String {
        let names = sites.iter().map(ToString::to_string);
        names.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn an_override_is_a_word_or_a_file() {
        let of = |text: &str| match overrides_of(text) {
            Ok((sites, given)) => Ok((names(&sites), given)),
            Err(error) => Err(error.to_string()),
        };
        let both = "https://h.example http://h.example";
        assert_eq!(of("h.example=open"), Ok((both.to_owned(), Override::Open)));
        let port = "https://h.example:81 http://h.example:81".to_owned();
        assert_eq!(of("h.example:81=closed"), Ok((port, Override::Closed)));
        let gemini = "gemini://h.example".to_owned();
        assert_eq!(of("gemini://h.example/=open"), Ok((gemini, Override::Open)));
        let (_, given) = of("https://h.example=Cargo.toml").unwrap();
        assert!(matches!(given, Override::Rules(body) if body.starts_with(b"[package]")));
        for text in [
            "",
            "h.example",
            "h.example=",
            "=open",
            "a b=open",
            "h.example/x=open",
            "h:=open",
            "https://h.example/x=open",
            "https://u@h.example=open",
            "h.example?=open",
        ] {
            assert!(
                of(text).unwrap_err().starts_with("write HOST=open"),
                "{text}"
            );
        }
        for text in ["h.example=no-such-file", "h.example=Open", "h.example=/"] {
            assert!(of(text).unwrap_err().starts_with("cannot read `"), "{text}");
        }
    }

    #[test]
    fn a_header_has_a_name_and_perhaps_a_site() {
        let of = |text: &str| {
            let (sites, name, value) = site_header_of(text).ok()?;
            let value = value.to_str().unwrap().to_owned();
            Some((names(&sites), name.to_string(), value))
        };
        let both = "https://h.example http://h.example";
        for (text, sites, name, value) in [
            ("X-Key: a=b", "", "x-key", "a=b"),
            ("Cookie:a=b", "", "cookie", "a=b"),
            (
                "Authorization: Basic YTpi==",
                "",
                "authorization",
                "Basic YTpi==",
            ),
            (
                "h.example=Authorization: Basic YTpi==",
                both,
                "authorization",
                "Basic YTpi==",
            ),
            ("http://h.example:80=X: 1", "http://h.example", "x", "1"),
        ] {
            let expected = [sites, name, value].map(ToOwned::to_owned).into();
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
        assert!(!format!("{:?}", site_header_of("X: secret")).contains("secret"));
    }
}
