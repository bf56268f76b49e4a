//! `UrlQuestions`: the URLs that a run is asked about: first the arguments, then the lines of a list.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt;
use std::slice;
use std::sync::Arc;

use verger::{Reading, TargetPath};
use verger_access::{Authority, AuthorityError, RequestedUrlError, requested_target};
use verger_answer::text::{legible, start_of};

use crate::byte_text::argument_bytes;
use crate::input_lines::{InputLineContent, InputLines, LINE_BYTES_MAX};
use crate::source::{InputError, Source};

/// All URLs of one run.
#[derive(Debug)]
pub struct UrlQuestions<'a> {
    arguments: &'a [OsString],
    next_argument: slice::Iter<'a, OsString>,
    list: Option<(Arc<Source>, InputLines)>,
}

/// A URL that is asked about.
#[derive(Debug)]
pub struct UrlQuestion<'q> {
    url: Option<Cow<'q, [u8]>>,
    place: Place,
}

/// Where a question is written.
#[derive(Clone, Debug)]
enum Place {
    Argument,
    Line(Arc<Source>, u64),
}

impl<'a> UrlQuestions<'a> {
    /// The questions of `arguments`, then those on the lines of `list`.
    ///
    /// # Errors
    ///
    /// Where the list cannot be opened.
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

    /// The width of the widest URL among the arguments, in characters.
    #[must_use]
    pub fn argument_width(&self) -> usize {
        let width = |url: &OsString| url.to_string_lossy().chars().count();
        self.arguments.iter().map(width).max().unwrap_or(0)
    }

    /// Whether the next question may not be there yet.
    #[must_use]
    pub fn may_wait(&self) -> bool {
        let lines = self.list.as_ref().map(|(_, lines)| lines);
        self.next_argument.len() == 0 && lines.is_some_and(InputLines::may_wait)
    }

    /// The next question; empty lines are none.
    ///
    /// # Errors
    ///
    /// Where the list cannot be read.
    pub fn advance(&mut self) -> Result<Option<UrlQuestion<'_>>, InputError> {
        if let Some(argument) = self.next_argument.next() {
            return Ok(Some(UrlQuestion {
                url: Some(argument_bytes(argument)),
                place: Place::Argument,
            }));
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
        Ok(Some(UrlQuestion {
            url: match line.content {
                InputLineContent::Bytes(bytes) => Some(Cow::Borrowed(bytes.trim_ascii())),
                InputLineContent::TooLong => None,
            },
            place: Place::Line(Arc::clone(source), line.number),
        }))
    }
}

impl UrlQuestion<'_> {
    /// The URL; empty where its line is too long to be kept.
    #[must_use]
    pub fn url(&self) -> &[u8] {
        self.url.as_deref().unwrap_or_default()
    }

    /// The target that it asks about.
    ///
    /// # Errors
    ///
    /// Where that is no URL in this reading.
    pub fn target(&self, reading: Reading) -> Result<TargetPath<'_>, UrlQuestionError> {
        let url = self.url.as_deref();
        let url = url.ok_or_else(|| self.refuse(Problem::TooLong))?;
        let target = requested_target(url, reading);
        target.map_err(|error| self.refuse(Problem::NotAUrl(error)))
    }

    /// The authority whose robots.txt applies, where the URL can be requested.
    ///
    /// # Errors
    ///
    /// Where it cannot, or does not say: those of [`UrlQuestion::target`] come first.
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

    /// The error that says why it cannot be answered.
    #[must_use]
    pub fn unanswered(&self, why: &str) -> UrlQuestionError {
        self.refuse(Problem::NoAnswer(self.shown(), why.to_owned()))
    }

    fn shown(&self) -> String {
        start_of(&legible(self.url())).into_owned()
    }

    /// The same question, which borrows nothing.
    #[must_use]
    pub fn into_owned(self) -> UrlQuestion<'static> {
        UrlQuestion {
            url: self.url.map(|url| Cow::Owned(url.into_owned())),
            place: self.place,
        }
    }

    fn refuse(&self, problem: Problem) -> UrlQuestionError {
        let did_you_mean = match problem {
            Problem::NotAUrl(_) | Problem::NoHost(_) => with_scheme(self.url()),
            _ => None,
        };
        let did_you_mean = did_you_mean.map(|url| format!("; did you mean {url}?"));
        UrlQuestionError {
            place: self.place.clone(),
            problem,
            did_you_mean: did_you_mean.unwrap_or_default(),
        }
    }
}

/// What starts like the name of a host, with the scheme that it lacks.
fn with_scheme(written: &[u8]) -> Option<String> {
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

/// A question cannot be asked.
#[derive(Debug, thiserror::Error)]
#[error("{place}{problem}{did_you_mean}")]
pub struct UrlQuestionError {
    place: Place,
    problem: Problem,
    /// The URL that was meant, perhaps.
    did_you_mean: String,
}

#[derive(Debug, thiserror::Error)]
enum Problem {
    #[error("{0}")]
    NotAUrl(RequestedUrlError),
    #[error(
        "`{0}` names no host: write an absolute URL (https://host/path), or give the robots.txt with `--robots`"
    )]
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
        let meant = |written: &str| with_scheme(written.as_bytes());
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
