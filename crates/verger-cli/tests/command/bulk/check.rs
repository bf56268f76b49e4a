//! URLs by the million, compared with `check`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use jiff::Timestamp;
use serde_json::Value;

use crate::past::Past;
use crate::verger::{empty_directory, json_lines, verger};

pub(crate) const BODY: &str =
    "User-agent: GPTBot\nDisallow: /\nAllow: /open/\n\nUser-agent: *\nDisallow: /private\n";
pub(crate) const CRAWLERS: [&str; 6] = ["-a", "GPTBot", "-a", "CCBot", "-a", "googlebot"];

/// A folder of a test.
pub(crate) fn folder(name: &str) -> std::path::PathBuf {
    empty_directory(&format!("bulk-{name}"))
}

pub(crate) fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

#[test]
fn bodies_without_a_time_take_no_option_about_times() {
    for sources in [["--robots", "-"], ["--robots-dir", "."], ["--bodies", "-"]] {
        for option in [["--at", "7d"], ["--hold", "30d"], ["--profile", "google"]] {
            let run = ["bulk", "check"].iter().chain(&sources).chain(&option);
            let said = verger(run, "");
            assert_eq!((said.code, said.stdout.as_str()), (2, ""));
            let expected = "cannot be used with";
            assert!(
                said.stderr.contains(expected),
                "{option:?}: {}",
                said.stderr
            );
            assert!(said.stderr.contains(option[0]) && said.stderr.contains(sources[0]));
        }
    }
}

