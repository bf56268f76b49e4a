//! Files that appear whole or not at all, and input in bounded memory.
//!
//! On Linux a [`whole_file::WholeFile`] has no name until it is on disk, so a killed process leaves nothing behind. On
//! file systems without unnamed files, it is a locked hidden file next to its destination. Creating one removes hidden
//! files that are no longer locked. A replaced file passes on its permissions and owner, but not its extended
//! attributes or hard links.
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
//! | `url_question`, `url_block` | URLs from arguments and lists, and batches of them |

pub(crate) mod byte_text;
mod kept;
pub(crate) mod left_over;
pub(crate) mod output_place;
pub(crate) mod private;
pub(crate) mod put_file;
#[doc(hidden)]
pub mod repository_file;
pub(crate) mod run_files;
pub(crate) mod source;
pub(crate) mod url_block;
pub(crate) mod url_question;
pub(crate) mod whole_file;
