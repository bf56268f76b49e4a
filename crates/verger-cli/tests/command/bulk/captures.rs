//! `verger bulk captures`: WARC files in, complete Parquet files out.

use std::fs;
use std::path::Path;

use verger_bulk::{CaptureTable, CaptureTableRow};

use crate::verger::{Said, command, empty_directory, run};

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

/// Returns the names in a directory, including temporary files.
fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Returns the number of rows of a file.
fn rows(path: &Path) -> usize {
    let mut rows = 0;
    let count = |_: CaptureTableRow<'_>| {
        rows += 1;
        true
    };
    CaptureTable::open(path).unwrap().each(count).unwrap();
    rows
}

#[test]
fn one_file_of_several_inputs_has_each_body_once_and_a_summary() {
    let directory = empty_directory("bulk-captures-one");
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
    assert_eq!(rows(&directory.join("out.parquet")), 3);
    assert_eq!(names(&directory), ["one.warc", "out.parquet", "two.warc"]);
    let quiet = captures(&directory, "one.warc --quiet -o out.parquet");
    assert_eq!((quiet.code, quiet.stderr.as_str()), (0, ""));
    assert_eq!(rows(&directory.join("out.parquet")), 2);
}

#[test]
fn parts_are_made_and_kept_and_what_is_wrong_with_an_input_is_said() {
    let directory = empty_directory("bulk-captures-parts");
    let said = |arguments: &str, code: i32, expected: &str| {
        let said = captures(&directory, arguments);
        assert_eq!(said.code, code, "{}", said.stderr);
        assert!(said.stderr.contains(expected), "{}", said.stderr);
    };
    let write = |name: &str, bytes: &str| fs::write(directory.join(name), bytes).unwrap();
    let two = [
        ok("a.example", "Disallow: /a"),
        ok("b.example", "Disallow: /b"),
    ];
    write("one.warc", &two[0]);
    write("two.warc", "no WARC\n");
    let both = "one.warc two.warc -o out/ --resume";
    said(both, 2, "error: `two.warc` is not a WARC file");
    write("two.warc", &two.concat()[..two[0].len() + 200]);
    let damage = format!(
        "warning: `two.warc` is damaged in 1 place, first at offset {}: ",
        two[0].len()
    );
    said(both, 3, &damage);
    write("two.warc", &two.concat());
    said(
        both,
        0,
        "2 files (1 kept), 2 records: 2 captures, 0 responses of other URLs, 0 without",
    );
    assert_eq!(
        names(&directory.join("out")),
        ["one.warc.parquet", "two.warc.parquet"]
    );
    said("absent.warc -o out.parquet", 2, "cannot read `absent.warc`");
    said(
        "one.warc -o absent/out.parquet",
        2,
        "cannot write `absent/out.parquet`",
    );
    write("empty.warc", "");
    let empty = "warning: `empty.warc` has no WARC record\n2 files, 1 record: 1 capture, ";
    said("empty.warc one.warc --threads 1 -o out.parquet", 0, empty);
    let empty = "warning: standard input has no WARC record\n1 file, 0 records: 0 captures, ";
    said("- -o none.parquet", 0, empty);
    let quiet = captures(&directory, "empty.warc --quiet -o none.parquet");
    assert_eq!((quiet.stderr.as_str(), quiet.code), ("", 0));
}

#[test]
fn arguments_that_do_not_go_together_are_said() {
    let directory = empty_directory("bulk-captures-mistakes");
    fs::create_dir(directory.join("a")).unwrap();
    for (arguments, expected) in [
        ("- - -o out.parquet", "`-` is given more than once"),
        ("one.warc -o -", "cannot be written to standard output"),
        (
            "one.warc -o out.parquet --resume",
            "`--resume` needs a directory",
        ),
        (
            "a/one.warc one.warc -o a",
            "two inputs would be written to the same part, `one.warc.parquet`",
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
    assert_eq!(rows(&directory.join("out.parquet")), 1);
}
