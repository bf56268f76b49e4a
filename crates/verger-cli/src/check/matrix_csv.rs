//! `--format csv`: a table of URLs and crawlers as comma-separated values.

use std::io::{self, Write};

use verger::Effect;
use verger_answer::{CheckAnswer, ResolvedCrawler, write_csv_cell};

use super::human::because;
use crate::octet_text::legible;
use crate::rendering::Rendering;

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
        write_csv_cell(&mut self.output, "url")?;
        for crawler in &self.crawlers {
            self.output.write_all(b",")?;
            write_csv_cell(&mut self.output, crawler)?;
            self.output.write_all(b",")?;
            write_csv_cell(&mut self.output, &format!("{crawler}, because"))?;
        }
        self.output.write_all(b"\n")
    }
}

impl<W: Write> Rendering<CheckAnswer<'_>> for MatrixCsv<W> {
    fn answer(&mut self, answer: &CheckAnswer<'_>) -> io::Result<()> {
        self.write_head()?;
        if self.answered == 0 {
            write_csv_cell(&mut self.output, &legible(answer.url))?;
        }
        let verdict = match answer.result.effect() {
            Some(Effect::Allow) => "allowed",
            Some(Effect::Disallow) => "disallowed",
            None => "unknown",
        };
        write!(self.output, ",{verdict},")?;
        write_csv_cell(&mut self.output, &because(answer))?;
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
