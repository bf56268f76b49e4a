//! `--matrix=csv`: a table of URLs and crawlers as comma-separated values.

use std::borrow::Cow;
use std::io::{self, Write};

use verger::Effect;
use verger_answer::{CheckAnswer, ResolvedCrawler};

use super::answering::Rendering;
use super::human::because;
use crate::octet_text::legible;

/// Writes a line for each URL: the URL, and for each crawler a verdict and why.
pub(super) struct MatrixCsv<W> {
    output: W,
    crawlers: Vec<String>,
    /// How many crawlers the line has so far.
    answered: usize,
    is_head_written: bool,
}

impl<W: Write> MatrixCsv<W> {
    pub(super) fn new(crawlers: &[ResolvedCrawler], output: W) -> Self {
        let label = |crawler: &ResolvedCrawler| legible(crawler.label().as_bytes());
        Self {
            output,
            crawlers: crawlers.iter().map(label).collect(),
            answered: 0,
            is_head_written: false,
        }
    }

    fn write_head(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.is_head_written, true) {
            return Ok(());
        }
        write_cell(&mut self.output, "url")?;
        for crawler in &self.crawlers {
            self.output.write_all(b",")?;
            write_cell(&mut self.output, crawler)?;
            self.output.write_all(b",")?;
            write_cell(&mut self.output, &format!("{crawler}, because"))?;
        }
        self.output.write_all(b"\n")
    }
}

impl<W: Write> Rendering for MatrixCsv<W> {
    fn answer(&mut self, answer: &CheckAnswer<'_>) -> io::Result<()> {
        self.write_head()?;
        if self.answered == 0 {
            write_cell(&mut self.output, &legible(answer.url))?;
        }
        let verdict = match answer.result.effect() {
            Some(Effect::Allow) => "allowed",
            Some(Effect::Disallow) => "disallowed",
            None => "unknown",
        };
        write!(self.output, ",{verdict},")?;
        write_cell(&mut self.output, &because(answer))?;
        self.answered += 1;
        if self.answered == self.crawlers.len() {
            self.answered = 0;
            self.output.write_all(b"\n")?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        // A table without rows has a head, too.
        self.write_head()?;
        self.flush()
    }
}

/// Writes a cell in quotation marks where it needs them (RFC 4180, 2).
fn write_cell(output: &mut impl Write, text: &str) -> io::Result<()> {
    let text = harmless(text);
    if text.contains([',', '"', '\r', '\n']) {
        write!(output, "\"{}\"", text.replace('"', "\"\""))
    } else {
        output.write_all(text.as_bytes())
    }
}

/// A spreadsheet computes a cell that begins like a formula, and what it computes may send data away.
/// Behind an apostrophe the cell is text.
fn harmless(text: &str) -> Cow<'_, str> {
    let formula = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
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
            ("a\nb", "\"a\nb\""),
            ("=1+1", "'=1+1"),
            (" =1", "' =1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("-2,\"x\"", "\"'-2,\"\"x\"\"\""),
            ("\u{ff1d}1", "'\u{ff1d}1"),
            ("/=1", "/=1"),
        ] {
            let mut output = Vec::new();
            write_cell(&mut output, text).unwrap();
            assert_eq!(String::from_utf8(output).unwrap(), cell);
        }
    }
}
