//! Kept columns, and the list and row of each answer. Nested columns, arrays, directories.

use std::fs;
use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Float32Array, Int32Array, Int64Array, StringArray,
    StructArray, UInt64Array,
};
use arrow_schema::{DataType, Field};
use serde_json::{Value, json};
use verger_bulk::{Checker, UrlColumns, When, list_files, open_urls};

use crate::captured::{lines, source};
use crate::inputs::{parquet, read};

fn columns(url: &str, time: Option<&str>, keep: &[&str]) -> UrlColumns {
    let mut columns = UrlColumns::default();
    url.clone_into(&mut columns.url);
    columns.time = time.map(str::to_owned);
    columns.keep = keep.iter().map(|&name| name.to_owned()).collect();
    columns
}

/// Returns the row, crawler and kept values of each answer, and the reported problems.
fn kept(name: &str, content: &[u8], columns: &UrlColumns) -> (Vec<Value>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    let source = source(&[], "rfc9309".parse().unwrap(), &["x", "y"], 10);
    let reading = verger::Dialect::Rfc9309.into();
    let names = vec!["x".into(), "y".into()];
    let checker = Checker::new(&source, names, reading, When::Newest);
    let mut reader = open_urls(Some(&path), None, columns).unwrap();
    let mut said = Vec::new();
    while let Some(mut rows) = reader.next_rows().unwrap() {
        // However rows are split.
        let after = rows.split_off(rows.rows_within(1));
        for part in [rows, after] {
            for line in lines(&checker, &part) {
                assert_eq!(line["input"], path.to_string_lossy().as_ref());
                let mut values = vec![line["row"].clone(), line["crawler"].clone()];
                values.extend(columns.keep.iter().map(|name| line[name].clone()));
                said.push(Value::Array(values));
            }
        }
    }
    (said, reader.take_problems())
}

#[test]
fn answers_have_the_row_and_what_is_kept_of_it() {
    let long = "l".repeat((256 << 10) + 1);
    let csv = format!("id,url,note\n7,https://a.example/,\"b, c\"\n8\n9,,{long}\n");
    let jsonl = "{\"id\":7,\"url\":\"https://a.example/\",\"note\":\"b, c\"}\n\n[]\n\
                 {\"id\":null,\"url\":\"/\",\"note\":{\"d\":[1]}}\n";
    let cdxj = "example,a)/ 2026 {\"url\":\"https://a.example/\",\"id\":\"7\",\"note\":\"b, c\"}\n\
                x\nexample,a)/ 2026 {\"url\":\"https://a.example/\",\"note\":true}\n";
    for (name, list, expected, problems) in [
        (
            "u.csv",
            &*csv,
            [json!(["7", "b, c"]), json!(["8", null]), json!(["9", null])],
            1,
        ),
        (
            "u.jsonl",
            jsonl,
            [
                json!(["7", "b, c"]),
                json!([null, null]),
                json!([null, "{\"d\":[1]}"]),
            ],
            1,
        ),
        (
            "u.cdxj",
            cdxj,
            [
                json!(["7", "b, c"]),
                json!([null, null]),
                json!([null, "true"]),
            ],
            1,
        ),
    ] {
        let (said, sentences) = kept(
            name,
            list.as_bytes(),
            &columns("url", None, &["id", "note"]),
        );
        let rows = (1..).zip(expected).flat_map(|(row, values)| {
            ["x", "y"].map(|crawler| json!([row, crawler, values[0], values[1]]))
        });
        assert_eq!(said, rows.collect::<Vec<_>>(), "{name}");
        assert_eq!(sentences.len(), problems, "{name}: {sentences:?}");
    }
    let (said, _) = kept("u.txt", b"\na\nb\n", &columns("url", None, &[]));
    assert_eq!(
        said,
        [
            json!([1, "x"]),
            json!([1, "y"]),
            json!([2, "x"]),
            json!([2, "y"])
        ]
    );
}

fn structure(fields: Vec<(&str, ArrayRef)>) -> ArrayRef {
    let fields = fields.into_iter().map(|(name, column)| {
        let field = Field::new(name, column.data_type().clone(), true);
        (Arc::new(field), column)
    });
    Arc::new(StructArray::from(fields.collect::<Vec<_>>()))
}

