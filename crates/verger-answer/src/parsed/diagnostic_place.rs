//! Positions and order of diagnostics.

use std::iter;
use std::iter::Peekable;

use verger::{Line, LineNumber, RobotsTxt, Span};

use crate::file_diagnostic::FileDiagnostic;

/// Line and byte at which a diagnostic starts, both counted from 1. `None` if it is about the whole
/// file or an unread part.
pub type Place = Option<(LineNumber, u32)>;

/// Iterates over the diagnostics of a file with their places: first those of the whole file, then
/// by position. It computes them lazily, without extra memory.
pub fn placed(robots: &RobotsTxt) -> impl Iterator<Item = (Place, FileDiagnostic<'_>)> {
    let mut of_lines = FileDiagnostic::all_of(robots).peekable();
    let of_body = iter::from_fn(|| of_lines.next_if(|next| next.line.is_none()));
    let of_body = of_body.map(|diagnostic| match diagnostic.span.start {
        0 => (None, diagnostic),
        start => (LineWalk::of(robots).place(start), diagnostic),
    });
    let mut of_body: Vec<_> = of_body.collect();
    of_body.sort_by_key(|(place, _)| *place);
    let mut of_body = of_body.into_iter().peekable();
    let mut walk = LineWalk::of(robots);
    let of_lines = of_lines.map(move |diagnostic| (walk.place(diagnostic.span.start), diagnostic));
    let mut of_lines = of_lines.peekable();
    iter::from_fn(move || match (of_body.peek(), of_lines.peek()) {
        (Some((in_body, _)), Some((in_line, _))) if in_body > in_line => of_lines.next(),
        (Some(_), _) => of_body.next(),
        (None, _) => of_lines.next(),
    })
}

/// Walks the lines of a file along with ascending positions.
struct LineWalk<L: Iterator> {
    lines: Peekable<L>,
    line: Option<(LineNumber, Span)>,
}

impl<'r> LineWalk<iter::Empty<Line<'r>>> {
    fn of(robots: &'r RobotsTxt) -> LineWalk<impl Iterator<Item = Line<'r>>> {
        LineWalk {
            lines: robots.lines().peekable(),
            line: None,
        }
    }
}

impl<'r, L: Iterator<Item = Line<'r>>> LineWalk<L> {
    /// Returns the place of a byte on the current line or a later one.
    fn place(&mut self, byte: u32) -> Place {
        while let Some(line) = self.lines.next_if(|next| next.span().start <= byte) {
            self.line = Some((line.number(), line.span()));
        }
        let (line, span) = self.line?;
        // The byte after a line is its end, where something may be missing.
        let column = byte.checked_sub(span.start)? + 1;
        (byte <= span.end).then_some((line, column))
    }
}

#[cfg(test)]
mod tests {
    use verger::Dialect;

    use super::*;

    /// The slow reference implementation.
    fn reference(robots: &RobotsTxt) -> Vec<(Place, FileDiagnostic<'_>)> {
        let starts: Vec<_> = robots.lines().map(|it| (it.number(), it.span())).collect();
        let place = |diagnostic: &FileDiagnostic<'_>| {
            let start = diagnostic.span.start;
            if diagnostic.line.is_none() && start == 0 {
                return None;
            }
            let after = starts.partition_point(|(_, span)| span.start <= start);
            let (line, span) = starts[after.checked_sub(1)?];
            (start <= span.end).then(|| (line, start - span.start + 1))
        };
        let diagnostics = FileDiagnostic::all_of(robots);
        let mut all: Vec<_> = diagnostics.map(|it| (place(&it), it)).collect();
        all.sort_by_key(|(place, _)| *place);
        all
    }

    #[test]
    fn diagnostics_come_in_the_order_of_their_places() {
        let lines: [&[u8]; 14] = [
            b"User-agent: *\n",
            b"Useragent a,b\r\n",
            b"Disallow: /a\xe9\r",
            b"Dissalow:\n",
            b"disallow /x\n",
            b"Allow: x\n",
            b"\n",
            b":\n",
            b"  no colon\n",
            b"Allow: /a\0b # c\n",
            b"Crawl-delay: often\n",
            b"site-map:\n",
            b"user-agent:   \n",
            b" <p>\x01\n",
        ];
        for start in ["", "\u{feff}", "<html>\n", "\u{1f}"] {
            for first in 0..lines.len() {
                for step in 1..lines.len() {
                    let mut body = start.as_bytes().to_vec();
                    for nth in 0..20 {
                        body.extend_from_slice(lines[(first + nth * step) % lines.len()]);
                    }
                    for &dialect in Dialect::ALL {
                        let robots = RobotsTxt::parse(&*body, dialect);
                        let placed: Vec<_> = placed(&robots).collect();
                        assert_eq!(placed, reference(&robots), "{dialect}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_was_not_read_is_placed_too() {
        let body = b"User-agent: *\nAllow: /\xe9\n".repeat(30_000);
        for &dialect in Dialect::ALL {
            let robots = RobotsTxt::parse(&*body, dialect);
            let placed: Vec<_> = placed(&robots).collect();
            assert_eq!(placed, reference(&robots), "{dialect}");
        }
    }
}
