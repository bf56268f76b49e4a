//! Reads `corpus.tar.zst` file by file.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use ruzstd::decoding::StreamingDecoder;
use tar::Archive;

/// The list of files in the archive, with a header line.
const INDEX: &str = "INDEX.tsv";

/// The metadata of the archive.
pub(crate) struct Contents {
    index: Option<String>,
}

impl Contents {
    /// Checks that all listed files were read.
    pub(crate) fn check(&self, files_read: usize) -> Result<(), String> {
        let listed = self.index()?.lines().count() - 1;
        if listed == files_read {
            return Ok(());
        }
        Err(format!(
            "{INDEX} lists {listed} files but the archive has {files_read}"
        ))
    }

    /// Returns the list of files as tab-separated values with a header line.
    pub(crate) fn index(&self) -> Result<&str, String> {
        let index = self.index.as_deref().filter(|index| !index.is_empty());
        index.ok_or_else(|| format!("the archive has no {INDEX}"))
    }
}

/// Calls `visit` with name and body of each robots.txt, until it returns that it needs no more.
pub(crate) fn for_each_file(
    path: &Path,
    mut visit: impl FnMut(&str, &[u8]) -> bool,
) -> Result<Contents, String> {
    let unreadable =
        |error: &dyn std::fmt::Display| format!("cannot read {}: {error}", path.display());
    let file = File::open(path).map_err(|error| unreadable(&error))?;
    let decoder =
        StreamingDecoder::new(BufReader::new(file)).map_err(|error| unreadable(&error))?;
    let mut archive = Archive::new(decoder);
    let mut index = None;
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
            index = Some(String::from_utf8_lossy(&body).into_owned());
        } else if !visit(&name, &body) {
            break;
        }
    }
    Ok(Contents { index })
}

#[cfg(test)]
mod tests {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    use tar::{Builder, Header};

    use super::*;

    #[test]
    fn no_more_is_read_than_is_needed() {
        let mut tar = Builder::new(Vec::new());
        for name in ["a.txt", "b.txt", "c.txt", INDEX] {
            let mut header = Header::new_gnu();
            header.set_size(1);
            tar.append_data(&mut header, name, &b"x"[..]).unwrap();
        }
        let tar = tar.into_inner().unwrap();
        let path = std::env::temp_dir().join(format!("verger-archive-{}", std::process::id()));
        let archive = compress_to_vec(&tar[..], CompressionLevel::Uncompressed);
        std::fs::write(&path, archive).unwrap();
        let read = |max: usize| {
            let mut names = Vec::new();
            let contents = for_each_file(&path, |name, _| {
                names.push(name.to_owned());
                names.len() < max
            });
            (names.join(" "), contents.unwrap().index().is_ok())
        };
        assert_eq!(read(2), ("a.txt b.txt".to_owned(), false));
        assert_eq!(read(9), ("a.txt b.txt c.txt".to_owned(), true));
        std::fs::remove_file(&path).unwrap();
    }
}
