//! The element around a drawing: on a narrow screen the drawing scrolls in it, not the page.

use std::fmt::Display;
use std::io::{self, Write};

/// Writes the start of a drawing of this size in its own units; `title` is for those who do not see it.
pub(crate) fn begin_drawing(
    output: &mut impl Write,
    [width, height]: [u64; 2],
    id: &str,
    title: impl Display,
) -> io::Result<()> {
    writeln!(
        output,
        "<div class=\"drawing\" tabindex=\"0\"><svg viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-labelledby=\"{id}\"><title id=\"{id}\">{title}</title>"
    )
}

/// Writes the end of a drawing.
pub(crate) fn end_drawing(output: &mut impl Write) -> io::Result<()> {
    output.write_all(b"</svg></div>\n")
}
