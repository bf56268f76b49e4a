//! `verger filter`: of many URLs those that crawlers may fetch.
//!
//! | module | one line |
//! |---|---|
//! | `bodies_read` | how many bodies were read again |
//! | `rule_source` | one body for all URLs, or one for each authority |
//! | `block` | the input in blocks of whole lines, as they come |
//! | `printed` | which lines are printed, and how |
//! | `tally` | how many URLs had which result |
//! | `answers` | the answers to a block |
//! | `progress` | how many URLs were answered so far |
//! | `pipeline` | blocks through several threads, and their answers in order |

mod answers;
mod block;
mod bodies_read;
mod pipeline;
mod printed;
mod progress;
mod rule_source;
mod tally;

use std::error::Error;
use std::ffi::OsString;
use std::fmt;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use clap::Args;
use verger_answer::rulebook::{Found, Keeping, OCTETS_DEFAULT, RulesMaker};

use crate::crawler_arguments::CrawlerArguments;
use crate::given_bodies::{Bodies, PolicyMaker, RobotsDirectory, RobotsList, UNUSABLE_LINES};
use crate::input::Source;
use crate::notice::{self, NoticeGroups};
use crate::outcome::{CommandResult, Outcome};
use crate::reading_arguments::ReadingArguments;
use crate::run_files::ReplacedFiles;
use answers::{MissingBody, Terms};
use pipeline::{PipelineError, Urls};
use printed::{Printed, PrintedTerms};
use progress::{FilterProgress, Reporting};
use rule_source::{RuleSource, RulesByAuthority};

/// Print those of many URLs that a crawler may fetch, or all of several crawlers
///
/// Lines are printed unchanged and in their order; empty ones are left out. A line that cannot be
/// answered is not printed: it never counts as allowed. Standard error has the first five errors and
/// warnings of each kind, and at the end how many more there were. Exit code 0: every URL was answered,
/// whatever the verdicts; 2: one could not be.
#[derive(Args, Clone, Debug)]
#[command(after_help = AFTER_HELP, override_usage = USAGE)]
pub(crate) struct FilterArguments {
    /// The URLs, one a line; `-` for standard input
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    urls: OsString,

    #[command(flatten)]
    crawlers: CrawlerArguments,

    /// How many threads decide [default: one for each processor]
    #[arg(long, value_name = "N", hide_short_help = true)]
    threads: Option<NonZero<usize>>,

    #[command(flatten)]
    bodies: BodiesArguments,

    #[command(flatten)]
    output: OutputArguments,

    #[command(flatten)]
    reading: ReadingArguments,
}

/// Where the rules are.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Whose rules")]
struct BodiesArguments {
    #[command(flatten)]
    given: GivenBodies,

    /// The verdict where no robots.txt is given for an authority
    #[arg(long, value_enum, value_name = "WHAT", default_value = "report")]
    missing: MissingBody,

    /// How much memory the rules of authorities may take, in MiB; what does not fit is read again
    #[arg(
        long,
        value_name = "MIB",
        default_value_t = OCTETS_DEFAULT >> 20,
        conflicts_with = "robots"
    )]
    #[arg(hide_short_help = true)]
    cache: u64,
}

#[derive(Args, Clone, Debug)]
#[group(required = true, multiple = false)]
struct GivenBodies {
    /// A robots.txt for all URLs; `-` for standard input
    #[arg(short, long, value_name = "FILE")]
    robots: Option<OsString>,

    /// A directory with a robots.txt for each authority
    #[arg(long, value_name = "DIR")]
    robots_dir: Option<PathBuf>,

    /// JSON Lines with a robots.txt for each authority (docs/json.md); `-` for standard input
    #[arg(long, value_name = "FILE")]
    bodies: Option<OsString>,
}

/// What is printed.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "What is printed")]
struct OutputArguments {
    /// Print the disallowed URLs: of several crawlers one, at least, may not fetch them
    #[arg(long)]
    invert: bool,

    /// Print every URL after its verdict, the line of the rule, and the rule; for each of several
    /// crawlers
    #[arg(long, conflicts_with = "invert")]
    annotate: bool,

    /// Print the verdict about every URL for every crawler in JSON Lines (schema verger.filter/1, in
    /// docs/json.md)
    #[arg(long, conflicts_with_all = ["invert", "annotate"])]
    json: bool,

    #[command(flatten)]
    reporting: ReportArguments,
}

#[derive(Args, Clone, Debug)]
struct ReportArguments {
    /// Print totals at the end, even if standard error is not a terminal
    #[arg(long, hide_short_help = true)]
    summary: bool,

    /// Print nothing but errors on standard error
    #[arg(long, conflicts_with = "summary", hide_short_help = true)]
    quiet: bool,
}

const USAGE: &str = "\
verger filter --robots FILE [-a NAME]... [OPTIONS] [--urls FILE]
       verger filter --robots-dir DIR [-a NAME]... [OPTIONS] [--urls FILE]
       verger filter --bodies FILE [-a NAME]... [OPTIONS] [--urls FILE]";

