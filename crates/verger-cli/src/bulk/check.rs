//! `verger bulk check`: answers about URLs by the million.

use std::error::Error;
use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;
use verger_access::Timestamp;
use verger_answer::{CountOf, HumanCountOf};
use verger_bulk::{
    AnswerTally, CheckObserver, CheckUrlsError, Checker, ListedUrls, UrlInputError, answer_schema,
    check_kept, check_urls, list_files,
};
use verger_inputs::thread_count;
use verger_inputs::{ReplacedFiles, RunFiles, Source};

use super::bodies_arguments::{BodiesArguments, GIVEN_BODIES};
use super::column_arguments::ColumnArguments;
use super::rows_arguments::{RowsArguments, rows_error};
use crate::arguments::crawler::CrawlerArguments;
use crate::arguments::purpose::PurposeArguments;
use crate::arguments::reading::ReadingArguments;
use crate::arguments::time::past_time;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::message::Message;
use crate::screen::notice;
use crate::screen::progress::{Counting, Drawing, Rate};

/// Check URLs by the million: a row for each URL and crawler
///
/// Unknown answers are null, with a reason. Exit code 0: every URL was answered, whatever the verdicts. 3: some
/// answers are unknown. 2: a list or a file could not be read, or the output not written.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, after_long_help = LONG_EXAMPLES, override_usage = USAGE)]
pub(crate) struct BulkCheckArguments {
    /// Lists of URLs, or directories of lists
    ///
    /// Text, CSV, JSON Lines, JSON or CDXJ, plain, gzip or Zstandard, or Parquet. Directories are read
    /// recursively. `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    urls: Vec<PathBuf>,

    #[command(flatten)]
    crawlers: CrawlerArguments,

    #[command(flatten)]
    columns: ColumnArguments,

    /// Number of threads [default: one for each processor]
    #[arg(long, value_name = "N", hide_short_help = true)]
    threads: Option<NonZero<usize>>,

    #[command(flatten)]
    bodies: BodiesArguments,

    /// Time of URLs without one of their own: 2026-11-20, 7d, yesterday
    ///
    /// The default is the time of the newest capture of each site, or now for a store.
    #[arg(
        long, value_name = "TIME", value_parser = past_time, conflicts_with_all = GIVEN_BODIES,
        help_heading = "Rules"
    )]
    #[arg(hide_short_help = true)]
    at: Option<Timestamp>,

    #[command(flatten)]
    output: RowsArguments,

    #[command(flatten, next_help_heading = "Output")]
    purpose: PurposeArguments,

    #[command(flatten)]
    reading: ReadingArguments,
}

const USAGE: &str = "\
verger bulk check [FILE]... --captures FILE|DIR [-a NAME]... [OPTIONS]
       verger bulk check [FILE]... --store FILE [-a NAME]... [OPTIONS]
       verger bulk check [FILE]... --robots FILE [-a NAME]... [OPTIONS]";

const EXAMPLES: &str = "\
Examples:
  verger bulk check urls.parquet --captures captures/ -a GPTBot -o out.parquet
  verger bulk check urls.csv --store store.db -a @ai-train -o answers.parquet
  verger bulk check urls.txt --robots robots.txt -a Googlebot > answers.jsonl";

const LONG_EXAMPLES: &str = "\
Examples:
  verger bulk check urls.parquet --captures captures/ -a GPTBot -o answers.parquet
  verger bulk check cdx-00000.gz --captures captures/ --hold 60d -a CCBot -o answers.parquet
  verger bulk check log.csv --url-column page --time-column at --store store.db -a @ai-train
  verger bulk check corpus/ --url-column meta.url --keep id --captures captures/ -a CCBot -o answers.parquet
  verger bulk check urls.txt --robots-dir bodies -a Googlebot > answers.jsonl";

