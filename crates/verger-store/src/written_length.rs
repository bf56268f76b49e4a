//! A duration as a user writes it: `400d`, `12h`, `1d 6h`.

use std::time::Duration;

use jiff::{Span, SpanRelativeTo};

/// Parses a duration. A day has 24 hours, and a week seven days. Months and years vary in length, so they are refused.
///
/// # Errors
///
/// Returns an error if the text is not a duration, or is negative.
pub fn length(text: &str) -> Result<Duration, LengthError> {
    let span: Span = text.trim().parse().map_err(|_| LengthError)?;
    let days = SpanRelativeTo::days_are_24_hours();
    let length = span.to_duration(days).map_err(|_| LengthError)?;
    Duration::try_from(length).map_err(|_| LengthError)
}

/// The text is not a duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a duration such as 400d, 2w, 12h or 90m")]
pub struct LengthError;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read_as_people_write_them() {
        for (text, seconds) in [
            ("400d", 400 * 86_400),
            ("2w", 14 * 86_400),
            ("12h", 43_200),
            ("1d 6h", 108_000),
            ("90 minutes", 5400),
            ("0s", 0),
            ("P1D", 86_400),
        ] {
            assert_eq!(length(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for text in [
            "",
            "400",
            "d",
            "-1d",
            "1d ago",
            "1 month",
            "1y",
            "999999999999999d",
        ] {
            assert_eq!(length(text), Err(LengthError), "{text}");
        }
    }
}
