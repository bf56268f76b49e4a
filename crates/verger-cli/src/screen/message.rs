//! `Message`: what happened, and how to fix it.

use std::fmt;

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

    pub(crate) fn help(self, help: impl fmt::Display) -> Self {
        let help = Some(help.to_string());
        Self { help, ..self }
    }

    pub(crate) fn maybe_help(self, help: Option<impl fmt::Display>) -> Self {
        match help {
            Some(help) => self.help(help),
            None => self,
        }
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
