//! Clause ids in a text, known or not.

use verger::Document;

/// Returns everything in a line with the form of an id: a document's prefix, a hyphen, then letters, digits, dots and
/// hyphens.
pub(crate) fn clause_ids(line: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '/' | '%');
    line.split(move |c| !is_part(c))
        .map(|word| word.trim_end_matches(['.', '-']))
        .filter(|word| is_id(word))
}

fn is_id(word: &str) -> bool {
    let Some((prefix, rest)) = word.split_once('-') else {
        return false;
    };
    let is_of_a_document = Document::ALL
        .iter()
        .any(|document| *document != Document::Own && document.prefix() == prefix);
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || ".-".contains(c);
    is_of_a_document
        && rest.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && rest.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_among_other_words() {
        let ids = |line| clause_ids(line).collect::<Vec<_>>();
        assert_eq!(ids("(R9309-2.3.1.3-1, V-12.)"), ["R9309-2.3.1.3-1", "V-12"]);
        assert!(ids("UTF-8, X-V-1, OWN-7 and V-x_1").is_empty());
    }
}
