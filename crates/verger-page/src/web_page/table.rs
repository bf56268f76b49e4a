use std::io::{self, Write};

/// The column names of a table. A narrow screen hides the header and shows each row as a block, so
/// every cell carries the name of its column.
pub(crate) struct Columns<const COUNT: usize>(pub(crate) [&'static str; COUNT]);

impl<const COUNT: usize> Columns<COUNT> {
    /// Writes the start of a table and its header.
    pub(crate) fn begin(&self, output: &mut impl Write, class: &str) -> io::Result<()> {
        write!(output, "<table class=\"{class}\"><thead><tr>")?;
        for name in self.0 {
            write!(output, "<th scope=\"col\">{name}</th>")?;
        }
        output.write_all(b"</tr></thead><tbody>\n")
    }

    /// Returns the start tag of a cell in a column, counted from 0. On a narrow screen, a cell with
    /// class `wide` takes a whole line.
    pub(crate) fn cell(&self, column: usize, class: &str) -> String {
        let label = self.0[column];
        match class {
            "" => format!("<td data-label=\"{label}\">"),
            class => format!("<td data-label=\"{label}\" class=\"{class}\">"),
        }
    }
}
