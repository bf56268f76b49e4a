//! `verger bulk classes`: everything, some or nothing, for each body and crawler.
//!
//! | module | one line |
//! |---|---|
//! | `class_counts` | how many bodies have which class for each crawler |
//! | `class_unit` | what a row is about: a capture, a version, or a body |
//! | `class_run` | bodies of every source to rows |

mod class_counts;
mod class_run;
mod class_unit;

use std::error::Error;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use verger_access::Timestamp;
use verger_bulk::{ClassMaker, ClassRows, class_schema};
use verger_files::Links;
use verger_owner::crawlers_of;
use verger_page::ClassPage;

use super::bodies_arguments::{BodiesArguments, GIVEN_BODIES};
use super::rows_output::RowsArguments;
use crate::budget_arguments::BudgetArguments;
use crate::crawler_arguments::CrawlerArguments;
use crate::file_replacement::put_file;
use crate::outcome::CommandResult;
use crate::reading_arguments::ReadingArguments;
use crate::run_files::{ReplacedFiles, RunFiles};
use crate::time_argument::past_time;
use class_counts::{CLASSES, ClassCounts};
use class_run::{ClassRun, Ended};
use class_unit::ClassUnit;

/// Say how much each robots.txt disallows to each crawler: everything, some or nothing
///
/// A row for each crawler and each capture, each version that a store has of a site, or each body. A
/// distinct body is read once. What is said is proven for every URL, with a path each way and the line that
/// says so. Default: all known crawlers in use, and any other. Exit code 3: of some rows the class is
/// unknown; 2: a body could not be read.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, override_usage = USAGE)]
pub(crate) struct BulkClassesArguments {
    #[command(flatten)]
    crawlers: CrawlerArguments,

    #[command(flatten)]
    bodies: BodiesArguments,

    /// Of a store, what was in force at that time alone: 2026-11-20, 7d (before now), yesterday [default:
    /// each version, at its own time]
    #[arg(
        long, value_name = "TIME", value_parser = past_time,
        conflicts_with = "captures", conflicts_with_all = GIVEN_BODIES,
        help_heading = "Whose rules"
    )]
    #[arg(hide_short_help = true)]
    at: Option<Timestamp>,

    #[command(flatten)]
    output: RowsArguments,

    /// Write a page with charts: how many bodies disallow how much, by crawler and purpose
    #[arg(long, value_name = "FILE", help_heading = "What is written")]
    report: Option<PathBuf>,

    #[command(flatten)]
    budget: BudgetArguments,

    #[command(flatten)]
    reading: ReadingArguments,
}

const USAGE: &str = "\
verger bulk classes --captures FILE|DIR [-a NAME]... [OPTIONS]
       verger bulk classes --store FILE [-a NAME]... [OPTIONS]
       verger bulk classes --bodies FILE [-a NAME]... [OPTIONS]
       verger bulk classes --robots-dir DIR [-a NAME]... [OPTIONS]
       verger bulk classes --robots FILE [-a NAME]... [OPTIONS]";

const EXAMPLES: &str = "\
Examples:
  verger bulk classes --captures captures.parquet -a @ai-train -o classes.parquet
  verger bulk classes --captures captures/ -o classes.parquet --report classes.html
  verger bulk classes --store store.db -a GPTBot -o changes.parquet
  verger bulk classes --store store.db --at yesterday --hold 30d -a @ai-train
  verger bulk classes --bodies bodies.jsonl -a GPTBot -a CCBot > classes.jsonl";

/// Runs the command.
pub(crate) fn run(arguments: &BulkClassesArguments) -> CommandResult {
    let quiet = arguments.output.quiet;
    let replaced = arguments.hold_files_apart()?;
    let reading = arguments.bodies.reading(&arguments.reading);
    let named = arguments.crawlers.named(reading)?;
    if !quiet {
        arguments.crawlers.note_resolutions(&named, reading, &[]);
    }
    let crawlers = if named.is_empty() {
        crawlers_of([])
    } else {
        named
    };
    let unit = ClassUnit::of(&arguments.bodies.from);
    let profile = arguments.bodies.profile(reading);
    let maker = ClassMaker::new(crawlers.clone(), reading).with_budget(arguments.budget.budget());
    let mut run = ClassRun::start(
        ClassRows::new(&maker, profile.clone()),
        (
            arguments.output.open(&class_schema(), &[])?,
            arguments.output.format()?,
        ),
        ClassCounts::new(crawlers, unit),
        quiet,
    );
    run.add_all(&arguments.bodies.from, profile, arguments.at, &replaced)?;
    let Ended {
        output,
        counts,
        outcome,
    } = run.finish()?;
    output.finish()?;
    if let Some(path) = &arguments.report {
        write_report(path, &counts)?;
    }
    if !quiet {
        // If standard error is closed, there is nowhere to report it.
        let _ = writeln!(std::io::stderr().lock(), "{counts}");
    }
    Ok(outcome)
}

impl BulkClassesArguments {
    /// Refuses an output that is an input, or the other output; returns what is replaced.
    fn hold_files_apart(&self) -> Result<ReplacedFiles, Box<dyn Error>> {
        let mut files = RunFiles::default();
        self.bodies.from.add_to(&mut files)?;
        for output in self.output.path().into_iter().chain(self.report.as_deref()) {
            files.write(output)?;
        }
        Ok(files.replaced())
    }
}

fn write_report(path: &Path, counts: &ClassCounts) -> Result<(), Box<dyn Error>> {
    let mut page = Vec::new();
    let of_bodies = ClassPage {
        bodies: counts.bodies(),
        classes: CLASSES.map(|(_, name)| name),
        by_purpose: counts.by_purpose(),
    };
    of_bodies.write(&mut page)?;
    Ok(put_file(path, &page, Links::Follow)?)
}
