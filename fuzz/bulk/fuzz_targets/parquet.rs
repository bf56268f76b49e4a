//! Corrupted Parquet files: false metadata causes an error or other rows, but never an uncaught panic or memory
//! use beyond the size of the file.
//!
//! The last byte of the input selects the file: captures, or URLs with or without times. The rest are edits.
#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use arrow_array::RecordBatch;
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;
use verger_bulk::{
    CaptureFile, CaptureIndexBuilder, CaptureReader, CaptureSettings, ColumnFile, ColumnFormat,
    UrlColumns, is_panic_caught, open_urls,
};
use verger_fuzz_bulk::{edit, with_mode};

const RECORDS: usize = 40;

/// A directory, and the intact files.
struct Files {
    directory: TempDir,
    captures: Vec<u8>,
    urls: Vec<u8>,
}

static FILES: OnceLock<Files> = OnceLock::new();

fuzz_target!(
    init: {
        // Panics that the crate catches are not findings.
        let aborting = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !is_panic_caught() {
                aborting(panic);
            }
        }));
    },
    |input: &[u8]| {
        let files = FILES.get_or_init(|| files().expect("temporary files can be written"));
        let (edits, mode) = with_mode(input);
        let mut file = if mode & 1 == 0 { files.captures.clone() } else { files.urls.clone() };
        edit(&mut file, edits);
        let path = files.directory.path().join("edited.parquet");
        fs::write(&path, &file).expect("temporary files can be written");
        if mode & 1 == 0 {
            let mut index = CaptureIndexBuilder::new().expect("temporary files can be made");
            let added = index.add_file(&path).is_ok();
            if edits.is_empty() {
                assert!(added && index.indexed().captures == RECORDS as u64);
            }
            // There are at most as many bodies as captures.
            assert!(index.indexed().bodies <= index.indexed().captures);
        } else {
            let rows = urls_of(&path, mode);
            assert!(!edits.is_empty() || rows == Some(RECORDS));
        }
    }
);

/// Returns the number of URLs up to the first error.
fn urls_of(path: &std::path::Path, mode: u8) -> Option<usize> {
    let time = (mode & 2 != 0).then(|| "time".to_owned());
    let mut columns = UrlColumns::default();
    columns.time = time;
    let mut reader = open_urls(Some(path), None, &columns).ok()?;
    let mut count = 0;
    while let Some(rows) = reader.next_rows().ok()? {
        count += rows.len();
    }
    Some(count)
}

fn files() -> Result<Files, Box<dyn std::error::Error>> {
    let directory = TempDir::new()?;
    let path = |name: &str| -> PathBuf { directory.path().join(name) };
    let mut captures = CaptureFile::create(&path("captures"), "", 1 << 20)?;
    let mut urls: Option<ColumnFile> = None;
    let warc: String = (0..RECORDS).map(record).collect();
    let mut settings = CaptureSettings::default();
    settings.batch_rows = 15;
    for batch in CaptureReader::new(warc.as_bytes(), "a.warc", settings) {
        let batch: RecordBatch = batch?;
        captures.write(&batch)?;
        let create = || {
            ColumnFile::create(
                &path("urls"),
                ColumnFormat::Parquet,
                &batch.schema(),
                &["url"],
            )
        };
        let file = match urls.take() {
            Some(file) => file,
            None => create()?,
        };
        urls.insert(file).write(&batch)?;
    }
    captures.finish()?;
    if let Some(urls) = urls {
        urls.finish()?;
    }
    Ok(Files {
        captures: fs::read(path("captures"))?,
        urls: fs::read(path("urls"))?,
        directory,
    })
}

fn record(nth: usize) -> String {
    let body = format!("User-agent: *\nDisallow: /{nth}\n");
    let reply = format!("HTTP/1.1 200 OK\r\n\r\n{body}");
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2026-11-01T00:00:{nth:02}Z\r\n\
         WARC-Target-URI: https://host-{nth}.example/robots.txt\r\n\
         Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{reply}\r\n\r\n",
        reply.len()
    )
}
