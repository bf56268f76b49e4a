//! `UrlQuestions`: the URLs of a run, first from arguments, then from the lines of a list.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt;
use std::slice;
use std::sync::Arc;

use verger::{Reading, TargetPath};
use verger_access::{
    Authority, AuthorityError, RequestedUrlError, credentials_in, requested_target,
};
use verger_answer::text::{legible, start_of};
use verger_answer::{InputLineContent, InputLines, LINE_BYTES_MAX};

use super::byte_text::argument_bytes;
use super::source::{InputError, Source};

/// All URLs of a run.
#[derive(Debug)]
pub struct UrlQuestions<'a> {
    arguments: &'a [OsString],
    next_argument: slice::Iter<'a, OsString>,
    list: Option<(Arc<Source>, InputLines)>,
}

/// A URL to be checked.
#[derive(Debug)]
pub struct UrlQuestion<'q> {
    /// Without credentials, which are neither sent nor shown.
    url: Option<Cow<'q, [u8]>>,
    had_credentials: bool,
    place: Place,
}

/// The position of a URL in the input.
#[derive(Clone, Debug)]
enum Place {
    Argument,
    Line(Arc<Source>, u64),
}

impl<'a> UrlQuestions<'a> {
    /// Iterates over the URLs in `arguments`, then over the lines of `list`.
    ///
    /// # Errors
    ///
    /// Returns an error if the list cannot be opened.
    pub fn new(arguments: &'a [OsString], list: Option<Source>) -> Result<Self, InputError> {
        let list = match list {
            Some(source) => {
                let lines = InputLines::new(source.open()?);
                Some((Arc::new(source), lines))
            }
            None => None,
        };
        Ok(Self {
            arguments,
            next_argument: arguments.iter(),
            list,
        })
    }

    /// Returns the width of the widest URL among the arguments, in characters.
    #[must_use]
    pub fn argument_width(&self) -> usize {
        let width = |url: &OsString| url.to_string_lossy().chars().count();
        self.arguments.iter().map(width).max().unwrap_or(0)
    }

    /// Returns whether the next URL may not have arrived yet.
    #[must_use]
    pub fn may_wait(&self) -> bool {
        let lines = self.list.as_ref().map(|(_, lines)| lines);
        self.next_argument.len() == 0 && lines.is_some_and(InputLines::may_wait)
    }

    /// Returns the next URL, skipping empty lines.
    ///
    /// # Errors
    ///
    /// Returns an error if the list cannot be read.
    pub fn advance(&mut self) -> Result<Option<UrlQuestion<'_>>, InputError> {
        if let Some(argument) = self.next_argument.next() {
            let url = Some(argument_bytes(argument));
            return Ok(Some(UrlQuestion::new(url, Place::Argument)));
        }
        let Some((source, lines)) = &mut self.list else {
            return Ok(None);
        };
        loop {
            match lines.advance() {
                Ok(true) if lines.line().is_blank() => {}
                Ok(true) => break,
                Ok(false) => return Ok(None),
                Err(error) => return Err(source.unreadable(error)),
            }
        }
        let line = lines.line();
        let url = match line.content {
            InputLineContent::Bytes(bytes) => Some(Cow::Borrowed(bytes.trim_ascii())),
            InputLineContent::TooLong => None,
        };
        let place = Place::Line(Arc::clone(source), line.number);
        Ok(Some(UrlQuestion::new(url, place)))
    }
}

impl<'q> UrlQuestion<'q> {
    fn new(mut url: Option<Cow<'q, [u8]>>, place: Place) -> Self {
        let credentials = url.as_deref().map(credentials_in).unwrap_or_default();
        let had_credentials = !credentials.is_empty();
        if let Some(url) = url.as_mut().filter(|_| had_credentials) {
            url.to_mut().drain(credentials);
        }
        Self {
            url,
            had_credentials,
            place,
        }
    }
}

