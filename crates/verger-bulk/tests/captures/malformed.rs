//! Damage becomes a mark or an error, with its position.

use verger_bulk::{CaptureReader, CaptureSettings};

use crate::warc::{gzip, member, ok, read, record, response};

const RULES: &str = "User-agent: *\nDisallow: /a\n";

fn good(name: &str) -> Vec<u8> {
    ok(&format!("https://{name}.example/robots.txt"), RULES)
}

/// Reads a record between two good ones. Returns the mark, problem and outcome of its row.
fn between(odd: &[u8]) -> (Option<String>, Option<String>, Option<String>) {
    let (first, last) = (member(&good("first")), member(&good("last")));
    let seen = read(&[&first, odd, &last].concat());
    assert!(seen.error.is_none());
    let [before, row, after] = &*seen.rows else {
        panic!("{:?}", seen.rows)
    };
    assert_eq!(before.authority.as_deref(), Some("https://first.example"));
    assert_eq!(after.authority.as_deref(), Some("https://last.example"));
    assert_eq!(after.outcome.as_deref(), Some("successful http 200"));
    assert_eq!(row.offset, i64::try_from(first.len()).unwrap());
    assert_eq!(row.body, None, "not trusted, or the body of the first row");
    (row.mark.clone(), row.problem.clone(), row.outcome.clone())
}

#[track_caller]
fn assert_damaged(odd: &[u8], problem: &str) {
    let (mark, said, outcome) = between(odd);
    assert_eq!((mark.as_deref(), outcome), (Some("damaged"), None));
    let said = said.unwrap();
    assert!(said.contains(problem), "{said}");
}

#[test]
fn damaged_members_are_rows_and_reading_goes_on() {
    let odd = member(&good("odd"));
    let mut of_check = odd.clone();
    let at = of_check.len() - 5;
    of_check[at] ^= 0x55;
    assert_damaged(&of_check, "a gzip member has a wrong checksum");
    let mut of_bytes = odd.clone();
    of_bytes[30] ^= 0x55;
    assert_damaged(&of_bytes, "a gzip member");
    // The next member follows directly.
    assert_damaged(&odd[..odd.len() / 2], "a gzip member");
    assert_damaged(
        b"\x1F\x8B\x08\xFF",
        "the header of a gzip member is malformed",
    );
    assert_damaged(&member(b"no record\r\n\r\n"), "no WARC record starts here");
    assert_damaged(
        &member(b"WARC/1.0\r\nWARC-Type: response\r\n"),
        "ends within its head",
    );
}

/// Returns a good record with another `Content-Length`.
fn with_length(name: &str, length: &str) -> Vec<u8> {
    let text = String::from_utf8(good(name)).unwrap();
    let mut lines = text.lines();
    let line = lines.find(|line| line.starts_with("Content-Length"));
    let text = text.replace(line.unwrap(), &format!("Content-Length: {length}"));
    text.into_bytes()
}

/// Returns the name and mark of each row, or `good` if its rules are those that were written.
fn names_and_marks(bytes: &[u8]) -> Vec<String> {
    let rows = read(bytes).rows.into_iter();
    let shown = rows.map(|row| {
        let authority = row.authority.clone().unwrap_or_default();
        let name = authority
            .trim_start_matches("https://")
            .replace(".example", "");
        let is_good = row.outcome.as_deref() == Some("successful http 200")
            && row.body_bytes == Some(27)
            && row.mark.is_none();
        let mark = if is_good {
            "good".to_owned()
        } else {
            row.mark.clone().unwrap_or_else(|| panic!("{row:?}"))
        };
        assert_eq!(row.outcome.is_some(), is_good);
        format!("{name} {mark}")
    });
    shown.collect()
}

#[test]
fn after_a_wrong_length_plain_records_are_rows_that_are_in_doubt() {
    // The block has 46 bytes and ends with a line end. Four bytes of line ends follow it.
    for length in [
        "0",
        "10",
        "44",
        "51",
        "100",
        "400",
        "99999",
        "18446744073709551615",
        "x",
    ] {
        let odd = with_length("odd", length);
        let file = [good("first"), odd, good("next"), good("last")].concat();
        let [next, last] = ["next resynchronised", "last resynchronised"];
        let expected = ["first good", "odd damaged", next, last];
        assert_eq!(names_and_marks(&file), expected, "{length}");
    }
    for length in ["47", "48", "49", "50"] {
        let odd = with_length("odd", length);
        let expected = ["first good", "odd damaged", "next good"];
        let file = [good("first"), odd.clone(), good("next")].concat();
        assert_eq!(names_and_marks(&file), expected, "{length}");
        let file = [good("first"), odd, good("next")].map(|record| member(&record));
        assert_eq!(names_and_marks(&file.concat()), expected, "{length}");
    }
    // Some writers end records with a different number of empty lines.
    let mut loose = good("first");
    loose.extend_from_slice(b"\r\n\n");
    let short = good("next");
    let short = &short[..short.len() - 2];
    let file = [&*loose, short, &member(&good("last"))].concat();
    assert_eq!(
        names_and_marks(&file),
        ["first good", "next good", "last good"]
    );
}

