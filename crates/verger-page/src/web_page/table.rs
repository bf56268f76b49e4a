//! `Columns`: the columns of a table, whose cells say which one they are in.

use std::io::{self, Write};

/// The names of the columns of a table. A narrow screen shows each row as a block and no head, so every cell
/// has the name of its column.
pub(crate) struct Columns<const COUNT: usize>(pub(crate) [&'static str; COUNT]);

impl<const COUNT: usize> Columns<COUNT> {
    /// Writes the start of a table of this class, and its head.
    pub(crate) fn begin(
        &self,
        output: &mut impl Write,
        class: &str,
        caption: &str,
    ) -> io::Result<()> {
        let class = match class {
            "" => String::new(),
            class => format!(" class=\"{class}\""),
        };
        write!(output, "<table{class}>{caption}<thead><tr>")?;
        for name in self.0 {
            write!(output, "<th scope=\"col\">{name}</th>")?;
        }
        output.write_all(b"</tr></thead>\n")
    }

    /// The start tag of a cell in a column, counted from 0. One of the class `wide` has a line of its own on
    /// a narrow screen.
    pub(crate) fn cell(&self, column: usize, class: &str) -> String {
        let label = self.0[column];
        match class {
            "" => format!("<td data-label=\"{label}\">"),
            class => format!("<td data-label=\"{label}\" class=\"{class}\">"),
        }
    }
}
