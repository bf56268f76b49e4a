//! Files that appear whole or not at all, and inputs that are read in bounded memory: lines, and the URLs on them.
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
//! | `left_over` | files that ended processes left |
//! | `kept` | what a file keeps of the one in whose place it is put |
//! | `whole_file` | the file |
//! | `byte_text` | names of files as bytes, and as text |
//! | `put_file` | a file put in the place of another one, with an error that names it |
//! | `private` | directories and files that their owner alone may read |
//! | `repository_file` | what a repository has beside a robots.txt, chosen by any of its authors |
//! | `source` | a file or standard input, read whole |
//! | `run_files` | what a run reads and what it writes |
//! | `input_lines` | input line by line, however long a line is |
//! | `url_question`, `url_block` | URLs as arguments and lists name them; those that are answered together |
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
pub use url_question::{UrlQuestion, UrlQuestionError, UrlQuestions};
pub use whole_file::{WholeFile, try_beside, write_whole};
