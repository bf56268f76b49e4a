//! Lists of URLs in every format, and malformed files.

use std::fs;
use std::io::Write;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray};
use parquet::arrow::ArrowWriter;
use verger_bulk::{
    CaptureIndexBuilder, Checker, ColumnFile, ColumnFormat, UrlColumns, When, answer_schema,
    open_urls,
};

use crate::captured::{column, lines, row, source, write_captures};

/// Returns the URL, time and reason of each row of a list.
pub(crate) fn read(
    name: &str,
    content: &[u8],
    columns: &UrlColumns,
) -> Result<Vec<String>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    let captures = [row(
        "https://a.example",
        1_789_998_000,
        "successful http 200",
        Some(""),
    )];
    let source = source(&captures, "rfc9309".parse().unwrap(), &["x"], 10);
    let reading = verger::Dialect::Rfc9309.into();
    let checker = Checker::new(&source, vec!["x".into()], reading, When::Newest);
    let mut reader = open_urls(Some(&path), None, columns).map_err(|error| error.to_string())?;
    let mut read = Vec::new();
    while let Some(rows) = reader.next_rows().map_err(|error| error.to_string())? {
        let text = |value: &serde_json::Value| value.as_str().unwrap_or("-").to_owned();
        let lines = lines(&checker, &rows);
        read.extend(lines.iter().map(|line| {
            ["url", "time", "reason"]
                .map(|key| text(&line[key]))
                .join(" ")
        }));
    }
    let folder = folder.path().to_string_lossy().into_owned();
    let problems = reader.take_problems().into_iter();
    read.extend(problems.map(|problem| problem.replace(&folder, "")));
    Ok(read)
}

pub(crate) fn with_time() -> UrlColumns {
    let mut columns = UrlColumns::default();
    columns.time = Some("at".to_owned());
    columns
}

const KNOWN: &str = "https://a.example/ 2026-09-21T13:46:40Z no-group";