#[test]
fn columns_of_parquet_keep_their_type_and_may_be_nested() {
    let urls: ArrayRef = Arc::new(StringArray::from(vec!["https://a.example/", "/x"]));
    let notes: ArrayRef = Arc::new(StringArray::from(vec![
        Some("a text of more than twelve"),
        None,
    ]));
    let page = structure(vec![
        ("url", urls),
        ("other", structure(vec![("note", notes)])),
    ]);
    let file = parquet(vec![
        ("page", page),
        ("id", Arc::new(Int32Array::from(vec![Some(-7), None]))),
        ("ratio", Arc::new(Float32Array::from(vec![0.5, f32::NAN]))),
        ("is", Arc::new(BooleanArray::from(vec![true, false]))),
        ("on", Arc::new(Date32Array::from(vec![20_717, -1]))),
        ("wide", Arc::new(UInt64Array::from(vec![1, u64::MAX]))),
    ]);
    let keep = ["id", "page.other.note", "ratio", "is", "on"];
    let (said, _) = kept("u.parquet", &file, &columns("page.url", Some("on"), &keep));
    let first = json!([
        1,
        "y",
        -7,
        "a text of more than twelve",
        0.5,
        true,
        "2026-09-21"
    ]);
    let second = json!([2, "x", null, null, null, false, "1969-12-31"]);
    assert_eq!(said[1..3], [first, second]);
    for (wrong, problem) in [
        (
            columns("page.url", None, &["wide"]),
            "`wide` has type UInt64, which cannot be kept",
        ),
        (
            columns("page.url", None, &["page"]),
            "`page` has type Struct(",
        ),
        (
            columns("page.link", None, &[]),
            "there is no column `page.link`",
        ),
        (
            columns("page.url", Some("is"), &[]),
            "`is` has type Boolean, not a timestamp",
        ),
    ] {
        let error = read("u.parquet", &file, &wrong).unwrap_err();
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn times_of_parquet_are_dates_and_numbers_too() {
    let urls = || -> ArrayRef { Arc::new(StringArray::from(vec!["https://a.example/"; 3])) };
    let seconds = [1_790_000_000, 17_900_000_000, -1];
    let times: [(ArrayRef, [&str; 3]); 4] = [
        (
            Arc::new(Date32Array::from(vec![Some(20_718), None, Some(i32::MAX)])),
            ["2026-09-22T00:00:00Z no-group", "- no-time", "- no-group"],
        ),
        (
            Arc::new(Int64Array::from(seconds.to_vec())),
            ["2026-09-21T14:13:20Z no-group", "- no-time", "- no-time"],
        ),
        (
            Arc::new(Int32Array::from(vec![
                Some(1_790_000_000),
                None,
                Some(20_260_922),
            ])),
            [
                "2026-09-21T14:13:20Z no-group",
                "- no-time",
                "2026-09-22T00:00:00Z no-group",
            ],
        ),
        (
            Arc::new(UInt64Array::from(vec![1_790_000_000_000, 7, u64::MAX])),
            ["2026-09-21T14:13:20Z no-group", "- no-time", "- no-time"],
        ),
    ];
    for (column, expected) in times {
        let of = column.data_type().clone();
        let file = parquet(vec![("url", urls()), ("at", column)]);
        let said = read("u.parquet", &file, &columns("url", Some("at"), &[])).unwrap();
        for (nth, (said, expected)) in said.iter().zip(expected).enumerate() {
            // A date outside the range of times is far in the future or null.
            if of != DataType::Date32 || nth < 2 {
                assert_eq!(*said, format!("https://a.example/ {expected}"), "{of}");
            }
        }
    }
}

#[test]
fn a_json_file_is_an_array_or_lines() {
    let expected = [
        "https://a.example/ - no-group",
        "/x - not-a-url",
        "- - no-url",
    ];
    let nested = columns("page.url", None, &[]);
    for (list, problem) in [
        (
            "[\"https://a.example/\",\n {\"page\": {\"url\": \"/x\"}}, 1 ]",
            ", element 3: not a JSON object",
        ),
        (
            " {\"page.url\":\"https://a.example/\"}\n{\"page\":{\"url\":\"/x\"}}\n1",
            ", line 3: not a JSON object",
        ),
    ] {
        let said = read("u.json", list.as_bytes(), &nested).unwrap();
        assert_eq!(said[..3], expected, "{list}");
        assert!(said[3].ends_with(problem), "{said:?}");
    }
    assert_eq!(read("u.json", b"[]", &nested).unwrap(), [""; 0]);
    let cut = read("u.json", b"[\"https://a.example/\",", &nested).unwrap_err();
    assert!(
        cut.ends_with("after element 1: the file ends within its JSON array"),
        "{cut}"
    );
}

#[test]
fn a_directory_has_the_lists_below_it() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("b/c")).unwrap();
    for name in [
        "b/c/1.txt",
        "b/2.csv.gz",
        "a.parquet",
        "README",
        "_done.txt",
        ".x.csv",
        "cdx-0.gz",
    ] {
        fs::write(root.join(name), "").unwrap();
    }
    let found = list_files(root).unwrap();
    let expected = ["a.parquet", "b/2.csv.gz", "b/c/1.txt", "cdx-0.gz"];
    assert_eq!(found, expected.map(|name| root.join(name)));
    std::os::unix::fs::symlink("/etc/hosts", root.join("b/out.txt")).unwrap();
    let error = list_files(root).unwrap_err().to_string();
    assert!(
        error.contains("b/out.txt: links in a directory are not followed"),
        "{error}"
    );
    fs::remove_file(root.join("b/out.txt")).unwrap();
    std::os::unix::fs::symlink("..", root.join("b/c/up")).unwrap();
    assert_eq!(list_files(root).unwrap().len(), 4);
    fs::create_dir(root.join("empty")).unwrap();
    let error = list_files(&root.join("empty")).unwrap_err().to_string();
    assert!(error.contains("it contains no list of URLs"), "{error}");
}
