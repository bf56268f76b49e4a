//! `verger bulk classes`: everything, some or nothing, for each file and crawler.

use std::error::Error;
use std::fmt;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use verger_access::{Profile, Timestamp};
use verger_answer::CountOf;
use verger_bulk::{
    BodyClass, CLASSES, ClassCounts, ClassMaker, ClassObserver, ClassRows, ClassRun, ClassRunError,
    ClassUnit, capture_files, class_schema,
};
use verger_inputs::RobotsList;
use verger_inputs::{Links, ReplacedFiles, RunFiles, Source, put_file};
use verger_owner::crawlers_of;
use verger_page::ClassPage;

use super::bodies_arguments::{BodiesArguments, BodiesFrom, GIVEN_BODIES};
use super::rows_arguments::{RowsArguments, rows_error};
use crate::arguments::budget::BudgetArguments;
use crate::arguments::crawler::CrawlerArguments;
use crate::arguments::reading::ReadingArguments;
use crate::arguments::store::StoreArguments;
use crate::arguments::time::past_time;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::message::Message;
use crate::screen::notice;
use crate::screen::progress::{Counting, Drawing};
use crate::screen::shown_command::shown_command;

/// Show how much each robots.txt disallows to each crawler
///
/// Writes a row for each crawler and each capture, each version of a site in a store, or each file: everything,
/// some or nothing. A distinct file is read once. Each class is proven for every URL, with a path and a line that
/// show it. Default: all known crawlers in use, and any other. Exit code 3: the class of some rows is unknown. 2:
/// a file could not be read.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, after_long_help = LONG_EXAMPLES, override_usage = USAGE)]
pub(crate) struct BulkClassesArguments {
    #[command(flatten)]
    crawlers: CrawlerArguments,

    #[command(flatten)]
    bodies: BodiesArguments,

    /// Only the versions in force at this time: 2026-11-20, 7d, yesterday
    ///
    /// For a store, whose default is each version at its own time.
    #[arg(
        long, value_name = "TIME", value_parser = past_time,
        conflicts_with = "captures", conflicts_with_all = GIVEN_BODIES,
        help_heading = "Rules"
    )]
    #[arg(hide_short_help = true)]
    at: Option<Timestamp>,

    #[command(flatten)]
    output: RowsArguments,

    /// Also write an HTML page with charts by crawler and purpose
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,

    #[command(flatten)]
    budget: BudgetArguments,

    #[command(flatten)]
    reading: ReadingArguments,
}

const USAGE: &str = "\
verger bulk classes --captures FILE|DIR [-a NAME]... [OPTIONS]
       verger bulk classes --store FILE [-a NAME]... [OPTIONS]
       verger bulk classes --bodies FILE [-a NAME]... [OPTIONS]";

const EXAMPLES: &str = "\
Examples:
  verger bulk classes --captures captures/ -a @ai-train -o classes.parquet
  verger bulk classes --store store.db -a GPTBot --report classes.html
  verger bulk classes --bodies bodies.jsonl -a GPTBot > classes.jsonl";

const LONG_EXAMPLES: &str = "\
Examples:
  verger bulk classes --captures captures/ -a @ai-train -o classes.parquet
  verger bulk classes --captures captures/ -o classes.parquet --report classes.html
  verger bulk classes --store store.db -a GPTBot -o changes.parquet
  verger bulk classes --store store.db --at yesterday --hold 30d -a @ai-train
  verger bulk classes --bodies bodies.jsonl -a GPTBot -a CCBot > classes.jsonl";

