//! Address ranges, downloaded into a directory.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::time::{Duration, UNIX_EPOCH};
use verger_answer::ReadError;

use verger_access::Timestamp;
use verger_audit::{RangeUpdate, UpdateObserver};

use crate::past::day;
use crate::run::new_path;

const GOOD: &str = "{\"prefixes\":[{\"ipv4Prefix\":\"203.0.113.0/24\"}]}";

/// Documents by URL, and the reports.
#[derive(Default)]
struct Copies {
    documents: BTreeMap<&'static str, &'static str>,
    /// The document at every other URL.
    others: Option<&'static str>,
    problems: Vec<String>,
    progress: Vec<(usize, usize)>,
}

impl UpdateObserver for Copies {
    fn fetch(&mut self, url: &str) -> Result<(Vec<u8>, Timestamp), ReadError> {
        let document = self.documents.get(url).or(self.others.as_ref());
        let document = document.ok_or("status 404")?;
        Ok((document.as_bytes().to_vec(), Timestamp::default()))
    }

    fn failed(&mut self, problem: &str) {
        self.problems.push(problem.to_owned());
    }

    fn done(&mut self, done: usize, all: usize) {
        self.progress.push((done, all));
    }
}

#[test]
fn documents_are_written_whole_or_the_one_before_is_kept() {
    let directory = new_path("-update");
    fs::create_dir_all(&directory).unwrap();
    let old = directory.join("bingbot.json");
    fs::write(&old, "192.0.2.0/24\n").unwrap();
    let written = UNIX_EPOCH + Duration::from_secs(day(0));
    let file = File::options().write(true).open(&old).unwrap();
    file.set_modified(written).unwrap();
    let mut copies = Copies {
        documents: BTreeMap::from([
            ("https://h.example/gptbot.json", GOOD),
            ("https://h.example/bingbot.json", "<html>"),
        ]),
        ..Copies::default()
    };
    let update = RangeUpdate {
        directory: &directory,
        from: Some("https://h.example/"),
    };
    let updated = update.run(&mut copies).unwrap();
    assert!(!updated.is_whole());
    let failed = copies.problems.len();
    let expected = format!(
        "1 document of address ranges fetched into {}, {failed} failed",
        directory.display()
    );
    assert_eq!(updated.to_string(), expected);
    for expected in [
        "https://h.example/bingbot.json: the document is neither JSON with `prefixes` nor a list of networks, one per line; the version of 2026-09-21 is kept",
        "https://h.example/applebot.json: status 404",
    ] {
        assert!(
            copies.problems.iter().any(|it| it == expected),
            "{:?}",
            copies.problems
        );
    }
    let all = failed + 1;
    assert_eq!(
        copies.progress,
        (0..=all).map(|done| (done, all)).collect::<Vec<_>>()
    );
    assert_eq!(
        fs::read_to_string(directory.join("gptbot.json")).unwrap(),
        GOOD
    );
    assert_eq!(fs::read_to_string(old).unwrap(), "192.0.2.0/24\n");
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 2);
    let mut copies = Copies {
        others: Some(GOOD),
        ..Copies::default()
    };
    let whole = update.run(&mut copies).unwrap();
    assert!(
        whole.is_whole()
            && whole
                .to_string()
                .ends_with(&directory.display().to_string())
    );
}
