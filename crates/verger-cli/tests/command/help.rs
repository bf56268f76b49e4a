//! Every help page and manual page, 80 columns wide.
//!
//! `cargo insta review` or `INSTA_UPDATE=always` accepts changes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use insta::assert_snapshot;

use crate::verger::{Said, command, run};

const COLUMNS: usize = 80;

/// The options of several commands have a snapshot of their own.
#[test]
fn help_pages() {
    let pages = pages();
    let shared = shared_options(&pages);
    assert_snapshot!("options-of-several-commands", shared.join("\n"));
    for (name, page) in &pages {
        let mut page = page.clone();
        for line in page.lines() {
            assert!(
                line.chars().count() <= COLUMNS || !line.contains(' '),
                "{name}: {line}"
            );
            assert!(!line.contains('\u{1b}'), "{name}: {line}");
        }
        for option in &shared {
            let (first, _) = option.split_once('\n').unwrap();
            page = page.replace(option, &format!("{first} …"));
        }
        assert_snapshot!(format!("help-{name}"), page);
    }
}

/// `-h` shows the common options, `--help` all.
#[test]
fn short_help_has_at_most_ten_options() {
    for name in pages().keys().filter(|it| *it != "verger-robots") {
        let words = name.split('-').skip(1).chain(["-h"]);
        let page = said(&words.collect::<Vec<_>>()).quietly(0);
        let options = options_in(&page).count() - 1;
        assert!(options <= 10, "{options} and -h:\n{page}");
    }
}

#[test]
fn manual_pages_are_those_of_the_commands() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("manual-pages");
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    said(&["man", directory.to_str().unwrap()]).quietly(0);
    let entries = fs::read_dir(&directory).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    let mut expected: Vec<_> = pages()
        .into_keys()
        .map(|name| format!("{name}.1"))
        .collect();
    expected.sort();
    assert_eq!(names, expected);
    // The text is that of the help pages. One page shows the markup.
    let page = fs::read_to_string(directory.join("verger-clause.1")).unwrap();
    assert_snapshot!("man-verger-clause", page);
}

/// Returns the help page of each command, by name.
fn pages() -> BTreeMap<String, String> {
    let mut pages = BTreeMap::new();
    let mut waiting = vec![vec!["verger".to_owned()]];
    while let Some(words) = waiting.pop() {
        let arguments: Vec<_> = words[1..]
            .iter()
            .map(String::as_str)
            .chain(["--help"])
            .collect();
        let Said { stdout, stderr, .. } = said(&arguments);
        // `robots` reads its arguments like Google's command line, which has no `--help`.
        let page = if words.last().is_some_and(|word| word == "robots") {
            stderr
        } else {
            assert_eq!(stderr, "");
            stdout
        };
        for name in commands_in(&page) {
            waiting.push([words.as_slice(), &[name.to_owned()]].concat());
        }
        pages.insert(words.join("-"), page);
    }
    pages
}

/// Returns the options that at least three commands have, each with its text.
fn shared_options(pages: &BTreeMap<String, String>) -> Vec<&str> {
    let mut times = BTreeMap::<_, usize>::new();
    for option in pages.values().flat_map(|page| options_in(page)) {
        *times.entry(option).or_default() += 1;
    }
    times.retain(|option, times| *times >= 3 && option.contains('\n'));
    times.into_keys().collect()
}

/// Returns the options of a help page, each with its text, without the empty line after it.
fn options_in(page: &str) -> impl Iterator<Item = &str> {
    let (page, _) = page.split_once("\nExamples:").unwrap_or((page, ""));
    let starts = page
        .match_indices('\n')
        .map(|(place, _)| &page[place + 1..]);
    let starts = starts.filter(|rest| rest.starts_with("  -") || rest.starts_with("      --"));
    starts.map(|rest| {
        let text = rest.split_inclusive('\n').skip(1);
        let text = text.take_while(|line| *line == "\n" || line.starts_with("        "));
        let length = rest.find('\n').unwrap() + 1 + text.map(str::len).sum::<usize>();
        rest[..length].trim_end_matches('\n')
    })
}

/// Returns the commands that a help page lists, under `Commands:` or under the headings of groups.
fn commands_in(page: &str) -> impl Iterator<Item = &str> {
    let headings = [
        "Commands:",
        "Ask:",
        "Your site:",
        "History and logs:",
        "Reference:",
        "Setup:",
    ];
    let mut is_listed = false;
    let lines = page.lines().filter(move |line| {
        is_listed = headings.contains(line) || (is_listed && !line.is_empty());
        is_listed && !headings.contains(line)
    });
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| !name.is_empty() && *name != "help")
}

fn said(arguments: &[&str]) -> Said {
    run(
        command()
            .env("COLUMNS", COLUMNS.to_string())
            .args(arguments),
        "",
    )
}
