use std::io::Read;

use arrow_array::RecordBatch;
use verger_access::{Illegible, Outcome};

use super::capture_columns::CaptureColumns;
use super::capture_error::CaptureError;
use super::capture_tally::CaptureTally;
use super::capture_window::CaptureWindow;
use super::captured_record::{CapturedRecord, Mark, Recorded};
use super::chains::Chains;
use crate::warc::warc_records::WarcRecords;

/// How captures are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CaptureSettings {
    /// Maximum number of rows in a batch, at least 1.
    pub batch_rows: usize,
    /// Size of the bodies and URLs at which a batch ends, in bytes.
    pub batch_bytes: usize,
    /// Memory for captures among which redirects are followed, in bytes. A redirect reaches
    /// captures within half of it, before or after.
    pub window_bytes: usize,
}

impl Default for CaptureSettings {
    /// 8,192 rows and 8 MiB per batch, and a window of 64 MiB.
    fn default() -> Self {
        Self {
            batch_rows: 8192,
            batch_bytes: 8 * 1024 * 1024,
            window_bytes: 64 * 1024 * 1024,
        }
    }
}

/// Reads a WARC file and yields its robots.txt captures as batches with the columns of
/// [`capture_schema`](crate::capture_schema).
///
/// Rows keep the order of the file. Memory is bounded for any file: the window, a batch, and 1 MiB
/// of a record. Damage becomes a row with the mark `damaged`. An error ends the iteration.
///
/// ```
/// use verger_bulk::{CaptureReader, CaptureSettings};
///
/// let warc: &[u8] = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2026-11-01T00:00:00Z\r\n\
///     WARC-Target-URI: https://example.com/robots.txt\r\n\
///     Content-Type: application/http; msgtype=response\r\nContent-Length: 26\r\n\r\n\
///     HTTP/1.1 404 Not Found\r\n\r\n\r\n\r\n";
/// let mut reader = CaptureReader::new(warc, "a.warc", CaptureSettings::default());
/// let batch = reader.next().unwrap()?;
/// assert_eq!(batch.num_rows(), 1);
/// assert_eq!(reader.tally().outcomes["error http 404"], 1);
/// # Ok::<(), verger_bulk::CaptureError>(())
/// ```
pub struct CaptureReader<R> {
    records: WarcRecords<R>,
    window: CaptureWindow,
    chains: Chains,
    columns: CaptureColumns,
    tally: CaptureTally,
    settings: CaptureSettings,
    is_at_end: bool,
    failure: Option<CaptureError>,
}

impl<R> std::fmt::Debug for CaptureReader<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CaptureReader")
            .field("file", &self.columns.file())
            .field("tally", &self.tally)
            .finish_non_exhaustive()
    }
}

impl<R: Read> CaptureReader<R> {
    /// Reads `input`, which does not need a buffer. The column `file` contains `file`.
    pub fn new(input: R, file: impl Into<String>, settings: CaptureSettings) -> Self {
        Self {
            records: WarcRecords::new(input),
            window: CaptureWindow::new(settings.window_bytes),
            chains: Chains::new(),
            columns: CaptureColumns::new(file.into()),
            tally: CaptureTally::default(),
            settings,
            is_at_end: false,
            failure: None,
        }
    }

    /// Sets the size of the file in bytes, if known. A record that claims to be longer is then
    /// skipped as damaged, and the rest of the file is read.
    #[must_use]
    pub fn of_bytes(mut self, bytes: u64) -> Self {
        self.records.ends_at(bytes);
        self
    }

    /// Returns the counts so far: records when read, rows when added to a batch.
    #[must_use]
    pub fn tally(&self) -> &CaptureTally {
        &self.tally
    }

    /// Returns the number of bytes read.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        self.records.position()
    }

    fn read_record(&mut self) -> Result<bool, CaptureError> {
        let file = || self.columns.file().to_owned();
        let record = match self.records.read_next() {
            Ok(Some(record)) => record,
            Ok(None) => return Ok(false),
            Err(error) => {
                let offset = self.records.position();
                return Err(CaptureError::Io {
                    file: file(),
                    offset,
                    error,
                });
            }
        };
        if record.is_foreign && self.tally.records == 0 {
            return Err(CaptureError::NotWarc { file: file() });
        }
        self.tally.records += 1;
        match CapturedRecord::of(record) {
            Some(mut capture) => {
                if let Recorded::Revisit(revisit) = &capture.recorded
                    && let Some(earlier) = self.window.revisited(revisit, capture.time.unwrap_or(0))
                {
                    capture.revisit(earlier);
                }
                self.window.push(capture);
            }
            None => self.tally.without_response += 1,
        }
        Ok(true)
    }

    fn push_row(&mut self, number: u64) {
        let Some(capture) = self.window.get(number) else {
            return;
        };
        if !capture.is_row() {
            self.tally.other_urls += 1;
            return;
        }
        let authority = capture.authority.as_ref().filter(|_| capture.is_judged());
        let chain = authority.map(|authority| self.chains.chain(&self.window, authority, capture));
        let of_chain = chain.as_ref().and_then(|chain| match chain.outcome {
            None => Some(Mark::RedirectWithoutTarget),
            Some(Outcome::Illegible(_, Illegible::Page)) => Some(Mark::Page),
            Some(Outcome::PartOfFile(_)) => Some(Mark::Truncated),
            Some(_) => None,
        });
        let mark = capture.mark.into_iter().chain(of_chain).min();
        let outcome = chain
            .as_ref()
            .and_then(|chain| chain.outcome)
            .map(Outcome::code);
        let outcome = outcome.as_deref();
        self.columns.push(capture, chain.as_ref(), outcome, mark);
        self.tally.add_row(outcome, mark.map(Mark::as_str));
    }

    fn is_full(&self) -> bool {
        self.columns.rows() >= self.settings.batch_rows.max(1)
            || self.columns.bytes() >= self.settings.batch_bytes.max(1)
    }

    fn fill(&mut self) {
        while !self.is_full() {
            if let Some(number) = self.window.next_row(self.is_at_end) {
                self.push_row(number);
                self.window.forget();
            } else if self.is_at_end {
                return;
            } else {
                match self.read_record() {
                    Ok(is_read) => self.is_at_end = !is_read,
                    Err(error) => {
                        self.failure = Some(error);
                        self.is_at_end = true;
                    }
                }
            }
        }
    }
}

impl<R: Read> Iterator for CaptureReader<R> {
    type Item = Result<RecordBatch, CaptureError>;

    /// Returns a batch of at least one row. Rows before an error come first.
    fn next(&mut self) -> Option<Self::Item> {
        self.fill();
        if self.columns.rows() > 0 {
            return Some(Ok(self.columns.finish()));
        }
        self.failure.take().map(Err)
    }
}
