//! Header fields and meta elements to rules, one by one.

use super::directives::{OF_GOOGLE, OF_OTHERS};
use super::reading::{PageTag, TagSource};

/// Returns the rules of an `X-Robots-Tag`: an optional name, then rules separated by commas.   GM-8 to GM-10
pub(super) fn of_x_robots_tag(value: &[u8], line: usize) -> Vec<PageTag> {
    let text = String::from_utf8_lossy(value).into_owned();
    let mut agent = "*".to_owned();
    let mut tags = Vec::new();
    for mut part in split_at_commas(&text) {
        if let Some((name, rest)) = part.split_once(':')
            && !is_rule(&trimmed(name).to_ascii_lowercase())
        {
            agent = trimmed(name).to_ascii_lowercase();
            part = trimmed(rest).to_owned();
        }
        tags.extend(tag(&part, &agent, TagSource::XRobotsTag, line));
    }
    tags
}

/// The crawlers of the generator that operators document.
const CRAWLERS: [&str; 9] = [
    "googlebot",
    "googlebot-news",
    "bingbot",
    "msnbot",
    "adsbot-google",
    "google-inspectiontool",
    "yandex",
    "yandexbot",
    "amazonbot",
];

/// Returns the rules of a meta element: its name, and rules separated by commas.        GM-3, RX-3.1.2-1
pub(super) fn of_meta(name: &str, content: &str, line: usize) -> Vec<PageTag> {
    let name = trimmed(name).to_ascii_lowercase();
    let agent = if name == "robots" {
        "*".to_owned()
    } else {
        name
    };
    let parts = split_at_commas(content);
    let parts = parts.iter();
    let tags: Vec<PageTag> = parts
        .filter_map(|part| tag(part, &agent, TagSource::Meta, line))
        .collect();
    // An element with an unknown name, such as `viewport`, is for a crawler if it has a rule.
    let is_for_crawler =
        agent == "*" || CRAWLERS.contains(&&*agent) || tags.iter().any(|it| is_rule(&it.name));
    if is_for_crawler { tags } else { Vec::new() }
}

/// A rule before a colon is not the name of a crawler.
fn is_rule(name: &str) -> bool {
    OF_GOOGLE.contains(&name) || OF_OTHERS.contains(&name)
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(|it: char| it.is_ascii_whitespace())
}

/// Splits at commas. A comma in a date ends nothing: no rule begins with a digit.
fn split_at_commas(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for piece in text.split(',') {
        let is_rest_of_date = trimmed(piece).starts_with(|it: char| it.is_ascii_digit());
        match parts.last_mut() {
            Some(before)
                if is_rest_of_date && before.to_ascii_lowercase().contains("unavailable_after") =>
            {
                before.push(',');
                before.push_str(piece);
            }
            _ => parts.push(piece.to_owned()),
        }
    }
    parts.iter().map(|it| trimmed(it).to_owned()).collect()
}

fn tag(part: &str, agent: &str, source: TagSource, line: usize) -> Option<PageTag> {
    let (name, value) = match part.split_once(':') {
        Some((name, value)) => (trimmed(name), Some(trimmed(value).to_owned())),
        None => (part, None),
    };
    (!part.is_empty()).then(|| PageTag {
        name: name.to_ascii_lowercase(),
        value,
        agent: agent.to_owned(),
        source,
        line,
        applies: false,
    })
}

/// Returns the rules of a `Robots-Tag`, or nothing if a member before the limit is invalid. `limit` is in bytes.
///
/// A List of Items with Parameters: `*;nosnippet, ExampleBot;noindex`.                        RX-3.1.1-1
pub(super) fn of_robots_tag(value: &[u8], line: usize, limit: usize) -> Vec<PageTag> {
    let is_cut = value.len() > limit;
    let text = String::from_utf8_lossy(&value[..value.len().min(limit)]).into_owned();
    let mut members = split_outside_strings(&text, ',');
    // "Any partially transmitted or truncated List member at the limit [...] MUST be ignored."   RX-3.1.1-9
    if is_cut {
        members.pop();
    }
    let is_empty = members
        .iter()
        .all(|it| it.trim_matches([' ', '\t']).is_empty());
    let mut tags = Vec::new();
    for member in members.iter().filter(|_| !is_empty) {
        let Some(of_member) = of_member(member.trim_matches([' ', '\t']), line) else {
            return Vec::new();
        };
        tags.extend(of_member);
    }
    tags
}

fn of_member(member: &str, line: usize) -> Option<Vec<PageTag>> {
    let mut parts = split_outside_strings(member, ';').into_iter();
    let item = parts.next()?;
    let agent = unquoted(&item).or_else(|| is_token(&item).then(|| item.clone()))?;
    let mut tags: Vec<PageTag> = Vec::new();
    for parameter in parts {
        let parameter = parameter.trim_start_matches(' ');
        let (key, value) = match parameter.split_once('=') {
            Some((key, value)) => (key, Some(value)),
            None => (parameter, None),
        };
        let is_key = key.starts_with(|it: char| it.is_ascii_alphabetic() || it == '*')
            && key
                .chars()
                .all(|it| it.is_ascii_alphanumeric() || "_-.*".contains(it));
        let is_value = value.is_none_or(|it| {
            ["?0", "?1"].contains(&it)
                || unquoted(it).is_some()
                || is_token(it)
                || is_number(it.strip_prefix('@').unwrap_or(it))
        });
        if !is_key || !is_value {
            return None;
        }
        let name = key.to_ascii_lowercase();
        // In RFC 8941, the last of several parameters with one key counts. But "all rules [...] are restrictive", and
        // their union applies.                                                   RX-3.1.1-3, RX-3.1.1-4
        if value == Some("?0") {
            continue;
        }
        let value = value.filter(|it| *it != "?1");
        tags.push(PageTag {
            name,
            value: value.map(|it| unquoted(it).unwrap_or_else(|| it.to_owned())),
            agent: agent.to_ascii_lowercase(),
            source: TagSource::RobotsTag,
            line,
            applies: false,
        });
    }
    Some(tags)
}

fn split_outside_strings(text: &str, separator: char) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut is_quoted = false;
    for letter in text.chars() {
        is_quoted ^= letter == '"';
        if letter == separator && !is_quoted {
            parts.push(String::new());
        } else {
            parts.last_mut().expect("a part is open").push(letter);
        }
    }
    parts
}

/// A String without escapes.
fn unquoted(text: &str) -> Option<String> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    let is_printable = |it: char| matches!(it, ' '..='~') && it != '"' && it != '\\';
    inner.chars().all(is_printable).then(|| inner.to_owned())
}

fn is_token(text: &str) -> bool {
    text.starts_with(|it: char| it.is_ascii_alphabetic() || it == '*')
        && text
            .chars()
            .all(|it| it.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~:/".contains(it))
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    (1..=15).contains(&digits.len()) && digits.bytes().all(|it| it.is_ascii_digit())
}
