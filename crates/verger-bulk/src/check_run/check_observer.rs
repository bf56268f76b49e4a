//! `CheckObserver`: the reports of a run of questions.

use crate::check::AnswerTally;

/// Gets what happens in a run, from two threads.
pub trait CheckObserver: Sync {
    /// Reports a defect of a row of a list, in a sentence with its line.
    fn problem(&self, _problem: &str) {}

    /// How many rows of the current list are left, where that is known.
    fn rows_left(&self, _rows: Option<u64>) {}

    /// A list was read to its end.
    fn list_read(&self) {}

    /// Shows the counts of answers so far.
    fn answered(&self, _tally: &AnswerTally) {}
}
