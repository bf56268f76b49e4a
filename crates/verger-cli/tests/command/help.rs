//! Every help page and manual page, as it is in 80 columns, and what a mistake is answered with.
//!
//! `cargo insta review`, or `INSTA_UPDATE=always`, takes over what has changed on purpose.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use insta::assert_snapshot;

use crate::verger::{Said, command, file, run};

const COLUMNS: usize = 80;

/// The options of several commands are in a snapshot of their own, once.
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

/// `-h` shows what people use; `--help` shows all.
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
    // The text is that of the help pages; one page shows how it is set.
    let page = fs::read_to_string(directory.join("verger-clause.1")).unwrap();
    assert_snapshot!("man-verger-clause", page);
}

#[test]
fn mistakes() {
    file("mistakes.txt", "User-agent: *\nDisallow: /a\n");
    let mut text = String::new();
    for arguments in MISTAKES {
        let Said {
            stdout,
            stderr,
            code,
        } = said(&arguments.split(' ').collect::<Vec<_>>());
        writeln!(
            text,
            "$ verger {arguments}\n{stdout}{stderr}exit code {code}\n"
        )
        .unwrap();
    }
    assert_snapshot!("mistakes", text);
}

const MISTAKES: [&str; 28] = [
    "chekc",
    "check",
    "check --robots mistakes.txt",
    "check --robots absent.txt /a",
    "check --robots mistakes.txt example.com/a",
    "check --robots mistakes.txt mailto:a@example.com",
    "check --robots mistakes.txt -d rfc9308 /a",
    "check --robots mistakes.txt -a Example/1.0 /a",
    "check --robots mistakes.txt --token Ex4mple /a",
    "check --robots mistakes.txt -a @ai-trian /a",
    "check --robots mistakes.txt -a Googelbot /a",
    "check --robots mistakes.txt --user-agent Mozilla /a",
    "check --offline --store absent.db https://example.com/",
    "check --profile rfc9308 https://example.com/",
    "check --at 2999-01-01 https://example.com/",
    "check --at someday https://example.com/",
    "check --robots mistakes.txt --reading ignore-allow,lenient /a",
    "check --robots mistakes.txt --matrix --format json /a",
    "filter --urls mistakes.txt",
    "filter --robots mistakes.txt --urls mistakes.txt",
    "parse absent.txt",
    "clause R9309-1",
    "clause --format csv R9309-1",
    "clause --format human --json R9309-1",
    "crawlers nosuchbot",
    "history --store absent.db example.com",
    "store stat --store absent.db",
    "store sweep --store absent.db --keep soon",
];

/// The help page of each command, by its name.
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
        // `robots` takes its arguments as Google's command line does, which knows no `--help`.
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

/// The options that three commands and more have, each with its text.
fn shared_options(pages: &BTreeMap<String, String>) -> Vec<&str> {
    let mut times = BTreeMap::<_, usize>::new();
    for option in pages.values().flat_map(|page| options_in(page)) {
        *times.entry(option).or_default() += 1;
    }
    times.retain(|option, times| *times >= 3 && option.contains('\n'));
    times.into_keys().collect()
}

/// The options of a help page, each with its text and without the empty line after it.
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

/// The commands that a help page lists.
fn commands_in(page: &str) -> impl Iterator<Item = &str> {
    let lines = page.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = lines.take_while(|line| !line.is_empty());
    let names = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
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
