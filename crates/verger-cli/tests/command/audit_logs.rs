//! `audit`: logs that are compressed, damaged, cut or empty.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::write::GzEncoder;

use crate::audit::line;
use crate::past::day;
use crate::verger::{Said, file, verger_on};

fn robots(name: &str) -> PathBuf {
    file(name, "User-agent: GPTBot\nDisallow: /\n")
}

fn audit(robots: &Path, log: &Path) -> Said {
    let (robots, log) = (robots.display(), log.display());
    verger_on("", &format!("audit --format csv --robots {robots} {log}"))
}

/// How many requests of the one crawler were counted.
fn requests(said: &Said) -> Option<&str> {
    let mut rows = said.stdout.lines().map(|row| row.split(','));
    let mut row = rows.find(|row| row.clone().next() == Some("gptbot"))?;
    row.nth(4)
}

type Compress = fn(&str) -> Vec<u8>;

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
    let robots = robots("audit-cut.txt");
    let log: String = (0..4)
        .map(|nth| line(day(1) + nth, "192.0.2.1", "/a", 200, "GPTBot"))
        .collect();
    let log = log + "not like the others\n";
    let forms: [(&str, Compress, &str); 2] = [
        ("gz", gzip, "gzip member"),
        ("zst", zstandard, "Zstandard frame"),
    ];
    for (end, compress, member) in forms {
        let whole = compress(&log);
        let cut = [&whole, &whole[..whole.len() - 2]].concat();
        let cut = file(&format!("audit-cut.log.{end}"), cut);
        let said = audit(&robots, &cut);
        assert_eq!(
            (said.code, requests(&said)),
            (2, Some("8")),
            "{end}: {said:?}"
        );
        let expected = format!(
            "error: cannot read `{}`: it ends within a {member}, after line 10\n\
             warning: 2 of 10 lines cannot be read and are not counted\n",
            cut.display()
        );
        assert_eq!(said.stderr, expected, "{end}");

        let first = file(&format!("audit-cut-first.log.{end}"), &whole[..8]);
        let said = audit(&robots, &first);
        assert_eq!((said.code, requests(&said)), (2, None), "{end}: {said:?}");
        let expected = format!(
            "error: cannot read `{}`: it ends within a {member}, before the end of its first line\n",
            first.display()
        );
        assert_eq!(said.stderr, expected, "{end}");
    }
    let mut damaged = zstandard(&log);
    *damaged.last_mut().unwrap() ^= 1;
    let damaged = [zstandard(&log), damaged].concat();
    let damaged = file("audit-damaged.log.zst", damaged);
    let said = audit(&robots, &damaged);
    assert_eq!((said.code, requests(&said)), (2, Some("4")), "{said:?}");
    let expected =
        "`: a Zstandard frame cannot be read: Restored data doesn't match checksum, after line 5\n";
    assert!(said.stderr.contains(expected), "{}", said.stderr);
}

#[test]
fn frames_to_be_skipped_are() {
    let robots = robots("audit-frames.txt");
    let log = line(day(1), "192.0.2.1", "/a", 200, "GPTBot");
    let without_content = b"\x50\x2A\x4D\x18\x04\0\0\0some".to_vec();
    let frames = [
        &without_content,
        &zstandard(&log),
        &without_content,
        &zstandard(&log),
    ];
    let log = file("audit-frames.log.zst", frames.map(Vec::as_slice).concat());
    let said = audit(&robots, &log);
    assert_eq!(
        (requests(&said), said.stderr.as_str(), said.code),
        (Some("2"), "", 0)
    );
}