#[test]
fn parquet_comes_back_and_a_failure_leaves_no_file() {
    let folder = folder("parquet");
    let robots = folder.join("robots.txt");
    fs::write(&robots, BODY).unwrap();
    let (robots, answers) = (text(&robots), text(&folder.join("answers.parquet")));
    let list = text(&folder.join("urls.txt"));
    fs::write(&list, "https://a.example/private/x\nhttps://a.example/\n").unwrap();
    let check = |list: &str, output: &[&str]| {
        let arguments = ["bulk", "check", list, "-r", &robots, "-a", "CCBot"];
        verger(arguments.iter().chain(output), "")
    };
    let said = check(&list, &["-o", &answers]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(
        said.stderr.starts_with(
            "2 URLs, 2 answers: 1 allowed, 1 disallowed, 0 unknown (1 rule, 1 no-rule)"
        )
    );
    let again = check(&answers, &["--quiet"]).quietly(0);
    let of_answers = check(&list, &["--quiet"])
        .quietly(0)
        .replace(&list, &answers);
    assert_eq!(again, of_answers);
    let cut = text(&folder.join("cut.parquet"));
    fs::write(&cut, &fs::read(&answers).unwrap()[..600]).unwrap();
    let other = text(&folder.join("other.parquet"));
    let said = check(&cut, &["-o", &other]);
    assert_eq!(said.code, 2);
    assert!(
        said.stderr.contains("cut.parquet: not Parquet"),
        "{}",
        said.stderr
    );
    assert!(!Path::new(&other).exists());
    let none = text(&folder.join("none.txt"));
    fs::write(&none, "").unwrap();
    let said = check(&none, &["-o", &other]);
    assert!(
        said.stderr
            .starts_with("0 URLs, 0 answers: 0 allowed, 0 disallowed, 0 unknown; "),
        "{}",
        said.stderr
    );
    let said = check(&list, &["--format", "parquet"]);
    assert!(
        said.stderr.contains("name a file with `--output`"),
        "{}",
        said.stderr
    );
}

/// A quarter of a day, in seconds.
pub(crate) const QUARTER: u64 = 21_600;

/// The quarters that are asked about.
pub(crate) const QUARTERS: [u64; 14] = [0, 1, 2, 3, 4, 6, 7, 8, 10, 12, 16, 18, 19, 40];

/// 2023-11-14 22:13:20 UTC, when the first body came.
pub(crate) const START: u64 = 1_700_000_000;

/// A store with changes of every kind.
pub(crate) fn written_store(folder: &Path) -> std::path::PathBuf {
    let store = folder.join("store.db");
    let at = |quarter: u64| START + quarter * QUARTER;
    let mut changed = Past::of("https://a.example/", &store);
    changed.body(at(0), BODY);
    changed.not_modified(at(3));
    changed.body(at(6), "User-agent: *\nDisallow: /é\nDisallow: /open\n");
    changed.status(at(16), 404);
    changed.status(at(18), 503);
    let mut failing = Past::of("https://b.example/", &store);
    failing.status(at(1), 503);
    failing.status(at(8), 503);
    let mut kept = Past::of("http://c.example/", &store);
    kept.body(at(0), BODY);
    kept.status(at(2), 503);
    kept.status(at(4), 503);
    kept.status(at(12), 403);
    store
}

#[test]
fn a_store_answers_about_each_time_as_check_at_does() {
    let folder = folder("store");
    let store = text(&written_store(&folder));
    let urls = [
        "https://a.example/private/x",
        "https://a.example/open/é",
        "https://b.example/robots.txt",
        "https://b.example/x",
        "http://c.example/private",
        "https://c.example/private",
    ];
    // A second before each change, and at it.
    let times = QUARTERS.iter().flat_map(|quarter| {
        let at = START + quarter * QUARTER;
        [at - 1, at]
    });
    let times: Vec<u64> = times.collect();
    let mut list = String::from("url,at\n");
    for time in &times {
        let shown = Timestamp::from_second(i64::try_from(*time).unwrap()).unwrap();
        for url in urls {
            writeln!(list, "{url},{shown}").unwrap();
        }
    }
    let path = text(&folder.join("urls.csv"));
    fs::write(&path, list).unwrap();
    for profile in ["rfc9309", "google"] {
        let settings = ["--store", &store, "--profile", profile];
        let bulk = ["bulk", "check", &path, "--time-column", "at", "--quiet"];
        let bulk = verger(bulk.iter().chain(&settings).chain(&CRAWLERS), "");
        // Nothing is known of one site, and of none before the start.
        assert_eq!((bulk.code, bulk.stderr.as_str()), (3, ""));
        let bulk = json_lines(&bulk.stdout);
        assert_eq!(bulk.len(), times.len() * urls.len() * 3);
        let mut stances = BTreeSet::new();
        for (time, bulk) in times.iter().zip(bulk.chunks(urls.len() * 3)) {
            let at = format!("@{time}");
            let check = ["check", "--json", "--at", &at];
            let check = check.iter().chain(&settings).chain(&CRAWLERS).chain(&urls);
            let check = json_lines(&verger(check, "").stdout);
            for bulk in bulk {
                let is_same =
                    |it: &&Value| it["url"] == bulk["url"] && it["agent"] == bulk["crawler"];
                // Without knowledge, `check` still says that a robots.txt itself may be fetched.
                let known = |it: &&Value| !it["stance"].is_null();
                let Some(check) = check.iter().find(is_same).filter(known) else {
                    assert_eq!(bulk["reason"], "no-body", "{profile} {at} {bulk}");
                    assert_eq!(bulk["allowed"], Value::Null);
                    continue;
                };
                for key in ["allowed", "reason", "stance", "line", "rule"] {
                    assert_eq!(bulk[key], check[key], "{key} {at} {bulk} {check}");
                }
                assert_eq!(bulk["group_line"], check["group"]["line"], "{at} {bulk}");
            }
            stances.extend(bulk.iter().filter_map(|it| it["stance"].as_str()));
        }
        assert_eq!(
            stances,
            BTreeSet::from(["rules", "open", "closed", "copy", "defer"]),
            "{profile}"
        );
    }
}

/// The second list is a pipe, which a run opens after its output has begun.
#[cfg(unix)]
#[test]
fn a_run_that_is_killed_leaves_no_file_for_good() {
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::{Command, Stdio};

    for (name, signal) in [("INT", 2), ("TERM", 15), ("KILL", 9)] {
        let folder = folder(&format!("ended-{name}"));
        let [robots, urls, pipe] = ["robots.txt", "urls.txt", "pipe"].map(|name| folder.join(name));
        fs::write(&robots, BODY).unwrap();
        fs::write(&urls, "https://a.example/\n").unwrap();
        assert!(
            Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        let output = folder.join("output");
        fs::create_dir(&output).unwrap();
        fs::write(output.join("answers.parquet"), "of an earlier run").unwrap();
        let check = |urls: &[&std::path::PathBuf]| {
            let mut check = crate::verger::command();
            check.args(["bulk", "check", "--robots"]).arg(&robots);
            check.args(urls).arg("-o");
            check.arg(output.join("answers.parquet"));
            check
        };
        let mut child = check(&[&urls, &pipe])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Waits until the command opens it.
        let writer = fs::File::options().write(true).open(&pipe).unwrap();
        let names = || {
            let names = fs::read_dir(&output).unwrap();
            let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            names.collect::<BTreeSet<_>>()
        };
        let id = child.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &id]).status();
        assert!(sent.unwrap().success());
        assert_eq!(child.wait().unwrap().signal(), Some(signal), "{name}");
        drop(writer);
        let kept = fs::read_to_string(output.join("answers.parquet")).unwrap();
        assert_eq!(kept, "of an earlier run");
        let said = child.wait_with_output().unwrap();
        assert_eq!((said.stdout, said.stderr), (Vec::new(), Vec::new()));
        // What an older version left, or a file system without files that have no name.
        fs::write(output.join(".answers.parquet.x7Qk2p.verger-new"), "half").unwrap();
        assert!(check(&[&urls]).output().unwrap().status.success());
        let whole = BTreeSet::from(["answers.parquet".to_owned()]);
        assert_eq!(names(), whole, "{name}");
    }
}
