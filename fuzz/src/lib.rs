//! Shared by the fuzz targets: turns an input into a question.

/// The interfaces of the engine, as in its own tests.
#[path = "../../crates/verger/tests/engine/subjects.rs"]
pub mod subjects;

/// One question in every form.
#[path = "../../crates/verger/tests/engine/ways.rs"]
pub mod ways;

use verger::dialect::LenientLines;
use verger::{Dialect, Reading};

/// Returns every dialect, with and without lenient lines.
pub fn readings() -> impl Iterator<Item = Reading> {
    Dialect::ALL.iter().copied().flat_map(|dialect| {
        let reading = Reading::new(dialect);
        [reading, reading.with_lenient_lines(LenientLines::Read)]
    })
}

/// Splits an input into a body, a crawler's name and a URL, which are the last two lines.
///
/// The name is changed to one that every dialect accepts.
#[must_use]
pub fn question(input: &[u8]) -> (&[u8], String, &[u8]) {
    let (rest, url) = last_line(input);
    let (body, name) = last_line(rest);
    let name: String = name
        .iter()
        .map(|&byte| char::from(byte))
        .filter(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(*letter))
        .take(16)
        .collect();
    (
        body,
        if name.is_empty() {
            "*".to_owned()
        } else {
            name
        },
        url,
    )
}

fn last_line(input: &[u8]) -> (&[u8], &[u8]) {
    match input.iter().rposition(|&byte| byte == b'\n') {
        Some(end) => (&input[..end], &input[end + 1..]),
        None => (&[], input),
    }
}
