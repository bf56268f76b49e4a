//! `corpus.tar.zst`, file by file.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use ruzstd::decoding::StreamingDecoder;
use tar::Archive;

/// The list of the files in the archive, with one line of head.
const INDEX: &str = "INDEX.tsv";

/// What the archive says about itself.
pub(crate) struct Contents {
    listed: Option<usize>,
}

impl Contents {
    /// Whether as many files were read as are listed.
    pub(crate) fn check(&self, files_read: usize) -> Result<(), String> {
        match self.listed {
            None => Err(format!("the archive has no {INDEX}")),
            Some(listed) if listed != files_read => Err(format!(
                "{INDEX} lists {listed} files, {files_read} were read"
            )),
            Some(_) => Ok(()),
        }
    }
}

/// Calls `visit` with name and body of every robots.txt in the archive.
pub(crate) fn for_each_file(
    path: &Path,
    mut visit: impl FnMut(&str, &[u8]),
) -> Result<Contents, String> {
    let unreadable =
        |error: &dyn std::fmt::Display| format!("{}: cannot be read: {error}", path.display());
    let file = File::open(path).map_err(|error| unreadable(&error))?;
    let decoder =
        StreamingDecoder::new(BufReader::new(file)).map_err(|error| unreadable(&error))?;
    let mut archive = Archive::new(decoder);
    let mut listed = None;
    let mut body = Vec::new();
    for entry in archive.entries().map_err(|error| unreadable(&error))? {
        let mut entry = entry.map_err(|error| unreadable(&error))?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let entry_path = entry.path().map_err(|error| unreadable(&error))?;
        let name = entry_path.file_name().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        body.clear();
        entry
            .read_to_end(&mut body)
            .map_err(|error| unreadable(&error))?;
        if name == INDEX {
            listed = Some(String::from_utf8_lossy(&body).lines().count() - 1);
        } else {
            visit(&name, &body);
        }
    }
    Ok(Contents { listed })
}
