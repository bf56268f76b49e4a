//! Files that appear whole or not at all, and lines that are read in bounded memory.
//!
//! [`WholeFile`] is written where no reader finds it, and takes its place once it is on the disk. On Linux it has no
//! name until then, so that nothing is left of a process that is killed. Where a file system has no files without a
//! name, it is a hidden file beside its place, locked while it is written; [`WholeFile::create`] removes those that
//! are not locked any more.
//!
//! # What it does not do
//!
//! It keeps the permissions of a file that it replaces, not its owner, its extended attributes or its hard links.
//!
//! # Modules, in reading order
//!
//! | module | one line |
//! |---|---|
//! | `output_place` | where a file is written: at the end of links, in a directory |
//! | `left_over` | what processes that are gone left behind |
//! | `whole_file` | the file |
//! | `input_lines` | input line by line, however long a line is |
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod input_lines;
mod left_over;
mod output_place;
#[cfg(doctest)]
mod readme;
mod whole_file;

pub use input_lines::{InputLine, InputLineContent, InputLines, LINE_OCTETS_MAX};
pub use left_over::is_unfinished;
pub use output_place::{Links, directory_of, end_of_links, is_in_directory_of};
pub use whole_file::{WholeFile, try_beside, write_whole};
