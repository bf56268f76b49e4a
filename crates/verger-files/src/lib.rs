//! Writes files that appear whole or not at all, and reads input in bounded memory.
//!
//! This crate is internal to Verger: its API may change in any release.
//!
//! [`WholeFile`] is written out of sight and appears in its place once it is on disk. On Linux the
//! file has no name until then, so a killed process leaves nothing behind. On file systems without
//! unnamed files, it is a locked hidden file next to its destination. [`WholeFile::create`] removes
//! hidden files that are no longer locked.
//!
//! # Limits
//!
//! A replaced file passes on its permissions and owner, but not its extended attributes or hard
//! links.
//!
//! # Modules, in reading order
//!
//! | module | one line |
//! |---|---|
//! | `output_place` | resolves links and finds the directory of an output |
//! | `left_over` | removes unfinished files of dead processes |
//! | `kept` | the permissions and owner that a replaced file passes on |
//! | `whole_file` | a file that appears whole or not at all |
//! | `byte_text` | file names as bytes and as text |
//! | `put_file` | replaces a file, with an error that names it |
//! | `private` | directories that only their owner can read |
//! | `repository_file` | untrusted files of a repository next to its robots.txt |
//! | `source` | a file or standard input, read whole |
//! | `run_files` | the inputs and outputs of a run |
//! | `input_lines` | input line by line |
//! | `url_question`, `url_block` | URLs from arguments and lists, and batches of them |
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod byte_text;
mod input_lines;
mod kept;
mod left_over;
mod output_place;
mod private;
mod put_file;
#[cfg(doctest)]
mod readme;
#[doc(hidden)]
pub mod repository_file;
mod run_files;
mod source;
mod url_block;
mod url_question;
mod whole_file;

pub use byte_text::{argument_bytes, legible_path};
pub use input_lines::{InputLine, InputLineContent, InputLines, LINE_BYTES_MAX};
pub use left_over::is_unfinished;
pub use output_place::{Links, directory_of, end_of_links, is_in_directory_of};
pub use private::make_private_directory;
pub use put_file::{NotWritten, put_file};
pub use run_files::{ReplacedFiles, RunFiles, RunFilesError};
pub use source::{InputError, Source, read_regular};
pub use url_block::UrlBlock;
pub use url_question::{UrlQuestion, UrlQuestionError, UrlQuestions, url_without_scheme};
pub use whole_file::{WholeFile, try_beside, write_whole};
