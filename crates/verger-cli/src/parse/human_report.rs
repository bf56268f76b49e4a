//! The report for people: a line for each line.

use std::io::{self, Write};

use verger_answer::parsed::{Directives, Report, ReportedLine};

use crate::screen::palette::{FAINT, HEADING};

/// Width of a line number, in columns.
const NUMBER_COLUMNS: usize = 6;

/// Width of a tag and the space after it, in columns.
const TAG_COLUMNS: usize = 12;

pub(super) fn write(output: &mut impl Write, report: &Report<'_>) -> io::Result<()> {
    writeln!(output, "{HEADING}  line  tag         flags{HEADING:#}")?;
    let faint = [FAINT.render().to_string(), FAINT.render_reset().to_string()];
    let mut directives = Directives::default();
    let mut text = Vec::new();
    for line in report.lines() {
        directives.count(&line);
        text.clear();
        put_line(&mut text, &line, &faint);
        output.write_all(&text)?;
    }
    writeln!(output, "\nvalid directives:  {}", directives.valid)?;
    writeln!(output, "unused directives: {}", directives.unused)
}

/// Appends a line. `faint` switches that style on and off. A file may have millions of lines, and
/// `write!` would take a quarter of the total time.
fn put_line(text: &mut Vec<u8>, line: &ReportedLine, faint: &[String; 2]) {
    let tag = line.tag();
    push_right_aligned(text, line.line);
    text.extend_from_slice(b"  ");
    text.extend_from_slice(tag.as_bytes());
    let mut flags = line.flags().peekable();
    if flags.peek().is_some() {
        text.resize(text.len() + TAG_COLUMNS - tag.len(), b' ');
        text.extend_from_slice(faint[0].as_bytes());
        for (nth, flag) in flags.enumerate() {
            let separator: &[u8] = if nth == 0 { b"" } else { b", " };
            text.extend_from_slice(separator);
            text.extend_from_slice(flag.as_bytes());
        }
        text.extend_from_slice(faint[1].as_bytes());
    }
    text.push(b'\n');
}

/// Appends a number, right-aligned in six columns.
fn push_right_aligned(text: &mut Vec<u8>, number: u32) {
    let mut digits = [b' '; 10];
    let mut start = digits.len();
    let mut rest = number;
    while rest > 0 || start == digits.len() {
        start -= 1;
        digits[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    text.extend_from_slice(&digits[start.min(digits.len() - NUMBER_COLUMNS)..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_aligned_as_the_formatter_aligns_them() {
        for number in [0, 1, 9, 10, 99_999, 100_000, 999_999, 1_000_000, u32::MAX] {
            let mut text = Vec::new();
            push_right_aligned(&mut text, number);
            assert_eq!(text, format!("{number:>6}").into_bytes());
        }
    }
}
