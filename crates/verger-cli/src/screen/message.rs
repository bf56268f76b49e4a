//! `Message`: what happened, and how to fix it.

use std::error::Error;
use std::fmt;

use super::advice;
use super::byte_text::legible;

/// A message for people: what happened and why, then the command or edit that fixes it.
///
/// Displays without the help, for places that have one line. As an error of a command it is printed with both.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub(crate) struct Message {
    what: String,
    help: Option<String>,
}

impl Message {
    pub(crate) fn new(what: impl fmt::Display) -> Self {
        Self {
            what: what.to_string(),
            help: None,
        }
    }

    /// Adds the help.
    pub(crate) fn help(self, help: impl fmt::Display) -> Self {
        let help = Some(help.to_string());
        Self { help, ..self }
    }

    /// Adds the help, if there is any.
    pub(crate) fn maybe_help(self, help: Option<impl fmt::Display>) -> Self {
        match help {
            Some(help) => self.help(help),
            None => self,
        }
    }

    /// Returns the message of an error, with help if a user can do something about it.
    pub(crate) fn of_error(error: &(dyn Error + 'static)) -> Self {
        if let Some(message) = error.downcast_ref::<Self>() {
            return message.clone();
        }
        if let Some(message) = advice::about(error) {
            return match message.what.as_str() {
                "" => Self::new(error),
                _ => message,
            };
        }
        // An error that only wraps another one has nothing to add.
        match error.source() {
            Some(source) if source.to_string() == error.to_string() => Self::of_error(source),
            _ => Self::new(advice::plain(&error.to_string())),
        }
    }

    /// Returns the message about a value that cannot be read, and why.
    pub(crate) fn of_value(what: String, value: &str, why: &(dyn Error + 'static)) -> Self {
        let why = advice::about(why).unwrap_or_else(|| Self::of_error(why));
        let message = match why.what.as_str() {
            "" => Self::from(what),
            text if legible(text.as_bytes())
                .contains(&format!("`{}`", legible(value.as_bytes()))) =>
            {
                Self::from(text.to_owned())
            }
            text => Self::from(format!("{what}: {text}")),
        };
        message.maybe_help(why.help)
    }

    /// Reads a text of a library crate, which may end with advice.
    pub(crate) fn from_text(text: impl fmt::Display) -> Self {
        advice::from_text(&text.to_string())
    }

    pub(crate) fn what(&self) -> &str {
        &self.what
    }

    pub(crate) fn help_text(&self) -> Option<&str> {
        self.help.as_deref()
    }
}

impl From<fmt::Arguments<'_>> for Message {
    fn from(what: fmt::Arguments<'_>) -> Self {
        Self::new(what)
    }
}

impl From<String> for Message {
    fn from(what: String) -> Self {
        Self { what, help: None }
    }
}
