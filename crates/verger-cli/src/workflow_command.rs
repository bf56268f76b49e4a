//! Texts in commands of GitHub's workflows, which annotate lines.

/// Text behind the second `::`.
pub(crate) fn message(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
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
        assert_eq!(message("100%\r\nb: c"), "100%25%0D%0Ab: c");
        assert_eq!(property("C:a,b"), "C%3Aa%2Cb");
    }
}