#[test]
fn after_a_wrong_length_before_a_gzip_body_no_record_is_passed_over() {
    let url = "https://odd.example/robots.txt";
    let head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n";
    for body in [
        member(RULES.as_bytes()),
        zstd::bulk::compress(RULES.as_bytes(), 1).unwrap(),
        // Bytes that start like a member, and a line that does not start a record.
        b"\x1F\x8B\x08\x00\n\nWARC/1.0 is a version\r\n\x28\xB5\x2F\xFD".to_vec(),
    ] {
        let block = [&head[..], &body].concat();
        let odd = record("response", url, "", &block);
        let length = format!("Content-Length: {}", block.len());
        let at = memchr::memmem::find(&odd, length.as_bytes()).unwrap();
        for wrong in ["0", "40", "99999", "18446744073709551615"] {
            let wrong = format!("Content-Length: {wrong}");
            let odd = [&odd[..at], wrong.as_bytes(), &odd[at + length.len()..]].concat();
            let rest: Vec<_> = (0..200).map(|nth| good(&format!("n{nth}"))).collect();
            // A member may follow.
            let file = [
                good("first"),
                odd.clone(),
                rest.concat(),
                member(&good("last")),
            ];
            let rows = read(&file.concat()).rows;
            assert_eq!(rows.len(), 203, "{wrong}");
            let names = rows.iter().map(|row| row.authority.as_deref().unwrap());
            let expected = (0..200).map(|nth| format!("https://n{nth}.example"));
            assert!(names.skip(2).take(200).eq(expected), "{wrong}");
            let mut marks = rows.iter().map(|row| row.mark.as_deref());
            assert_eq!(
                (marks.next(), marks.next()),
                (Some(None), Some(Some("damaged")))
            );
            assert!(marks.all(|mark| mark == Some("resynchronised")), "{wrong}");
            let said = format!("{} bytes are skipped", odd.len());
            let problem = rows[1].problem.as_deref().unwrap();
            assert!(problem.contains(&said), "{problem}");
        }
    }
}

#[test]
fn a_length_beyond_the_file_passes_over_no_record() {
    let odd = with_length("odd", "18446744073709551615");
    let rest = vec![good("next"); 20_000].concat();
    let file = [good("first"), odd.clone(), rest].concat();
    let reader = CaptureReader::new(&*file, "f.warc", CaptureSettings::default());
    let mut reader = reader.of_bytes(file.len() as u64);
    let rows: usize = reader.by_ref().map(|batch| batch.unwrap().num_rows()).sum();
    assert_eq!(rows, 20_002);
    assert_eq!(reader.tally().marks["resynchronised"], 20_000);
}

/// A body may contain the bytes of a record, and a wrong length leads into it.
#[test]
fn a_record_within_a_body_is_no_capture_of_its_site() {
    let victim = ok(
        "https://victim.example/robots.txt",
        "User-agent: *\nDisallow: /\n",
    );
    let forged = ok(
        "https://victim.example/robots.txt",
        "User-agent: *\nDisallow:\n",
    );
    let http = [b"HTTP/1.1 200 OK\r\n\r\n# hello\n\n", &*forged].concat();
    let evil = record("response", "https://evil.example/robots.txt", "", &http);
    let evil = String::from_utf8(evil).unwrap();
    for length in [http.len() - 20, 0, http.len() + 20] {
        let lengths = [http.len(), length].map(|bytes| format!("Content-Length: {bytes}"));
        let evil = evil.replacen(&lengths[0], &lengths[1], 1).into_bytes();
        let last = good("last");
        let plain = [&*victim, &evil, &last].concat();
        let one_member = member(&plain);
        let members = [member(&victim), member(&evil), member(&last)].concat();
        for file in [plain, one_member, members] {
            let rows = read(&file).rows;
            let captures = rows.iter().filter(|row| row.outcome.is_some());
            let of_victim =
                captures.filter(|row| row.authority.as_deref() == Some("https://victim.example"));
            assert_eq!(of_victim.count(), 1, "{length}: {rows:?}");
            assert_eq!(rows[1].mark.as_deref(), Some("damaged"), "{length}");
        }
    }
}

