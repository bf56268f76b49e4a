//! `verger bulk classes`: everything, some or nothing, for each capture and crawler.
//!
//! | module | one line |
//! |---|---|
//! | `class_counts` | how many captures have which class for each crawler |
//! | `report_page` | these counts as a page with charts |

mod class_counts;
mod report_page;

use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use arrow_schema::ArrowError;
use clap::Args;
use verger_bulk::{
    CaptureIndex, CaptureIndexBuilder, CaptureTable, CaptureTableRow, ClassMaker, ClassRows,
    ColumnFile, ColumnFormat, class_schema,
};
use verger_owner::crawlers_of;

use super::bodies_arguments::BodiesArguments;
use super::rows_output::{Rows, RowsArguments, RowsOutput};
use crate::budget_arguments::BudgetArguments;
use crate::count_of::CountOf;
use crate::crawler_arguments::CrawlerArguments;
use crate::input::Source;
use crate::outcome::{CommandResult, Outcome};
use crate::progress::Counting;
use crate::reading_arguments::ReadingArguments;
use class_counts::ClassCounts;

/// Say how much each capture disallows to each crawler: everything, some or nothing
///
/// Each distinct body is read once. What is said is proven for every URL, with a path each way and the line
/// that says so. Default: all known crawlers in use, and any other.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, override_usage = USAGE)]
pub(crate) struct BulkClassesArguments {
    #[command(flatten)]
    crawlers: CrawlerArguments,

    #[command(flatten)]
    bodies: BodiesArguments,

    #[command(flatten)]
    output: RowsArguments,

    /// Write a page with charts: how many captures disallow how much, by crawler and purpose
    #[arg(long, value_name = "FILE", help_heading = "What is written")]
    report: Option<PathBuf>,

    #[command(flatten)]
    budget: BudgetArguments,

    #[command(flatten)]
    reading: ReadingArguments,
}

const USAGE: &str = "\
verger bulk classes --captures FILE|DIR [-a NAME]... [OPTIONS]
       verger bulk classes --robots-dir DIR [-a NAME]... [OPTIONS]
       verger bulk classes --robots FILE [-a NAME]... [OPTIONS]";

const EXAMPLES: &str = "\
Examples:
  verger bulk classes --captures captures.parquet -a @ai-train -o classes.parquet
  verger bulk classes --captures captures/ -o classes.parquet --report classes.html
  verger bulk classes --robots-dir bodies -a GPTBot -a CCBot > classes.jsonl";

const SCHEMA: &str = "verger.bulk-classes/1";

/// So many rows are written together.
const BATCH_ROWS: usize = 8192;

/// Runs the command.
pub(crate) fn run(arguments: &BulkClassesArguments) -> CommandResult {
    let quiet = arguments.output.quiet;
    let reading = arguments.bodies.reading(&arguments.reading);
    let named = arguments.crawlers.named(reading)?;
    if !quiet {
        arguments.crawlers.note_resolutions(&named, reading);
    }
    let crawlers = if named.is_empty() {
        crawlers_of([])
    } else {
        named
    };
    let maker = ClassMaker::new(crawlers.clone(), reading).with_budget(arguments.budget.budget());
    let mut run = Run {
        format: arguments.output.format()?,
        rows: ClassRows::new(&maker, arguments.bodies.profile(reading)),
        maker: &maker,
        output: arguments.output.open(&class_schema(), &[])?,
        counts: ClassCounts::new(crawlers),
        counting: (!quiet).then(|| Counting::beside_answers("captures")),
        outcome: Outcome::Success,
    };
    let from = &arguments.bodies.from;
    if from.captures.is_empty() {
        for path in arguments.bodies.from.robots_files()? {
            run.add_file(&path)?;
        }
    } else {
        let files = from.capture_files()?;
        let index = index(&files)?;
        for file in &files {
            run.add_captures(file, &index)?;
        }
    }
    run.flush()?;
    let Run {
        output,
        counts,
        outcome,
        counting,
        ..
    } = run;
    drop(counting);
    output.finish()?;
    if let Some(path) = &arguments.report {
        write_report(path, &counts)?;
    }
    if !quiet {
        // If standard error is closed, there is nowhere to report it.
        let captures = CountOf(counts.captures(), "capture", "captures");
        let _ = writeln!(std::io::stderr().lock(), "{captures}: {counts}");
    }
    Ok(outcome)
}

