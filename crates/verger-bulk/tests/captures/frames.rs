//! Zstandard frames: the bytes before damage, and the limit of their memory.

use std::io::Write as _;

use crate::warc::{ok, read, record};

const RULES: &str = "User-agent: *\nDisallow: /a\n";

/// Windows of 8 MiB and 16 MiB, as encoded in a frame header.
const WINDOW_OF_8_MIB: u8 = 13 << 3;
const WINDOW_OF_16_MIB: u8 = 14 << 3;

/// Returns a frame with this window and one uncompressed block.
fn frame(window: u8, bytes: &[u8]) -> Vec<u8> {
    let block = u32::try_from(bytes.len()).unwrap() << 3 | 1;
    let head = [0x28, 0xB5, 0x2F, 0xFD, 0, window];
    [&head, &block.to_le_bytes()[..3], bytes].concat()
}

/// Returns the mark and the problem of each row.
fn marks(file: &[u8]) -> Vec<(Option<String>, Option<String>)> {
    let seen = read(file);
    assert!(seen.error.is_none());
    let rows = seen.rows.into_iter();
    rows.map(|row| (row.mark, row.problem)).collect()
}

#[test]
fn records_before_the_last_one_of_a_frame_that_is_cut_are_rows() {
    let records = [
        ok("https://a.example/robots.txt", RULES),
        ok("https://b.example/robots.txt", RULES),
    ];
    let mut whole = zstd::Encoder::new(Vec::new(), 1).unwrap();
    whole.include_checksum(true).unwrap();
    whole.write_all(&records.concat()).unwrap();
    let whole = whole.finish().unwrap();
    assert_eq!(marks(&whole), [(None, None), (None, None)]);
    let cut = marks(&whole[..whole.len() - 2]);
    let [one, (mark, Some(problem))] = &*cut else {
        panic!("{cut:?}")
    };
    assert_eq!(*one, (None, None));
    assert_eq!(mark.as_deref(), Some("damaged"));
    assert!(
        problem.starts_with("the file ends within a Zstandard frame; "),
        "{problem}"
    );
}

#[test]
fn a_frame_that_needs_more_than_8_mib_is_damage_and_reading_goes_on() {
    let record = ok("https://a.example/robots.txt", RULES);
    let small = frame(WINDOW_OF_8_MIB, &record);
    let large = frame(WINDOW_OF_16_MIB, &record);
    let rows = marks(&[small.as_slice(), &large, &small].concat());
    let [first, (mark, Some(problem)), last] = &*rows else {
        panic!("{rows:?}")
    };
    assert_eq!([first, last], [&(None, None); 2]);
    assert_eq!(mark.as_deref(), Some("damaged"));
    assert!(
        problem.starts_with(
            "a Zstandard frame is damaged, or needs a dictionary or too much memory; "
        ),
        "{problem}"
    );
}

#[test]
fn a_coding_that_needs_more_than_8_mib_is_not_undone() {
    let with_coding = |window| {
        let head = b"HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\n\r\n";
        let block = [head, frame(window, RULES.as_bytes()).as_slice()].concat();
        let mut rows = read(&record(
            "response",
            "https://a.example/robots.txt",
            "",
            &block,
        ))
        .rows;
        let row = rows.pop().unwrap();
        (row.mark, row.body)
    };
    assert_eq!(with_coding(WINDOW_OF_8_MIB), (None, Some(RULES.into())));
    assert_eq!(
        with_coding(WINDOW_OF_16_MIB),
        (Some("coding".to_owned()), None)
    );
}
