//! `Bodies`: bodies by authority.

use super::robots_directory::RobotsDirectory;
use super::robots_list::RobotsList;
use verger_answer::ReadError;

/// Bodies by authority.
#[derive(Debug)]
pub enum Bodies {
    /// In the files of a directory.
    Directory(RobotsDirectory),
    /// In the lines of a list.
    List(RobotsList),
}

impl Bodies {
    /// The body of an authority, which is as `verger_access::Authority` displays it; `None` where there is none.
    ///
    /// # Errors
    ///
    /// Where there is one that cannot be read.
    pub fn body(&self, authority: &str) -> Result<Option<Vec<u8>>, ReadError> {
        match self {
            Self::Directory(directory) => directory.body(authority),
            Self::List(list) => list.body(authority),
        }
    }
}
