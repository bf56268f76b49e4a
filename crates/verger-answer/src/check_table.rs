//! `CheckTable`: answers about URLs and crawlers as comma-separated values.

use std::io::{self, Write};

use verger::legible;

use crate::check_answer::CheckAnswer;
use crate::crawlers::resolved::ResolvedCrawler;
use crate::csv_cell::write_csv_cells;

/// Writes a line for each URL: the URL, and for each crawler a verdict and why.
#[derive(Debug)]
pub struct CheckTable<W> {
    output: W,
    /// The first line, until it is written.
    head: Vec<String>,
    columns: usize,
    /// The cells of the line so far.
    cells: Vec<String>,
}

impl<W: Write> CheckTable<W> {
    /// Begins a table of answers for these crawlers.
    pub fn new(crawlers: &[ResolvedCrawler], output: W) -> Self {
        let mut head = vec!["url".to_owned()];
        for crawler in crawlers {
            let name = legible(crawler.label().as_bytes());
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

    /// Writes an answer. The answers about a URL follow one another, in the order of the crawlers.
    ///
    /// # Errors
    ///
    /// Where it cannot be written.
    pub fn answer(&mut self, answer: &CheckAnswer<'_>) -> io::Result<()> {
        if self.cells.is_empty() {
            self.cells.push(legible(answer.url));
        }
        let verdict = answer.word().to_owned();
        self.cells.extend([verdict, answer.because()]);
        if self.cells.len() == self.columns {
            self.write_lines()?;
        }
        Ok(())
    }

    /// Writes out what is buffered.
    ///
    /// # Errors
    ///
    /// Where it cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    /// Ends the table. One without rows has a head, too.
    ///
    /// # Errors
    ///
    /// Where it cannot be written.
    pub fn finish(&mut self) -> io::Result<()> {
        self.write_lines()?;
        self.flush()
    }

    fn write_lines(&mut self) -> io::Result<()> {
        for cells in [&mut self.head, &mut self.cells] {
            if !cells.is_empty() {
                write_csv_cells(&mut self.output, cells.drain(..))?;
                self.output.write_all(b"\n")?;
            }
        }
        Ok(())
    }
}
