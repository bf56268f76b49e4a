//! `--format csv`: a table of URLs and crawlers as comma-separated values.

use std::io::{self, Write};

use verger::Effect;
use verger_answer::{CheckAnswer, ResolvedCrawler, write_csv_cells};

use super::human::because;
use crate::octet_text::legible;
use crate::rendering::Rendering;

/// Writes a line for each URL: the URL, and for each crawler a verdict and why.
pub(super) struct MatrixCsv<W> {
    output: W,
    /// The first line, until it is written.
    head: Vec<String>,
    columns: usize,
    /// The cells of the line so far.
    cells: Vec<String>,
}

impl<W: Write> MatrixCsv<W> {
    pub(super) fn new(crawlers: &[ResolvedCrawler], output: W) -> Self {
        let names = crawlers.iter().map(|it| legible(it.label().as_bytes()));
        let mut head = vec!["url".to_owned()];
        for name in names {
            let because = format!("{name}, because");
            head.extend([name, because]);
        }
        Self {
            output,
            columns: head.len(),
            head,
            cells: Vec::new(),
        }
    }

    fn write_line(&mut self) -> io::Result<()> {
        for cells in [&mut self.head, &mut self.cells] {
            if !cells.is_empty() {
                write_csv_cells(&mut self.output, cells.drain(..))?;
                self.output.write_all(b"\n")?;
            }
        }
        Ok(())
    }
}

impl<W: Write> Rendering<CheckAnswer<'_>> for MatrixCsv<W> {
    fn answer(&mut self, answer: &CheckAnswer<'_>) -> io::Result<()> {
        if self.cells.is_empty() {
            self.cells.push(legible(answer.url));
        }
        let verdict = match answer.result.effect() {
            Some(Effect::Allow) => "allowed",
            Some(Effect::Disallow) => "disallowed",
            None => "unknown",
        };
        self.cells.extend([verdict.to_owned(), because(answer)]);
        if self.cells.len() == self.columns {
            self.write_line()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        // A table without rows has a head, too.
        self.write_line()?;
        self.flush()
    }
}
