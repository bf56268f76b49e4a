//! Lists of URLs: a list has the same rows whether or not it is compressed, up to the first error, and a text
//! list has a row for each line that is not empty.
//!
//! The last byte of the input selects the format.
#![no_main]

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;
use verger_bulk::{InputFormat, UrlColumns, open_urls};
use verger_fuzz_bulk::{gzip, with_mode, zstandard};

const FORMATS: [InputFormat; 4] = [
    InputFormat::Text,
    InputFormat::Csv,
    InputFormat::JsonLines,
    InputFormat::Cdxj,
];

static DIRECTORY: OnceLock<TempDir> = OnceLock::new();

fuzz_target!(|input: &[u8]| {
    let (list, mode) = with_mode(input);
    let format = FORMATS[usize::from(mode & 3)];
    let time = (mode & 4 != 0).then(|| "time".to_owned());
    let mut columns = UrlColumns::default();
    columns.time = time;
    let directory = DIRECTORY.get_or_init(|| TempDir::new().expect("it can be made"));
    let path = directory.path().join("list");
    let read = |bytes: &[u8]| {
        fs::write(&path, bytes).expect("temporary files can be written");
        rows(&path, format, &columns)
    };
    let plain = read(list);
    // A list that starts with a compression signature would be decompressed.
    if !list.starts_with(&[0x1F, 0x8B]) && !list.starts_with(&[0x28, 0xB5]) {
        assert_eq!(plain, read(&gzip(list)));
        assert_eq!(plain, read(&zstandard(list)));
        if format == InputFormat::Text {
            assert_eq!(plain, (lines_with_text(list), true));
        }
    }
});

/// Returns the number of lines that are not empty, ignoring a byte order mark on the first.
fn lines_with_text(list: &[u8]) -> usize {
    let lines = list.split(|&byte| byte == b'\n').enumerate();
    let texts = lines.map(|(nth, line)| {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let marked = if nth == 0 {
            line.strip_prefix(b"\xEF\xBB\xBF")
        } else {
            None
        };
        marked.unwrap_or(line)
    });
    texts.filter(|text| !text.is_empty()).count()
}

/// Returns the number of rows, and whether the list could be read to the end.
fn rows(path: &Path, format: InputFormat, columns: &UrlColumns) -> (usize, bool) {
    let Ok(mut reader) = open_urls(Some(path), Some(format), columns) else {
        return (0, false);
    };
    let mut count = 0;
    loop {
        match reader.next_rows() {
            Ok(Some(rows)) => count += rows.len(),
            Ok(None) => return (count, true),
            Err(_) => return (count, false),
        }
    }
}
