//! Laws that hold for any file.

use proptest::prelude::*;

use crate::warc::{Row, gzip, ok, read, redirect, response};

fn records() -> Vec<Vec<u8>> {
    vec![
        redirect("http://a.example/robots.txt", "http://b.example/robots.txt"),
        ok(
            "http://b.example/robots.txt",
            "User-agent: *\nDisallow: /a\n",
        ),
        response("http://c.example/robots.txt", "HTTP/1.1 404 a\r\n\r\n"),
        response(
            "http://d.example/robots.txt",
            "HTTP/1.1 503 a\r\n\r\nUnavailable",
        ),
    ]
}

/// A row without the fields that a later record or the end of the file may change.
fn settled(row: &Row) -> Row {
    let mut row = row.clone();
    if row.status == Some(200) && row.redirects == Some(1) {
        row = Row {
            offset: row.offset,
            length: row.length,
            ..Row::default()
        };
    }
    row
}

/// Truncation changes no earlier record, and marks the truncated one.
fn law_of_cuts(file: &[u8], ends: &[usize]) {
    let whole = read(file).rows;
    for cut in 1..file.len() {
        let seen = read(&file[..cut]);
        let before = ends.iter().filter(|&&end| end <= cut).count();
        let is_cut = !ends.contains(&cut);
        if seen.error.is_some() {
            assert_eq!(before, 0, "{cut}");
            continue;
        }
        assert_eq!(seen.rows.len(), before + usize::from(is_cut), "{cut}");
        for (row, whole) in seen.rows.iter().zip(&whole).take(before).skip(1) {
            assert_eq!(row.offset, whole.offset);
            let is_same = settled(row) == settled(whole) || row.body.is_some();
            assert!(is_same, "{cut}: {row:?}");
        }
        if is_cut {
            let last = seen.rows.last().unwrap();
            assert_eq!(last.mark.as_deref(), Some("damaged"), "{cut}");
            assert!(last.problem.is_some() && last.outcome.is_none(), "{cut}");
        }
    }
}

fn ends(records: &[Vec<u8>]) -> Vec<usize> {
    let mut end = 0;
    let lengths = records.iter().map(|record| {
        end += record.len();
        end
    });
    lengths.collect()
}

#[test]
fn a_file_of_members_that_is_cut_says_so() {
    let members: Vec<_> = records()
        .iter()
        .map(|record| gzip(std::slice::from_ref(record)))
        .collect();
    law_of_cuts(&members.concat(), &ends(&members));
}

#[test]
fn a_plain_file_that_is_cut_says_so() {
    let records = records();
    let file = records.concat();
    let whole = read(&file).rows;
    let ends = ends(&records);
    for cut in 1..file.len() {
        let seen = read(&file[..cut]);
        // A record is complete even without the line ends after it.
        let before = ends.iter().filter(|&&end| end <= cut + 4).count();
        if seen.error.is_some() {
            assert_eq!(before, 0, "{cut}");
            continue;
        }
        let at_end =
            ends.iter().any(|&end| (end..=end + 4).contains(&(cut + 4))) || ends.contains(&cut);
        assert_eq!(seen.rows.len(), before + usize::from(!at_end), "{cut}");
        for (row, whole) in seen.rows.iter().zip(&whole).take(before).skip(2) {
            assert_eq!(
                (&row.outcome, row.offset),
                (&whole.outcome, whole.offset),
                "{cut}"
            );
        }
        if !at_end {
            assert_eq!(
                seen.rows.last().unwrap().mark.as_deref(),
                Some("damaged"),
                "{cut}"
            );
        }
    }
}

/// Generates bytes that are partly WARC.
fn odd_file() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..40),
        Just(b"WARC/1.0\r\n".to_vec()),
        Just(b"WARC-Type: response\r\n".to_vec()),
        Just(b"WARC-Target-URI: http://a.example/robots.txt\r\n".to_vec()),
        (0_u64..200).prop_map(|length| format!("Content-Length: {length}\r\n").into_bytes()),
        Just(b"Content-Type: application/http\r\n".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec()),
        Just(b"HTTP/1.1 302 a\r\nLocation: /robots.txt\r\nContent-Encoding: gzip\r\n\r\n".to_vec()),
        Just(b"\x1F\x8B\x08\x00".to_vec()),
        Just(b"\x28\xB5\x2F\xFD".to_vec()),
        Just(gzip(&records()[..2])),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_bytes_are_rows_or_an_error(file in odd_file()) {
        let seen = read(&file);
        let end = i64::try_from(file.len()).unwrap();
        for row in &seen.rows {
            prop_assert!(row.offset <= end);
            prop_assert!(row.offset + row.length.unwrap_or(0) <= end);
            prop_assert!(row.mark.is_some() || row.outcome.is_some());
            prop_assert_eq!(row.problem.is_some(), row.mark.as_deref() == Some("damaged"));
        }
    }

    #[test]
    fn a_byte_that_changes_harms_its_record_alone(at in 0_usize..1000, flip in 1_u8..) {
        let members: Vec<_> = records().iter().map(|record| gzip(std::slice::from_ref(record))).collect();
        let mut file = members.concat();
        let at = at % members[1].len();
        file[members[0].len() + at] ^= flip;
        let seen = read(&file);
        let last: Vec<_> = seen.rows.iter().rev().take(2).map(|row| row.outcome.clone()).collect();
        prop_assert_eq!(last, [Some("error http 503".to_owned()), Some("error http 404".to_owned())]);
        prop_assert!(seen.rows.len() >= 4);
    }
}
