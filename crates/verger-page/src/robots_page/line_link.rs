//! The number of a line, as a link where the page shows the line.

use std::io::{self, Write};

use verger::LineNumber;

/// How many lines a page shows.
pub(super) const LINES_MAX: u32 = 5000;

/// Writes the number of a line, as a link where the page shows the line.
pub(super) fn write_line(output: &mut impl Write, line: LineNumber) -> io::Result<()> {
    if line.get() <= LINES_MAX {
        write!(output, "<a href=\"#L{line}\">line {line}</a>")
    } else {
        write!(output, "line {line}")
    }
}
