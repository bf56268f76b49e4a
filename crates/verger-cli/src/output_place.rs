//! Where a file is written: at the end of links, in a directory.

use std::fs;
use std::path::{Path, PathBuf};

/// As many links are followed one after the other, as on Linux.
const LINKS_MAX: usize = 40;

/// Follows links, also to where nothing is yet.
pub(crate) fn end_of_links(path: &Path) -> PathBuf {
    let mut end = path.to_owned();
    for _ in 0..LINKS_MAX {
        let Ok(target) = fs::read_link(&end) else {
            break;
        };
        end = directory_of(&end).join(target);
    }
    end
}

/// The directory of a file.
pub(crate) fn directory_of(path: &Path) -> &Path {
    let directory = path.parent().filter(|it| *it != Path::new(""));
    directory.unwrap_or(Path::new("."))
}
