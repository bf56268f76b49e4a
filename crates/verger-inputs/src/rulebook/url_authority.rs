//! `UrlAuthority`: finds the authority of each of many URLs.
//!
//! Consecutive URLs often share an authority, so the start of the last URL is kept ([`WrittenAuthority`]). Other URLs try
//! [`Authority::normal_prefix`] first, and are fully parsed only if that fails.

use std::borrow::Cow;
use std::fmt;

use verger::{Dialect, TargetPath, TargetPathError};
use verger_access::{Authority, AuthorityError, WrittenAuthority};

use verger_answer::text::legible;

/// Finds the authority of each of many URLs. It is fastest when URLs with the same authority are
/// adjacent.
///
/// ```
/// use verger_inputs::rulebook::{Compared, UrlAuthority};
///
/// let mut authority = UrlAuthority::default();
/// assert_eq!(authority.read(b"https://Example.com:443/a")?, Compared::Other);
/// assert_eq!(authority.name(), "https://example.com");
/// assert_eq!(authority.read(b"https://Example.com:443/b")?, Compared::SameStart);
/// # Ok::<(), verger_inputs::rulebook::NoAuthority>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct UrlAuthority {
    /// Start of the last URL, if it determines the authority.
    written: Option<WrittenAuthority<'static>>,
    name: String,
}

/// Whether the authority differs from that of the previous URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// The authority is the same, because the URLs begin with the same bytes.
    SameStart,
    /// The authority may differ.
    Other,
}

impl UrlAuthority {
    /// Finds the authority of `url`.
    ///
    /// # Errors
    ///
    /// Returns an error if the URL has no authority, the engine cannot find its path, or it has a TAB or a line end,
    /// which URL parsers remove. V-37.
    pub fn read(&mut self, url: &[u8]) -> Result<Compared, NoAuthority> {
        if self.written.as_ref().is_some_and(|it| it.starts_bytes(url)) {
            return Ok(Compared::SameStart);
        }
        self.name.clear();
        let name = name_of(url).inspect_err(|_| self.written = None)?;
        self.name.push_str(&name);
        match (WrittenAuthority::from_url_bytes(url), &mut self.written) {
            (Some(written), Some(last)) => last.set(&written),
            (written, last) => *last = written.map(WrittenAuthority::into_owned),
        }
        Ok(Compared::Other)
    }

    /// Returns the authority of the last URL as [`Authority`] displays it. Empty if it has none.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Returns the authority of `url` as [`Authority`] displays it.
///
/// # Errors
///
/// Returns the errors of [`UrlAuthority::read`].
pub fn authority_of(url: &[u8]) -> Result<String, NoAuthority> {
    name_of(url).map(Cow::into_owned)
}

fn name_of(url: &[u8]) -> Result<Cow<'_, str>, NoAuthority> {
    if memchr::memchr3(b'\t', b'\n', b'\r', url).is_some() {
        return Err(NoAuthority {
            url: legible(url),
            problem: Problem::Target(TargetPathError::from_tab_or_line_end(url)),
        });
    }
    match normal_prefix(url) {
        Some(prefix) => Ok(prefix.into()),
        None => read_in_full(url).map(Cow::Owned),
    }
}

/// Returns the authority of a URL that names a site: without a path, or with the path `/` or
/// `/robots.txt`.
///
/// # Errors
///
/// Returns an error if the URL has no authority or another path.
pub fn named_authority(url: &[u8]) -> Result<String, NoAuthority> {
    let authority = authority_of(url)?;
    let after = after_scheme(url);
    let path = after
        .iter()
        .position(|byte| matches!(byte, b'/' | b'?' | b'#'));
    match path.map_or(&[][..], |at| &after[at..]) {
        b"" | b"/" | b"/robots.txt" => Ok(authority),
        _ => Err(NoAuthority {
            url: legible(url),
            problem: Problem::MoreThanAnAuthority,
        }),
    }
}

/// Returns the part after the first `://`.
fn after_scheme(url: &[u8]) -> &[u8] {
    let at = url.windows(3).position(|it| it == b"://");
    at.map_or(&[], |at| &url[at + 3..])
}

fn normal_prefix(url: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(url).ok()?;
    Authority::normal_prefix(text)
}

fn read_in_full(url: &[u8]) -> Result<String, NoAuthority> {
    let refuse = |problem| NoAuthority {
        url: legible(url),
        problem,
    };
    // Invalid UTF-8 is harmless in a path and rejected in a host.
    let authority = Authority::from_url(&String::from_utf8_lossy(url));
    let authority = authority.map_err(|error| refuse(Problem::Authority(error)))?;
    // If the engine accepts a URL, both agree on the start of its path. It rejects a `\` before the
    // path, which `Authority` reads as `/`.
    let target = TargetPath::new(url, Dialect::Rfc9309);
    target.map_err(|error| refuse(Problem::Target(error)))?;
    Ok(authority.to_string())
}

/// The URL has no authority. `Display` writes a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoAuthority {
    url: String,
    problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    Target(TargetPathError),
    Authority(AuthorityError),
    MoreThanAnAuthority,
}

impl fmt::Display for NoAuthority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let url = &self.url;
        match &self.problem {
            Problem::Target(error) => error.fmt(f),
            Problem::Authority(AuthorityError::NotAbsolute) => write!(
                f,
                "`{url}` is not an absolute URL: give one such as https://example.com/path"
            ),
            Problem::Authority(error) => write!(f, "`{url}`: {error}"),
            Problem::MoreThanAnAuthority => write!(
                f,
                "`{url}` is more than an authority: give one such as https://example.com"
            ),
        }
    }
}

