//! WARC files: row offsets increase, rows are counted correctly, and the rows do not depend on the sizes of
//! batches and of the window.
//!
//! The last byte of the input selects plain text, one gzip member or Zstandard frame, or one per record, and
//! whether the three bytes before it edit the file.
#![no_main]

use arrow_array::Int64Array;
use libfuzzer_sys::fuzz_target;
use verger_bulk::{CaptureReader, CaptureSettings};
use verger_fuzz_bulk::{edit, gzip, with_mode, zstandard};

fuzz_target!(|input: &[u8]| {
    let (mut bytes, mode) = with_mode(input);
    let mut edits: &[u8] = &[];
    if mode & 8 != 0
        && let Some((rest, edit)) = bytes.split_last_chunk::<3>()
    {
        (bytes, edits) = (rest, edit);
    }
    let mut file = match mode & 7 {
        0 => bytes.to_vec(),
        1 => gzip(bytes),
        2 => records(bytes).flat_map(gzip).collect(),
        3 => zstandard(bytes),
        _ => records(bytes).flat_map(zstandard).collect(),
    };
    edit(&mut file, edits);
    let mut small = CaptureSettings::default();
    small.batch_rows = 3;
    small.window_bytes = 6 * 1024;
    assert_eq!(read(&file, small), read(&file, CaptureSettings::default()));
});

/// Splits at each `WARC/`.
fn records(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let after = rest.get(1..)?;
        let next = after.windows(5).position(|of| of == b"WARC/");
        let (record, behind) = rest.split_at(next.map_or(rest.len(), |next| next + 1));
        rest = behind;
        Some(record)
    })
}

/// Returns the offsets of the rows, and the number of records.
fn read(file: &[u8], settings: CaptureSettings) -> (Vec<i64>, u64) {
    let mut reader = CaptureReader::new(file, "f", settings);
    let mut places = Vec::new();
    for batch in reader.by_ref() {
        let Ok(batch) = batch else {
            // Not a WARC file. Reading from memory cannot fail.
            assert!(places.is_empty());
            break;
        };
        let offsets = batch.column_by_name("offset").expect("a row has a place");
        let offsets = offsets.as_any().downcast_ref::<Int64Array>();
        places.extend(offsets.expect("places are numbers").values());
    }
    assert!(places.is_sorted());
    let end = i64::try_from(file.len()).expect("it is short");
    assert!(places.iter().all(|place| (0..=end).contains(place)));
    assert_eq!(places.len() as u64, reader.tally().rows);
    assert!(reader.bytes_read() <= file.len() as u64);
    (places, reader.tally().records)
}
