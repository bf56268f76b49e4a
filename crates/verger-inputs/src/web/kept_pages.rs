//! `KeptPages`: pages that were fetched before, in memory or in a file of JSON Lines.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use serde::Deserialize;
use verger_access::Timestamp;
use verger_answer::PageFacts;

use super::page_record::{PageRecord, requested};

/// Pages that were fetched, by URL: in memory, or in a file to which each new page is appended. A run that was interrupted
/// can go on with the file. Memory is bounded, so some pages may be forgotten.
#[derive(Debug)]
pub struct KeptPages {
    /// `None` if pages are kept for this run only.
    file: Option<File>,
    has_write_failed: bool,
    pages: BTreeMap<String, Line>,
    /// Bytes of memory that are not used.
    bytes_left: usize,
}

/// The line of a page.
#[derive(Debug)]
enum Line {
    InMemory(Vec<u8>),
    InFile { start: u64, bytes: usize },
}

/// The part of a line that is read when a file is opened.
#[derive(Deserialize)]
struct LineStart {
    url: String,
    at: u64,
}

/// The first line of a file.
const FIRST_LINE: &[u8] = b"{\"schema\":\"verger.kept-pages/1\"}\n";

/// Maximum length of a line in bytes. Pages with longer lines are fetched again. The metas, links and fields of a page of
/// 1 MiB need less, even if every byte is escaped.
const LINE_BYTES_MAX: u64 = 16 << 20;

/// Maximum number of bytes of memory.
const MEMORY_BYTES_MAX: usize = 64 << 20;

/// Bytes of memory for a page in addition to its URL and its line.
const PAGE_BYTES: usize = 128;

impl Default for KeptPages {
    fn default() -> Self {
        Self {
            file: None,
            has_write_failed: false,
            pages: BTreeMap::new(),
            bytes_left: MEMORY_BYTES_MAX,
        }
    }
}

impl KeptPages {
    /// Opens a file, which need not exist. Pages fetched before `since` are ignored, and so are lines that a run did not
    /// finish.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read and written, or if it has other contents. It is then unchanged.
    pub fn open(path: &Path, since: Timestamp) -> io::Result<Self> {
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("it is not a regular file"));
        }
        let mut kept = Self::default();
        let (mut lines, mut line) = (BufReader::new(&file), Vec::new());
        let mut next = |line: &mut Vec<u8>| {
            line.clear();
            lines.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', line)
        };
        let mut start = next(&mut line)? as u64;
        // The rest of the last line. A killed run may have left half a line.
        let Some(mut missing) = FIRST_LINE.strip_prefix(&*line) else {
            return Err(io::Error::other("it does not have pages of an earlier run"));
        };
        loop {
            let bytes = next(&mut line)?;
            if bytes == 0 {
                break;
            }
            if let Ok(page) = serde_json::from_slice::<LineStart>(&line)
                && page.at >= since.unix_seconds()
            {
                kept.insert(page.url, Line::InFile { start, bytes });
            }
            start += bytes as u64;
            missing = if line.ends_with(b"\n") { b"" } else { b"\n" };
        }
        file.write_all(missing)?;
        kept.file = Some(file);
        Ok(kept)
    }

    /// Returns the facts of a page, if it is kept.
    #[must_use]
    pub fn facts(&self, url: &str) -> Option<PageFacts> {
        let url = requested(url);
        let page: PageRecord = match self.pages.get(&url)? {
            Line::InMemory(line) => serde_json::from_slice(line).ok()?,
            Line::InFile { start, bytes } => {
                let (mut file, mut line) = (self.file.as_ref()?, vec![0; *bytes]);
                file.seek(SeekFrom::Start(*start)).ok()?;
                file.read_exact(&mut line).ok()?;
                serde_json::from_slice(&line).ok()?
            }
        };
        (page.url == url).then(|| page.facts())
    }

    /// Keeps a page, unless its server failed.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written. From then on, pages are kept in memory.
    pub fn put(&mut self, page: &PageRecord) -> io::Result<()> {
        if page.is_passing() {
            return Ok(());
        }
        let mut line = serde_json::to_vec(page)?;
        line.push(b'\n');
        let line = match &mut self.file {
            Some(file) if !self.has_write_failed => {
                let written = file.write_all(&line).and_then(|()| file.stream_position());
                self.has_write_failed = written.is_err();
                let bytes = line.len();
                let start = written?.saturating_sub(bytes as u64);
                Line::InFile { start, bytes }
            }
            _ => Line::InMemory(line),
        };
        self.insert(page.url.clone(), line);
        Ok(())
    }

    fn insert(&mut self, url: String, line: Line) {
        let in_memory = match &line {
            Line::InMemory(line) => line.len(),
            Line::InFile { .. } => 0,
        };
        let left = self
            .bytes_left
            .checked_sub(url.len() + in_memory + PAGE_BYTES);
        if let Some(left) = left {
            self.bytes_left = left;
            self.pages.insert(url, line);
        }
    }
}
