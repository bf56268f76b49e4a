use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use verger_access::Timestamp;
use verger_inputs::{InputLineContent, InputLines, Links, write_whole};
use verger_store::time_of_text;

use super::checks_error::{ChecksError, shown};
use crate::identity::{ConfirmedNames, RequestChecks};

pub(super) const NAME: &str = "address-names.jsonl";

const SCHEMA: &str = "verger.names/1";

/// Maximum number of addresses in a file. The newest are kept.
const ADDRESSES_MAX: usize = 200_000;

const NAMES_MAX: usize = 16;

/// Maximum length of a line, in bytes. A name has at most 255.
const LINE_BYTES_MAX: usize = 64 << 10;

/// The answers of name servers about addresses. Failures are not stored.
#[derive(Debug, Default)]
pub struct NamesFile {
    path: PathBuf,
    /// The names of each address, and when it was queried.
    addresses: BTreeMap<IpAddr, (Timestamp, Vec<String>)>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    schema: String,
    address: IpAddr,
    read_at: String,
    names: Vec<String>,
}

impl NamesFile {
    /// Reads the file in a directory, if there is one.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or has an invalid line.
    pub fn read(directory: &Path) -> Result<Self, ChecksError> {
        let mut read = Self {
            path: directory.join(NAME),
            addresses: BTreeMap::new(),
        };
        let file = match File::open(&read.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(read),
            Err(error) => return Err(ChecksError::read(&read.path, error)),
        };
        let mut lines = InputLines::with_limit(file, LINE_BYTES_MAX);
        let failed = |error| ChecksError::read(&directory.join(NAME), error);
        while read.addresses.len() < ADDRESSES_MAX && lines.advance().map_err(failed)? {
            let line = lines.line();
            let (address, read_at, names) =
                entry(&line.content).ok_or_else(|| ChecksError::Line {
                    path: shown(&read.path),
                    line: line.number,
                })?;
            read.set(address, read_at, names);
        }
        Ok(read)
    }

    /// Adds the answers to `checks`.
    pub fn add_to(&self, checks: &mut RequestChecks) {
        for (&address, (read_at, names)) in &self.addresses {
            let names = ConfirmedNames::Names(names.clone());
            checks.add_names(address, names, *read_at);
        }
    }

    /// Stores the answer about an address.
    pub fn set(&mut self, address: IpAddr, read_at: Timestamp, names: Vec<String>) {
        let held = self.addresses.entry(address).or_default();
        if held.0 <= read_at {
            *held = (read_at, names);
        }
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn write(&self) -> Result<(), ChecksError> {
        let mut newest: Vec<_> = self.addresses.iter().collect();
        newest.sort_by_key(|(_, (read_at, _))| std::cmp::Reverse(*read_at));
        newest.truncate(ADDRESSES_MAX);
        let mut body = Vec::new();
        for (&address, (read_at, names)) in newest {
            let line = Line {
                schema: SCHEMA.to_owned(),
                address,
                read_at: read_at.to_string(),
                names: names.clone(),
            };
            let written = verger_answer::json::to_writer(&mut body, &line);
            written.map_err(|error| ChecksError::write(&self.path, error.into()))?;
            body.push(b'\n');
        }
        let written = write_whole(&self.path, &body, Links::Follow);
        written.map_err(|error| ChecksError::write(&self.path, error))
    }
}

fn entry(line: &InputLineContent<'_>) -> Option<(IpAddr, Timestamp, Vec<String>)> {
    let InputLineContent::Bytes(line) = line else {
        return None;
    };
    let line: Line = serde_json::from_slice(line).ok()?;
    let read_at = time_of_text(&line.read_at).ok()?;
    let is_ours = line.schema == SCHEMA && line.names.len() <= NAMES_MAX;
    is_ours.then_some((line.address, read_at, line.names))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_it_is_written() {
        let line = br#"{"schema":"verger.names/1","address":"2001:db8::1","read_at":"2026-11-20T10:00:00Z","names":["a.example"]}"#;
        let (address, read_at, names) = entry(&InputLineContent::Bytes(line)).unwrap();
        assert_eq!(address.to_string(), "2001:db8::1");
        assert_eq!(read_at.to_string(), "2026-11-20T10:00:00Z");
        assert_eq!(names, ["a.example"]);
        for wrong in ["", "{}", "[]", "{\"schema\":\"verger.names/1\"}"] {
            assert!(
                entry(&InputLineContent::Bytes(wrong.as_bytes())).is_none(),
                "{wrong}"
            );
        }
        let newer = String::from_utf8(line.to_vec())
            .unwrap()
            .replace("names/1", "names/2");
        assert!(entry(&InputLineContent::Bytes(newer.as_bytes())).is_none());
    }
}
