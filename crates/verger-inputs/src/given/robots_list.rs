//! `RobotsList`: JSON Lines, each with the robots.txt of one authority.
//!
//! Opening the list indexes its lines, at 16 bytes a line. Bodies stay in the file until they are
//! needed.

use std::fmt;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use verger_answer::ReadError;

use crate::files::run_files::ReplacedFiles;
use crate::files::source::{InputError, Source};
use crate::rulebook::{NoAuthority, named_authority};
use serde::Deserialize;
use serde::de::{Deserializer as _, IgnoredAny, MapAccess, Visitor};
use verger_answer::{GivenBody, GivenBodyError, InputLineContent, InputLines, LINE_BYTES_MAX};

use super::robots_directory::read;

/// Seekable input: a file on disk, or bytes in memory.
trait ReadAgain: Read + Seek + Send {}

impl<T: Read + Seek + Send> ReadAgain for T {}

/// A list of bodies by authority.
pub struct RobotsList {
    name: String,
    reader: Mutex<BufReader<Box<dyn ReadAgain>>>,
    /// Sorted by hash, then by position in the list.
    places: Vec<Place>,
    hasher: RandomState,
    /// Number of the first line whose authority cannot be read.
    nameless: Option<u64>,
}

/// The byte offset of a line and the hash of its authority.
#[derive(Clone, Copy, Debug)]
struct Place {
    hash: u64,
    start: u64,
}

/// A line of the list. Unknown keys are ignored, and null means absent.
#[derive(Debug, Default, Deserialize)]
struct Entry {
    authority: Option<String>,
    robots: Option<String>,
    robots_base64: Option<String>,
    robots_path: Option<String>,
    /// Why there is no body, if the line is not JSON of these types.
    #[serde(skip)]
    wrong: Option<EntryError>,
}

/// Stores the authority if it comes before the unreadable part of the JSON.
struct Named<'n>(&'n mut Option<String>);

impl<'de> Visitor<'de> for Named<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == "authority" {
                *self.0 = map.next_value()?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

impl RobotsList {
    /// Opens a list. `report` receives a sentence about each line that cannot be used.
    ///
    /// # Errors
    ///
    /// Returns an error if the list cannot be read or names a file that the run replaces.
    pub fn open(
        source: &Source,
        replaced: &ReplacedFiles,
        report: impl FnMut(String),
    ) -> Result<Self, RobotsListError> {
        // Input that can be read only once, such as a pipe, is kept in memory.
        let list: Box<dyn ReadAgain> = match source {
            Source::File(path) if path.is_file() => {
                let opened = File::open(path);
                Box::new(opened.map_err(|error| source.unreadable(error))?)
            }
            _ => Box::new(Cursor::new(source.read()?)),
        };
        Self::of(source, list, replaced, report)
    }

    fn of(
        source: &Source,
        mut list: Box<dyn ReadAgain>,
        replaced: &ReplacedFiles,
        mut report: impl FnMut(String),
    ) -> Result<Self, RobotsListError> {
        let name = source.to_string();
        let mut lines = InputLines::new(&mut list);
        let hasher = RandomState::new();
        let mut places = Vec::new();
        let mut nameless = None;
        while lines.advance().map_err(|error| source.unreadable(error))? {
            let line = lines.line();
            let bytes = match line.content {
                InputLineContent::Bytes(bytes) if bytes.trim_ascii().is_empty() => continue,
                InputLineContent::Bytes(bytes) => Some(bytes),
                InputLineContent::TooLong => None,
            };
            let entry = bytes.ok_or(EntryError::TooLong).and_then(Entry::read);
            let is_nameless = match (&entry, bytes) {
                (Err(EntryError::TooLong), _) => true,
                (Err(EntryError::NotJson(_)), Some(bytes)) => {
                    serde_json::from_slice::<IgnoredAny>(bytes).is_err()
                }
                _ => false,
            };
            if is_nameless {
                nameless = nameless.or(Some(line.number));
            }
            let used = entry.and_then(|entry| {
                let hash = hasher.hash_one(entry.authority()?.as_str());
                let start = lines.start();
                // Index the line even if its body cannot be used. Otherwise its authority would
                // look like one without a robots.txt.
                places.push(Place { hash, start });
                entry.body()
            });
            match used {
                Ok(GivenBody::Path(path)) => {
                    let allowed = replaced.read_file(Path::new(&path));
                    allowed.map_err(|error| {
                        RobotsListError::Refused(format!("{name}, line {}: {error}", line.number))
                    })?;
                }
                Ok(GivenBody::Bytes(_)) => {}
                Err(error) => report(format!("{name}, line {}: {error}", line.number)),
            }
        }
        places.sort_by_key(|place| place.hash);
        Ok(Self {
            name,
            reader: Mutex::new(BufReader::new(list)),
            places,
            hasher,
            nameless,
        })
    }

    /// Returns the body of an authority, from the last line about it.
    ///
    /// # Errors
    ///
    /// Returns an error if that line has no readable body. If no line names the authority, returns
    /// an error if the list has a line whose authority cannot be read.
    pub fn body(&self, authority: &str) -> Result<Option<Vec<u8>>, ReadError> {
        let hash = self.hasher.hash_one(authority);
        let start = self.places.partition_point(|place| place.hash < hash);
        let end = self.places.partition_point(|place| place.hash <= hash);
        for place in self.places[start..end].iter().rev() {
            let said = |error: &dyn fmt::Display| format!("{}: {error}", self.name);
            let entry = self.entry_at(place.start)?;
            let entry_authority = entry.authority().map_err(|error| said(&error))?;
            // Two authorities may have the same hash.
            if entry_authority == authority {
                let body = entry.body().map_err(|error| said(&error))?;
                return read_given(body).map(Some);
            }
        }
        match self.nameless {
            Some(line) => Err(format!(
                "{}, line {line}: the authority cannot be read and may be this one",
                self.name
            )
            .into()),
            None => Ok(None),
        }
    }

