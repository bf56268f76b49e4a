//! Searches a body for keys without parsing it.

use verger::Reading;
use verger::dialect::OtherRecords;
use verger_simd::{FirstByteSet, any_line};

/// Returns whether a body may have a line with one of these keys. `first_bytes` are the first bytes
/// of such a line: those of the keys, and white space.
pub(crate) fn may_have_key(
    body: &[u8],
    reading: &Reading,
    first_bytes: &FirstByteSet,
    keys: &[&str],
) -> bool {
    /// The bytes of a byte order mark that any reading skips at the start of a body.
    const MARK: &[u8] = b"\xEF\xBB\xBF\xFE\xFF";
    let is_utf16 = body.starts_with(&[0xFF, 0xFE]) || body.starts_with(&[0xFE, 0xFF]);
    let text_start = body.iter().position(|byte| !MARK.contains(byte));
    let text = &body[text_start.unwrap_or(0)..];
    is_utf16
        || reading.other_records() == OtherRecords::Lenient
        || any_line(text, first_bytes, |line| has_key(line, keys))
}

/// Returns whether the first line has one of the keys.
fn has_key(line: &[u8], keys: &[&str]) -> bool {
    let is_white = |byte: &u8| matches!(byte, b' ' | b'\t' | 0x0B | 0x0C);
    let Some(start) = line.iter().position(|byte| !is_white(byte)) else {
        return false;
    };
    keys.iter().any(|key| {
        let written = line[start..].get(..key.len());
        written.is_some_and(|it| it.eq_ignore_ascii_case(key.as_bytes()))
    })
}
