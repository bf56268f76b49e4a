use std::io::{self, Write};

use verger::LineNumber;

/// Maximum number of lines shown.
pub(super) const LINES_MAX: u32 = 5000;

/// Writes a line number, linked if the page shows that line.
pub(super) fn write_line(output: &mut impl Write, line: LineNumber) -> io::Result<()> {
    output.write_all(linked(line, &format!("line {line}")).as_bytes())
}

/// Returns HTML that links to a line if the page shows it.
pub(super) fn linked(line: LineNumber, html: &str) -> String {
    if line.get() <= LINES_MAX {
        format!("<a href=\"#L{line}\">{html}</a>")
    } else {
        html.to_owned()
    }
}