impl UrlQuestion<'_> {
    /// Returns whether the URL was given with a user name or a password. No request carries them.
    #[must_use]
    pub fn had_credentials(&self) -> bool {
        self.had_credentials
    }

    /// Returns the URL. Empty if its line was too long to keep.
    #[must_use]
    pub fn url(&self) -> &[u8] {
        self.url.as_deref().unwrap_or_default()
    }

    /// Returns the target of the URL.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not a URL in this reading.
    pub fn target(&self, reading: Reading) -> Result<TargetPath<'_>, UrlQuestionError> {
        let url = self.url.as_deref();
        let url = url.ok_or_else(|| self.refuse(Problem::TooLong))?;
        let target = requested_target(url, reading);
        target.map_err(|error| self.refuse(Problem::NotAUrl(error)))
    }

    /// Returns the authority whose robots.txt applies to the URL.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`UrlQuestion::target`] first. Also returns an error if the URL does
    /// not name an authority.
    pub fn authority(&self, reading: Reading) -> Result<Authority, UrlQuestionError> {
        let authority = Authority::from_url(&String::from_utf8_lossy(self.url()));
        let is_relative = authority == Err(AuthorityError::NotAbsolute);
        if !is_relative || self.url.is_none() {
            self.target(reading)?;
        }
        authority.map_err(|error| match error {
            AuthorityError::NotAbsolute => self.refuse(Problem::NoHost(self.shown())),
            error => self.unanswered(&error.to_string()),
        })
    }

    /// Returns an error that explains why the URL cannot be answered.
    #[must_use]
    pub fn unanswered(&self, why: &str) -> UrlQuestionError {
        self.refuse(Problem::NoAnswer(self.shown(), why.to_owned()))
    }

    fn shown(&self) -> String {
        start_of(&legible(self.url())).into_owned()
    }

    /// Converts to a value that borrows nothing.
    #[must_use]
    pub fn into_owned(self) -> UrlQuestion<'static> {
        UrlQuestion {
            url: self.url.map(|url| Cow::Owned(url.into_owned())),
            had_credentials: self.had_credentials,
            place: self.place,
        }
    }

    fn refuse(&self, problem: Problem) -> UrlQuestionError {
        let meant = match problem {
            Problem::NotAUrl(_) | Problem::NoHost(_) => url_without_scheme(self.url()),
            _ => None,
        };
        UrlQuestionError {
            place: self.place.clone(),
            problem,
            meant,
        }
    }
}

/// Adds the missing `https://` to text that starts like a host name.
#[must_use]
pub fn url_without_scheme(written: &[u8]) -> Option<String> {
    let written = start_of(std::str::from_utf8(written).ok()?);
    let host = written.split(['/', '?', '#']).next()?;
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-.:".contains(&byte);
    let starts = host.starts_with(|first: char| first.is_ascii_alphanumeric());
    // Such as `robots.txt`.
    let end = host.rsplit('.').next();
    let is_file = end.is_some_and(|end| end.eq_ignore_ascii_case("txt"));
    let is_host = starts && !is_file && host.contains('.') && host.bytes().all(is_name);
    let url = format!("https://{written}");
    (is_host && Authority::from_url(&url).is_ok()).then_some(url)
}

/// A URL cannot be checked.
#[derive(Debug, thiserror::Error)]
#[error("{place}{problem}")]
pub struct UrlQuestionError {
    place: Place,
    problem: Problem,
    meant: Option<String>,
}

impl UrlQuestionError {
    /// Returns what the user can do about it.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        match (&self.meant, &self.problem) {
            (Some(url), _) => Some(format!("did you mean {url}?")),
            (None, Problem::NoHost(path)) if path.starts_with('/') => Some(format!(
                "write https://example.com{path}, or give the file with `--robots robots.txt`"
            )),
            (None, Problem::NoHost(_)) => Some(
                "write a URL such as https://example.com/, or give the file with `--robots robots.txt`"
                    .to_owned(),
            ),
            _ => None,
        }
    }
}

#[derive(Debug, thiserror::Error)]
enum Problem {
    #[error("{0}")]
    NotAUrl(RequestedUrlError),
    #[error("`{0}` is not a URL: it names no host")]
    NoHost(String),
    #[error("`{0}`: {1}")]
    NoAnswer(String, String),
    #[error("the line is longer than {LINE_BYTES_MAX} bytes")]
    TooLong,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Argument => Ok(()),
            Self::Line(source, number) => write!(f, "{source}, line {number}: "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_without_a_scheme_is_recognized() {
        let meant = |written: &str| url_without_scheme(written.as_bytes());
        for written in [
            "example.com",
            "example.com/x?y",
            "example.com:8080/x",
            "a.b",
        ] {
            assert_eq!(meant(written), Some(format!("https://{written}")));
        }
        for written in [
            "",
            "x",
            "./x",
            "../x",
            "robots.txt",
            "a b.c/x",
            "example.com:8a/x",
            "nonsense",
            "é.com",
        ] {
            assert_eq!(meant(written), None, "{written}");
        }
    }
}
