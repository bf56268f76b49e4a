//! Completes keys at the start of a line, and crawler names after `User-agent:`.

use std::ops::Range;

use serde_json::{Value, json};
use verger_answer::purposes_of;
use verger_crawlers::{KnownCrawler, Registry};

use crate::document::Document;
use crate::text::Position;

/// Item kinds of the protocol.
const VALUE: u8 = 12;
const KEYWORD: u8 = 14;

/// Keys and their effects.
const KEYS: [(&str, &str); 11] = [
    (
        "User-agent",
        "starts a group for a crawler, or for all others (*)",
    ),
    (
        "Disallow",
        "the crawlers of the group may not fetch matching URLs",
    ),
    ("Allow", "the crawlers of the group may fetch matching URLs"),
    (
        "Sitemap",
        "the absolute URL of a sitemap, outside any group",
    ),
    (
        "Crawl-delay",
        "seconds between two requests (some crawlers obey it)",
    ),
    (
        "Request-rate",
        "documents per seconds (few crawlers obey it)",
    ),
    (
        "Visit-time",
        "hours of the day in UTC (few crawlers obey it)",
    ),
    (
        "Clean-param",
        "query parameters that do not change a page (Yandex)",
    ),
    ("Content-Signal", "search, ai-input and ai-train: yes or no"),
    ("Content-Usage", "preferences in the IETF draft AIPREF"),
    ("License", "the URL of a licence (RSL)"),
];

pub(crate) fn completions(document: &Document, position: Position) -> Value {
    let text = document.text();
    let cursor = text.offset(position);
    let line = text.line(text.line_of(cursor));
    let bytes = &text.as_str()[line.clone()];
    let place = Place::of(bytes, cursor - line.start);
    let items = place.map(|Place { what, replaced }| {
        let replaced = line.start + replaced.start..line.start + replaced.end;
        let range = text.range(replaced);
        let item = |(number, (label, detail, put)): (usize, (&str, String, String))| {
            json!({
                "label": label,
                "detail": detail,
                "kind": if matches!(what, Wanted::Key { .. }) { KEYWORD } else { VALUE },
                "sortText": format!("{number:03}"),
                "textEdit": { "range": range, "newText": put },
            })
        };
        let items = choices(what).into_iter().enumerate().map(item);
        items.collect::<Vec<_>>()
    });
    items.unwrap_or_default().into()
}

/// A place that can be completed.
#[derive(Debug, PartialEq, Eq)]
struct Place {
    what: Wanted,
    replaced: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Key { has_colon: bool },
    Crawler { has_space: bool },
}

impl Place {
    /// Returns the completion at `cursor`, or `None` in a comment or the value of another key.
    fn of(line: &str, cursor: usize) -> Option<Self> {
        let (before, after) = line.split_at(cursor);
        if before.contains('#') {
            return None;
        }
        let Some((key, value)) = before.split_once(':') else {
            let key = before.trim_start_matches(['\u{feff}', ' ', '\t']);
            let rest = word_end(after, |it| matches!(it, ':' | '#' | ' ' | '\t'));
            return Some(Self {
                what: Wanted::Key {
                    has_colon: after[rest..].trim_start().starts_with(':'),
                },
                replaced: cursor - key.len()..cursor + rest,
            });
        };
        let key = key.trim_matches(['\u{feff}', ' ', '\t']);
        if !key.eq_ignore_ascii_case("User-agent") {
            return None;
        }
        let name = value.trim_start();
        let rest = word_end(after, |it| matches!(it, '#' | ' ' | '\t'));
        Some(Self {
            what: Wanted::Crawler {
                has_space: name.len() < value.len(),
            },
            replaced: cursor - name.len()..cursor + rest,
        })
    }
}

fn word_end(text: &str, is_end: impl Fn(char) -> bool) -> usize {
    text.find(is_end).unwrap_or(text.len())
}

/// Returns the choices: label, detail and inserted text.
fn choices(what: Wanted) -> Vec<(&'static str, String, String)> {
    match what {
        Wanted::Key { has_colon } => {
            let colon = if has_colon { "" } else { ": " };
            let keys = KEYS.iter();
            keys.map(|&(key, detail)| (key, detail.to_owned(), format!("{key}{colon}")))
                .collect()
        }
        Wanted::Crawler { has_space } => {
            let space = if has_space { "" } else { " " };
            let every = ("*", "every crawler that no group names".to_owned());
            let crawlers = Registry::bundled().iter();
            let crawlers = crawlers.filter(|it| !it.is_retired()).map(of_crawler);
            let choices = std::iter::once(every).chain(crawlers);
            choices
                .map(|(token, detail)| (token, detail, format!("{space}{token}")))
                .collect()
        }
    }
}

fn of_crawler(crawler: &'static KnownCrawler) -> (&'static str, String) {
    let detail = format!("{}: {}", crawler.operator(), purposes_of(crawler));
    (crawler.own_token().as_str(), detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wanted_depends_on_the_place() {
        let key = |has_colon| Wanted::Key { has_colon };
        let crawler = |has_space| Wanted::Crawler { has_space };
        // `|` marks the cursor.
        for (line, expected) in [
            ("|", Some((key(false), 0..0))),
            ("  Us|", Some((key(false), 2..4))),
            ("\u{feff}Us|", Some((key(false), 3..5))),
            ("Us|er-agent : x", Some((key(true), 0..10))),
            ("User-agent:|", Some((crawler(false), 11..11))),
            ("user-AGENT : G|PTBot # é", Some((crawler(true), 13..19))),
            ("é: |", None),
            ("Disallow: /|", None),
            ("# User-agent: |", None),
            ("User-agent: a # |", None),
        ] {
            let cursor = line.find('|').unwrap();
            let found = Place::of(&line.replace('|', ""), cursor);
            let found = found.map(|it| (it.what, it.replaced));
            assert_eq!(found, expected, "{line}");
        }
    }
}