#[test]
fn text_has_a_url_in_each_line() {
    let text = b"https://a.example/\r\n\n/x\nhttps://a.example/\xff";
    let expected = [
        "https://a.example/ - no-group",
        "/x - not-a-url",
        "https://a.example/\u{fffd} - no-group",
    ];
    assert_eq!(
        read("urls.txt", text, &UrlColumns::default()).unwrap(),
        expected
    );
    let packed = packed(text);
    assert_eq!(
        read("urls.txt.gz", &packed, &UrlColumns::default()).unwrap(),
        expected
    );
    let cut = read(
        "urls.txt.gz",
        &packed[..packed.len() - 9],
        &UrlColumns::default(),
    );
    assert!(cut.unwrap_err().contains("urls.txt.gz: after line"));
    let cut = read("urls.txt.gz", &packed[..12], &UrlColumns::default());
    let expected = "before the end of its first line: the file ends within a gzip member";
    assert!(cut.unwrap_err().ends_with(expected));
    let long = [b"https://a.example/".as_slice(), &vec![b'a'; 256 << 10]].concat();
    let read = read("urls.txt", &long, &UrlColumns::default()).unwrap();
    assert_eq!(read, ["- - line-too-long"]);
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

/// Returns a frame with a checksum.
fn framed(bytes: &[u8]) -> Vec<u8> {
    let mut frame = zstd::Encoder::new(Vec::new(), 1).unwrap();
    frame.include_checksum(true).unwrap();
    frame.write_all(bytes).unwrap();
    frame.finish().unwrap()
}

/// A skippable frame.
const SKIPPED: &[u8] = b"\x5A\x2A\x4D\x18\x03\0\0\0abc";

#[test]
fn lists_are_gzip_members_or_zstandard_frames_too() {
    let (one, other) = (b"url\nhttps://a.example/\n", b"https://a.example/x\n");
    let expected = [
        "https://a.example/ - no-group",
        "https://a.example/x - no-group",
    ];
    for (name, list) in [
        ("u.csv.gz", [packed(one), packed(other)].concat()),
        ("u.csv.zst", [framed(one), framed(other)].concat()),
        ("u.csv", [framed(one), packed(other)].concat()),
        (
            "u.csv",
            [SKIPPED, &framed(one), SKIPPED, SKIPPED, &framed(other)].concat(),
        ),
        ("u.csv", [one.as_slice(), other].concat()),
    ] {
        let columns = UrlColumns::default();
        assert_eq!(read(name, &list, &columns).unwrap(), expected, "{name}");
    }
    let mut wrong = framed(other);
    *wrong.last_mut().unwrap() ^= 1;
    for (after, problem) in [
        (b"\0\0\0".to_vec(), "other bytes follow the compressed data"),
        (other.to_vec(), "other bytes follow the compressed data"),
        (
            packed(other)[..20].to_vec(),
            "the file ends within a gzip member",
        ),
        (
            framed(other)[..12].to_vec(),
            "the file ends within a Zstandard frame",
        ),
        (
            SKIPPED[..10].to_vec(),
            "the file ends within a Zstandard frame",
        ),
        (
            wrong,
            "a Zstandard frame is damaged, or needs a dictionary or too much memory",
        ),
        (
            // A window of 144 MiB and an empty block.
            b"\x28\xB5\x2F\xFD\0\x89\x01\0\0".to_vec(),
            "a Zstandard frame is damaged, or needs a dictionary or too much memory",
        ),
    ] {
        let list = [packed(one), after].concat();
        let error = read("u.csv.gz", &list, &UrlColumns::default()).unwrap_err();
        assert!(error.contains("u.csv.gz: after line "), "{error}");
        assert!(error.ends_with(problem), "{error}");
    }
}

#[test]
fn rows_before_a_place_that_is_cut_come_before_the_error() {
    let folder = tempfile::tempdir().unwrap();
    let cut = |name: &str, first: &str| {
        let list = [
            packed(first.as_bytes()),
            packed(b"https://a.example/")[..12].to_vec(),
        ];
        let path = folder.path().join(name);
        fs::write(&path, list.concat()).unwrap();
        let mut reader = open_urls(Some(&path), None, &UrlColumns::default()).unwrap();
        let rows = reader.next_rows().unwrap().unwrap().len();
        (rows, reader.next_rows().is_err())
    };
    assert_eq!(
        cut("u.txt.gz", "https://a.example/\nhttps://b.example/\n"),
        (2, true)
    );
    assert_eq!(cut("u.csv.gz", "url\nhttps://a.example/\n"), (1, true));
}

#[test]
fn json_lines_and_cdxj_have_times_and_what_is_malformed_is_a_row() {
    let json = b"{\"url\":\"https://a.example/\",\"at\":\"2026-09-21T13:46:40Z\"}\n\
                 {\"url\":\"https://a.example/\",\"at\":20260921134640}\n{\"at\":1}\n[]\n{";
    let read = |name, content| read(name, content, &with_time()).unwrap();
    let expected = [
        KNOWN,
        KNOWN,
        "- - no-url",
        "- - no-url",
        "- - no-url",
        "/u.jsonl, line 4: not a JSON object",
        "/u.jsonl, line 5: not JSON: EOF while parsing an object, at column 1",
    ];
    assert_eq!(read("u.jsonl", json), expected);
    let cdxj =
        b"!meta x\nexample,a)/ 20260921134640 {\"url\": \"https://a.example/\", \"status\": 1}\n\
                 example,a)/ 2026 {\"url\": \"https://a.example/\"}\nx\n";
    let expected = [
        KNOWN,
        "https://a.example/ - no-time",
        "- - no-url",
        "/cdx-00000, line 4: not a CDXJ line: expected a key, a time and an object",
    ];
    assert_eq!(read("cdx-00000", cdxj), expected);
}

/// 2026-09-21T13:46:40Z in every form, and texts that are not times. In JSON, as number and as
/// text.
#[test]
fn numbers_are_times_since_1970_by_how_many_digits_they_have() {
    let numbers = [
        "1789998400",
        "1789998400.0",
        "1789998400000",
        "1789998400000.0009",
        "1789998400000000",
        "1789998400000000999",
        "20260921134640",
    ];
    let wrong = [
        "178999840",
        "17899984000",
        "-1789998400",
        "1.7e300",
        "20261321134640",
    ];
    let json = |numbers: &[&str]| -> String {
        let line = |at: &&str| {
            format!(
                "{{\"url\":\"https://a.example/\",\"at\":{at}}}\n\
                 {{\"url\":\"https://a.example/\",\"at\":\"{at}\"}}\n"
            )
        };
        numbers.iter().map(line).collect()
    };
    let csv = |numbers: &[&str]| -> String {
        let lines = numbers
            .iter()
            .map(|at| format!("{at},https://a.example/\n"));
        std::iter::once("at,url\n".to_owned())
            .chain(lines)
            .collect()
    };
    let without = "https://a.example/ - no-time";
    for (name, content, expected, rows) in [
        ("u.jsonl", json(&numbers), KNOWN, 2 * numbers.len()),
        ("u.csv", csv(&numbers), KNOWN, numbers.len()),
        ("u.jsonl", json(&wrong), without, 2 * wrong.len()),
        ("u.csv", csv(&wrong), without, wrong.len()),
    ] {
        let said = read(name, content.as_bytes(), &with_time()).unwrap();
        assert_eq!(said, vec![expected; rows], "{name}");
    }
    let exact = read("u.jsonl", json(&["1789998400.25"]).as_bytes(), &with_time()).unwrap();
    assert_eq!(
        exact,
        vec!["https://a.example/ 2026-09-21T13:46:40.25Z no-group"; 2]
    );
    // In an archive index, ten digits may be a year to an hour.
    let cdxj = b"example,a)/ 2026092113 {\"url\": \"https://a.example/\"}\n";
    assert_eq!(read("u.cdxj", cdxj, &with_time()).unwrap(), [without]);
}

#[test]
fn csv_has_columns_by_name() {
    let csv = b"\xEF\xBB\xBFn,at,url\n1,2026-09-21 13:46:40,\"https://a.example/\"\n\
                2,,\"https://a.example/a,\"\"b\"\"\"\n3,x\n";
    let expected = [KNOWN, "https://a.example/a,\"b\" - no-time", "- - no-url"];
    assert_eq!(read("u.csv", csv, &with_time()).unwrap(), expected);
    let missing = read("u.csv", b"a,b\n1,2\n", &with_time()).unwrap_err();
    assert!(missing.ends_with("u.csv: there is no column `url`: the first line has a, b"));
    let empty = read("u.csv", b"", &with_time()).unwrap_err();
    assert!(empty.ends_with("u.csv: the file is empty: its first line must name the columns"));
}

#[test]
fn csv_goes_on_after_the_line_of_a_quote_that_is_not_closed() {
    const NO_LINE_END: &str =
        "a quote is not closed before the line ends, and a URL has no line end";
    let cases = [
        // The last quote is on its own line.
        "url\n\"https://a.example/1\nhttps://a.example/2\n\r\n\"https://a.example/3\r\n\"https://a.example/4\"\n\"",
        "n,url\n1,\"https://a.example/1\n2,https://a.example/2\n\"3\n3\",\"https://a.example/3\r4,\"https://a.example/4\"\n5,\"",
    ];
    let lines = [[2, 5, 7], [2, 5, 6]];
    for (csv, [first, second, last]) in cases.into_iter().zip(lines) {
        let expected = [
            "- - no-url".to_owned(),
            "https://a.example/2 - no-group".to_owned(),
            "- - no-url".to_owned(),
            "https://a.example/4 - no-group".to_owned(),
            "- - no-url".to_owned(),
            format!("/u.csv, line {first}: {NO_LINE_END}"),
            format!("/u.csv, line {second}: {NO_LINE_END}"),
            format!("/u.csv, line {last}: {NO_LINE_END}"),
        ];
        let found = read("u.csv", csv.as_bytes(), &UrlColumns::default()).unwrap();
        assert_eq!(found, expected, "{csv}");
    }
}

#[test]
fn a_quote_of_another_column_may_be_open_until_the_file_ends() {
    let csv = b"url,note\nhttps://a.example/1,\"two\nlines\"\nhttps://a.example/2,\"\n\nhttps://a.example/3,x\n";
    let found = read("u.csv", csv, &UrlColumns::default()).unwrap();
    let problem = "/u.csv, line 4: a quote is not closed before the file ends";
    assert_eq!(
        found,
        ["https://a.example/1 - no-group", "- - no-url", problem]
    );
    let header = read(
        "u.csv",
        b"url,\"note\nhttps://a.example/1,x\n",
        &UrlColumns::default(),
    );
    let header = header.unwrap_err();
    assert!(
        header.ends_with("u.csv: a quote in line 1 is not closed before the file ends"),
        "{header}"
    );
}

#[test]
fn many_quotes_that_are_not_closed_are_a_row_each() {
    let csv = format!("url\n{}", "\"x\n".repeat(100_000));
    let found = read("u.csv", csv.as_bytes(), &UrlColumns::default()).unwrap();
    assert_eq!(found.len(), 100_011);
    assert!(found[..100_000].iter().all(|row| row == "- - no-url"));
}

/// Returns a Parquet file of these columns.
pub(crate) fn parquet(columns: Vec<(&str, ArrayRef)>) -> Vec<u8> {
    let batch =
        RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, c)| (n, c, true)))
            .unwrap();
    let mut file = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    file
}

