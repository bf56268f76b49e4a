//! Advice about errors of the library crates, which do not know the options of the command.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use verger_answer::CrawlerQueryError;
#[cfg(feature = "web")]
use verger_inputs::NotAContact;
use verger_inputs::{InputError, RunFilesError, UrlQuestionError};
use verger_owner::NotAdded;
use verger_store::{LengthError, WrittenTimeError};

use super::byte_text::legible;
use super::message::Message;
use super::unusable_query::unusable_query;

impl Message {
    /// Returns the message of an error, with help if a user can do something about it.
    pub(crate) fn of_error(error: &(dyn Error + 'static)) -> Self {
        if let Some(message) = error.downcast_ref::<Self>() {
            return message.clone();
        }
        if let Some(message) = about(error) {
            return match message.what() {
                "" => Self::new(error),
                _ => message,
            };
        }
        // An error that only wraps another one has nothing to add.
        match error.source() {
            Some(source) if source.to_string() == error.to_string() => Self::of_error(source),
            _ => Self::new(plain(&error.to_string())),
        }
    }

    /// Returns the message about a value that cannot be read, and why.
    pub(crate) fn of_value(what: String, value: &str, why: &(dyn Error + 'static)) -> Self {
        let why = about(why).unwrap_or_else(|| Self::of_error(why));
        let message = match why.what() {
            "" => Self::from(what),
            text if legible(text.as_bytes())
                .contains(&format!("`{}`", legible(value.as_bytes()))) =>
            {
                Self::from(text.to_owned())
            }
            text => Self::from(format!("{what}: {text}")),
        };
        message.maybe_help(why.help_text())
    }

    /// Reads a text of a library crate, which may end with advice.
    pub(crate) fn from_text(text: impl fmt::Display) -> Self {
        from_text(&text.to_string())
    }
}

/// Returns `None` if there is nothing to add to the text of the error.
fn about(error: &(dyn Error + 'static)) -> Option<Message> {
    if let Some(error) = error.downcast_ref::<UrlQuestionError>() {
        return Some(from_text(&error.to_string()).maybe_help(error.help()));
    }
    let input = error.downcast_ref::<InputError>();
    let path = input.and_then(|it| it.input().path()?.to_str());
    if let Some(url) = path.filter(|path| path.contains("://")) {
        let message = Message::new(format_args!("`{url}` is a URL, but a file is expected"));
        let help = format!("`verger fetch --body {url} > robots.txt` saves the file of a site");
        return Some(message.help(help));
    }
    if let Some(NotAdded::Pattern(pattern, _)) = error.downcast_ref() {
        let is_relative = !pattern.is_empty() && !pattern.starts_with(['/', '*']);
        let meant = is_relative.then(|| format!("did you mean `/{pattern}`?"));
        return Some(Message::new(error).maybe_help(meant));
    }
    if let Some(NotAdded::NotDecided(_)) = error.downcast_ref() {
        return Some(Message::new(error).help("raise `--max-states`"));
    }
    if let Some(error) = error.downcast_ref::<CrawlerQueryError>() {
        return Some(unusable_query(error));
    }
    if let Some(RunFilesError::StdinTwice) = error.downcast_ref() {
        return Some(Message::new(error).help("give one of the files by its name"));
    }
    if let Some(WrittenTimeError::Before1970) = error.downcast_ref() {
        return Some(Message::new("it is before 1970"));
    }
    if error.is::<LengthError>() {
        return Some(Message::new("").help("write a length of time such as 400d, 2w, 12h or 90m"));
    }
    if let Some(WrittenTimeError::NoTime) = error.downcast_ref() {
        let help = "write 2026-11-20T17:02:11Z, 2026-11-20 (midnight UTC), 7d (before now), yesterday or @1795194131";
        return Some(Message::new("").help(help));
    }
    #[cfg(feature = "web")]
    if error.is::<NotAContact>() {
        return Some(Message::new("").help(error));
    }
    let text = error.to_string();
    let (what, help) = split(&text)?;
    Some(Message::new(what).help(help))
}

/// Reads a text of a library crate, which may end with advice.
fn from_text(text: &str) -> Message {
    match split(text) {
        Some((what, help)) => Message::new(what).help(help),
        None => Message::new(plain(text)),
    }
}

/// Replaces the words of the system for a missing file, which end with a number.
fn plain(text: &str) -> Cow<'_, str> {
    match text.strip_suffix("No such file or directory (os error 2)") {
        Some(start) => format!("{start}there is no such file").into(),
        None => text.into(),
    }
}

/// The beginnings of advice at the end of an error: `the disk is full: make room and try again`.
const ADVICE: &[&str] = &[
    "`verger ",
    "add ",
    "allow ",
    "call ",
    "change ",
    "choose ",
    "did you mean ",
    "fetch ",
    "free some ",
    "give ",
    "import ",
    "join ",
    "leave ",
    "make ",
    "move ",
    "name a ",
    "name an ",
    "name another ",
    "name it ",
    "name its ",
    "name that ",
    "name the ",
    "open it ",
    "put ",
    "raise ",
    "remove ",
    "restore ",
    "set ",
    "try ",
    "use ",
    "write ",
];

/// Splits the advice off the end of a text. Text between backticks belongs to the user.
fn split(text: &str) -> Option<(&str, &str)> {
    let mut is_quoted = false;
    let mut found = None;
    if text.starts_with("write ") {
        return Some(("", text));
    }
    for (place, character) in text.char_indices() {
        match character {
            '`' => is_quoted = !is_quoted,
            // A path without backticks is not followed by a space.
            ':' | ';' if !is_quoted => {
                let advice = text[place + 1..].strip_prefix(' ');
                if let Some(advice) = advice.filter(|advice| is_advice(advice)) {
                    found = found.or(Some((&text[..place], advice)));
                }
            }
            _ => {}
        }
    }
    found
}

fn is_advice(text: &str) -> bool {
    ADVICE.iter().any(|start| text.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_is_split_off_the_end() {
        for (text, expected) in [
            (
                "the disk is full: make room and try again",
                Some(("the disk is full", "make room and try again")),
            ),
            (
                "write a network as 10.1.0.0/16",
                Some(("", "write a network as 10.1.0.0/16")),
            ),
            ("cannot read `a; use b`: permission denied", None),
            ("line 3: the claim says nothing", None),
        ] {
            assert_eq!(split(text), expected, "{text}");
        }
    }
}
