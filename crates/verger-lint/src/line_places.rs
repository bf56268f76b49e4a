//! Positions of lines in a body.

use verger::{LineNumber, Position, RobotsTxt, Span};

/// Positions of lines in a body, for lookups in O(log lines).
#[derive(Clone, Debug)]
pub(crate) struct LinePlaces {
    /// The first byte of each line in order, and the byte after the last line.
    lines: Vec<Span>,
    body_end: u32,
}

impl LinePlaces {
    pub(crate) fn of(robots: &RobotsTxt) -> Self {
        Self {
            lines: robots.lines().map(|line| line.span()).collect(),
            body_end: u32::try_from(robots.body().len()).unwrap_or(u32::MAX),
        }
    }

    /// Returns the lines in order, without their line ends.
    pub(crate) fn lines(&self) -> &[Span] {
        &self.lines
    }

    /// Returns the number of bytes in the longest line.
    pub(crate) fn longest_line(&self) -> usize {
        let longest = self.lines.iter().map(|line| line.len()).max();
        usize::try_from(longest.unwrap_or(0)).unwrap_or(usize::MAX)
    }

    /// Returns the line of a byte, including its line end. Bytes after all lines belong to the last
    /// one.
    fn line_at(&self, byte: u32) -> Option<usize> {
        let after = self.lines.partition_point(|line| line.start <= byte);
        after.checked_sub(1).or(self.lines.first().map(|_| 0))
    }

    /// Returns line and column of a byte, from 1.
    pub(crate) fn position(&self, byte: u32) -> Position {
        let index = self.line_at(byte).unwrap_or(0);
        let start = self.lines.get(index).map_or(0, |line| line.start);
        let number = u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1);
        Position {
            line: LineNumber::new(number).unwrap_or(LineNumber::FIRST),
            column: byte.saturating_sub(start) + 1,
        }
    }

    /// Returns the line of a byte, with its line end.
    pub(crate) fn whole_line(&self, byte: u32) -> Span {
        let Some(index) = self.line_at(byte) else {
            return Span { start: 0, end: 0 };
        };
        let next = self.lines.get(index + 1);
        Span {
            start: self.lines[index].start,
            end: next.map_or(self.body_end, |next| next.start),
        }
    }

    /// Returns the line of a byte, without its line end.
    pub(crate) fn line(&self, byte: u32) -> Span {
        self.line_at(byte)
            .map_or(Span { start: 0, end: 0 }, |index| self.lines[index])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use verger::Dialect;

    #[test]
    fn positions_are_those_of_the_engine() {
        for body in ["", "a", "\u{feff}a\r\nb\rc\n\nd", "\n\n", "a\n"] {
            let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
            let places = LinePlaces::of(&robots);
            for byte in 0..u32::try_from(body.len()).unwrap() {
                // After a CR, the engine counts an LF as part of the same line.
                assert_eq!(
                    places.position(byte),
                    robots.position(byte),
                    "{body:?} {byte}"
                );
            }
        }
    }

    #[test]
    fn whole_lines_make_up_the_body() {
        let robots = RobotsTxt::parse("a\r\nb\n\nc", Dialect::Rfc9309);
        let places = LinePlaces::of(&robots);
        let whole = [0, 3, 5, 6].map(|byte| {
            let Span { start, end } = places.whole_line(byte);
            (start, end)
        });
        assert_eq!(whole, [(0, 3), (3, 5), (5, 6), (6, 7)]);
    }
}
