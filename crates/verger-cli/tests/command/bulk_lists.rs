//! Lists of URLs that are not what they are taken for.

use std::fs;

use crate::bulk_check::{BODY, folder, lines, text};
use crate::verger::{Said, verger};

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
fn a_quote_that_is_not_closed_hides_no_later_line() {
    let csv = b"url\n\"https://e.example/1\nhttps://e.example/private\nhttps://e.example/3\n";
    let said = check("open.csv", csv, &["--quiet"]);
    let allowed = lines(&said.stdout);
    let allowed: Vec<_> = allowed
        .iter()
        .map(|line| line["allowed"].as_bool())
        .collect();
    assert_eq!(allowed, [None, Some(false), Some(true)]);
    assert_eq!(said.code, 2);
    let expected =
        "open.csv, line 2: a quote is not closed before the line ends; no URL has a line end\n";
    assert!(said.stderr.ends_with(expected), "{}", said.stderr);
}
