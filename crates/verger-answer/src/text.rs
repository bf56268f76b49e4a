//! Formats bytes, numbers and times.

use std::borrow::Cow;

use base64::alphabet;
use base64::engine::{DecodePaddingMode, Engine, GeneralPurpose, GeneralPurposeConfig};
use base64::prelude::BASE64_STANDARD;
use verger_access::Timestamp;

/// Base64 with the standard alphabet and optional padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

pub use verger::legible;

/// Maximum number of bytes of a text that an error quotes.
const REPEATED_BYTES_MAX: usize = 200;

/// Returns the text, cut to its first 200 bytes and `…` if it is longer.
#[must_use]
pub fn start_of(text: &str) -> Cow<'_, str> {
    if text.len() <= REPEATED_BYTES_MAX {
        return Cow::Borrowed(text);
    }
    let mut ends = (0..=REPEATED_BYTES_MAX).rev();
    let start = ends.find_map(|end| text.get(..end));
    Cow::Owned(format!("{}…", start.unwrap_or_default()))
}

/// Returns the bytes as text with U+FFFD in place of invalid UTF-8, and in base64 if that lost
/// something.
#[must_use]
pub fn json_text(bytes: &[u8]) -> (Cow<'_, str>, Option<String>) {
    match String::from_utf8_lossy(bytes) {
        Cow::Borrowed(text) => (Cow::Borrowed(text), None),
        lossy @ Cow::Owned(_) => (lossy, Some(base64(bytes))),
    }
}

/// Returns the bytes in base64, padded.
#[must_use]
pub fn base64(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(bytes)
}

/// Returns the number with thousands separators: `512,000`.
#[must_use]
pub fn grouped(number: impl std::fmt::Display) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (nth, digit) in digits.chars().enumerate() {
        if nth > 0 && (digits.len() - nth).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a TOML error without quoting the file, which may contain secrets.
#[must_use]
pub fn toml_problem(message: &str) -> String {
    let is_unknown_key = message.starts_with("unknown field ");
    let repeats = ["unknown ", "invalid type: ", "invalid value: "];
    if !repeats.iter().any(|it| message.starts_with(it)) {
        return message.to_owned();
    }
    let expected = message.rsplit_once(", expected ").map(|(_, it)| it);
    match (is_unknown_key, expected) {
        (true, Some(known)) => format!("unknown key: use {known}"),
        (true, None) => "unknown key".to_owned(),
        (false, Some(expected)) => format!("invalid value: expected {expected}"),
        (false, None) => "invalid value".to_owned(),
    }
}

/// Returns the time for people: `2026-11-20 17:02:11 UTC`. After the year 9999: `@` and Unix
/// seconds.
#[must_use]
pub fn readable_time(time: Timestamp) -> String {
    let text = time.to_string();
    match text.strip_suffix('Z') {
        Some(text) => format!("{} UTC", text.replace('T', " ")),
        None => text,
    }
}

/// Returns the UTC day of a time: `2026-11-20`. After the year 9999: `@` and Unix seconds.
#[must_use]
pub fn day_text(time: Timestamp) -> String {
    let text = time.to_string();
    text.split('T').next().unwrap_or_default().to_owned()
}

/// Decodes the base64 value of `key`, padded or not.
///
/// # Errors
///
/// Returns an error if the value is not base64.
pub fn of_base64(key: &'static str, text: &str) -> Result<Vec<u8>, NotBase64> {
    BASE64
        .decode(text)
        .map_err(|error| NotBase64 { key, error })
}

/// A value is not base64.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key} is not base64: {error}")]
pub struct NotBase64 {
    key: &'static str,
    error: base64::DecodeError,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_repeats_only_the_start_of_a_long_text() {
        let long = "é".repeat(100);
        assert_eq!(start_of(&long), long);
        assert_eq!(start_of(&format!("{long}a")), format!("{long}…"));
        let uneven = format!("a{long}");
        assert_eq!(start_of(&uneven), format!("a{}…", "é".repeat(99)));
    }

    #[test]
    fn digits_are_grouped_by_three() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (512_000, "512,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn a_time_is_shown_in_utc() {
        let shown = |seconds| {
            let time = Timestamp::from_unix_seconds(seconds);
            [readable_time(time), day_text(time)]
        };
        let second = shown(1_795_194_131);
        assert_eq!(second, ["2026-11-20 17:02:11 UTC", "2026-11-20"]);
        assert_eq!(shown(u64::MAX), ["@18446744073709551615"; 2]);
    }

    #[test]
    fn base64_is_given_only_where_text_loses_something() {
        assert_eq!(json_text("/é".as_bytes()), (Cow::Borrowed("/é"), None));
        let (text, base64) = json_text(b"/\xe9");
        assert_eq!((&*text, base64.as_deref()), ("/\u{fffd}", Some("L+k=")));
    }

    #[test]
    fn base64_is_read_with_and_without_padding() {
        assert_eq!(of_base64("k", "L+k=").as_deref(), Ok(&b"/\xe9"[..]));
        assert_eq!(of_base64("k", "L+k").as_deref(), Ok(&b"/\xe9"[..]));
        let error = of_base64("robots_base64", "L+").unwrap_err().to_string();
        assert!(
            error.starts_with("robots_base64 is not base64: "),
            "{error}"
        );
    }
}