pub(crate) fn run(arguments: &BulkClassesArguments) -> CommandResult {
    let quiet = arguments.output.quiet;
    let replaced = arguments.hold_files_apart()?;
    let read_as = arguments.bodies.read_as(&arguments.reading);
    let reading = read_as.reading();
    let named = arguments.crawlers.named(read_as)?;
    if !quiet {
        arguments.crawlers.note_resolutions(&named, reading, &[]);
    }
    let crawlers = if named.is_empty() {
        crawlers_of([], read_as)
    } else {
        named
    };
    let unit = class_unit(&arguments.bodies.from);
    let profile = arguments.bodies.profile(reading);
    let maker = ClassMaker::new(crawlers.clone(), reading).with_budget(arguments.budget.budget());
    let drawing = Drawing::beside(arguments.output.path());
    let said = Said {
        counting: (!quiet).then(|| Counting::of(drawing, unit.nouns().1)),
        counts: ClassCounts::new(crawlers, unit),
        outcome: Outcome::Success,
    };
    let rows = ClassRows::new(&maker, profile.clone());
    let mut run = ClassRun::new(rows, arguments.output.open(&class_schema(), &[])?, said);
    let from = &arguments.bodies.from;
    let of_source = if let Some(store) = &from.store {
        add_store(&mut run, store, profile, arguments.at, quiet)?
    } else if let Some(list) = &from.bodies {
        add_list(&mut run, &Source::from(list.clone()), &replaced)?
    } else {
        let added = if let Some(name) = &from.robots {
            run.add_body(&Source::from(name.clone()))
        } else if let Some(directory) = &from.robots_dir {
            run.add_directory(directory)
        } else {
            run.add_captures(&capture_files(&from.captures)?)
        };
        added.map_err(said_error)?;
        Outcome::Success
    };
    let Said {
        counts,
        outcome,
        counting,
    } = run.finish().map_err(said_error)?;
    drop(counting);
    if let Some(path) = &arguments.report {
        write_report(path, &counts)?;
    }
    if !quiet {
        // If standard error is closed, there is nowhere to report it.
        let _ = writeln!(std::io::stderr().lock(), "{counts}");
    }
    Ok(outcome.max(of_source))
}

fn class_unit(from: &BodiesFrom) -> ClassUnit {
    match (&from.store, from.captures.is_empty()) {
        (Some(_), _) => ClassUnit::Version,
        (None, true) => ClassUnit::Body,
        (None, false) => ClassUnit::Capture,
    }
}

struct Said {
    counts: ClassCounts,
    counting: Option<Counting>,
    outcome: Outcome,
}

impl ClassObserver for Said {
    fn body(&mut self, classes: Option<&[BodyClass]>) {
        let is_decided = |class: &BodyClass| class.disallowed.is_some();
        if !classes.is_some_and(|classes| classes.iter().all(is_decided)) {
            self.outcome = self.outcome.max(Outcome::Unknown);
        }
        self.counts.count(classes);
        if let Some(counting) = &self.counting {
            counting.add_one();
        }
    }

    fn problem(&mut self, problem: &dyn fmt::Display) {
        notice::error(Message::from_text(problem));
        if self.counts.unit() == ClassUnit::Body {
            self.outcome = Outcome::Unanswered;
        }
    }
}

type Run<'m> = ClassRun<'m, Said>;

/// Adds each version in a store, or only those in force at a time.
fn add_store(
    run: &mut Run<'_>,
    path: &Path,
    profile: Profile,
    at: Option<Timestamp>,
    quiet: bool,
) -> CommandResult {
    let store = StoreArguments::of(path.to_owned()).read_existing()?;
    let unknown = run.add_store(&*store, profile, at).map_err(said_error)?;
    if unknown > 0 && !quiet {
        let authorities = CountOf(unknown, "site has", "sites have");
        notice::note(format_args!(
            "{authorities} no row: the store has nothing about them at that time"
        ));
    }
    Ok(Outcome::Success)
}

/// Adds the files of a list. The outcome is unanswered if one of its lines cannot be used.
fn add_list(run: &mut Run<'_>, source: &Source, replaced: &ReplacedFiles) -> CommandResult {
    let mut outcome = Outcome::Success;
    let bodies = RobotsList::open(source, replaced, |problem| {
        notice::error(Message::from_text(problem));
        outcome = Outcome::Unanswered;
    })?;
    run.add_list(&source.name(), &bodies).map_err(said_error)?;
    Ok(outcome)
}

fn said_error(error: ClassRunError) -> Box<dyn Error> {
    match error {
        ClassRunError::Rows(error) => rows_error(error),
        ClassRunError::Index(error) => error.into(),
        error => error.into(),
    }
}

impl BulkClassesArguments {
    /// Rejects an output that is also an input or another output. Returns the replaced files.
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
        command: &shown_command(),
        bodies: counts.bodies(),
        classes: CLASSES.map(|(_, name)| name),
        by_purpose: counts.by_purpose(),
    };
    of_bodies.write(&mut page)?;
    Ok(put_file(path, &page, Links::Follow)?)
}
