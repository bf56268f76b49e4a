//! `verger filter`: of many URLs those that a crawler may fetch.
//!
//! | module | one line |
//! |---|---|
//! | `url_authority` | the authority of each URL, quickly |
//! | `robots_directory`, `robots_list` | bodies by authority: in a directory, in JSON Lines |
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
mod robots_directory;
mod robots_list;
mod rule_source;
mod tally;
mod url_authority;

use std::error::Error;
use std::ffi::OsString;
use std::fmt;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use clap::Args;
use verger_answer::{CrawlerQuery, ResolvedCrawler};

use crate::authority_cache::OCTETS_DEFAULT;
use crate::crawler_arguments::{NoCrawler, note_resolutions, one_crawler};
use crate::input::Source;
use crate::notice;
use crate::outcome::{CommandResult, Outcome};
use crate::reading_arguments::ReadingArguments;
use answers::{MissingBody, Terms};
use pipeline::{PipelineError, Urls};
use printed::Printed;
use progress::{Progress, Reporting};
use robots_directory::RobotsDirectory;
use robots_list::RobotsList;
use rule_source::{Bodies, Found, Keeping, PolicyMaker, RuleSource, RulesByAuthority};

/// Print those of many URLs that a crawler may fetch
///
/// Lines are printed unchanged and in their order; empty ones are left out. A line that cannot be
/// answered is reported on standard error and not printed: it never counts as allowed. Exit code 0:
/// every URL was answered, whatever the verdicts; 2: one could not be.
#[derive(Args, Clone, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct FilterArguments {
    /// The URLs, one a line; `-` for standard input
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    urls: OsString,

    /// A name from `verger crawlers`, or else a product token
    ///
    /// Default, also without `--user-agent`: a crawler to which only `*` groups apply.
    #[arg(short, long, value_name = "NAME", conflicts_with = "user_agent")]
    agent: Option<CrawlerQuery>,

    /// A User-Agent header as it is sent, for the known crawler that it names
    #[arg(long, value_name = "HEADER")]
    user_agent: Option<String>,

    /// How many threads decide [default: one for each processor]
    #[arg(long, value_name = "N")]
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
    /// Print the disallowed URLs
    #[arg(long)]
    invert: bool,

    /// Print every URL after its verdict, the line of the rule, and the rule
    #[arg(long, conflicts_with = "invert")]
    annotate: bool,

    #[command(flatten)]
    reporting: ReportArguments,
}

#[derive(Args, Clone, Debug)]
struct ReportArguments {
    /// Print totals at the end, even if standard error is not a terminal
    #[arg(long)]
    summary: bool,

    /// Print nothing but errors on standard error
    #[arg(long, conflicts_with = "summary")]
    quiet: bool,
}

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

Annotated lines have four columns between tabs:
  allowed, disallowed or unknown
  the line of the rule that decides, or -
  the rule as written (of a long one the first 256 bytes), or why there is none: no-rule,
    no-group, robots-txt (the file itself), no-body; of the unknown: no-body, not-a-url,
    unreadable-body, line-too-long
  the URL

Examples:
  verger filter --robots robots.txt -a ExampleBot < urls.txt > allowed.txt
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
    let resolved = crawler(arguments)?;
    if !arguments.output.reporting.quiet {
        note_resolutions(std::slice::from_ref(&resolved));
    }
    let printed = arguments.output.printed();
    let reading = arguments.reading.reading();
    let maker = PolicyMaker {
        crawler: resolved.crawler().clone(),
        reading,
        keeping: match printed {
            Printed::Annotated => Keeping::Lines,
            Printed::Allowed | Printed::Disallowed => Keeping::Rules,
        },
    };
    let mut outcome = Outcome::Success;
    let rule_source = arguments.bodies.rule_source(maker, |problem| {
        notice::error(problem);
        outcome = Outcome::Unanswered;
    })?;
    let terms = Terms {
        rule_source: &rule_source,
        reading,
        missing: arguments.bodies.missing,
        printed,
    };
    let input = source.open()?;
    let urls = Urls { source, input };
    let processors = || thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let threads = arguments.threads.unwrap_or_else(processors);
    let answered = pipeline::run(urls, terms, threads, Progress::start(reporting));
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

fn crawler(arguments: &FilterArguments) -> Result<ResolvedCrawler, NoCrawler> {
    let query = match (&arguments.agent, &arguments.user_agent) {
        (Some(query), _) => query.clone(),
        (None, Some(header)) => CrawlerQuery::Header(header.clone()),
        (None, None) => CrawlerQuery::Unnamed,
    };
    one_crawler(&query, arguments.reading.reading())
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
                Bodies::List(RobotsList::open(source, report)?)
            }
            (None, None) => {
                let source = self.given.robots.clone().map(Source::from);
                let body = source.map_or(Ok(Vec::new()), |source| source.read())?;
                let found = Found::Rules(maker.rules(body));
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
        match (self.invert, self.annotate) {
            (_, true) => Printed::Annotated,
            (true, false) => Printed::Disallowed,
            (false, false) => Printed::Allowed,
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