#[test]
fn within_a_member_reading_goes_on_with_the_next_record() {
    let file = |length: &str| {
        let odd = with_length("odd", length);
        member(&[good("first"), odd, good("next"), good("last")].concat())
    };
    for length in ["0", "10", "44", "x"] {
        let expected = [
            "first good",
            "odd damaged",
            "next resynchronised",
            "last resynchronised",
        ];
        assert_eq!(names_and_marks(&file(length)), expected, "{length}");
    }
    // Bytes that a length skipped are not decoded again.
    for length in ["60", "100"] {
        let expected = ["first good", "odd damaged", "last resynchronised"];
        assert_eq!(names_and_marks(&file(length)), expected, "{length}");
        let problem = read(&file(length)).rows[1].problem.clone();
        let said = "its Content-Length is wrong: no record starts after it; reading continues with the next record in the member";
        assert_eq!(problem.as_deref(), Some(said));
    }
    // A long rest without a record, which ends inside the searched pattern, and another member.
    let mut odd = with_length("odd", "0");
    odd.resize(300_000, b'W');
    let file = [member(&odd), member(&good("last"))].concat();
    assert_eq!(names_and_marks(&file), ["odd damaged", "last good"]);
    for bytes in 65_500..65_560 {
        let mut odd = with_length("odd", "0");
        odd.resize(bytes, b'W');
        let file = member(&[odd, good("last")].concat());
        assert_eq!(
            names_and_marks(&file),
            ["odd damaged", "last resynchronised"],
            "{bytes}"
        );
    }
}

#[test]
fn lengths_that_lie_are_said() {
    let of_length = |length: &str| member(&with_length("odd", length));
    assert_damaged(&of_length("99999"), "bytes shorter than its Content-Length");
    assert_damaged(
        &of_length("18446744073709551615"),
        "bytes shorter than its Content-Length",
    );
    assert_damaged(
        &of_length("20"),
        "its Content-Length is wrong: no record starts after it",
    );
    assert_damaged(&of_length("-1"), "no readable Content-Length");
    assert_damaged(&of_length(""), "no readable Content-Length");
}

#[test]
fn a_row_that_is_damaged_has_the_url_that_was_read() {
    let bytes = member(&good("odd"));
    let row = &read(&bytes[..bytes.len() - 4]).rows[0];
    assert_eq!(row.mark.as_deref(), Some("damaged"));
    assert_eq!(row.authority.as_deref(), Some("https://odd.example"));
    assert_eq!(row.time, Some(1_793_498_584_500_000));
    assert_eq!(
        (&row.outcome, &row.stance, &row.body),
        (&None, &None, &None)
    );
    let problem = row.problem.as_deref().unwrap();
    assert!(
        problem.starts_with("the file ends within a gzip member"),
        "{problem}"
    );
}

#[test]
fn what_is_no_http_is_marked() {
    let odd = record(
        "response",
        "https://odd.example/robots.txt",
        "",
        b"\x16\x03\x01 TLS",
    );
    let (mark, problem, outcome) = between(&member(&odd));
    assert_eq!(
        (mark.as_deref(), problem, outcome),
        (Some("no-http"), None, None)
    );
    let odd = record(
        "resource",
        "https://odd.example/robots.txt",
        "",
        b"User-agent: *",
    );
    assert_eq!(between(&member(&odd)).0.as_deref(), Some("no-http"));
    let odd = record(
        "revisit",
        "https://odd.example/robots.txt",
        "",
        b"HTTP/1.1 200 OK\r\n\r\n",
    );
    assert_eq!(between(&member(&odd)).0.as_deref(), Some("revisit"));
}

#[test]
fn urls_that_cannot_be_read_are_said() {
    let said = |url: &str| between(&member(&ok(url, RULES)));
    let long = format!("https://odd.example/{}", "a".repeat(10_000_000));
    for (url, expected) in [
        ("", "relative URL without a base"),
        ("/robots.txt", "relative URL without a base"),
        ("https://", "empty host"),
        (&long, "the URL of the record is too long"),
    ] {
        let (mark, problem, outcome) = said(url);
        assert_eq!((mark.as_deref(), outcome), (Some("damaged"), None));
        let problem = problem.unwrap();
        assert!(problem.contains(expected), "{problem}");
    }
    let without = good("odd");
    let without = String::from_utf8(without)
        .unwrap()
        .replace("WARC-Target-URI", "X");
    let (_, problem, _) = between(&member(without.as_bytes()));
    assert_eq!(
        problem.as_deref(),
        Some("the record has no WARC-Target-URI")
    );
}

