//! URLs: three in ten follow a rule, one in six contains an escape.

use std::fmt::Write as _;

use super::randomness::Randomness;
use super::vocabulary::{EXTENSIONS, parameter, segment, word};

const ORIGINS: [&str; 5] = [
    "https://www.example.com",
    "https://www.example.com",
    "http://example.com",
    "https://shop.example.co.uk",
    "https://static.a-rather-long-name.example.org",
];

const ESCAPES: [&str; 6] = ["%20", "%2F", "%C3%A9", "%E2%9C%93", "%2C", "%d0%b0"];

/// Maximum length of a path and query that follow a rule. Longer ones are cut.
const FOLLOWING_MAX: usize = 180;

pub(super) fn url(randomness: &mut Randomness, patterns: &[String]) -> String {
    let mut url = randomness.pick(&ORIGINS).to_owned();
    url.push_str(&target(randomness, patterns));
    url
}

pub(super) fn target(randomness: &mut Randomness, patterns: &[String]) -> String {
    let follows_rule = !patterns.is_empty() && randomness.percent(30);
    let has_escape = randomness.percent(17);
    let mut target = if follows_rule {
        let pattern = &patterns[randomness.below(patterns.len())];
        following(randomness, pattern)
    } else {
        free(randomness)
    };
    if has_escape {
        escape(randomness, &mut target);
    }
    target
}

/// Generates a target that the pattern matches, unless it is cut.
fn following(randomness: &mut Randomness, pattern: &str) -> String {
    let open = pattern.strip_suffix('$').unwrap_or(pattern);
    let mut target = String::new();
    for (nth, fragment) in open.split('*').enumerate() {
        if nth > 0 {
            target.push_str(&segment(randomness));
        }
        target.extend(fragment.chars().filter(char::is_ascii_graphic));
        if target.len() > FOLLOWING_MAX {
            target.truncate(FOLLOWING_MAX);
            return rooted(target);
        }
    }
    target = rooted(target);
    let is_open = open.len() == pattern.len();
    match randomness.below(4) {
        0 if is_open => target.push_str(&segment(randomness)),
        1 if is_open && !target.contains('?') => target.push_str("?page=2&sort=up"),
        _ => {}
    }
    target
}

fn rooted(mut target: String) -> String {
    if !target.starts_with('/') {
        target.insert(0, '/');
    }
    target
}

fn free(randomness: &mut Randomness) -> String {
    let mut target = String::new();
    for _ in 0..=randomness.below(7) {
        target.push('/');
        target.push_str(&segment(randomness));
    }
    match randomness.below(10) {
        0..=2 => target.push('/'),
        3..=5 => target.push_str(randomness.pick(&EXTENSIONS)),
        _ => {}
    }
    if randomness.percent(40) {
        for nth in 0..=randomness.below(4) {
            let value = match randomness.below(3) {
                0 => word(randomness).to_owned(),
                _ => randomness.below(999).to_string(),
            };
            let separator = if nth == 0 { '?' } else { '&' };
            let _ = write!(target, "{separator}{}={value}", parameter(randomness));
        }
    }
    target
}

fn escape(randomness: &mut Randomness, target: &mut String) {
    let escape = randomness.pick(&ESCAPES);
    if randomness.percent(50) {
        target.push_str(escape);
    } else {
        let at = target.rfind('/').map_or(target.len(), |slash| slash + 1);
        target.insert_str(at, escape);
    }
}

/// Returns URLs for hostile bodies: long runs of the characters in their rules.
pub(super) fn hostile() -> Vec<String> {
    ["a", "ab", "ba"]
        .iter()
        .map(|run| format!("https://www.example.com/{}", run.repeat(2000 / run.len())))
        .collect()
}
