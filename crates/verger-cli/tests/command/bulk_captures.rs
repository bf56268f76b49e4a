//! `verger bulk captures`: WARC files in, Parquet out, whole or not at all.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use arrow_array::Array as _;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use verger_bulk::CaptureFile;

use crate::verger::{Said, command, run};

/// A directory of a test, empty.
fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("bulk-captures")
        .join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    directory
}

fn record(url: &str, http: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-11-01T02:03:04Z\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
        http.len()
    )
}

fn ok(host: &str, rules: &str) -> String {
    record(
        &format!("https://{host}/robots.txt"),
        &format!("HTTP/1.1 200 OK\r\n\r\nUser-agent: *\n{rules}\n"),
    )
}

fn captures(directory: &Path, arguments: &str) -> Said {
    let mut command = command();
    command.current_dir(directory).args(["bulk", "captures"]);
    run(command.args(arguments.split(' ')), "")
}

/// Names in a directory, with those of temporary files.
fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Rows of a file, and those with a body.
fn rows(path: &Path) -> (i64, i64) {
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let (mut rows, mut bodies) = (0, 0);
    for batch in builder.build().unwrap() {
        let batch = batch.unwrap();
        let body = batch.column_by_name("body").unwrap();
        rows += batch.num_rows();
        bodies += batch.num_rows() - body.null_count();
    }
    (i64::try_from(rows).unwrap(), i64::try_from(bodies).unwrap())
}

#[test]
fn one_file_of_several_inputs_has_each_body_once_and_a_summary() {
    let directory = directory("one");
    let two = [
        ok("a.example", "Disallow: /a"),
        record("https://b.example/robots.txt", "HTTP/1.1 404 a\r\n\r\n"),
    ];
    fs::write(directory.join("one.warc"), two.concat()).unwrap();
    fs::write(directory.join("two.warc"), ok("c.example", "Disallow: /a")).unwrap();
    let said = captures(&directory, "one.warc two.warc -o out.parquet");
    assert_eq!(
        (said.code, said.stdout.as_str()),
        (0, ""),
        "{}",
        said.stderr
    );
    let lines: Vec<&str> = said.stderr.lines().collect();
    assert_eq!(
        lines[..3],
        [
            "2 files, 3 records: 3 captures, 0 responses of other URLs, 0 without a response",
            "           2  successful http 200",
            "           1  error http 404",
        ]
    );
    assert_eq!(rows(&directory.join("out.parquet")), (3, 1));
    assert_eq!(names(&directory), ["one.warc", "out.parquet", "two.warc"]);
    let quiet = captures(&directory, "one.warc --quiet -o out.parquet");
    assert_eq!((quiet.code, quiet.stderr.as_str()), (0, ""));
    assert_eq!(rows(&directory.join("out.parquet")), (2, 1));
}

#[test]
fn a_directory_gets_a_part_of_each_and_a_run_goes_on() {
    let directory = directory("parts");
    fs::write(directory.join("one.warc"), ok("a.example", "Disallow: /a")).unwrap();
    fs::write(directory.join("two.warc"), "no WARC\n").unwrap();
    let said = captures(&directory, "one.warc two.warc -o out/");
    assert_eq!(said.code, 2);
    assert!(
        said.stderr.contains("error: `two.warc` is no WARC file"),
        "{}",
        said.stderr
    );
    assert_eq!(names(&directory.join("out")), ["one.warc.parquet"]);
    let one = directory.join("out/one.warc.parquet");
    let before = fs::metadata(&one).unwrap().modified().unwrap();
    fs::write(directory.join("two.warc"), ok("b.example", "Disallow: /b")).unwrap();
    let said = captures(&directory, "one.warc two.warc -o out/ --resume");
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(
        said.stderr.starts_with(
            "2 files (1 kept), 1 record: 1 capture, 0 responses of other URLs, 0 without"
        ),
        "{}",
        said.stderr
    );
    assert_eq!(fs::metadata(&one).unwrap().modified().unwrap(), before);
    // An input of another size is read again, and so is a part that is not whole.
    fs::write(
        directory.join("one.warc"),
        ok("a.example", "Disallow: /other"),
    )
    .unwrap();
    fs::write(directory.join("out/two.warc.parquet"), "PAR1").unwrap();
    assert_eq!(
        captures(&directory, "one.warc two.warc -o out --resume --quiet").code,
        0
    );
    for part in ["one.warc.parquet", "two.warc.parquet"] {
        assert_eq!(rows(&directory.join("out").join(part)), (1, 1));
    }
    let identity = CaptureFile::sound_inputs_of(&one).unwrap();
    assert!(identity.starts_with("one.warc "), "{identity}");
}

