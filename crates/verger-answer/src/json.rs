//! JSON that is safe to show, because characters that control a terminal are escaped.
//!
//! Every interface writes JSON through these functions.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;
use verger::legible_json;

/// Writes a value.
///
/// # Errors
///
/// Returns an error if writing or serialization fails.
pub fn to_writer<T: Serialize + ?Sized>(output: impl Write, value: &T) -> serde_json::Result<()> {
    serde_json::to_writer(LegibleJson(output), value)
}

/// Writes a value and a line end, as in JSON Lines.
///
/// # Errors
///
/// Returns an error if writing or serialization fails.
pub fn write_line<T: Serialize + ?Sized>(mut output: impl Write, value: &T) -> io::Result<()> {
    to_writer(&mut output, value)?;
    output.write_all(b"\n")
}

/// Writes a value with line breaks and indentation.
///
/// # Errors
///
/// Returns an error if writing or serialization fails.
pub fn to_writer_pretty<T: Serialize + ?Sized>(output: impl Write, value: &T) -> io::Result<()> {
    Ok(serde_json::to_writer_pretty(LegibleJson(output), value)?)
}

/// Appends a value.
///
/// # Errors
///
/// Returns an error if serialization fails.
pub fn append<T: Serialize + ?Sized>(output: &mut Vec<u8>, value: &T) -> serde_json::Result<()> {
    let start = output.len();
    serde_json::to_writer(&mut *output, value)?;
    // `serde_json` writes UTF-8. One search of the whole output is faster than one per piece.
    if let Ok(written) = str::from_utf8(&output[start..])
        && let Cow::Owned(legible) = legible_json(written)
    {
        output.truncate(start);
        output.extend_from_slice(legible.as_bytes());
    }
    Ok(())
}

/// Returns a value as text.
///
/// # Errors
///
/// Returns an error if serialization fails.
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<String> {
    let json = serde_json::to_string(value)?;
    Ok(match legible_json(&json) {
        Cow::Borrowed(_) => json,
        Cow::Owned(legible) => legible,
    })
}

/// Returns a value and a line end as text.
///
/// # Errors
///
/// Returns an error if serialization fails.
pub fn line_of<T: Serialize + ?Sized>(value: &T) -> io::Result<String> {
    Ok(to_string(value)? + "\n")
}

/// Converts the output of these writers to text.
///
/// # Errors
///
/// Returns an error if the bytes are not UTF-8, so come from another writer.
pub fn text_of(written: Vec<u8>) -> io::Result<String> {
    String::from_utf8(written).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Escapes output that arrives in pieces of whole characters, as `serde_json` writes it.
struct LegibleJson<W>(W);

impl<W: Write> Write for LegibleJson<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match std::str::from_utf8(bytes) {
            Ok(json) => self.0.write_all(legible_json(json).as_bytes())?,
            Err(_) => return Err(io::ErrorKind::InvalidData.into()),
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_writers_escape_alike() {
        let value = ["\u{9b}2J\u{1b}", "\u{e9}\u{202e}"];
        let json = "[\"\\u009b2J\\u001b\",\"\u{e9}\\u202e\"]";
        let mut written = Vec::new();
        to_writer(&mut written, &value).unwrap();
        assert_eq!(written, json.as_bytes());
        assert_eq!(to_string(&value).unwrap(), json);
        append(&mut written, &value).unwrap();
        assert_eq!(written, json.repeat(2).as_bytes());
        written.clear();
        to_writer_pretty(&mut written, &value).unwrap();
        let pretty = String::from_utf8(written).unwrap();
        assert_eq!(pretty.replace(['\n', ' '], ""), json);
        assert_eq!(serde_json::from_str::<[String; 2]>(json).unwrap(), value);
    }
}