    /// Calls `visit` for each authority, in list order. Its arguments are the byte offset of the
    /// last line about the authority, the authority, and the body or the reason why it cannot be
    /// read.
    /// # Errors
    ///
    /// Returns an error if the list cannot be read again or `visit` fails.
    pub fn each_body<E: From<ReadError>>(
        &self,
        mut visit: impl FnMut(u64, &str, Result<Vec<u8>, ReadError>) -> Result<(), E>,
    ) -> Result<(), E> {
        for start in self.deciding_starts()? {
            let entry = self.entry_at(start)?;
            let said = |error: &dyn fmt::Display| format!("{}: {error}", self.name);
            let authority = entry
                .authority()
                .map_err(|error| ReadError::from(said(&error)))?;
            let body = entry.body().map_err(|error| said(&error).into());
            let body = body.and_then(read_given);
            visit(start, &authority, body)?;
        }
        Ok(())
    }

    /// Returns the byte offset of the last line about each authority.
    fn deciding_starts(&self) -> Result<Vec<u64>, ReadError> {
        let mut starts = Vec::with_capacity(self.places.len());
        for same_hash in self.places.chunk_by(|one, next| one.hash == next.hash) {
            if let [place] = same_hash {
                starts.push(place.start);
                continue;
            }
            // Two authorities may have the same hash.
            let mut authorities: Vec<String> = Vec::new();
            for place in same_hash.iter().rev() {
                let authority = self.entry_at(place.start)?.authority();
                let authority = authority.map_err(|error| format!("{}: {error}", self.name))?;
                if !authorities.contains(&authority) {
                    authorities.push(authority);
                    starts.push(place.start);
                }
            }
        }
        starts.sort_unstable();
        Ok(starts)
    }

    fn entry_at(&self, start: u64) -> Result<Entry, ReadError> {
        let line = self.line_at(start);
        let line = line.map_err(|error| format!("{}: {error}", self.name))?;
        Entry::read(&line).map_err(|error| format!("{}: {error}", self.name).into())
    }

    fn line_at(&self, start: u64) -> io::Result<Vec<u8>> {
        // Every use seeks first, so the earlier position does not matter.
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        reader.seek(SeekFrom::Start(start))?;
        let mut line = Vec::new();
        let bytes_max = LINE_BYTES_MAX as u64 + 2;
        let mut limited = reader.by_ref().take(bytes_max);
        limited.read_until(b'\n', &mut line)?;
        if start == 0 && line.starts_with(b"\xEF\xBB\xBF") {
            line.drain(..3);
        }
        Ok(line)
    }
}

fn read_given(body: GivenBody) -> Result<Vec<u8>, ReadError> {
    match body {
        GivenBody::Bytes(bytes) => Ok(bytes),
        GivenBody::Path(path) => read(path.into()),
    }
}

impl fmt::Debug for RobotsList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("RobotsList");
        shown.field("name", &self.name).finish_non_exhaustive()
    }
}

impl Entry {
    fn read(line: &[u8]) -> Result<Self, EntryError> {
        if !line.trim_ascii_start().starts_with(b"{") {
            return Err(EntryError::NotAnObject);
        }
        let problem = match serde_json::from_slice(line) {
            Ok(entry) => return Ok(entry),
            Err(error) => EntryError::NotJson(error),
        };
        let mut authority = None;
        let mut keys = serde_json::Deserializer::from_slice(line);
        // Fails at the unreadable part, which is expected.
        let _ = keys.deserialize_map(Named(&mut authority));
        if authority.is_none() {
            return Err(problem);
        }
        Ok(Self {
            authority,
            wrong: Some(problem),
            ..Self::default()
        })
    }

    /// Returns the authority in the form that `verger_access::Authority` displays.
    fn authority(&self) -> Result<String, EntryError> {
        let url = self.authority.as_deref().ok_or(EntryError::NoAuthority)?;
        named_authority(url.as_bytes()).map_err(EntryError::NotAnAuthority)
    }

    fn body(self) -> Result<GivenBody, EntryError> {
        if let Some(wrong) = self.wrong {
            return Err(wrong);
        }
        GivenBody::one_of(self.robots, self.robots_base64, self.robots_path)
            .map_err(EntryError::Body)
    }
}

/// A list cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RobotsListError {
    /// The list cannot be read.
    #[error(transparent)]
    Unreadable(#[from] InputError),
    /// The list names a file that the run replaces.
    #[error("{0}")]
    Refused(String),
}

/// A line of the list cannot be used.
#[derive(Debug, thiserror::Error)]
enum EntryError {
    #[error("the line is longer than {LINE_BYTES_MAX} bytes")]
    TooLong,
    #[error("not a JSON object")]
    NotAnObject,
    #[error("{}", without_line(.0))]
    NotJson(serde_json::Error),
    #[error("there is no authority: give one such as https://example.com")]
    NoAuthority,
    #[error(transparent)]
    NotAnAuthority(NoAuthority),
    #[error(transparent)]
    Body(GivenBodyError),
}

/// Drops the line number of the JSON error, because the message already names the line.
fn without_line(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let what = message.split(" at line ").next().unwrap_or(&message);
    format!("{what}, at column {}", error.column())
}
