//! `Text`: a document's text with positions as editors count them.

use std::cell::OnceCell;
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// The unit in which positions within a line are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PositionEncoding {
    Utf8,
    Utf16,
}

impl PositionEncoding {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16 => "utf-16",
        }
    }
}

/// A line and an offset in the units of the encoding, both counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Position {
    pub(crate) line: usize,
    pub(crate) character: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PositionRange {
    pub(crate) start: Position,
    pub(crate) end: Position,
}

/// The text of a document.
///
/// A change copies the text after it and scans only the lines it touches. Finding the position of a
/// byte reads at most one block.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    bytes: String,
    encoding: PositionEncoding,
    /// Starts of lines: 0, and each byte after LF, CR LF or CR.
    starts: Vec<usize>,
    /// Number of UTF-16 units before each block of [`BLOCK`] bytes.
    units: OnceCell<Vec<usize>>,
}

const BLOCK: usize = 128;

impl Text {
    pub(crate) fn new(text: String, encoding: PositionEncoding) -> Self {
        let mut starts = vec![0];
        starts.extend(starts_within(text.as_bytes(), 0..text.len()));
        Self {
            bytes: text,
            encoding,
            starts,
            units: OnceCell::new(),
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.bytes
    }

    /// Replaces a range. A position past the end of a line or the text means that end, and a
    /// reversed range is empty.
    pub(crate) fn replace(&mut self, range: PositionRange, text: &str) {
        let start = self.offset(range.start);
        let end = self.offset(range.end).max(start);
        // A change may split or join CR LF, so the previous line is scanned again.
        let first = self.line_of(start).saturating_sub(1);
        let after = self.line_of(end) + 1;
        let old_stop = self.starts.get(after).copied().unwrap_or(self.bytes.len());
        self.bytes.replace_range(start..end, text);
        self.units.take();
        let moved = |offset: usize| offset - (end - start) + text.len();
        for start in self.starts.iter_mut().skip(after) {
            *start = moved(*start);
        }
        let window = self.starts[first]..moved(old_stop);
        let has_next = after < self.starts.len();
        let found: Vec<_> = starts_within(self.bytes.as_bytes(), window.clone())
            .filter(|start| !(has_next && *start == window.end))
            .collect();
        let replaced = first + 1..after.min(self.starts.len());
        self.starts.splice(replaced, found);
    }

    /// Returns the byte at a position, rounded down to the start of a character and clamped as in
    /// [`Text::replace`].
    pub(crate) fn offset(&self, position: Position) -> usize {
        if position.line >= self.starts.len() {
            return self.bytes.len();
        }
        let range = self.line(position.line);
        let line = &self.bytes[range.clone()];
        range.start
            + match self.encoding {
                PositionEncoding::Utf8 => character_start(line, position.character),
                PositionEncoding::Utf16 => bytes_of_units(line, position.character),
            }
    }

    /// Returns the position of a byte, clamped to the end of the text.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.bytes.len());
        let line = self.line_of(offset);
        let start = self.starts[line];
        let character = match self.encoding {
            PositionEncoding::Utf8 => offset - start,
            PositionEncoding::Utf16 => self.units_before(offset) - self.units_before(start),
        };
        Position { line, character }
    }

    pub(crate) fn range(&self, bytes: Range<usize>) -> PositionRange {
        PositionRange {
            start: self.position(bytes.start),
            end: self.position(bytes.end),
        }
    }

    /// Returns the line of a byte, counted from 0.
    pub(crate) fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset) - 1
    }

    /// Returns the bytes of a line without its end, or of the last line if there is no such line.
    pub(crate) fn line(&self, line: usize) -> Range<usize> {
        let line = line.min(self.starts.len() - 1);
        let start = self.starts[line];
        let Some(&next) = self.starts.get(line + 1) else {
            return start..self.bytes.len();
        };
        let whole = &self.bytes[start..next];
        let end = ["\r\n", "\n", "\r"]
            .iter()
            .find(|end| whole.ends_with(**end));
        start..next - end.map_or(0, |end| end.len())
    }

    /// Returns the number of UTF-16 units before a byte.
    fn units_before(&self, offset: usize) -> usize {
        let bytes = self.bytes.as_bytes();
        let blocks = self.units.get_or_init(|| {
            let mut before = 0;
            let blocks = bytes.chunks(BLOCK).map(|block| {
                let start = before;
                before += units(block);
                start
            });
            blocks.collect()
        });
        // A text of whole blocks has no block at its end.
        let block = (offset / BLOCK).min(blocks.len().saturating_sub(1));
        let before = blocks.get(block).copied().unwrap_or(0);
        before + units(&bytes[block * BLOCK..offset])
    }
}

