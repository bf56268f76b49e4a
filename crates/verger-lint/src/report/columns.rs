//! Character counts within a body, in O(log bytes).

use verger::Span;

/// Counts characters between two bytes of a body. Invalid UTF-8 counts as
/// [`String::from_utf8_lossy`] shows it.
///
/// A file may be one long line with findings everywhere. Counting from the start of the line for
/// each finding would take quadratic time.
#[derive(Debug)]
pub(super) struct Columns {
    /// The bytes that do not begin a character, in order. Empty for ASCII.
    inside: Vec<u32>,
}

impl Columns {
    pub(super) fn of(body: &[u8]) -> Self {
        let mut inside = Vec::new();
        let mut start = 0_usize;
        let mut add = |start: usize, length: usize| {
            let bytes = start + 1..start + length;
            inside.extend(bytes.filter_map(|byte| u32::try_from(byte).ok()));
            start + length
        };
        for chunk in body.utf8_chunks() {
            for character in chunk.valid().chars() {
                start = add(start, character.len_utf8());
            }
            if !chunk.invalid().is_empty() {
                start = add(start, chunk.invalid().len());
            }
        }
        Self { inside }
    }

    /// Returns the number of characters that begin within a span.
    pub(super) fn characters(&self, span: Span) -> u32 {
        let before = |byte: u32| self.inside.partition_point(|it| *it < byte);
        let inside = before(span.end).saturating_sub(before(span.start));
        let inside = u32::try_from(inside).unwrap_or(u32::MAX);
        span.len().saturating_sub(inside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts the characters one by one from the start of the line.
    fn counted(body: &[u8], start: u32, end: u32) -> u32 {
        let bytes = Span { start, end }.of(body);
        u32::try_from(String::from_utf8_lossy(bytes).chars().count()).unwrap()
    }

    #[test]
    fn characters_are_those_of_the_text_as_it_is_shown() {
        for line in [
            &b""[..],
            b"Disallow: /a",
            "Disallow: /caf\u{e9}/\u{30c4}\u{1f600}/x".as_bytes(),
            b"\xff\xfe\xe2\x82(a|b)\xe2",
            b"\xf0\x9f\x98 \xf0\x80\x80 \xc0\xaf \xed\xa0\x80 \xf4\x90",
            b"\xe9\x82\xac\x82\xe2\x82\xac",
        ] {
            let body = [line, b"\n", line].concat();
            let columns = Columns::of(&body);
            let start = u32::try_from(line.len()).unwrap() + 1;
            for end in start..=u32::try_from(body.len()).unwrap() {
                let expected = counted(&body, start, end);
                assert_eq!(
                    columns.characters(Span { start, end }),
                    expected,
                    "{line:?} {end}"
                );
            }
        }
    }

    #[test]
    fn a_body_of_ascii_takes_no_memory() {
        assert!(Columns::of(&[b'a'; 10_000]).inside.is_empty());
    }
}
