//! The data that requests are checked with, kept in directories: published address ranges, and names of addresses.
//!
//! | module | one line |
//! |---|---|
//! | `checks_error` | why a directory cannot be used |
//! | `names_file` | what name servers said about addresses |
//! | `range_files` | the documents of ranges |
//! | `range_ages` | when these were read |
//! | `range_update` | fetches the documents |
//! | `check_directories` | reads the directories, and makes the one that is written to |
//! | `name_source` | where names come from while logs are read |
//! | `name_asker` | asks name servers, many at once; feature `names` |

mod check_directories;
mod checks_error;
#[cfg(feature = "names")]
mod name_asker;
mod name_source;
mod names_file;
mod range_ages;
mod range_files;
mod range_update;

pub use check_directories::{CheckDirectories, NoCheckDirectory};
pub use checks_error::ChecksError;
#[cfg(feature = "names")]
pub use name_asker::{NameAsker, NamesUnanswered};
pub use name_source::NameSource;
pub use names_file::NamesFile;
pub use range_ages::RangeAges;
pub use range_update::{RangeUpdate, UpdateObserver, UpdatedRanges};
