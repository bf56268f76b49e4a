//! A frame in which a wide drawing scrolls on a narrow screen.

use std::fmt::Display;
use std::io::{self, Write};

/// Writes the start of a drawing of this size in its own units. Screen readers read `title`.
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

pub(crate) fn end_drawing(output: &mut impl Write) -> io::Result<()> {
    output.write_all(b"</svg></div>\n")
}