/// Returns the starts of lines after the first byte of a range, up to and including its end.
fn starts_within(text: &[u8], range: Range<usize>) -> impl Iterator<Item = usize> {
    let found = memchr::memchr2_iter(b'\n', b'\r', &text[range.clone()]);
    let ends = found.map(move |at| range.start + at);
    ends.filter(|&end| text[end] == b'\n' || text.get(end + 1) != Some(&b'\n'))
        .map(|end| end + 1)
}

/// Counts the UTF-16 units of the characters that start in these bytes.
fn units(bytes: &[u8]) -> usize {
    let of = |byte: &u8| usize::from(byte & 0xC0 != 0x80) + usize::from(*byte >= 0xF0);
    bytes.iter().map(of).sum()
}

/// Returns the start of the character at a byte, or the end of the text.
pub(crate) fn character_start(text: &str, offset: usize) -> usize {
    let offset = offset.min(text.len());
    // At most three bytes are skipped.
    let starts = (0..=offset).rev();
    let mut starts = starts.filter(|at| text.is_char_boundary(*at));
    starts.next().unwrap_or(0)
}

/// Returns the smallest range of `before` that differs and its replacement, or `None` if the texts
/// are equal.
pub(crate) fn difference<'a>(before: &str, after: &'a str) -> Option<(Range<usize>, &'a str)> {
    if before == after {
        return None;
    }
    let same = |(one, other): &(u8, u8)| one == other;
    let alike = before.bytes().zip(after.bytes()).take_while(same).count();
    let start = character_start(before, alike);
    let (rest, put) = (&before[start..], &after[start..]);
    let pairs = rest.chars().rev().zip(put.chars().rev());
    let end: usize = pairs
        .take_while(|(one, other)| one == other)
        .map(|(character, _)| character.len_utf8())
        .sum();
    Some((start..before.len() - end, &put[..put.len() - end]))
}

/// Returns the text with a capital at its start, if that is an ASCII letter.
pub(crate) fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next();
    let first = first.map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).collect()
}

