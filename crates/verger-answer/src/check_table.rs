use std::io::{self, Write};

use verger::legible;

use crate::check_answer::CheckAnswer;
use crate::csv_cell::write_csv_cells;
use verger_crawlers::ResolvedCrawler;

/// Writes a CSV line per URL: the URL, then a verdict and a reason for each crawler.
#[derive(Debug)]
pub struct CheckTable<W> {
    output: W,
    /// The header, until it is written.
    head: Vec<String>,
    columns: usize,
    /// Cells of the current line.
    cells: Vec<String>,
}

impl<W: Write> CheckTable<W> {
    /// Creates a table for these crawlers.
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

    /// Adds an answer. Answers must be ordered by URL, then by crawler.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails.
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

    /// Flushes the output.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails.
    pub fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    /// Ends the table. A table without rows still has a header.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails.
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
