use std::io::{self, Write};

use verger::LineNumber;

/// Maximum number of lines shown.
pub(super) const LINES_MAX: u32 = 5000;

/// Writes a line number, linked if the page shows that line.
pub(super) fn write_line(output: &mut impl Write, line: LineNumber) -> io::Result<()> {
    if line.get() <= LINES_MAX {
        write!(output, "<a href=\"#L{line}\">line {line}</a>")
    } else {
        write!(output, "line {line}")
    }
}
