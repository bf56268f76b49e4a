//! The URLs asked about: first the arguments, then the list, line by line.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt;
use std::slice;

use verger::{Reading, TargetPath, TargetPathError};

use crate::input::{InputError, Source};
use crate::input_lines::{InputLineContent, InputLines, LINE_OCTETS_MAX};
use crate::octet_text::argument_octets;

/// All URLs of one run.
pub(super) struct Questions<'a> {
    arguments: &'a [OsString],
    next_argument: slice::Iter<'a, OsString>,
    list: Option<(Source, InputLines)>,
}

/// A URL that is asked about.
pub(super) struct Question<'q> {
    url: Option<Cow<'q, [u8]>>,
    place: Place<'q>,
}

/// Where a question stands.
#[derive(Clone, Copy, Debug)]
enum Place<'q> {
    Argument,
    Line(&'q Source, u64),
}

impl<'a> Questions<'a> {
    /// The questions of `arguments`, then those on the lines of `list`.
    ///
    /// # Errors
    ///
    /// Where the list cannot be opened.
    pub(super) fn new(arguments: &'a [OsString], list: Option<Source>) -> Result<Self, InputError> {
        let list = match list {
            Some(source) => {
                let lines = InputLines::of(source.open()?);
                Some((source, lines))
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
    pub(super) fn argument_width(&self) -> usize {
        let width = |url: &OsString| url.to_string_lossy().chars().count();
        self.arguments.iter().map(width).max().unwrap_or(0)
    }

    /// Whether the next question may have to be waited for.
    pub(super) fn may_wait(&self) -> bool {
        let lines = self.list.as_ref().map(|(_, lines)| lines);
        self.next_argument.len() == 0 && lines.is_some_and(InputLines::may_wait)
    }

    /// The next question; empty lines are none.
    ///
    /// # Errors
    ///
    /// Where the list cannot be read.
    pub(super) fn next(&mut self) -> Result<Option<Question<'_>>, InputError> {
        if let Some(argument) = self.next_argument.next() {
            return Ok(Some(Question {
                url: Some(argument_octets(argument)),
                place: Place::Argument,
            }));
        }
        let Some((source, lines)) = &mut self.list else {
            return Ok(None);
        };
        loop {
            match lines.advance() {
                Ok(true) if lines.line().content == InputLineContent::Octets(b"") => {}
                Ok(true) => break,
                Ok(false) => return Ok(None),
                Err(error) => return Err(source.unreadable(error)),
            }
        }
        let line = lines.line();
        Ok(Some(Question {
            url: match line.content {
                InputLineContent::Octets(octets) => Some(Cow::Borrowed(octets)),
                InputLineContent::TooLong => None,
            },
            place: Place::Line(source, line.number),
        }))
    }
}

impl Question<'_> {
    /// The URL; empty where its line is too long to be kept.
    pub(super) fn url(&self) -> &[u8] {
        self.url.as_deref().unwrap_or_default()
    }

    /// What it asks about.
    ///
    /// # Errors
    ///
    /// Where that is no URL in this reading.
    pub(super) fn target(&self, reading: Reading) -> Result<TargetPath<'_>, QuestionError<'_>> {
        let refuse = |problem| QuestionError {
            place: self.place,
            problem,
        };
        let url = self
            .url
            .as_deref()
            .ok_or_else(|| refuse(Problem::TooLong))?;
        TargetPath::new(url, reading).map_err(|error| refuse(Problem::NotAUrl(error)))
    }
}

/// A question cannot be asked.
#[derive(Debug)]
pub(super) struct QuestionError<'q> {
    place: Place<'q>,
    problem: Problem,
}

#[derive(Debug)]
enum Problem {
    NotAUrl(TargetPathError),
    TooLong,
}

impl fmt::Display for QuestionError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Place::Line(source, number) = self.place {
            write!(f, "{source}, line {number}: ")?;
        }
        match &self.problem {
            Problem::NotAUrl(error) => error.fmt(f),
            Problem::TooLong => {
                write!(f, "the line is longer than {LINE_OCTETS_MAX} octets")
            }
        }
    }
}
