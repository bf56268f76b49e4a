use std::num::NonZero;

use verger_inputs::in_order;

use super::check_observer::CheckObserver;
use super::listed_urls::{ListedUrls, ListedUrlsError};
use crate::check::{AnswerTally, Checker, UrlRows};
use crate::rows_output::{Rows, RowsError, RowsOutput};

const SCHEMA: &str = "verger.bulk-check/1";

/// The result of a run.
#[derive(Debug)]
pub struct Checked {
    /// Number of answers by kind.
    pub tally: AnswerTally,
    /// Whether all lists were read to their end and all answers written.
    pub ended: Result<(), CheckUrlsError>,
}

/// A list cannot be read, or rows cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckUrlsError {
    /// A list cannot be read.
    #[error(transparent)]
    List(#[from] ListedUrlsError),
    /// Rows cannot be made or written.
    #[error(transparent)]
    Rows(#[from] RowsError),
}

/// Answers all URLs in `threads` threads and writes the answers in URL order. The calling thread
/// reads, and another one writes. Does not finish `output`.
pub fn check_urls(
    mut urls: ListedUrls<'_>,
    checker: &Checker<'_>,
    threads: NonZero<usize>,
    output: &mut RowsOutput,
    observer: &impl CheckObserver,
) -> Checked {
    let mut tally = AnswerTally::default();
    let format = output.format();
    let ended = in_order(
        threads,
        |_: Option<()>| urls.next_rows(observer),
        || {
            let mut worker = checker.worker();
            move |rows: UrlRows| {
                let (batch, tally) = worker.check(&rows)?;
                Ok((Rows::of(batch, format, SCHEMA)?, tally))
            }
        },
        |answered: Result<(Rows, AnswerTally), RowsError>| {
            let (rows, counts) = answered?;
            output.write(&rows)?;
            tally += counts;
            observer.answered(&tally);
            Ok::<(), RowsError>(())
        },
    );
    let taken = ended.taken.map_err(CheckUrlsError::from);
    let ended = taken.and_then(|()| Ok(ended.read?));
    Checked { tally, ended }
}
