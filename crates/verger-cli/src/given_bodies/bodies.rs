//! `Bodies`: bodies by authority.

use super::robots_directory::RobotsDirectory;
use super::robots_list::RobotsList;

/// Bodies by authority.
pub(crate) enum Bodies {
    Directory(RobotsDirectory),
    List(RobotsList),
}

impl Bodies {
    /// The body of an authority, if there is one.
    ///
    /// # Errors
    ///
    /// Where there is one that cannot be read.
    pub(crate) fn body(&self, authority: &str) -> Result<Option<Vec<u8>>, String> {
        match self {
            Self::Directory(directory) => directory.body(authority),
            Self::List(list) => list.body(authority),
        }
    }
}