#[test]
fn bodies_that_are_not_whole_are_marked() {
    let url = "https://odd.example/robots.txt";
    let body =
        |head: &str, body: &str| response(url, &format!("HTTP/1.1 200 OK\r\n{head}\r\n{body}"));
    let row = |record: Vec<u8>| read(&gzip(&[record])).rows.remove(0);
    let short = row(body("Content-Length: 99\r\n", "User"));
    assert_eq!(short.mark.as_deref(), Some("truncated"));
    assert_eq!(
        (short.outcome.as_deref(), short.status),
        (Some("failed truncated"), Some(200))
    );
    let chunks = row(body(
        "Transfer-Encoding: chunked\r\n",
        "5\r\nabc\r\n0\r\n\r\n",
    ));
    assert_eq!(chunks.mark.as_deref(), Some("coding"));
    assert_eq!(chunks.outcome.as_deref(), Some("failed chunking"));
    let coding = row(body("Content-Encoding: br\r\n", "\u{1}\u{2}\u{3}"));
    assert_eq!(coding.mark.as_deref(), Some("coding"));
    assert_eq!(coding.outcome.as_deref(), Some("failed content-encoding"));
    let http = format!("HTTP/1.1 200 OK\r\n\r\n{RULES}Disallow: /cut");
    let truncated = |why: &str| {
        row(record(
            "response",
            url,
            &format!("WARC-Truncated: {why}\r\n"),
            http.as_bytes(),
        ))
    };
    let segment = row(record(
        "response",
        url,
        "WARC-Segment-Number: 1\r\n",
        http.as_bytes(),
    ));
    assert_eq!(segment.mark.as_deref(), Some("truncated"));
    assert_eq!(segment.body.as_deref(), Some(RULES.as_bytes()));
    let by_length = truncated("length");
    assert_eq!(by_length.mark.as_deref(), Some("truncated"));
    assert_eq!(by_length.outcome.as_deref(), Some("successful http 200"));
    assert_eq!(
        by_length.body.as_deref(),
        Some(RULES.as_bytes()),
        "without the line that is cut"
    );
    assert_eq!(
        truncated("disconnect").outcome.as_deref(),
        Some("failed reset")
    );
    assert_eq!(truncated("time").outcome.as_deref(), Some("failed timeout"));
}

#[test]
fn a_bomb_is_cut_and_said() {
    let mut bomb = b"HTTP/1.1 200 OK\r\n\r\nUser-agent: *\nDisallow: /a\n".to_vec();
    bomb.resize(8_000_000, b'\n');
    let odd = member(&record(
        "response",
        "https://odd.example/robots.txt",
        "",
        &bomb,
    ));
    let seen = read(&[odd, member(&good("last"))].concat());
    assert_eq!(seen.rows.len(), 2);
    let row = &seen.rows[0];
    assert_eq!(row.mark.as_deref(), Some("truncated"));
    assert_eq!(row.body_bytes, Some(512_000));
    assert_eq!(seen.rows[1].outcome.as_deref(), Some("successful http 200"));
}

#[test]
fn a_file_that_is_none_is_an_error() {
    let page = member(b"<html>");
    for bytes in [
        &b"User-agent: *\n"[..],
        &member(b"User-agent: *\n"),
        b"PAR1\x00\x00",
        b"<html>",
        &page,
        // Its end is damaged, and no line end comes before it.
        &page[..page.len() - 8],
        &vec![0; 100_000],
    ] {
        let seen = read(bytes);
        assert_eq!(seen.rows, []);
        let error = seen.error.unwrap().to_string();
        assert!(
            error.starts_with("`test.warc.gz` is not a WARC file"),
            "{error}"
        );
    }
    let empty = read(b"");
    assert!(empty.rows.is_empty() && empty.error.is_none());
}

#[test]
fn a_file_that_cannot_be_read_is_an_error_after_the_rows() {
    use std::io::{self, Read};

    struct Fails;

    impl Read for Fails {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }

    let frame = zstd::bulk::compress(&good("first"), 1).unwrap();
    // Plain bytes, a gzip member and a Zstandard frame, cut at their end and inside the next one.
    for first in [good("first"), member(&good("first")), frame] {
        for within in [0, 20] {
            let read = [&*first, &first[..within]].concat();
            let input = (&*read).chain(Fails);
            let settings = CaptureSettings::default();
            let mut reader = CaptureReader::new(input, "f.warc", settings);
            assert_eq!(reader.next().unwrap().unwrap().num_rows(), 1);
            let error = reader.next().unwrap().unwrap_err().to_string();
            let after = read.len();
            let expected = format!("cannot read `f.warc` after offset {after}: the disk is gone");
            assert_eq!(error, expected);
            assert!(reader.next().is_none());
        }
    }
}

#[test]
fn odd_bytes_in_headers_are_kept_apart_from_what_is_read() {
    let http = b"HTTP/1.1 301 caf\xE9\r\nX: \xFF\xFE\r\nLocation: /\xE9\r\n\r\n";
    let odd = record(
        "response",
        "https://odd.example/robots.txt",
        "X: \u{e9}\r\n",
        http,
    );
    let (mark, problem, outcome) = between(&member(&odd));
    assert_eq!((mark, problem), (None, None));
    assert_eq!(outcome.as_deref(), Some("redirect bad-location"));
}
