//! `Printed`: standard output, as a receiver of changes.

use std::io::{self, Write as _};

use verger_watch::{NotTaken, Receiver, WatchEvent};

use super::event_text;
use crate::screen::palette;

pub(super) struct Printed<'a> {
    pub(super) is_json: bool,
    /// `--receiver`.
    pub(super) name: Option<&'a str>,
}

impl Printed<'_> {
    fn print(&self, event: &WatchEvent<'_>) -> io::Result<()> {
        let mut output = palette::stdout();
        if self.is_json {
            verger_answer::json::write_line(&mut output, event)?;
        } else {
            event_text::write(&mut output, event)?;
        }
        output.flush()
    }
}

impl Receiver for Printed<'_> {
    fn name(&self) -> String {
        self.name
            .map_or_else(|| "stdout".to_owned(), |name| format!("stdout:{name}"))
    }

    fn in_words(&self) -> String {
        "standard output".to_owned()
    }

    fn next_watch(&self) -> String {
        "the next watch sends it again".to_owned()
    }

    fn changes_at_once(&self) -> usize {
        1
    }

    fn attempts_once(&self) -> u32 {
        1
    }

    fn take(&self, event: &WatchEvent<'_>) -> Result<(), NotTaken> {
        self.print(event).map_err(NotTaken::Gone)
    }
}
