//! Path patterns, with and without wildcards.

use super::randomness::Randomness;
use super::vocabulary::{EXTENSIONS, parameter, segment, word};

#[derive(Clone, Copy)]
pub(super) struct Depth(pub(super) usize);

/// Generates a rule line, usually a disallow line as in real files.
pub(super) fn line(randomness: &mut Randomness, is_wild: bool, depth: Depth) -> String {
    let key = if randomness.percent(12) {
        "Allow"
    } else {
        "Disallow"
    };
    let pattern = if is_wild {
        wild(randomness)
    } else {
        literal(randomness, depth)
    };
    format!("{key}: {pattern}\n")
}

fn literal(randomness: &mut Randomness, Depth(depth): Depth) -> String {
    let mut path = String::new();
    for _ in 0..=randomness.below(depth) {
        path.push('/');
        path.push_str(&segment(randomness));
    }
    match randomness.below(10) {
        0..=5 => path.push('/'),
        6 => path.push_str(randomness.pick(&EXTENSIONS)),
        _ => {}
    }
    path
}

fn wild(randomness: &mut Randomness) -> String {
    let rng = randomness;
    match rng.below(12) {
        0 => format!("/*?{}=", parameter(rng)),
        1 => format!("/*?*{}=", parameter(rng)),
        2 => format!("/*&{}=*&{}=", parameter(rng), parameter(rng)),
        3 => format!("/*/{}/", segment(rng)),
        4 => format!("*/{}-{}/", word(rng), word(rng)),
        5 => format!("/*{}*{}", segment(rng), word(rng)),
        6 => format!("/*{}$", rng.pick(&EXTENSIONS)),
        7 => format!("/{}/*?", segment(rng)),
        8 => format!("/{}/*/{}", segment(rng), word(rng)),
        9 => format!("/{}/{}/*", segment(rng), segment(rng)),
        10 => format!("/{}/{}$", segment(rng), segment(rng)),
        _ => format!("/{}/*/{}/*?{}=", segment(rng), segment(rng), parameter(rng)),
    }
}

/// Returns the patterns of a body. The parser is lax, but good enough to generate matching URLs.
pub(super) fn patterns_of(body: &[u8]) -> Vec<String> {
    let lines = body.split(|byte| matches!(byte, b'\n' | b'\r'));
    lines.filter_map(pattern_of).collect()
}

fn pattern_of(line: &[u8]) -> Option<String> {
    let line = std::str::from_utf8(line).ok()?;
    let (key, value) = line.split_once(':')?;
    let is_rule = ["allow", "disallow"]
        .iter()
        .any(|name| key.trim().eq_ignore_ascii_case(name));
    let value = value.split('#').next()?.trim();
    let has_pattern = is_rule && value.starts_with(['/', '*']);
    has_pattern.then(|| value.to_owned())
}
