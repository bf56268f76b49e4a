//! Lists of URLs that are not in the expected format.

use std::fs;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;

use crate::bulk::check::{BODY, folder, text};
use crate::verger::{Said, json_lines, verger};

/// Checks a list of this name.
fn check(name: &str, list: &[u8], options: &[&str]) -> Said {
    let folder = folder(&format!("lists-{name}"));
    let (robots, list_path) = (folder.join("robots.txt"), folder.join(name));
    fs::write(&robots, BODY).unwrap();
    fs::write(&list_path, list).unwrap();
    let (robots, list) = (text(&robots), text(&list_path));
    let arguments = ["bulk", "check", &list, "--robots", &robots, "-a", "CCBot"];
    verger(arguments.iter().chain(options), "")
}

#[test]
fn an_option_about_columns_needs_a_list_with_columns() {
    let list = b"https://e.example/a,2026-10-31T12:00:00Z\n";
    let (url, time) = (["--url-column", "page"], ["--time-column", "at"]);
    let text = "it is read as text with one URL per line";
    let cdxj = "it is read as CDXJ, where the URL and the time have fixed positions";
    let other = "\nhelp: use `--input-format csv`, `jsonl` or `parquet` if it has another format";
    for (name, option, form) in [
        ("urls.tsv", url, text),
        ("urls.list", time, text),
        ("cdx-00000.gz", time, cdxj),
    ] {
        let said = check(name, list, &option);
        assert_eq!((said.code, said.stdout.as_str()), (2, ""));
        let expected = format!("{name}: {form}{other}\n");
        assert!(said.stderr.ends_with(&expected), "{}", said.stderr);
        let begin = format!("`{}` does not apply to ", option[0]);
        assert!(said.stderr.contains(&begin), "{}", said.stderr);
    }
    let named = ["--input-format", "text", "--time-column", "at"];
    let said = check("urls.csv", list, &named);
    let expected = format!("urls.csv: {text}\n");
    assert!(
        said.code == 2 && said.stderr.ends_with(&expected),
        "{}",
        said.stderr
    );
    // Where one list has columns and the other has none.
    let standard = ["-", "--time-column", "at", "--quiet"];
    let said = check(
        "both.csv",
        b"url,at\nhttps://e.example/a,2026-11-20\n",
        &standard,
    );
    let expected = format!("`--time-column` does not apply to standard input: {text}{other}\n");
    assert!(
        said.code == 2 && said.stderr.ends_with(&expected),
        "{}",
        said.stderr
    );
    let named = ["--input-format", "csv", "--time-column", "at", "--quiet"];
    let said = check(
        "named.tsv",
        b"url,at\nhttps://e.example/a,2026-11-20\n",
        &named,
    );
    assert_eq!(json_lines(&said.stdout)[0]["allowed"], true);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""));
}

#[test]
fn a_panic_over_a_malformed_file_becomes_an_error_and_is_not_printed() {
    let urls: ArrayRef = Arc::new(StringArray::from(vec!["https://e.example/1"]));
    let urls = RecordBatch::try_from_iter([("url", urls)]).unwrap();
    let options = ArrowWriterOptions::new().with_skip_arrow_metadata(true);
    let writer = ArrowWriter::try_new_with_options(Vec::new(), urls.schema(), options);
    let mut writer = writer.unwrap();
    writer.write(&urls).unwrap();
    let file = writer.into_inner().unwrap();
    // The footer is before its length and four letters.
    let (before, _) = file.split_last_chunk::<4>().unwrap();
    let (before, length) = before.split_last_chunk::<4>().unwrap();
    let footer = before.len() - usize::try_from(u32::from_le_bytes(*length)).unwrap();
    let mut turns = (footer..before.len()).flat_map(|at| [(at, 1), (at, 0x80)]);
    let is_caught = turns.any(|(at, bit)| {
        let mut turned = file.clone();
        turned[at] ^= bit;
        let said = check("turned.parquet", &turned, &["--quiet"]);
        assert!(!said.stderr.contains("panicked"), "{at}: {}", said.stderr);
        said.code == 2 && said.stderr.contains("turned.parquet: malformed: ")
    });
    assert!(is_caught, "no turned byte makes the reader panic");
}
