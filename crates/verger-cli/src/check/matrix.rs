//! `--matrix`: a table of URLs and crawlers.
//!
//! The longer list becomes the rows and the shorter one the columns, so few lines are wider than a terminal. Rows
//! of URLs are written as they come, and kept only while there are fewer URLs than crawlers.

use std::io::{self, Write};

use verger::Effect;
use verger_answer::{CheckAnswer, ResolvedCrawler};

use crate::screen::byte_text::legible;
use crate::screen::palette::{self, FAINT, HEADING};
use crate::screen::rendering::Rendering;

/// Maximum width of all columns, in characters. The name of the row follows.
const COLUMNS_WIDTH_MAX: usize = 64;

/// The width of `yes`.
const CELL_WIDTH: usize = 3;

/// Number of cells in a line if a row has several lines.
const CELLS_EACH_LINE: usize = 8;

pub(super) struct Matrix<W> {
    output: W,
    crawlers: Vec<String>,
    /// The cells of the URL that is being answered.
    cells: Vec<Cell>,
    rows: Rows,
}

enum Rows {
    /// Not known yet, because there are fewer URLs than crawlers so far.
    Kept(Vec<Row>),
    Urls(Columns),
}

struct Row {
    name: String,
    cells: Vec<Cell>,
}

/// How the cells of a row are arranged.
#[derive(Debug, PartialEq, Eq)]
enum Columns {
    /// Each cell below its name.
    Named(Vec<usize>),
    /// Each cell below its number.
    Numbered(usize),
    /// Each cell after its number, in several lines.
    Wrapped(usize),
}

/// Whether a crawler may fetch a URL, if known.
type Cell = Option<Effect>;

impl<W: Write> Matrix<W> {
    pub(super) fn new(crawlers: &[ResolvedCrawler], output: W) -> Self {
        let label = |crawler: &ResolvedCrawler| legible(crawler.label().as_bytes());
        Self {
            output,
            crawlers: crawlers.iter().map(label).collect(),
            cells: Vec::with_capacity(crawlers.len()),
            rows: Rows::Kept(Vec::new()),
        }
    }

    fn write_url(&mut self, row: Row) -> io::Result<()> {
        let kept = match &mut self.rows {
            Rows::Urls(columns) => return columns.write_row(&mut self.output, &row),
            Rows::Kept(kept) => kept,
        };
        kept.push(row);
        if kept.len() < self.crawlers.len() {
            return Ok(());
        }
        let rows = std::mem::take(kept);
        let columns = Columns::of(&self.crawlers);
        columns.write_table(&mut self.output, &self.crawlers, &rows)?;
        self.rows = Rows::Urls(columns);
        Ok(())
    }

    /// Writes the kept URLs as columns, because there are fewer URLs than crawlers.
    fn write_crawlers(&mut self) -> io::Result<()> {
        let Rows::Kept(kept) = &mut self.rows else {
            return Ok(());
        };
        let kept = std::mem::take(kept);
        if kept.is_empty() {
            return Ok(());
        }
        let crawlers = self.crawlers.iter().enumerate();
        let row = |(nth, name): (usize, &String)| Row {
            name: name.clone(),
            cells: kept.iter().map(|url| url.cells[nth]).collect(),
        };
        let rows: Vec<_> = crawlers.map(row).collect();
        let urls: Vec<_> = kept.into_iter().map(|url| url.name).collect();
        Columns::of(&urls).write_table(&mut self.output, &urls, &rows)
    }
}

impl<W: Write> Rendering<CheckAnswer<'_>> for Matrix<W> {
    fn answer(&mut self, answer: &CheckAnswer<'_>) -> io::Result<()> {
        self.cells.push(answer.result.effect());
        if self.cells.len() < self.crawlers.len() {
            return Ok(());
        }
        let room = Vec::with_capacity(self.crawlers.len());
        let cells = std::mem::replace(&mut self.cells, room);
        let name = legible(answer.url);
        self.write_url(Row { name, cells })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.write_crawlers()?;
        self.flush()
    }
}

impl Columns {
    fn of(names: &[String]) -> Self {
        let width = |name: &String| name.chars().count().max(CELL_WIDTH) + 2;
        let widths: Vec<_> = names.iter().map(width).collect();
        if widths.iter().sum::<usize>() <= COLUMNS_WIDTH_MAX {
            return Self::Named(widths);
        }
        let digits = names.len().to_string().len();
        let width = digits.max(CELL_WIDTH) + 1;
        if names.len() * width <= COLUMNS_WIDTH_MAX {
            Self::Numbered(width)
        } else {
            Self::Wrapped(digits)
        }
    }

