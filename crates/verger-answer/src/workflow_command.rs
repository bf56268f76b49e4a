//! Escapes text for GitHub workflow commands.

use verger::legible;

/// Escapes the message after the second `::`. Each line is safe to show.
#[must_use]
pub fn message(text: &str) -> String {
    let lines = text.split('\n').map(|line| legible(line.as_bytes()));
    let lines: Vec<_> = lines.map(|line| line.replace('%', "%25")).collect();
    lines.join("%0A")
}

/// Escapes the value of a property.
#[must_use]
pub fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_separates_is_escaped() {
        assert_eq!(message("100%\r\nb: c"), "100%25\\x0d%0Ab: c");
        assert_eq!(property("C:a,b"), "C%3Aa%2Cb");
    }
}
