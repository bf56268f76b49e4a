//! CSV cells that are safe to open in a spreadsheet.

use std::borrow::Cow;
use std::io::{self, Write};

use verger::legible;

/// Writes the cells of a row, separated by commas and without a line end. Cells are safe to show
/// and are quoted if necessary (RFC 4180, 2).
///
/// # Errors
///
/// Returns an error if writing fails.
pub fn write_csv_cells(
    output: &mut impl Write,
    cells: impl IntoIterator<Item = impl AsRef<str>>,
) -> io::Result<()> {
    for (nth, cell) in cells.into_iter().enumerate() {
        if nth > 0 {
            output.write_all(b",")?;
        }
        write_cell(output, cell.as_ref())?;
    }
    Ok(())
}

fn write_cell(output: &mut impl Write, text: &str) -> io::Result<()> {
    let text = legible(text.as_bytes());
    let text = harmless(&text);
    if text.contains([',', '"']) {
        write!(output, "\"{}\"", text.replace('"', "\"\""))
    } else {
        output.write_all(text.as_bytes())
    }
}

/// Prefixes formulas with an apostrophe, which makes them text. A spreadsheet would evaluate them,
/// and a formula may send data away.
fn harmless(text: &str) -> Cow<'_, str> {
    let formula = ['=', '+', '-', '@', '\t', '＝', '＋', '－', '＠'];
    if text.trim_start_matches(' ').starts_with(formula) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_are_no_formulas() {
        for (text, cell) in [
            ("https://h.example/a?b=c", "https://h.example/a?b=c"),
            ("", ""),
            ("a,b", "\"a,b\""),
            ("say \"a\"", "\"say \"\"a\"\"\""),
            ("a\nb", "a\\x0ab"),
            ("=1+1", "'=1+1"),
            (" =1", "' =1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("-2,\"x\"", "\"'-2,\"\"x\"\"\""),
            ("\u{ff1d}1", "'\u{ff1d}1"),
            ("/=1", "/=1"),
        ] {
            let mut output = Vec::new();
            write_csv_cells(&mut output, [text, "b"]).unwrap();
            assert_eq!(String::from_utf8(output).unwrap(), format!("{cell},b"));
        }
    }
}
