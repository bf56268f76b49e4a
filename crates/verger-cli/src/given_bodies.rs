//! Bodies that are given by authority, opened as arguments name them, with warnings about them.

use std::error::Error;
use std::fs::File;
use std::io::Cursor;
use std::path::Path;

use verger_answer::FileWarning;
use verger_answer::rulebook::RulesMaker;
use verger_files::{InputError, ReplacedFiles, Source};
use verger_filter::{BodyRules, ReadAgain, RobotsDirectory, RobotsList, RobotsListError};

use crate::notice::{NoticeGroups, WarnedFiles};

/// What errors about lines of a list say of more than are shown.
pub(crate) const UNUSABLE_LINES: [&str; 2] =
    ["more line cannot be used", "more lines cannot be used"];

/// Makes rules out of bodies, and prints warnings about them unless the run is `quiet`.
pub(crate) fn body_rules(maker: RulesMaker, quiet: bool) -> BodyRules {
    if quiet {
        return BodyRules::from(maker);
    }
    let (files, groups) = (WarnedFiles::default(), NoticeGroups::warnings());
    BodyRules::new(maker, move |file, robots| {
        for warning in files.not_printed(file, &FileWarning::all_of(robots)) {
            groups.add(warning.kind(), format_args!("{file}: {warning}"));
        }
    })
}

/// The directory of `--robots-dir`.
///
/// # Errors
///
/// Where there is none.
pub(crate) fn open_directory(path: &Path) -> Result<RobotsDirectory, InputError> {
    let opened = RobotsDirectory::open(path, read);
    opened.map_err(|error| Source::File(path.into()).unreadable(error))
}

/// The list of `--bodies`; `report` gets every line that cannot be used.
///
/// # Errors
///
/// Where it cannot be read, or a body is one of the files that the run replaces.
pub(crate) fn open_list(
    source: &Source,
    replaced: &ReplacedFiles,
    report: impl FnMut(String),
) -> Result<RobotsList, Box<dyn Error>> {
    // What can be read only once, such as a pipe, is kept in memory.
    let list: Box<dyn ReadAgain> = match source {
        Source::File(path) if path.is_file() => {
            let opened = File::open(path);
            Box::new(opened.map_err(|error| source.unreadable(error))?)
        }
        _ => Box::new(Cursor::new(source.read()?)),
    };
    let may_read = |path: &Path| replaced.read_file(path);
    let opened = RobotsList::open(source.to_string(), list, read, may_read, report);
    opened.map_err(|error| match error {
        RobotsListError::Unreadable(error) => source.unreadable(error).into(),
        error => error.into(),
    })
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let read = Source::File(path.to_owned()).read();
    read.map_err(|error| error.to_string())
}
