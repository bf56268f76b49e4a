//! `ClassRun`: bodies of every source to rows of classes.

use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use arrow_schema::ArrowError;
use verger_access::{Profile, Timestamp};
use verger_bulk::{
    BodyClass, BodyPlace, CaptureIndex, CaptureIndexBuilder, CaptureTable, CaptureTableRow,
    ClassRows, ColumnFormat, StoreVersions,
};

use super::super::bodies_arguments::BodiesFrom;
use super::super::rows_output::{Rows, RowsOutput};
use super::class_counts::ClassCounts;
use crate::count_of::CountOf;
use crate::given_bodies::open_list;
use crate::input::{InputError, Source};
use crate::notice;
use crate::outcome::Outcome;
use crate::progress::{Counting, undrawn};
use crate::run_files::ReplacedFiles;
use crate::store_arguments::StoreArguments;

const SCHEMA: &str = "verger.bulk-classes/1";

/// So many rows are written together.
const BATCH_ROWS: usize = 8192;

/// Or as many as have paths of so many octets.
const BATCH_OCTETS: usize = 8 << 20;

/// Bodies to rows of classes.
pub(super) struct ClassRun<'m> {
    rows: ClassRows<'m>,
    output: RowsOutput,
    format: ColumnFormat,
    counts: ClassCounts,
    counting: Option<Counting>,
    outcome: Outcome,
}

/// What a run leaves.
pub(super) struct Ended {
    pub(super) output: RowsOutput,
    pub(super) counts: ClassCounts,
    /// Unanswered where a body could not be read.
    pub(super) outcome: Outcome,
}

type Fallible = Result<(), Box<dyn Error>>;

impl<'m> ClassRun<'m> {
    pub(super) fn start(
        rows: ClassRows<'m>,
        (output, format): (RowsOutput, ColumnFormat),
        counts: ClassCounts,
        quiet: bool,
    ) -> Self {
        let (_, noun) = counts.unit().nouns();
        Self {
            rows,
            output,
            format,
            counts,
            counting: (!quiet).then(|| Counting::beside_answers(noun)),
            outcome: Outcome::Success,
        }
    }

    /// Adds what a source has. Of a store it is what `profile` makes of each version, or of what was in force
    /// at a time. A list of bodies may name none of the `replaced` files.
    pub(super) fn add_all(
        &mut self,
        from: &BodiesFrom,
        profile: Profile,
        at: Option<Timestamp>,
        replaced: &ReplacedFiles,
    ) -> Fallible {
        if let Some(store) = &from.store {
            return self.add_store(store, profile, at);
        }
        if let Some(list) = &from.bodies {
            return self.add_list(list, replaced);
        }
        if from.captures.is_empty() {
            return self.add_files(from);
        }
        let files = from.capture_files()?;
        let index = index(&files)?;
        files
            .iter()
            .try_for_each(|file| self.add_captures(file, &index))
    }

    /// Writes what is left.
    pub(super) fn finish(mut self) -> Result<Ended, Box<dyn Error>> {
        self.flush()?;
        Ok(Ended {
            output: self.output,
            counts: self.counts,
            outcome: self.outcome,
        })
    }

    fn add_captures(&mut self, file: &Path, index: &CaptureIndex) -> Fallible {
        let mut table = CaptureTable::open(file)?;
        let mut failed: Option<Box<dyn Error>> = None;
        table.each(|row| {
            failed = self.add_row(&row, index).err();
            failed.is_none()
        })?;
        failed.map_or(Ok(()), Err)
    }

