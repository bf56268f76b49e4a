//! Whole runs, as the command starts them: lists and bodies in, JSON Lines out.

use std::fmt::{Display, Write as _};
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_schema::Schema;
use serde_json::{Value, json};
use verger::{Dialect, Reading};
use verger_access::Profile;
use verger_answer::ResolvedCrawler;
use verger_bulk::{
    BodyClass, CaptureInput, CaptureObserver, CaptureRun, CheckObserver, Checker, ClassMaker,
    ClassObserver, ClassRows, ClassRun, ColumnFormat, ListedUrls, RowsOutput, UrlColumns, When,
    answer_schema, check_urls, class_schema,
};
use verger_inputs::RobotsList;
use verger_inputs::{ReplacedFiles, RunFiles, Source};
use verger_store::BodyHash;

use crate::captured::{row, source};

const THREADS: NonZero<usize> = NonZero::new(2).unwrap();

/// Reports nothing.
struct Silent;

impl CheckObserver for Silent {}
impl CaptureObserver for Silent {}

/// The events that the observer of classes received.
#[derive(Default)]
struct Reports {
    bodies: usize,
    unknown: usize,
    problems: Vec<String>,
}

impl ClassObserver for &mut Reports {
    fn body(&mut self, classes: Option<&[BodyClass]>) {
        self.bodies += 1;
        self.unknown += usize::from(classes.is_none());
    }

    fn problem(&mut self, problem: &dyn Display) {
        self.problems.push(problem.to_string());
    }
}

fn output(folder: &Path, schema: &Arc<Schema>) -> (PathBuf, RowsOutput) {
    let path = folder.join("out.jsonl");
    let output = RowsOutput::file(&path, ColumnFormat::JsonLines, schema, &[]);
    (path, output.unwrap())
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines();
    lines.map(|it| serde_json::from_str(it).unwrap()).collect()
}

/// Returns the rows of a run for two crawlers.
fn classes(
    folder: &Path,
    add: impl FnOnce(&mut ClassRun<'_, &mut Reports>),
) -> (Vec<Value>, Reports) {
    let reading = Reading::new(Dialect::Rfc9309);
    let named = ResolvedCrawler::from_token("GPTBot", reading).unwrap();
    let maker = ClassMaker::new(vec![named, ResolvedCrawler::unnamed()], reading);
    let (path, output) = output(folder, &class_schema());
    let mut reports = Reports::default();
    let rows = ClassRows::new(&maker, Profile::RFC9309);
    let mut run = ClassRun::new(rows, output, &mut reports);
    add(&mut run);
    run.finish().unwrap();
    (lines(&path), reports)
}

#[test]
fn a_capture_without_an_outcome_keeps_its_site_time_and_place() {
    let folder = tempfile::tempdir().unwrap();
    let http = "HTTP/1.1 302 Found\r\nLocation: https://b.example/robots.txt\r\n\r\n";
    let record = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2026-10-01T00:00:00Z\r\n\
         WARC-Target-URI: https://a.example/robots.txt\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
        http.len()
    );
    let [warc, captures] = ["a.warc", "a.parquet"].map(|name| folder.path().join(name));
    fs::write(&warc, record).unwrap();
    let inputs = [CaptureInput::new(warc.as_os_str())];
    let run = CaptureRun::new(&inputs, THREADS, &Silent);
    run.to_file(&captures).unwrap();
    let (rows, reports) = classes(folder.path(), |run| run.add_captures(&[captures]).unwrap());
    assert_eq!((rows.len(), reports.bodies, reports.unknown), (2, 1, 1));
    for row in rows {
        assert_eq!(row["authority"], "https://a.example");
        assert_eq!(row["time"], "2026-10-01T00:00:00Z");
        assert_eq!(row["capture_offset"], 0);
        assert_eq!(row["capture_file"], *warc.to_string_lossy());
        assert_eq!([&row["disallowed"], &row["stance"]], [&Value::Null; 2]);
    }
}

