//! What goes to standard error: errors, warnings and notes, beside the answers on standard output.

use std::collections::HashSet;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::sync::{Mutex, PoisonError};

use verger_answer::FileWarning;

use crate::octet_text::legible;
use crate::palette;
use crate::progress::undrawn;

/// Prints an error.
pub(crate) fn error(message: impl fmt::Display) {
    let style = palette::ERROR;
    let message = legible(message.to_string().as_bytes());
    // If standard error is closed, there is nowhere to report it.
    let _ = undrawn(|| writeln!(anstream::stderr(), "{style}error:{style:#} {message}"));
}

/// Prints a warning: something that an answer may not be taken without.
pub(crate) fn warning(message: impl fmt::Display) {
    let style = palette::MARKED;
    let message = legible(message.to_string().as_bytes());
    let _ = undrawn(|| writeln!(anstream::stderr(), "{style}warning:{style:#} {message}"));
}

/// Prints a note, such as how an argument was understood.
pub(crate) fn note(message: impl fmt::Display) {
    let style = palette::FAINT;
    let message = legible(message.to_string().as_bytes());
    let _ = undrawn(|| writeln!(anstream::stderr(), "{style}{message}{style:#}"));
}

/// So many files are remembered, in about 5 MB. Files with warnings beyond them may be named again.
const FILES_MAX: usize = 1 << 18;

/// The files whose warnings have been printed.
#[derive(Default)]
pub(crate) struct WarnedFiles {
    hasher: RandomState,
    /// Hashes of their names.
    warned: Mutex<HashSet<u64>>,
}

impl WarnedFiles {
    /// Prints the warnings about a file, unless they have been printed. It calls `before` first, where
    /// it prints any.
    pub(crate) fn warn<E>(
        &self,
        file: impl fmt::Display,
        warnings: &[FileWarning],
        before: impl FnOnce() -> Result<(), E>,
    ) -> Result<(), E> {
        if warnings.is_empty() || !self.is_new(&file) {
            return Ok(());
        }
        before()?;
        for each in warnings {
            warning(format_args!("{file}: {each}"));
        }
        Ok(())
    }

    /// Whether the file is named for the first time.
    fn is_new(&self, file: impl fmt::Display) -> bool {
        let hash = self.hasher.hash_one(file.to_string());
        let mut warned = self.warned.lock().unwrap_or_else(PoisonError::into_inner);
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
        assert_eq!(files.warned.lock().unwrap().len(), FILES_MAX);
    }
}