pub(crate) fn run(arguments: &BulkCheckArguments) -> CommandResult {
    let lists = arguments.lists()?;
    arguments.columns.fit(&lists)?;
    let names = arguments.columns.names();
    let asked = arguments.purpose.asked();
    check_kept(asked, &names.keep)?;
    let quiet = arguments.output.quiet;
    arguments.output.format()?;
    let read_as = arguments.bodies.read_as(&arguments.reading);
    let reading = read_as.reading();
    let crawlers = arguments.crawlers.crawlers(read_as)?;
    if !quiet {
        arguments.crawlers.note_resolutions(&crawlers, reading, &[]);
    }
    let replaced = arguments.hold_files_apart(&lists)?;
    // Open the lists first, to report a wrong name before captures are read.
    let format = arguments.columns.input_format;
    let urls = ListedUrls::open(&lists, format, names, crawlers.len())?;
    let rules =
        arguments
            .bodies
            .rules((&crawlers, asked), reading, arguments.at, &replaced, quiet)?;
    let names = crawlers.iter().map(|it| it.label().to_owned()).collect();
    let checker = Checker::new(&*rules.source, names, reading, rules.when);
    let checker = checker.judging(&crawlers).about(asked);
    let schema = answer_schema(asked, urls.kept());
    let mut output = arguments.output.open(&schema, &["url"])?;
    let threads = thread_count(arguments.threads);
    let drawing = Drawing::beside(arguments.output.path());
    let shown = Shown::start(drawing.unless(quiet), lists.len() as u64);
    let answered = check_urls(urls, &checker, threads, &mut output, &shown);
    let tally = &answered.tally;
    shown.0.finish(format_args!("{tally}; "), tally.urls);
    let advises_hold = arguments.bodies.is_access() && !arguments.bodies.is_held();
    if !quiet && advises_hold && tally.deferred > 0 {
        let note = Message::new(format_args!(
            "{} disallowed because the site was unreachable or the last result had expired",
            CountOf(tally.deferred, "answer is", "answers are")
        ));
        notice::note(note.help("`--hold 30d` treats results as valid for longer"));
    }
    answered.ended.map_err(|error| match error {
        CheckUrlsError::Rows(error) => rows_error(error),
        error => error.into(),
    })?;
    output.finish().map_err(rows_error)?;
    if answered.tally.unknown > 0 {
        return Ok(rules.outcome.max(Outcome::Unknown));
    }
    Ok(rules.outcome)
}

impl BulkCheckArguments {
    /// Returns the lists, including those in directories.
    fn lists(&self) -> Result<Vec<PathBuf>, UrlInputError> {
        let mut lists = Vec::new();
        for path in &self.urls {
            if path.is_dir() {
                lists.append(&mut list_files(path)?);
            } else {
                lists.push(path.clone());
            }
        }
        Ok(lists)
    }

    /// Rejects an output that is also an input, and standard input as two inputs. Returns the
    /// replaced files.
    fn hold_files_apart(&self, lists: &[PathBuf]) -> Result<ReplacedFiles, Box<dyn Error>> {
        let mut files = RunFiles::default();
        for list in lists {
            files.read(&Source::from(list.clone().into_os_string()))?;
        }
        for directory in self.urls.iter().filter(|path| path.is_dir()) {
            files.read_directories(directory, lists);
        }
        self.bodies.from.add_to(&mut files)?;
        if let Some(output) = self.output.path() {
            files.write(output)?;
        }
        Ok(files.replaced())
    }
}

/// Number of URLs, lists, and rows left in the current list, if known.
struct Shown(Counting<3>);

const URLS: usize = 0;
const LISTS: usize = 1;
const ROWS_LEFT: usize = 2;

impl Shown {
    fn start(drawing: Drawing, lists: u64) -> Self {
        Self(Counting::new(
            drawing,
            move |[urls, done, left], elapsed| {
                let urls_read = HumanCountOf(urls, "URL", "URLs");
                let (lists, rate) = (CountOf(lists, "file", "files"), Rate(urls, elapsed));
                let line = format!("{urls_read}, {done} of {lists}, {rate}");
                if left == 0 || urls == 0 {
                    return line;
                }
                let milliseconds = elapsed.as_millis() * u128::from(left) / u128::from(urls);
                format!("{line}, {} s left in this file", milliseconds / 1000)
            },
        ))
    }
}

impl CheckObserver for Shown {
    fn problem(&self, problem: &str) {
        notice::error(Message::from_text(problem));
    }

    fn rows_left(&self, rows: Option<u64>) {
        self.0.set(ROWS_LEFT, rows.unwrap_or(0));
    }

    fn list_read(&self) {
        self.0.add(LISTS, 1);
    }

    fn answered(&self, tally: &AnswerTally) {
        self.0.set(URLS, tally.urls);
    }
}