#[test]
fn damage_is_said_and_a_part_with_damage_is_made_again() {
    let directory = directory("damage");
    let whole = [
        ok("a.example", "Disallow: /a"),
        ok("b.example", "Disallow: /b"),
    ];
    let (cut_at, whole) = (whole[0].len(), whole.concat());
    let damaged = whole.replacen("WARC-Target-URI", "WARC-Target-Uxx", 1);
    fs::write(directory.join("one.warc"), &damaged).unwrap();
    fs::write(directory.join("two.warc"), &whole[..cut_at + 200]).unwrap();
    let said = captures(&directory, "one.warc two.warc -o out/");
    assert_eq!(said.code, 3, "{}", said.stderr);
    let expected = format!("warning: `two.warc` is damaged in 1 place, first at offset {cut_at}: ");
    assert!(said.stderr.contains(&expected), "{}", said.stderr);
    let quiet = captures(&directory, "two.warc --quiet -o one.parquet");
    assert_eq!((quiet.code, quiet.stderr.as_str()), (3, ""));
    // Both are fetched again, the first with as many octets as before.
    for (name, kept) in [
        ("one.warc", ""),
        ("two.warc", " (1 kept)"),
        ("two.warc", " (2 kept)"),
    ] {
        fs::write(directory.join(name), &whole).unwrap();
        let said = captures(&directory, "one.warc two.warc -o out/ --resume");
        let expected = format!("2 files{kept}, ");
        assert!(said.stderr.contains(&expected), "{}", said.stderr);
    }
    for part in ["out/one.warc.parquet", "out/two.warc.parquet"] {
        assert_eq!(rows(&directory.join(part)), (2, 2));
    }
}

#[test]
fn a_file_that_fails_leaves_what_was_there() {
    let directory = directory("whole");
    fs::write(directory.join("one.warc"), ok("a.example", "Disallow: /a")).unwrap();
    fs::write(directory.join("out.parquet"), "old").unwrap();
    let said = captures(&directory, "one.warc absent.warc -o out.parquet");
    assert_eq!(said.code, 2);
    assert!(
        said.stderr.contains("cannot read `absent.warc`"),
        "{}",
        said.stderr
    );
    assert_eq!(
        fs::read_to_string(directory.join("out.parquet")).unwrap(),
        "old"
    );
    assert_eq!(names(&directory), ["one.warc", "out.parquet"]);
    let said = captures(&directory, "one.warc -o absent/out.parquet");
    assert_eq!(said.code, 2);
    assert!(
        said.stderr.contains("cannot write `absent/out.parquet`"),
        "{}",
        said.stderr
    );
}

#[test]
fn a_file_without_a_record_is_named_and_fails_nothing() {
    let directory = directory("empty");
    let gzip_of_nothing = b"\x1F\x8B\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0";
    fs::write(directory.join("empty.warc"), "").unwrap();
    fs::write(directory.join("empty.warc.gz"), gzip_of_nothing).unwrap();
    fs::write(directory.join("one.warc"), ok("a.example", "Disallow: /a")).unwrap();
    let warnings = "warning: `empty.warc` has no WARC record\n\
                    warning: `empty.warc.gz` has no WARC record\n\
                    3 files, 1 record: 1 capture, ";
    for output in ["out.parquet", "out/"] {
        let arguments = format!("empty.warc empty.warc.gz one.warc --threads 1 -o {output}");
        let said = captures(&directory, &arguments);
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert!(said.stderr.starts_with(warnings), "{}", said.stderr);
    }
    assert_eq!(rows(&directory.join("out.parquet")), (1, 1));
    assert_eq!(rows(&directory.join("out/empty.warc.parquet")), (0, 0));
    let said = captures(&directory, "- -o none.parquet");
    assert_eq!(said.code, 0, "{}", said.stderr);
    let expected = "warning: standard input has no WARC record\n1 file, 0 records: 0 captures, ";
    assert!(said.stderr.starts_with(expected), "{}", said.stderr);
    let said = captures(&directory, "empty.warc --quiet -o none.parquet");
    assert_eq!((said.stderr.as_str(), said.code), ("", 0));
}

#[test]
fn arguments_that_do_not_go_together_are_said() {
    let directory = directory("mistakes");
    fs::create_dir(directory.join("a")).unwrap();
    for (arguments, expected) in [
        ("- - -o out.parquet", "`-` is given several times"),
        ("one.warc -o -", "not to standard output"),
        (
            "one.warc -o out.parquet --resume",
            "`--resume` needs a directory",
        ),
        (
            "a/one.warc one.warc -o a",
            "two inputs would have the same part, `one.warc.parquet`",
        ),
    ] {
        let said = captures(&directory, arguments);
        assert_eq!(said.code, 2, "{arguments}");
        assert!(said.stderr.contains(expected), "{}", said.stderr);
    }
    let mut command = command();
    command
        .current_dir(&directory)
        .args(["bulk", "captures", "-", "--quiet", "-o", "out.parquet"]);
    let said = run(&mut command, ok("a.example", "Allow: /"));
    assert_eq!((said.code, said.stderr.as_str()), (0, ""));
    assert_eq!(rows(&directory.join("out.parquet")), (1, 1));
}
