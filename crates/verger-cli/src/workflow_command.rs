//! Texts in commands of GitHub's workflows, which annotate lines.

use crate::octet_text::legible;

/// Text behind the second `::`, line by line as text that is safe to show.
pub(crate) fn message(text: &str) -> String {
    let lines = text.split('\n').map(|line| legible(line.as_bytes()));
    let lines: Vec<_> = lines.map(|line| line.replace('%', "%25")).collect();
    lines.join("%0A")
}

/// The value of a property.
pub(crate) fn property(text: &str) -> String {
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