    fn write_table(
        &self,
        output: &mut impl Write,
        names: &[String],
        rows: &[Row],
    ) -> io::Result<()> {
        writeln!(
            output,
            "{FAINT}may fetch: yes, no, ? (nothing is known){FAINT:#}\n"
        )?;
        self.write_head(output, names)?;
        rows.iter().try_for_each(|row| self.write_row(output, row))
    }

    fn write_head(&self, output: &mut impl Write, names: &[String]) -> io::Result<()> {
        if let Self::Named(widths) = self {
            for (nth, (name, &width)) in names.iter().zip(widths).enumerate() {
                // The last one is not padded.
                let width = if nth + 1 == names.len() { 0 } else { width };
                write!(output, "{HEADING}{name:<width$}{HEADING:#}")?;
            }
            return writeln!(output);
        }
        for (nth, name) in names.iter().enumerate() {
            let number = nth + 1;
            writeln!(output, "{number:>4}  {name}")?;
        }
        writeln!(output)?;
        if let &Self::Numbered(width) = self {
            for number in 1..=names.len() {
                let width = if number == names.len() { 0 } else { width };
                write!(output, "{HEADING}{number:<width$}{HEADING:#}")?;
            }
            writeln!(output)?;
        }
        Ok(())
    }

    fn write_row(&self, output: &mut impl Write, row: &Row) -> io::Result<()> {
        let Row { name, cells } = row;
        match self {
            Self::Named(widths) => {
                for (cell, &width) in cells.iter().zip(widths) {
                    write_cell(output, *cell, width)?;
                }
                writeln!(output, "{name}")
            }
            &Self::Numbered(width) => {
                for cell in cells {
                    write_cell(output, *cell, width)?;
                }
                writeln!(output, " {name}")
            }
            &Self::Wrapped(digits) => {
                writeln!(output, "{name}")?;
                for (line, cells) in cells.chunks(CELLS_EACH_LINE).enumerate() {
                    for (nth, cell) in cells.iter().enumerate() {
                        let number = line * CELLS_EACH_LINE + nth + 1;
                        write!(output, "  {FAINT}{number:>digits$}{FAINT:#} ")?;
                        let is_last = nth + 1 == cells.len();
                        write_cell(output, *cell, if is_last { 0 } else { CELL_WIDTH })?;
                    }
                    writeln!(output)?;
                }
                Ok(())
            }
        }
    }
}

fn write_cell(output: &mut impl Write, cell: Cell, width: usize) -> io::Result<()> {
    let style = palette::of(cell);
    // Signs that need no colour.
    let text = match cell {
        Some(Effect::Allow) => "yes",
        Some(Effect::Disallow) => "no",
        None => "?",
    };
    write!(output, "{style}{text:<width$}{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_named_numbered_or_wrapped_by_the_room_there_is() {
        let columns = |count: usize, name: &str| Columns::of(&vec![name.to_owned(); count]);
        assert_eq!(columns(2, "GPTBot"), Columns::Named(vec![8, 8]));
        assert_eq!(columns(2, "a"), Columns::Named(vec![5, 5]));
        let widest = "a".repeat(COLUMNS_WIDTH_MAX - 2);
        assert_eq!(columns(1, &widest), Columns::Named(vec![COLUMNS_WIDTH_MAX]));
        assert_eq!(columns(1, &(widest + "a")), Columns::Numbered(4));
        assert_eq!(columns(16, "GPTBot"), Columns::Numbered(4));
        assert_eq!(columns(17, "GPTBot"), Columns::Wrapped(2));
        assert_eq!(columns(1000, "GPTBot"), Columns::Wrapped(4));
    }

    #[test]
    fn no_line_of_cells_is_wider_than_a_terminal() {
        for count in [1, 5, 16, 17, 100, 1234] {
            let names = vec!["a name".to_owned(); count];
            let row = Row {
                name: String::new(),
                cells: vec![Some(Effect::Allow); count],
            };
            let mut output = anstream::StripStream::new(Vec::new());
            let columns = Columns::of(&names);
            columns.write_table(&mut output, &names, &[row]).unwrap();
            let table = String::from_utf8(output.into_inner()).unwrap();
            let widest = table.lines().map(str::len).max().unwrap();
            assert!(widest <= 80, "{count}: {widest}");
            assert_eq!(table.matches("yes").count(), count + 1);
        }
    }
}