#[test]
fn a_list_of_bodies_has_a_row_for_each_authority_and_what_cannot_be_read_is_null() {
    let folder = tempfile::tempdir().unwrap();
    let (all, some) = (
        "User-agent: *\nDisallow: /\n",
        "User-agent: *\nDisallow: /a\n",
    );
    let [path, missing, name] =
        ["all.txt", "none.txt", "l.jsonl"].map(|name| folder.path().join(name));
    fs::write(&path, all).unwrap();
    let line = |authority: &str, key: &str, value: &str| {
        json!({"authority": authority, key: value}).to_string() + "\n"
    };
    // `check` and `filter` both use the last of two lines about a site.
    let list = [
        line("https://a.example", "robots", all),
        line("https://b.example", "robots_path", path.to_str().unwrap()),
        line("https://a.example:443/", "robots", some),
        line(
            "https://c.example",
            "robots_path",
            missing.to_str().unwrap(),
        ),
    ];
    fs::write(&name, list.concat() + "{}\n").unwrap();
    let mut wrong_lines = Vec::new();
    let replaced: ReplacedFiles = RunFiles::default().replaced();
    let bodies = RobotsList::open(&Source::File(name), &replaced, |problem| {
        wrong_lines.push(problem.clone());
    });
    let bodies = bodies.unwrap();
    assert!(
        wrong_lines[0].contains("line 5: there is no authority"),
        "{wrong_lines:?}"
    );
    let (rows, reports) = classes(folder.path(), |run| run.add_list("l", &bodies).unwrap());
    assert!(reports.problems[0].contains("none.txt"));
    assert_eq!((reports.bodies, reports.unknown), (3, 1));
    let [second, third, fourth] = [1, 2, 3].map(|nth| list[..nth].concat().len());
    let expected = [
        ("https://b.example", second, json!("everything"), Some(all)),
        ("https://a.example", third, json!("some"), Some(some)),
        ("https://c.example", fourth, Value::Null, None),
    ];
    assert_eq!(rows.len(), 2 * expected.len());
    for (rows, (authority, start, disallowed, body)) in rows.chunks(2).zip(expected) {
        for row in rows {
            assert_eq!(row["authority"], authority);
            assert_eq!(
                (&row["capture_file"], &row["capture_offset"]),
                (&"l".into(), &start.into())
            );
            assert_eq!(row["disallowed"], disallowed);
            let hash = body.map(|body| BodyHash::new(body.as_bytes()).to_string());
            assert_eq!(row["body_sha256"].as_str(), hash.as_deref());
            for key in ["time", "profile", "stance"] {
                assert_eq!(row[key], Value::Null);
            }
        }
    }
}

/// More answers than are made together.
#[test]
fn answers_for_many_crawlers_have_the_order_of_urls_and_crawlers() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("urls.txt");
    let mut urls = String::new();
    for nth in 0..1000 {
        writeln!(urls, "https://a.example/{}/{nth}", ["a", "b"][nth % 2]).unwrap();
    }
    fs::write(&list, &urls).unwrap();
    let names: Vec<String> = (0..30)
        .map(|nth| format!("bot-{}", "x".repeat(nth)))
        .collect();
    let tokens: Vec<&str> = names.iter().map(String::as_str).collect();
    let body = format!("User-agent: {}\nDisallow: /b\n", names[7]);
    let captures = [row(
        "https://a.example",
        0,
        "successful http 200",
        Some(&body),
    )];
    let source = source(&captures, Profile::RFC9309, &tokens, 10);
    let checker = Checker::new(
        &source,
        names.clone(),
        Dialect::Rfc9309.into(),
        When::Newest,
    );
    let lists = [list];
    let listed = ListedUrls::open(&lists, None, UrlColumns::default(), names.len()).unwrap();
    let (path, mut output) = output(folder.path(), &answer_schema(None, &[]));
    let run = check_urls(listed, &checker, THREADS, &mut output, &Silent);
    run.ended.unwrap();
    output.finish().unwrap();
    let answers = lines(&path);
    assert_eq!(answers.len(), 1000 * names.len());
    for (nth, (url, rows)) in urls.lines().zip(answers.chunks(names.len())).enumerate() {
        for (name, row) in names.iter().zip(rows) {
            assert_eq!(
                (&row["url"], &row["crawler"]),
                (&url.into(), &(&**name).into())
            );
            let is_disallowed = *name == names[7] && nth % 2 == 1;
            assert_eq!(row["allowed"], !is_disallowed, "{row}");
        }
    }
}
