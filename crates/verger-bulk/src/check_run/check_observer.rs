//! `CheckObserver`: what a run of questions reports.

use crate::check::AnswerTally;

/// Gets what happens in a run, from two threads.
pub trait CheckObserver: Sync {
    /// Reports what is wrong with a row of a list, in a sentence with its line.
    fn problem(&self, _problem: &str) {}

    /// How many rows of the current list are left, where that is known.
    fn rows_left(&self, _rows: Option<u64>) {}

    /// A list was read to its end.
    fn list_read(&self) {}

    /// Shows what was answered so far.
    fn answered(&self, _tally: &AnswerTally) {}
}