/// All bodies, on disk: a body is in one row of a file, and other rows have its SHA-256.
fn index(files: &[PathBuf]) -> Result<CaptureIndex, Box<dyn Error>> {
    let mut index = CaptureIndexBuilder::new()?;
    for file in files {
        index.add_file(file)?;
    }
    Ok(index.finish()?)
}

fn write_report(path: &Path, counts: &ClassCounts) -> Result<(), Box<dyn Error>> {
    let mut page = Vec::new();
    report_page::write(&mut page, counts)?;
    let mut file = ColumnFile::create(path, ColumnFormat::JsonLines, &class_schema(), &[])?;
    file.write_text(&page)?;
    Ok(file.finish()?)
}

/// A run.
struct Run<'m> {
    format: ColumnFormat,
    maker: &'m ClassMaker,
    rows: ClassRows<'m>,
    output: RowsOutput,
    counts: ClassCounts,
    counting: Option<Counting>,
    outcome: Outcome,
}

impl Run<'_> {
    fn add_captures(&mut self, file: &Path, index: &CaptureIndex) -> Result<(), Box<dyn Error>> {
        let mut table = CaptureTable::open(file)?;
        let mut failed: Option<Box<dyn Error>> = None;
        table.each(|row| {
            let added = self.add_row(&row, index);
            failed = added.err();
            failed.is_none()
        })?;
        failed.map_or(Ok(()), Err)
    }

    fn add_row(
        &mut self,
        row: &CaptureTableRow<'_>,
        index: &CaptureIndex,
    ) -> Result<(), Box<dyn Error>> {
        match row {
            CaptureTableRow::Capture(capture, body) => {
                let classes = self.rows.push_capture(capture, *body, index)?;
                if classes.is_none() {
                    self.outcome = Outcome::Unanswered;
                }
                self.counts.count(classes.as_deref());
            }
            CaptureTableRow::Unusable(capture) => {
                self.rows.push_unusable(capture);
                self.counts.count(None);
                self.outcome = Outcome::Unanswered;
            }
        }
        self.written()
    }

    fn add_file(&mut self, path: &Path) -> Result<(), Box<dyn Error>> {
        let body = Source::File(path.to_owned()).read()?;
        let classes = self.maker.classes(&body);
        let file = path.to_string_lossy();
        self.rows.push_body(&file, &body, &classes);
        self.counts.count(Some(&classes));
        self.written()
    }

    fn written(&mut self) -> Result<(), Box<dyn Error>> {
        if let Some(counting) = &self.counting {
            counting.add_one();
        }
        if self.rows.rows() >= BATCH_ROWS {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Box<dyn Error>> {
        let batch = self.rows.finish()?;
        let rows: Result<Rows, ArrowError> = Rows::of(batch, self.format, SCHEMA);
        self.output
            .write(&rows?)
            .map_err(|error| error as Box<dyn Error>)
    }
}

impl super::bodies_arguments::BodiesFrom {
    /// The files that have a robots.txt each.
    fn robots_files(&self) -> Result<Vec<PathBuf>, Box<dyn Error>> {
        if let Some(robots) = &self.robots {
            return Ok(vec![robots.into()]);
        }
        let Some(directory) = &self.robots_dir else {
            return Err("classes are of --captures, --robots-dir or --robots".into());
        };
        let unreadable = |error| Source::File(directory.clone()).unreadable(error);
        let entries = fs::read_dir(directory).map_err(unreadable)?;
        let mut files = Vec::new();
        for entry in entries {
            let path = entry.map_err(unreadable)?.path();
            if path.is_file() {
                files.push(path);
            }
        }
        files.sort();
        Ok(files)
    }
}