const AFTER_HELP: &str = "\
Authorities:
  Scheme, host and port of a URL say whose robots.txt counts. With --robots-dir it is the
  first of these files that exists, for https://example.com and http://example.com:8080:

    https%3A%2F%2Fexample.com.txt    http%3A%2F%2Fexample.com%3A8080.txt
    https%3A%2F%2Fexample.com        http%3A%2F%2Fexample.com%3A8080
    example.com.txt                  example.com:8080.txt
    example.com                      example.com:8080

  Names are in lower case, without the scheme's own port, and with hosts in ASCII; the short
  ones count for http and https alike. What cannot be read is reported, and never taken for absent.

Annotated lines have these columns, with tabs between them:
  allowed, disallowed or unknown
  the line of the rule that decides, or -
  the rule as written (of a long one the first 256 bytes), or why there is none: no-rule,
    no-group, robots-txt (the file itself), no-body; of the unknown: no-body, not-a-url,
    unreadable-body, line-too-long
  of several crawlers, the one whose verdict it is
  the URL

Examples:
  verger filter --robots robots.txt -a ExampleBot < urls.txt > allowed.txt
  verger filter --robots robots.txt -a GPTBot -a ClaudeBot --annotate < urls.txt
  verger filter --robots-dir bodies --missing allow --annotate --urls urls.txt
  zcat urls.gz | verger filter --bodies bodies.jsonl --invert";

/// Runs the command.
pub(crate) fn run(arguments: &FilterArguments) -> CommandResult {
    let source = Source::from(arguments.urls.clone());
    let given = &arguments.bodies.given;
    let bodies = given.robots.as_ref().or(given.bodies.as_ref());
    if source == Source::Stdin && bodies.is_some_and(|name| name == "-") {
        return Err(Box::new(BothFromStdin));
    }
    let reporting = arguments.output.reporting.reporting();
    let reading = arguments.reading.reading();
    let crawlers = arguments.crawlers.crawlers(reading)?;
    if !arguments.output.reporting.quiet {
        arguments.crawlers.note_resolutions(&crawlers, reading, &[]);
    }
    let printed = arguments.output.printed();
    let keeping = match printed {
        Printed::Annotated | Printed::Json => Keeping::Lines,
        Printed::Allowed | Printed::Disallowed => Keeping::Rules,
    };
    let engine_crawlers = crawlers.iter().map(|it| it.crawler().clone()).collect();
    let maker = RulesMaker::new(engine_crawlers, reading, keeping);
    let maker = PolicyMaker::new(maker, reporting == Reporting::Nothing);
    let printed = PrintedTerms::new(printed, crawlers, reading);
    let mut outcome = Outcome::Success;
    let unusable = NoticeGroups::errors(UNUSABLE_LINES);
    let rule_source = arguments.bodies.rule_source(maker, |problem| {
        unusable.add("--bodies", problem);
        outcome = Outcome::Unanswered;
    })?;
    drop(unusable);
    let terms = Terms {
        rule_source: &rule_source,
        reading,
        missing: arguments.bodies.missing,
        printed: &printed,
    };
    let input = source.open()?;
    let urls = Urls { source, input };
    let processors = || thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let threads = arguments.threads.unwrap_or_else(processors);
    let answered = pipeline::run(urls, terms, threads, FilterProgress::start(reporting));
    if let (false, Some(read_again)) = (arguments.output.reporting.quiet, rule_source.read_again())
    {
        notice::note(read_again);
    }
    match answered {
        Ok(tally) if tally.is_complete() => Ok(outcome),
        Ok(_) => Ok(Outcome::Unanswered),
        Err(PipelineError::Unreadable(error)) => Err(error.into()),
        Err(PipelineError::Output(error)) => Err(error.into()),
    }
}

impl BodiesArguments {
    /// The rules; `report` gets a sentence about each body that cannot be used.
    fn rule_source(
        &self,
        maker: PolicyMaker,
        report: impl FnMut(String),
    ) -> Result<RuleSource, Box<dyn Error>> {
        let bodies = match (&self.given.robots_dir, &self.given.bodies) {
            (Some(directory), _) => Bodies::Directory(RobotsDirectory::open(directory)?),
            (None, Some(list)) => {
                let source = Source::from(list.clone());
                Bodies::List(RobotsList::open(source, &ReplacedFiles::default(), report)?)
            }
            (None, None) => {
                let source = Source::from(self.given.robots.clone().unwrap_or_default());
                let found = Found::Rules(maker.rules(source.read()?, &source));
                return Ok(RuleSource::One(Arc::new(found)));
            }
        };
        let octets_max = self.cache.saturating_mul(1 << 20);
        let rules = RulesByAuthority::of(bodies, maker, octets_max);
        Ok(RuleSource::ByAuthority(Box::new(rules)))
    }
}

impl OutputArguments {
    fn printed(&self) -> Printed {
        match self {
            Self { json: true, .. } => Printed::Json,
            Self { annotate: true, .. } => Printed::Annotated,
            Self { invert: true, .. } => Printed::Disallowed,
            _ => Printed::Allowed,
        }
    }
}

impl ReportArguments {
    fn reporting(&self) -> Reporting {
        match (self.quiet, Reporting::usual()) {
            (true, _) => Reporting::Nothing,
            (false, Reporting::Nothing) if self.summary => Reporting::Summary,
            (false, usual) => usual,
        }
    }
}

/// Standard input can be the rules or the list of URLs.
#[derive(Clone, Copy, Debug)]
struct BothFromStdin;

impl fmt::Display for BothFromStdin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the URLs and their rules both come from standard input; give one as a file")
    }
}

impl Error for BothFromStdin {}
