//! Compressed, damaged and truncated logs.
#![cfg(feature = "zstd")]

use std::io::Write as _;
use std::path::PathBuf;

use flate2::write::GzEncoder;

use crate::past::day;
use crate::run::{Auditing, Said, file, line, shown};

fn audited(log: &PathBuf) -> Said {
    let auditing = Auditing::by("User-agent: GPTBot\nDisallow: /\n");
    auditing.logs(std::slice::from_ref(log))
}

/// Returns the number of requests of the only crawler.
fn requests(said: &Said) -> Vec<u64> {
    let rows = said.lines[1..].iter();
    rows.map(|row| row["requests"].as_u64().unwrap()).collect()
}

fn gzip(log: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(log.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn zstandard(log: &str) -> Vec<u8> {
    let mut frame = zstd::Encoder::new(Vec::new(), 1).unwrap();
    frame.include_checksum(true).unwrap();
    frame.write_all(log.as_bytes()).unwrap();
    frame.finish().unwrap()
}

#[test]
fn lines_before_a_place_that_is_cut_or_damaged_are_counted_and_the_place_is_named() {
    let lines = (0..4).map(|nth| line(day(1) + nth, "192.0.2.1", "/a", 200, "GPTBot"));
    let log = lines.collect::<String>() + "not like the others\n";
    for (compress, member) in [
        (gzip as fn(&str) -> Vec<u8>, "gzip member"),
        (zstandard as fn(&str) -> Vec<u8>, "Zstandard frame"),
    ] {
        let whole = compress(&log);
        let cut = file(".cut", [&whole, &whole[..whole.len() - 2]].concat());
        let said = audited(&cut);
        assert_eq!(requests(&said), [8], "{said:?}");
        let cut = cut.display();
        let expected = format!("cannot read `{cut}`: it ends within a {member}, after line 10");
        assert_eq!(said.errors, [expected]);
        assert_eq!(
            said.warnings,
            ["2 of 10 lines cannot be read and are not counted"]
        );

        let first = file(".first", &whole[..8]);
        let said = audited(&first);
        assert!(
            requests(&said).is_empty() && said.warnings.is_empty(),
            "{said:?}"
        );
        let first = first.display();
        let expected = format!(
            "cannot read `{first}`: it ends within a {member}, before the end of its first line"
        );
        assert_eq!(said.errors, [expected]);
    }
    let mut damaged = zstandard(&log);
    *damaged.last_mut().unwrap() ^= 1;
    let said = audited(&file(".damaged", [zstandard(&log), damaged].concat()));
    assert_eq!(requests(&said), [4], "{said:?}");
    let expected =
        "`: a Zstandard frame cannot be read: Restored data doesn't match checksum, after line 5";
    assert!(said.errors[0].ends_with(expected), "{said:?}");
}

#[test]
fn frames_to_be_skipped_are() {
    let log = line(day(1), "192.0.2.1", "/a", 200, "GPTBot");
    let without_content = b"\x50\x2A\x4D\x18\x04\0\0\0some".to_vec();
    let (skipped, frame) = (&without_content, &zstandard(&log));
    let said = audited(&file(
        ".frames",
        [skipped, frame, skipped, frame].map(Vec::as_slice).concat(),
    ));
    assert_eq!(
        (requests(&said), said.errors.len(), said.warnings.len()),
        (vec![2], 0, 0)
    );
}

#[test]
fn no_line_of_the_format_is_an_error_and_no_line_at_all_is_none() {
    let audited = |log: &[u8]| Auditing::by("").with_format("combined").log(log);
    let no_line = "no line of log matches the format `combined` (1 line): name another one with `--log-format`";
    assert_eq!(audited(b"damaged\n").errors, [no_line]);
    let blank = audited(b"\n \n");
    assert_eq!((blank.errors.len(), blank.warnings.len()), (0, 0));
    let keys = "lines without_request too_long";
    assert_eq!(shown(&blank.lines[0], keys), "2 2 0");
    let log = gzip("damaged\n");
    let cut = &audited(&log[..log.len() - 2]).errors[0];
    assert!(cut.contains("it ends within a gzip member"), "{cut}");
    let longest = audited(&vec![b'x'; 2 << 20]);
    assert_eq!(shown(&longest.lines[0], keys), "1 0 1");
}