#[test]
fn parquet_has_columns_of_a_type_and_broken_files_are_refused() {
    let urls: ArrayRef = Arc::new(StringArray::from(vec![Some("https://a.example/"), None]));
    let micros = vec![Some(1_790_000_000_000_000), None];
    let times: ArrayRef = Arc::new(TimestampMicrosecondArray::from(micros));
    let file = parquet(vec![("at", times), ("url", Arc::clone(&urls))]);
    let said = read("u.parquet", &file, &with_time()).unwrap();
    assert_eq!(
        said,
        [
            "https://a.example/ 2026-09-21T14:13:20Z no-group",
            "- - no-url"
        ]
    );
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![1, 2]));
    let wrong = parquet(vec![("url", numbers)]);
    let error = |file: &[u8]| read("u.parquet", file, &with_time()).unwrap_err();
    assert!(error(&wrong).ends_with("u.parquet: column `url` has type Int64, not text"));
    let without_time = parquet(vec![("url", urls)]);
    assert!(error(&without_time).ends_with("there is no column `at`: the columns are url"));
    let in_footer = file.len() - 16..file.len();
    for end in (0..in_footer.start).step_by(7).chain(in_footer) {
        assert!(error(&file[..end]).contains("u.parquet: "), "{end}");
    }
}

#[test]
fn captures_with_other_columns_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.parquet");
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["a"]));
    fs::write(&path, parquet(vec![("authority", texts)])).unwrap();
    let mut index = CaptureIndexBuilder::new().unwrap();
    let error = index.add_file(&path).unwrap_err().to_string();
    assert!(
        error.contains("c.parquet: there is no column `time`: make"),
        "{error}"
    );
    write_captures(
        &path,
        &[
            row("no authority", 0, "successful http 200", None),
            row("https://a.example", 0, "odd", None),
        ],
    );
    index.add_file(&path).unwrap();
    assert_eq!(index.indexed().unusable, 2);
}