/// Returns how many bytes the first `units` UTF-16 units of a line have.
fn bytes_of_units(line: &str, units: usize) -> usize {
    if line.is_ascii() {
        return units.min(line.len());
    }
    let mut left = units;
    for (at, character) in line.char_indices() {
        let Some(rest) = left.checked_sub(character.len_utf16()) else {
            return at;
        };
        left = rest;
    }
    line.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ENCODINGS: [PositionEncoding; 2] = [PositionEncoding::Utf8, PositionEncoding::Utf16];

    fn at(line: usize, character: usize) -> Position {
        Position { line, character }
    }

    #[test]
    fn only_an_ascii_letter_at_the_start_is_capitalized() {
        let texts = ["", "as it is", "1 rule", "é a"].map(capitalized);
        assert_eq!(texts, ["", "As it is", "1 rule", "é a"]);
    }

    #[test]
    fn characters_are_counted_in_units() {
        let [utf8, utf16] = ENCODINGS.map(|it| Text::new("aé😀b\r\nc".to_owned(), it));
        assert_eq!(utf8.position(7), at(0, 7));
        assert_eq!(utf16.position(7), at(0, 4));
        assert_eq!(utf16.offset(at(0, 4)), 7);
        // Inside a character.
        assert_eq!(utf8.offset(at(0, 2)), 1);
        assert_eq!(utf16.offset(at(0, 3)), 3);
    }

    #[test]
    fn positions_after_an_end_are_the_end() {
        for encoding in ENCODINGS {
            let text = Text::new("ab\r\ncd\n".to_owned(), encoding);
            assert_eq!(text.offset(at(0, 99)), 2);
            assert_eq!(text.offset(at(1, usize::MAX)), 6);
            assert_eq!(text.offset(at(2, 1)), 7);
            assert_eq!(text.offset(at(usize::MAX, 0)), 7);
            assert_eq!(text.position(99), at(2, 0));
            assert_eq!(Text::new(String::new(), encoding).position(0), at(0, 0));
        }
    }

    #[test]
    fn a_range_that_ends_before_its_start_is_empty() {
        let mut text = Text::new("abc".to_owned(), PositionEncoding::Utf16);
        let range = PositionRange {
            start: at(0, 2),
            end: at(0, 1),
        };
        text.replace(range, "x");
        assert_eq!(text.as_str(), "abxc");
    }

    #[test]
    fn a_difference_is_where_two_texts_differ() {
        for (before, after, expected) in [
            ("abc", "abc", None),
            ("abc", "axc", Some((1..2, "x"))),
            ("aéc", "aèc", Some((1..3, "è"))),
            ("aa", "aaa", Some((2..2, "a"))),
            ("aba", "a", Some((1..3, ""))),
            ("", "é", Some((0..0, "é"))),
        ] {
            assert_eq!(difference(before, after), expected, "{before} {after}");
        }
    }

    /// Generates texts with all line ends and characters of one to four bytes.
    fn texts(parts: usize) -> impl Strategy<Value = String> {
        let part = prop_oneof![
            Just("\n".to_owned()),
            Just("\r".to_owned()),
            Just("\r\n".to_owned()),
            Just("\u{feff}".to_owned()),
            "[a-c:é€😀]{1,3}",
            Just("long ".repeat(BLOCK / 4)),
        ];
        proptest::collection::vec(part, 0..parts).prop_map(|parts| parts.concat())
    }

    fn encodings() -> impl Strategy<Value = PositionEncoding> {
        prop_oneof![Just(PositionEncoding::Utf8), Just(PositionEncoding::Utf16)]
    }

    /// Returns the position of each character and of the end, by definition.
    fn reference_positions(text: &str, encoding: PositionEncoding) -> Vec<(usize, Position)> {
        let mut positions = Vec::new();
        let mut here = at(0, 0);
        for (offset, it) in text.char_indices() {
            positions.push((offset, here));
            let is_first_of_two = it == '\r' && text[offset + 1..].starts_with('\n');
            if it == '\n' || (it == '\r' && !is_first_of_two) {
                here = at(here.line + 1, 0);
            } else {
                here.character += match encoding {
                    PositionEncoding::Utf8 => it.len_utf8(),
                    PositionEncoding::Utf16 => it.len_utf16(),
                };
            }
        }
        positions.push((text.len(), here));
        positions
    }

    proptest! {
        #[test]
        fn a_byte_has_a_position_and_a_position_a_byte(
            text in texts(12),
            encoding in encodings(),
        ) {
            let bytes = Text::new(text.clone(), encoding);
            for (offset, expected) in reference_positions(&text, encoding) {
                let position = bytes.position(offset);
                prop_assert_eq!(position, expected);
                // The offset between CR and LF has no position.
                if !(text[..offset].ends_with('\r') && text[offset..].starts_with('\n')) {
                    prop_assert_eq!(bytes.offset(position), offset);
                }
            }
        }

        #[test]
        fn any_position_is_in_the_text(
            text in texts(6),
            encoding in encodings(),
            line in 0..9usize,
            character in 0..999usize,
        ) {
            let bytes = Text::new(text.clone(), encoding);
            let offset = bytes.offset(at(line, character));
            prop_assert!(text.is_char_boundary(offset));
        }

        #[test]
        fn lines_after_changes_are_those_of_the_text(
            text in texts(12),
            encoding in encodings(),
            changes in proptest::collection::vec((0..999usize, 0..999usize, texts(4)), 1..6),
        ) {
            let mut changed = Text::new(text.clone(), encoding);
            let mut expected = text;
            for (from, length, put) in changes {
                let start = character_start(&expected, from % (expected.len() + 1));
                let end = character_start(&expected, (start + length % 9).min(expected.len()));
                // The offset between CR and LF maps to the end of the line before them.
                let range = changed.range(start..end);
                let (start, end) = (changed.offset(range.start), changed.offset(range.end));
                expected.replace_range(start..end.max(start), &put);
                changed.replace(range, &put);
                prop_assert_eq!(changed.as_str(), &expected);
                let whole = Text::new(expected.clone(), encoding);
                prop_assert_eq!(&changed.starts, &whole.starts);
            }
        }
    }
}
