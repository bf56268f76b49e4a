use super::robots_directory::RobotsDirectory;
use super::robots_list::RobotsList;
use verger_answer::ReadError;

/// Bodies by authority.
#[derive(Debug)]
pub enum Bodies {
    /// Bodies in the files of a directory.
    Directory(RobotsDirectory),
    /// Bodies in the lines of a list.
    List(RobotsList),
}

impl Bodies {
    /// Returns the body of an authority, or `None` if there is none. `authority` has the form that
    /// `verger_access::Authority` displays.
    ///
    /// # Errors
    ///
    /// Returns an error if the body exists but cannot be read.
    pub fn body(&self, authority: &str) -> Result<Option<Vec<u8>>, ReadError> {
        match self {
            Self::Directory(directory) => directory.body(authority),
            Self::List(list) => list.body(authority),
        }
    }
}