#[test]
fn a_file_of_answers_appears_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let captures = [row(
        "https://a.example",
        1_790_000_000,
        "successful http 200",
        Some("User-agent: *\nDisallow: /a"),
    )];
    let source = source(&captures, "rfc9309".parse().unwrap(), &["x"], 10);
    let checker = Checker::new(
        &source,
        vec!["x".into()],
        verger::Dialect::Rfc9309.into(),
        When::Newest,
    );
    let urls = crate::captured::rows([
        (&b"https://a.example/a"[..], None),
        (b"https://b.example/", None),
    ]);
    let (batch, _) = checker.worker().check(&urls).unwrap();
    let create = || {
        ColumnFile::create(
            &path,
            ColumnFormat::Parquet,
            &answer_schema(None, &[]),
            &["url"],
        )
        .unwrap()
    };
    let mut file = create();
    file.write(&batch).unwrap();
    drop(file);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    let mut file = create();
    file.write(&batch).unwrap();
    assert!(!path.exists());
    file.finish().unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let file = fs::File::open(&path).unwrap();
    let reader =
        parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let read = reader.build().unwrap().next().unwrap().unwrap();
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(column(&read, "rule"), [some("Disallow: /a"), None]);
    assert_eq!(column(&read, "reason"), [some("rule"), some("no-body")]);
    assert_eq!(column(&read, "profile"), [some("rfc9309"), some("rfc9309")]);
    assert_eq!(column(&read, "line"), [some("2"), None]);
}
