use crate::check::AnswerTally;

/// Receives the events of a run, from two threads.
pub trait CheckObserver: Sync {
    /// Reports a problem of a row, as a sentence with its line.
    fn problem(&self, _problem: &str) {}

    /// Reports the number of rows left in the current list, if known.
    fn rows_left(&self, _rows: Option<u64>) {}

    /// A list was read to its end.
    fn list_read(&self) {}

    /// Reports the answers so far.
    fn answered(&self, _tally: &AnswerTally) {}
}
