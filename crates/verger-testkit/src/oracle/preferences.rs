//! Preferences about the uses of a target's content: a slow join of the records, groups and
//! paths of Content-Signal (CS-1) and Content-Usage (AA-1 to AA-3).

use super::decision::specificity;
use super::groups::Group;
use super::lines::Line;
use super::records::{Content, Record, key_and_value};
use super::{product_token, selection, target};
use crate::subject::{DialectName, Question};

/// The preferences about a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preferences {
    /// `yes`, `no` or `unstated` for `search`, `ai-input` and `ai-train`.
    pub words: [&'static str; 3],
    /// The values that apply, in file order: `2 content-signal search=yes`.
    pub values: Vec<String>,
}

/// The names of each use: its key in Content-Signal, and its label in Content-Usage.  CS-1, AV-1
const USES: [(&str, &str); 3] = [
    ("search", "search"),
    ("ai-input", "ai-use"),
    ("ai-train", "train-ai"),
];

/// A line with a key and a value.
struct Stated {
    line: u32,
    kind: &'static str,
    value: Vec<u8>,
}

/// A value of a line: its kind, key and value, and the use that it permits or refuses.
type Value = (u32, &'static str, String, String, Option<(usize, bool)>);

pub(super) fn of(
    question: &Question<'_>,
    lines: &[Line],
    records: &[Record],
    is_allowed: bool,
) -> Result<Preferences, String> {
    let Question {
        dialect, agents, ..
    } = *question;
    product_token::check(agents, dialect)?;
    let target = target::of(question.url, dialect)?;

    let stated = stated_lines(lines, dialect);
    let (signals, usages): (Vec<_>, Vec<_>) =
        stated.iter().partition(|it| it.kind == "content-signal");
    let mut values: Vec<Value> = Vec::new();
    // Other records do not disturb the groups.                            R9309-2.2.4-3
    let of_crawler = lines_for(records, &[], question);
    for signal in signals.iter().filter(|it| of_crawler.contains(&it.line)) {
        values.extend(values_of_signal(signal));
    }
    // For AIPREF, Content-Usage is a rule.                                         AA-1
    let rules: Vec<u32> = usages.iter().map(|it| it.line).collect();
    let of_crawler = lines_for(records, &rules, question);
    let usages = usages.iter().filter(|it| of_crawler.contains(&it.line));
    let matching: Vec<(usize, &[u8], u32)> = usages
        .filter_map(|it| {
            let (path, preferences) = path_and_preferences(&it.value);
            let length = match path {
                None => 0,
                // No path is shorter than any path.
                Some(path) => 1 + specificity(path, &target, dialect)?,
            };
            Some((length, preferences, it.line))
        })
        .collect();
    let longest = matching.iter().map(|(length, ..)| *length).max();
    // "No preference is stated about a disallowed URL."                            AA-3
    for (length, preferences, line) in matching.into_iter().filter(|_| is_allowed) {
        // "The content-usage line with the longest matching path decides."         AA-2
        if Some(length) == longest {
            values.extend(values_of_usage(preferences, line));
        }
    }
    values.sort_by_key(|value| value.0);
    Ok(summary(&values))
}

/// Each value once, and for each use the most restrictive one.                      AA-4
fn summary(values: &[Value]) -> Preferences {
    let mut texts: Vec<(String, u32)> = Vec::new();
    for (line, kind, key, value, _) in values {
        let text = format!("{kind} {key}={value}");
        if !texts.iter().any(|(before, _)| *before == text) {
            texts.push((text, *line));
        }
    }
    let says = |of: usize, is_permitted: bool| {
        values
            .iter()
            .any(|(.., about)| *about == Some((of, is_permitted)))
    };
    Preferences {
        words: [0, 1, 2].map(|of| match (says(of, false), says(of, true)) {
            (true, _) => "no",
            (false, true) => "yes",
            (false, false) => "unstated",
        }),
        values: texts
            .into_iter()
            .map(|(text, line)| format!("{line} {text}"))
            .collect(),
    }
}

fn stated_lines(lines: &[Line], dialect: DialectName) -> Vec<Stated> {
    let mut stated = Vec::new();
    for line in lines {
        let Some((key, value)) = key_and_value(&line.bytes, dialect) else {
            continue;
        };
        for kind in ["content-signal", "content-usage"] {
            if key.eq_ignore_ascii_case(kind.as_bytes()) {
                stated.push(Stated {
                    line: line.number,
                    kind,
                    value: value.to_vec(),
                });
            }
        }
    }
    stated
}

/// Returns the lines in the groups that apply to the crawler, if `rules` end runs of user-agent
/// lines as allow and disallow lines do.
fn lines_for(records: &[Record], rules: &[u32], question: &Question<'_>) -> Vec<u32> {
    let mut groups: Vec<(Group, Vec<u32>)> = Vec::new();
    let (mut is_open, mut has_rule) = (false, Vec::new());
    for record in records {
        match &record.content {
            Content::UserAgent(value) => {
                if !is_open || has_rule.last() == Some(&true) {
                    let group = Group {
                        first_line: record.line,
                        agents: Vec::new(),
                        rules: Vec::new(),
                    };
                    groups.push((group, Vec::new()));
                    has_rule.push(false);
                }
                is_open = true;
                let (group, _) = groups.last_mut().expect("a group is open");
                group.agents.push(value.clone());
            }
            // Blank lines separate records.                               K96-3.2-1
            Content::Blank if question.dialect == DialectName::Koster1996 => is_open = false,
            _ if !is_open => {}
            content => {
                let is_rule = matches!(content, Content::Rule(..)) || rules.contains(&record.line);
                *has_rule.last_mut().expect("a group is open") |= is_rule;
                let (_, lines) = groups.last_mut().expect("a group is open");
                lines.push(record.line);
            }
        }
    }
    // A record has at least one rule line.                                K96-3.3-2
    let is_kept = |nth: usize| question.dialect != DialectName::Koster1996 || has_rule[nth];
    let kept: Vec<&(Group, Vec<u32>)> = (0..groups.len())
        .filter(|nth| is_kept(*nth))
        .map(|nth| &groups[nth])
        .collect();
    let alone: Vec<Group> = kept.iter().map(|(group, _)| group.clone()).collect();
    let Some(selected) = selection::select(&alone, question.agents, question.dialect) else {
        return Vec::new();
    };
    let first_lines: Vec<u32> = selected.first_lines().collect();
    kept.into_iter()
        .filter(|(group, _)| first_lines.contains(&group.first_line))
        .flat_map(|(_, lines)| lines.clone())
        .collect()
}

/// `key=value` between commas. Keys and values have no case.                        CS-1
fn values_of_signal(stated: &Stated) -> Vec<Value> {
    let mut values = Vec::new();
    let text = String::from_utf8_lossy(&stated.value).to_ascii_lowercase();
    for part in text.split(',') {
        let Some((key, value)) = part.split_once('=') else {
            continue;
        };
        let is_space = |it: char| it.is_ascii_whitespace();
        let (key, value) = (key.trim_matches(is_space), value.trim_matches(is_space));
        let of = USES.iter().position(|(name, _)| *name == key);
        let about = of.zip(match value {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        });
        let is_use = key == "use" && ["immediate", "reference", "full"].contains(&value);
        if about.is_some() || is_use {
            let (key, value) = (key.to_owned(), value.to_owned());
            values.push((stated.line, stated.kind, key, value, about));
        }
    }
    values
}

/// A path starts with a slash and ends at the first space or tab.                   AA-1
fn path_and_preferences(value: &[u8]) -> (Option<&[u8]>, &[u8]) {
    if value.first() != Some(&b'/') {
        return (None, value);
    }
    let is_space = |byte: &u8| *byte == b' ' || *byte == b'\t';
    let end = value.iter().position(is_space).unwrap_or(value.len());
    let start = value[end..].iter().position(|byte| !is_space(byte));
    (
        Some(&value[..end]),
        &value[end + start.unwrap_or(value.len() - end)..],
    )
}

/// The labels whose last value is the token `y` or `n`. If any member cannot be read, all are
/// unknown.                                                                   AA-1, AV-2
fn values_of_usage(preferences: &[u8], line: u32) -> Vec<Value> {
    let text = String::from_utf8_lossy(preferences);
    let mut last: Vec<(String, String)> = Vec::new();
    for member in text.split(',') {
        let member = member.trim_matches([' ', '\t']);
        let mut parts = member.split(';');
        let member = parts.next().unwrap_or_default();
        let (label, value) = member.split_once('=').unwrap_or((member, "?1"));
        let parameters = parts.map(|it| it.trim_start_matches(' '));
        let names =
            std::iter::once(label).chain(parameters.map(|it| it.split('=').next().unwrap_or(it)));
        if !names.into_iter().all(is_label)
            || !(is_token(value) || is_string(value) || value == "?1")
        {
            return Vec::new();
        }
        last.retain(|(before, _)| before != label);
        last.push((label.to_owned(), value.to_owned()));
    }
    let mut values = Vec::new();
    for (of, (_, label)) in USES.iter().enumerate() {
        let value = last.iter().find(|(name, _)| name == label);
        if let Some((label, value)) = value.filter(|(_, value)| value == "y" || value == "n") {
            let about = Some((of, value == "y"));
            values.push((line, "content-usage", label.clone(), value.clone(), about));
        }
    }
    values
}

fn is_label(text: &str) -> bool {
    let is_rest = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || "_-.*".contains(it);
    text.starts_with(|it: char| it.is_ascii_lowercase() || it == '*') && text.chars().all(is_rest)
}

/// A String without commas and escapes.
fn is_string(text: &str) -> bool {
    let is_printable = |it: char| matches!(it, ' '..='~') && it != '"' && it != '\\';
    let inner = text.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    inner.is_some_and(|it| it.chars().all(is_printable))
}

/// A Token of RFC 9651, of which the cases need letters, digits and hyphens.
fn is_token(text: &str) -> bool {
    text.starts_with(|it: char| it.is_ascii_alphabetic())
        && text
            .chars()
            .all(|it| it.is_ascii_alphanumeric() || it == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dictionary_with_a_string_is_read() {
        let read = |text: &str| {
            let values = values_of_usage(text.as_bytes(), 1);
            let texts = values.into_iter().map(|it| format!("{}={}", it.2, it.3));
            texts.collect::<Vec<_>>()
        };
        assert_eq!(read("x=\"say yes\", ai-use=n"), ["ai-use=n"]);
        assert_eq!(
            read("search=y;a=1 , train-ai=n;b, train-ai=y"),
            ["search=y", "train-ai=y"]
        );
        for text in [
            "search=y,",
            "Search=y",
            "search=y ;a, ai-use=n",
            "search=y, ?=n",
            "",
        ] {
            assert!(read(text).is_empty(), "{text}");
        }
    }
}
