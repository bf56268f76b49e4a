use std::fmt;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use verger_answer::ReadError;

use verger_access::{Profile, Timestamp};
use verger_inputs::RobotsList;
use verger_inputs::{InputError, Source};
use verger_store::{History, StoreError};

use super::body_class::BodyClass;
use super::class_rows::{BodyPlace, ClassRows};
use crate::capture_index::{
    CaptureIndex, CaptureIndexBuilder, CaptureTable, CaptureTableError, CaptureTableRow,
};
use crate::rows_output::{Rows, RowsError, RowsOutput};
use crate::standing::StoreVersions;

const SCHEMA: &str = "verger.bulk-classes/1";

const BATCH_ROWS: usize = 8192;

/// Size of paths at which rows are written, in bytes.
const BATCH_BYTES: usize = 8 << 20;

/// Receives the events of a run.
pub trait ClassObserver {
    /// Counts a body. Without classes it is unknown for all crawlers.
    fn body(&mut self, classes: Option<&[BodyClass]>);

    /// Reports a body that cannot be read.
    fn problem(&mut self, problem: &dyn fmt::Display);
}

/// Writes rows of classes for bodies.
#[derive(Debug)]
pub struct ClassRun<'m, O> {
    rows: ClassRows<'m>,
    output: RowsOutput,
    observer: O,
}

/// A source cannot be read, or rows cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClassRunError {
    /// Rows cannot be made or written.
    #[error(transparent)]
    Rows(#[from] RowsError),
    /// A file of captures cannot be read.
    #[error(transparent)]
    Captures(#[from] CaptureTableError),
    /// Captured bodies cannot be stored on disk or read back.
    #[error(transparent)]
    Index(#[from] io::Error),
    /// A store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A list cannot be read again.
    #[error(transparent)]
    List(#[from] ReadError),
    /// A body cannot be read.
    #[error(transparent)]
    Body(#[from] InputError),
}

impl<'m, O: ClassObserver> ClassRun<'m, O> {
    /// Creates a run that writes `rows` to `output`.
    pub fn new(rows: ClassRows<'m>, output: RowsOutput, observer: O) -> Self {
        Self {
            rows,
            output,
            observer,
        }
    }

    /// Adds every capture of these files.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read or rows cannot be written.
    pub fn add_captures(&mut self, files: &[PathBuf]) -> Result<(), ClassRunError> {
        // Index all bodies on disk, because a body is in only one row and other rows have its
        // SHA-256.
        let mut index = CaptureIndexBuilder::new()?;
        for file in files {
            index.add_file(file)?;
        }
        let index = index.finish()?;
        files
            .iter()
            .try_for_each(|file| self.add_file(file, &index))
    }

    fn add_file(&mut self, file: &Path, index: &CaptureIndex) -> Result<(), ClassRunError> {
        let mut added = Ok(());
        CaptureTable::open(file)?.each(|row| {
            added = self.add_row(&row, index);
            added.is_ok()
        })?;
        added
    }

    fn add_row(
        &mut self,
        row: &CaptureTableRow<'_>,
        index: &CaptureIndex,
    ) -> Result<(), ClassRunError> {
        let classes = match row {
            CaptureTableRow::Capture(capture, body) => {
                self.rows.push_capture(capture, *body, index)?
            }
            CaptureTableRow::Unusable(capture) => {
                self.rows.push_unusable(capture);
                None
            }
        };
        self.added(classes.as_deref())
    }

    /// Adds each version in a store under `profile`, or only the versions in force at `at`. Returns
    /// the number of authorities without a version at that time.
    ///
    /// # Errors
    ///
    /// Returns an error if the store cannot be read or rows cannot be written.
    pub fn add_store(
        &mut self,
        store: &dyn History,
        profile: Profile,
        at: Option<Timestamp>,
    ) -> Result<u64, ClassRunError> {
        let mut added = Ok(());
        let unknown = StoreVersions::new(store, profile, at).each(|authority, version| {
            let authority = authority.to_string();
            let classes = match version {
                Ok(version) => self.rows.push_version(&authority, version),
                Err(error) => {
                    let problem = format_args!("{authority}: {error}");
                    self.observer.problem(&problem);
                    let place = BodyPlace {
                        authority: Some(&authority),
                        ..BodyPlace::default()
                    };
                    self.rows.push_body(place, None)
                }
            };
            added = self.added(classes.as_deref());
            match added {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        })?;
        added.map(|()| unknown)
    }

    /// Adds the body of each authority in a list. `file` is the name of the list in the rows.
    ///
    /// # Errors
    ///
    /// Returns an error if the list cannot be read again or rows cannot be written.
    pub fn add_list(&mut self, file: &str, list: &RobotsList) -> Result<(), ClassRunError> {
        list.each_body(|start, authority, body| {
            let place = BodyPlace {
                authority: Some(authority),
                file: Some(file),
                offset: i64::try_from(start).ok(),
            };
            if let Err(problem) = &body {
                self.observer.problem(problem);
            }
            let classes = self.rows.push_body(place, body.as_deref().ok());
            self.added(classes.as_deref())
        })
    }

    /// Adds a body.
    ///
    /// # Errors
    ///
    /// Returns an error if the body cannot be read or rows cannot be written.
    pub fn add_body(&mut self, source: &Source) -> Result<(), ClassRunError> {
        let body = source.read()?;
        let place = BodyPlace {
            file: Some(&source.name()),
            ..BodyPlace::default()
        };
        let classes = self.rows.push_body(place, Some(&body));
        self.added(classes.as_deref())
    }

    /// Adds the files of a directory in name order.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read or rows cannot be written.
    pub fn add_directory(&mut self, directory: &Path) -> Result<(), ClassRunError> {
        let unreadable = |error| Source::File(directory.into()).unreadable(error);
        let mut files = Vec::new();
        for entry in fs::read_dir(directory).map_err(unreadable)? {
            files.push(entry.map_err(unreadable)?.path());
        }
        files.retain(|path| path.is_file());
        files.sort();
        let mut sources = files.into_iter().map(Source::File);
        sources.try_for_each(|source| self.add_body(&source))
    }

    /// Counts added rows, and writes them if there are enough.
    fn added(&mut self, classes: Option<&[BodyClass]>) -> Result<(), ClassRunError> {
        self.observer.body(classes);
        if self.rows.rows() >= BATCH_ROWS || self.rows.path_bytes() >= BATCH_BYTES {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), RowsError> {
        let batch = self.rows.finish()?;
        let rows = Rows::of(batch, self.output.format(), SCHEMA)?;
        self.output.write(&rows)
    }

    /// Writes the remaining rows and moves a file into place.
    ///
    /// # Errors
    ///
    /// Returns an error if the output cannot be written.
    pub fn finish(mut self) -> Result<O, ClassRunError> {
        self.flush()?;
        self.output.finish()?;
        Ok(self.observer)
    }
}