    fn add_row(&mut self, row: &CaptureTableRow<'_>, index: &CaptureIndex) -> Fallible {
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

    fn add_store(&mut self, path: &Path, profile: Profile, at: Option<Timestamp>) -> Fallible {
        let store = StoreArguments::of(path.to_owned()).read_existing()?;
        let mut failed: Option<Box<dyn Error>> = None;
        let unknown = StoreVersions::new(&store, profile, at).each(|authority, version| {
            let authority = authority.to_string();
            let classes = match version {
                Ok(version) => self.rows.push_version(&authority, version),
                Err(error) => {
                    undrawn(|| notice::error(format_args!("{authority}: {error}")));
                    let place = BodyPlace {
                        authority: Some(&authority),
                        ..BodyPlace::default()
                    };
                    self.rows.push_body(place, None)
                }
            };
            failed = self.added(classes.as_deref()).err();
            match failed {
                None => ControlFlow::Continue(()),
                Some(_) => ControlFlow::Break(()),
            }
        })?;
        if unknown > 0 && self.counting.is_some() {
            let authorities = CountOf(unknown, "authority", "authorities");
            undrawn(|| {
                notice::note(format_args!(
                    "{authorities} of the store without a row: nothing was known of them at that time"
                ));
            });
        }
        failed.map_or(Ok(()), Err)
    }

    fn add_list(&mut self, list: &OsString, replaced: &ReplacedFiles) -> Fallible {
        let mut outcome = Outcome::Success;
        let bodies = open_list(&Source::from(list.clone()), replaced, |problem| {
            undrawn(|| notice::error(problem));
            outcome = Outcome::Unanswered;
        })?;
        if outcome == Outcome::Unanswered {
            self.outcome = outcome;
        }
        let file = list.to_string_lossy();
        bodies.each_body(|start, authority, body| {
            let place = BodyPlace {
                authority: Some(authority),
                file: Some(&file),
                offset: i64::try_from(start).ok(),
            };
            if let Err(problem) = &body {
                undrawn(|| notice::error(problem));
                self.outcome = Outcome::Unanswered;
            }
            let classes = self.rows.push_body(place, body.as_deref().ok());
            self.added(classes.as_deref())
        })
    }

    /// Adds the file of `--robots`, or those of `--robots-dir` in the order of their names.
    fn add_files(&mut self, from: &BodiesFrom) -> Fallible {
        if let Some(name) = &from.robots {
            let body = Source::from(name.clone()).read()?;
            return self.add_body(&name.to_string_lossy(), &body);
        }
        let Some(directory) = &from.robots_dir else {
            return Ok(());
        };
        for path in files_in(directory)? {
            let body = Source::File(path.clone()).read()?;
            self.add_body(&path.to_string_lossy(), &body)?;
        }
        Ok(())
    }

    fn add_body(&mut self, file: &str, body: &[u8]) -> Fallible {
        let place = BodyPlace {
            file: Some(file),
            ..BodyPlace::default()
        };
        let classes = self.rows.push_body(place, Some(body));
        self.added(classes.as_deref())
    }

    /// Counts rows that were added, and writes those that are many enough.
    fn added(&mut self, classes: Option<&[BodyClass]>) -> Fallible {
        let is_decided = |class: &BodyClass| class.disallowed.is_some();
        if !classes.is_some_and(|classes| classes.iter().all(is_decided)) {
            self.outcome = self.outcome.max(Outcome::Unknown);
        }
        self.counts.count(classes);
        if let Some(counting) = &self.counting {
            counting.add_one();
        }
        if self.rows.rows() >= BATCH_ROWS || self.rows.path_octets() >= BATCH_OCTETS {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Fallible {
        let batch = self.rows.finish()?;
        let rows: Result<Rows, ArrowError> = Rows::of(batch, self.format, SCHEMA);
        self.output
            .write(&rows?)
            .map_err(|error| error as Box<dyn Error>)
    }
}

/// All bodies, on disk: a body is in one row of a file, and other rows have its SHA-256.
fn index(files: &[PathBuf]) -> Result<CaptureIndex, Box<dyn Error>> {
    let mut index = CaptureIndexBuilder::new()?;
    for file in files {
        index.add_file(file)?;
    }
    Ok(index.finish()?)
}

fn files_in(directory: &Path) -> Result<Vec<PathBuf>, InputError> {
    let unreadable = |error| Source::File(directory.to_owned()).unreadable(error);
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