impl std::error::Error for NoAuthority {}

#[cfg(test)]
mod tests {
    use super::*;

    use verger_testkit::generate::Rng;

    fn read(url: &str) -> Result<String, NoAuthority> {
        let mut authority = UrlAuthority::default();
        authority.read(url.as_bytes())?;
        Ok(authority.name().to_owned())
    }

    #[test]
    fn spellings_of_one_authority_are_one() {
        for url in [
            "https://example.com/a",
            "HTTPS://EXAMPLE.com",
            "https://example.com:443?q",
            "https://example.com:/a",
            "https://example.com:0443#f",
            "https://user:secret@example.com/a@b:80",
            "https://ex%61mple.com/",
        ] {
            assert_eq!(read(url).as_deref(), Ok("https://example.com"), "{url}");
        }
        let idn = Ok("https://xn--exmple-cua.com".to_owned());
        assert_eq!(read("https://exämple.com/secret"), idn);
        assert_eq!(read("https://EXÄMPLE.com/secret"), idn);
        assert_eq!(read("https://xn--exmple-cua.com/"), idn);
        for url in ["http://127.0.0.1/", "http://0x7f.1/", "http://2130706433/"] {
            assert_eq!(read(url).as_deref(), Ok("http://127.0.0.1"), "{url}");
        }
    }

    #[test]
    fn what_has_no_authority_is_refused() {
        for url in [
            "/a",
            "example.com/https://a",
            "https:/example.com",
            "https:example.com",
            "",
            r"https://evil.example\@example.com/",
            r"https:\\example.com/",
            "https:///a",
            "https://user@:80/a",
            "https://example.com:65536/",
            "https://example.com:8a/",
            "https://example.com:+80/",
            "https://::1/",
            "mailto:a@b.example",
        ] {
            assert!(read(url).is_err(), "{url}");
        }
    }

    #[test]
    fn an_authority_is_named_by_it_alone_or_by_the_url_of_its_file() {
        let named = |url: &str| named_authority(url.as_bytes());
        for url in [
            "https://a.example",
            "https://A.example:443/",
            "https://a.example/robots.txt",
        ] {
            assert_eq!(named(url).as_deref(), Ok("https://a.example"), "{url}");
        }
        for url in [
            "https://a.example/blog/robots.txt",
            "https://a.example/robots.txt?x",
            "https://a.example#",
            "a.example",
            "/robots.txt",
        ] {
            assert!(named(url).is_err(), "{url}");
        }
        let error = named("https://a.example/blog").unwrap_err().to_string();
        assert!(
            error.starts_with("`https://a.example/blog` is more than an authority"),
            "{error}"
        );
    }

    /// V-37: no URL with a TAB or a line end can be requested, whatever was read before it.
    #[test]
    fn a_tab_or_a_line_end_is_refused_wherever_it_is() {
        for url in [
            "https://a.example/x\ty",
            "https://a.example\t/",
            "https://a.example/?\r",
            "https://a.example/\n",
            "https://A.example/#\t",
        ] {
            let mut authority = UrlAuthority::default();
            assert_eq!(authority.read(b"https://a.example/"), Ok(Compared::Other));
            assert!(authority.read(url.as_bytes()).is_err(), "{url}");
            assert!(authority.name().is_empty(), "{url}");
            assert!(authority_of(url.as_bytes()).is_err(), "{url}");
        }
    }

    /// Returns a URL built from pieces that may confuse URL parsers.
    fn generated(rng: &mut Rng) -> Vec<u8> {
        let mut pick = |choices: &[&str], most: usize| {
            let pieces = (0..=rng.below(most)).map(|_| choices[rng.below(choices.len())]);
            pieces.collect::<String>()
        };
        let schemes = [
            "http://",
            "https://",
            "HTTPS://",
            "ftp://",
            "x+y://",
            "http:/",
            "ht\ttp://",
            " http://",
            "file://",
            "https:///",
            "wss://",
        ];
        let hosts = [
            "a.example",
            "b",
            "A",
            "é",
            "xn--9ca",
            "127.1",
            "0x7f",
            ".",
            "@",
            "u@",
            ":",
            ":80",
            ":443",
            "[::1]",
            "%41",
            "\t",
            " ",
            "\u{1f}",
            "\\",
            "-",
        ];
        let paths = ["", "/", "/x", "?q", "#f", "\\x", "/a@b:80", " ", "\t/"];
        let (scheme, host, path) = (pick(&schemes, 1), pick(&hosts, 3), pick(&paths, 2));
        let mut url = format!("{scheme}{host}{path}").into_bytes();
        if rng.below(16) == 0 {
            url.push(0xe9);
        }
        url
    }

    #[test]
    fn every_url_has_the_authority_that_it_has_alone() {
        let mut same_starts = 0;
        let mut rng = Rng::new(7);
        for _ in 0..40_000 {
            let first = generated(&mut rng);
            let other = generated(&mut rng);
            let mut reader = UrlAuthority::default();
            let _ = reader.read(&first);
            // The second URL often starts like the first.
            let bytes = rng.below(first.len() + 1);
            let second = [&first[..bytes], &other[..]].concat();
            for url in [second, first, other] {
                let read = reader.read(&url);
                same_starts += usize::from(read == Ok(Compared::SameStart));
                let read = read.map(|_| reader.name().to_owned());
                let alone = authority_of(&url).ok();
                assert_eq!(read.ok(), alone, "{}", legible(&url));
            }
        }
        assert!(same_starts > 300, "{same_starts}");
    }
}
