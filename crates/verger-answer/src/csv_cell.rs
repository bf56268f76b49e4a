//! A cell of a table for spreadsheets and other programs.

use std::borrow::Cow;
use std::io::{self, Write};

use verger::legible;

/// Writes a cell as text that is safe to show, in quotation marks where it needs them (RFC 4180, 2).
///
/// # Errors
///
/// Where it cannot be written.
pub fn write_csv_cell(output: &mut impl Write, text: &str) -> io::Result<()> {
    let text = legible(text.as_bytes());
    let text = harmless(&text);
    if text.contains([',', '"']) {
        write!(output, "\"{}\"", text.replace('"', "\"\""))
    } else {
        output.write_all(text.as_bytes())
    }
}

/// A spreadsheet computes a cell that begins like a formula, and what it computes may send data away.
/// Behind an apostrophe the cell is text.
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
            write_csv_cell(&mut output, text).unwrap();
            assert_eq!(String::from_utf8(output).unwrap(), cell);
        }
    }
}
