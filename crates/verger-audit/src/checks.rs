//! Evidence for checking requests, stored in directories: published address ranges and host names.
//!
//! | module | one line |
//! |---|---|
//! | `checks_error` | why a directory cannot be used |
//! | `names_file` | stores the answers of name servers |
//! | `range_files` | reads address range documents |
//! | `range_ages` | when these documents were read |
//! | `range_update` | downloads these documents |
//! | `check_directories` | reads the directories, and creates the one that is written to |
//! | `name_source` | supplies host names while logs are read |
//! | `name_asker` | queries name servers concurrently (feature `names`) |

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
