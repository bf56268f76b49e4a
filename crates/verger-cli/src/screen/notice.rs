//! Errors, warnings and notes on standard error.

use std::collections::{BTreeMap, HashSet};
use std::fmt::{self, Write as _};
use std::hash::{BuildHasher, RandomState};
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

use anstyle::Style;
use verger_access::{credentials_in, without_credentials};
use verger_answer::{FileWarning, HumanCountOf, workflow_command};
use verger_store::UnpoisonedMutex;

use crate::screen::byte_text::{legible, start_of};
use crate::screen::message::Message;
use crate::screen::palette::{self, HELP};
use crate::screen::progress::undrawn;

/// Whether errors are also annotations of a GitHub workflow.
static ANNOTATES: AtomicBool = AtomicBool::new(false);

/// Writes each error to standard output as well, as an annotation of a GitHub workflow.
pub(crate) fn annotate_errors() {
    ANNOTATES.store(true, Ordering::Relaxed);
}

pub(crate) fn error(message: impl Into<Message>) {
    let message = message.into();
    print(palette::ERROR, "error:", &message);
    if ANNOTATES.load(Ordering::Relaxed) {
        let help = message.help_text().map(|help| format!("\nhelp: {help}"));
        let text = format!("{}{}", message.what(), help.unwrap_or_default());
        let text = workflow_command::message(&without_credentials(&text));
        // If standard output is closed, standard error has the message.
        let _ = writeln!(anstream::stdout(), "::error title=verger::{text}");
    }
}

/// Prints a warning: something that matters for how an answer is read.
pub(crate) fn warning(message: impl Into<Message>) {
    print(palette::MARKED, "warning:", &message.into());
}

/// Prints a note, such as how an argument was understood.
pub(crate) fn note(message: impl Into<Message>) {
    print(palette::FAINT, "note:", &message.into());
}

/// Prints a note if a URL has credentials, which no request carries.
pub(crate) fn note_credentials(url: &str) {
    let credentials = credentials_in(url.as_bytes());
    if !credentials.is_empty() {
        let mut shown = url.to_owned();
        shown.replace_range(credentials, "");
        note_unsent(&shown);
    }
}

/// Prints a note about a URL whose credentials were removed.
pub(crate) fn note_unsent(url: &str) {
    let url = start_of(url);
    note(format_args!(
        "the user name and password of `{url}` are not sent"
    ));
}

fn print(style: Style, label: &str, message: &Message) {
    let what = legible(without_credentials(message.what()).as_bytes());
    let mut text = format!("{style}{label}{style:#} {what}\n");
    if let Some(help) = message.help_text() {
        let help = legible(without_credentials(help).as_bytes());
        // Writing to memory cannot fail.
        let _ = writeln!(text, "{HELP}help:{HELP:#} {help}");
    }
    // If standard error is closed, there is nowhere to report it.
    let _ = undrawn(|| anstream::stderr().write_all(text.as_bytes()));
}

/// Maximum number of notices of one kind that are printed.
const EXAMPLES_MAX: u64 = 5;

/// Errors or warnings of a long run, by kind. The first few of each kind are printed as they come,
/// and the number of the rest at the end.
pub(crate) struct NoticeGroups {
    print: fn(Message),
    /// Words for the number at the end, singular and plural.
    more: [&'static str; 2],
    counts: UnpoisonedMutex<BTreeMap<&'static str, u64>>,
}

impl NoticeGroups {
    pub(crate) fn errors(more: [&'static str; 2]) -> Self {
        Self {
            print: |message| error(message),
            more,
            counts: UnpoisonedMutex::default(),
        }
    }

    pub(crate) fn warnings() -> Self {
        Self {
            print: |message| warning(message),
            more: ["more file has a warning", "more files have a warning"],
            counts: UnpoisonedMutex::default(),
        }
    }

    pub(crate) fn add(&self, kind: &'static str, message: impl Into<Message>) {
        let mut counts = self.counts.lock();
        let count = counts.entry(kind).or_default();
        *count += 1;
        if *count <= EXAMPLES_MAX {
            (self.print)(message.into());
        }
    }
}

impl Drop for NoticeGroups {
    fn drop(&mut self) {
        let counts = self.counts.lock();
        let [one, others] = self.more;
        for (kind, count) in counts.iter().filter(|(_, count)| **count > EXAMPLES_MAX) {
            let more = HumanCountOf(count - EXAMPLES_MAX, one, others);
            (self.print)(Message::new(format_args!(
                "{more} ({kind}): the first {EXAMPLES_MAX} are above"
            )));
        }
    }
}

/// Maximum number of files remembered, in about 5 MB. Warnings about further files may be repeated.
const FILES_MAX: usize = 1 << 18;

/// The files whose warnings have been printed.
#[derive(Default)]
pub(crate) struct WarnedFiles {
    hasher: RandomState,
    /// Hashes of their names.
    warned: UnpoisonedMutex<HashSet<u64>>,
}

impl WarnedFiles {
    /// Returns the warnings about a file, or none if they have been printed.
    pub(crate) fn not_printed<'w>(
        &self,
        file: impl fmt::Display,
        warnings: &'w [FileWarning],
    ) -> &'w [FileWarning] {
        if warnings.is_empty() || !self.is_new(file) {
            return &[];
        }
        warnings
    }

    fn is_new(&self, file: impl fmt::Display) -> bool {
        let hash = self.hasher.hash_one(file.to_string());
        let mut warned = self.warned.lock();
        if warned.len() == FILES_MAX {
            return !warned.contains(&hash);
        }
        warned.insert(hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_is_new_once() {
        let files = WarnedFiles::default();
        assert!(files.is_new("a"));
        assert!(files.is_new("b"));
        assert!(!files.is_new("a"));
    }

    #[test]
    fn no_more_files_are_remembered_than_fit() {
        let files = WarnedFiles::default();
        for number in 0..FILES_MAX {
            assert!(files.is_new(number));
        }
        assert!(!files.is_new("0"));
        assert!(files.is_new("a"));
        assert!(files.is_new("a"));
        assert_eq!(files.warned.lock().len(), FILES_MAX);
    }
}
