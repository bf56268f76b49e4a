//! `verger filter`: the URLs that crawlers may fetch.

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _};
use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use verger::Effect;
use verger_answer::{CountOf, HumanCountOf};
use verger_inputs::rulebook::{BYTES_DEFAULT, Keeping, RulesMaker};
use verger_inputs::{
    FilterLines, FilterObserver, FilterTally, FilterTerms, Filtered, LinesOf, UnansweredLine,
    filter_urls, thread_count,
};
use verger_inputs::{ReplacedFiles, RunFilesError, Source};

use crate::arguments::crawler::CrawlerArguments;
use crate::arguments::reading::ReadingArguments;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::byte_text::write_out;
use crate::screen::message::Message;
use crate::screen::notice::{self, NoticeGroups};
use crate::screen::output_format::{FormatArguments, Formats};
use crate::screen::progress::{Counting, Drawing, Rate};
use crate::sources::given_bodies::{Given, body_rules};

/// Print the URLs that every given crawler may fetch
///
/// Prints lines unchanged and in order, without empty ones. A line that cannot be answered is not printed,
/// because it is never taken as allowed. Standard error has the first five errors and warnings of each kind,
/// and then how many more there are. Exit code 0: every URL was answered, whatever the verdicts. 2: one was not.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, after_long_help = AFTER_HELP, override_usage = USAGE)]
pub(crate) struct FilterArguments {
    /// File with URLs, one on each line (`-` is standard input)
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    urls: OsString,

    #[command(flatten)]
    crawlers: CrawlerArguments,

    /// Number of threads [default: one for each processor]
    #[arg(long, value_name = "N", hide_short_help = true)]
    threads: Option<NonZero<usize>>,

    #[command(flatten)]
    bodies: BodiesArguments,

    #[command(flatten)]
    output: OutputArguments,

    #[command(flatten)]
    reading: ReadingArguments,
}

impl Formats for FilterArguments {
    const HUMAN: &'static str = "The lines with URLs that every crawler may fetch";
    const JSON: &'static str =
        "JSON Lines, a verdict for every URL and crawler (schema verger.filter/1, in docs/json.md)";
}

/// The source of rules.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Rules")]
struct BodiesArguments {
    #[command(flatten)]
    given: GivenBodies,

    /// Verdict for URLs of sites without a robots.txt
    #[arg(long, value_enum, value_name = "VERDICT", default_value = "report")]
    missing: MissingBody,

    /// Memory for the rules of sites, in MiB
    ///
    /// Rules that do not fit are read again.
    #[arg(
        long,
        value_name = "MIB",
        default_value_t = BYTES_DEFAULT >> 20,
        conflicts_with = "robots"
    )]
    #[arg(hide_short_help = true)]
    cache: u64,
}

#[derive(Args, Clone, Debug)]
#[group(required = true, multiple = false)]
struct GivenBodies {
    /// One robots.txt for all URLs (`-` is standard input)
    #[arg(short, long, value_name = "FILE")]
    robots: Option<OsString>,

    /// Directory with a robots.txt for each site
    #[arg(long, value_name = "DIR")]
    robots_dir: Option<PathBuf>,

    /// JSON Lines with a robots.txt for each site (`-` is standard input)
    ///
    /// docs/json.md describes the lines.
    #[arg(long, value_name = "FILE")]
    bodies: Option<OsString>,
}

/// The verdict for a URL whose authority has no body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MissingBody {
    /// Allowed, as if the site had no robots.txt
    Allow,
    /// Disallowed
    Disallow,
    /// None: the URL is reported as an error and not printed, and the exit code is 2
    Report,
}

/// The output.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
struct OutputArguments {
    /// Print the URLs that at least one crawler may not fetch
    #[arg(long)]
    invert: bool,

    /// Print every URL after its verdict, the line of the rule, and the rule
    #[arg(long, conflicts_with = "invert")]
    annotate: bool,

    #[command(flatten)]
    format: FormatArguments<FilterArguments>,

    #[command(flatten)]
    reporting: ReportArguments,
}

#[derive(Args, Clone, Debug)]
struct ReportArguments {
    /// Print totals to standard error even if it is not a terminal
    #[arg(long, hide_short_help = true)]
    summary: bool,

    /// Print only errors to standard error
    #[arg(long, conflicts_with = "summary", hide_short_help = true)]
    quiet: bool,
}

const USAGE: &str = "\
verger filter --robots FILE [-a NAME]... [OPTIONS] [--urls FILE]
       verger filter --robots-dir DIR [-a NAME]... [OPTIONS] [--urls FILE]
       verger filter --bodies FILE [-a NAME]... [OPTIONS] [--urls FILE]";

const EXAMPLES: &str = "\
Examples:
  verger filter --robots robots.txt -a GPTBot < urls.txt > allowed.txt
  verger filter --robots robots.txt -a GPTBot -a ClaudeBot --annotate < urls.txt
  zcat urls.gz | verger filter --bodies bodies.jsonl --missing allow --invert";

const AFTER_HELP: &str = "\
Files in --robots-dir:
  The scheme, host and port of a URL determine its robots.txt. With --robots-dir it is the first of
  these files that exists, for https://example.com and http://example.com:8080:

    https%3A%2F%2Fexample.com.txt    http%3A%2F%2Fexample.com%3A8080.txt
    https%3A%2F%2Fexample.com        http%3A%2F%2Fexample.com%3A8080
    example.com.txt                  example.com:8080.txt
    example.com                      example.com:8080

  Names are in lower case, without the default port of the scheme, and hosts are ASCII. The short
  names stand for http and https. A file that cannot be read is an error and not a missing file.

Columns of --annotate, separated by tabs:
  allowed, disallowed or unknown
  the line of the deciding rule, or -
  the rule as written (up to 256 bytes), or why there is none: no-rule, no-group,
    robots-txt (the file itself), no-body; for unknown: no-body, not-a-url,
    unreadable-body, line-too-long
  the crawler, if several are given
  the URL

Examples:
  verger filter --robots robots.txt -a GPTBot < urls.txt > allowed.txt
  verger filter --robots robots.txt -a GPTBot -a ClaudeBot --annotate < urls.txt
  verger filter --robots-dir bodies --missing allow --annotate --urls urls.txt
  zcat urls.gz | verger filter --bodies bodies.jsonl --missing allow --invert";

pub(crate) fn run(arguments: &FilterArguments) -> CommandResult {
    let source = Source::from(arguments.urls.clone());
    let given = &arguments.bodies.given;
    let bodies = given.robots.as_ref().or(given.bodies.as_ref());
    if source == Source::Stdin && bodies.is_some_and(|name| name == "-") {
        return Err(Box::new(RunFilesError::RulesFromStdin));
    }
    let is_silent = arguments.output.reporting.is_silent();
    let read_as = arguments.reading.read_as();
    let reading = read_as.reading();
    let crawlers = arguments.crawlers.crawlers(read_as)?;
    if !arguments.output.reporting.quiet {
        arguments.crawlers.note_resolutions(&crawlers, reading, &[]);
    }
    let output = &arguments.output;
    if output.format.is_json() {
        let lines = [(output.invert, "--invert"), (output.annotate, "--annotate")];
        output.format.refuse(&lines)?;
    }
    let printed = output.printed();
    let keeping = match printed {
        LinesOf::Annotated | LinesOf::Json => Keeping::Lines,
        LinesOf::Allowed | LinesOf::Disallowed => Keeping::Rules,
    };
    let maker = RulesMaker::judging(&crawlers, reading, keeping);
    let maker = body_rules(maker, arguments.output.reporting.quiet);
    let bytes_max = arguments.bodies.cache.saturating_mul(1 << 20);
    let given = Given {
        robots: given.robots.as_ref(),
        directory: given.robots_dir.as_ref(),
        list: given.bodies.as_ref(),
    };
    let (rules, outcome) = given.rules(maker, bytes_max, &ReplacedFiles::default())?;
    let terms = FilterTerms {
        rules: &rules,
        missing: arguments.bodies.missing.effect(),
        lines: &FilterLines::new(printed, crawlers, reading),
    };
    let threads = thread_count(arguments.threads);
    let filtered = print_answers(&source, terms, threads, is_silent);
    if let (false, Some(again)) = (arguments.output.reporting.quiet, rules.read_again()) {
        let note = Message::new(format_args!("robots.txt files read again: {again}"));
        notice::note(note.help("sort the URLs by host, or raise `--cache`"));
    }
    let filtered = filtered?;
    match filtered.read {
        Ok(()) if filtered.tally.is_complete() => Ok(outcome),
        Ok(()) => Ok(Outcome::Unanswered),
        Err(error) => Err(source.unreadable(error).into()),
    }
}

fn print_answers(
    source: &Source,
    terms: FilterTerms<'_>,
    threads: NonZero<usize>,
    is_silent: bool,
) -> Result<Filtered, Box<dyn Error>> {
    let input = source.open()?;
    let drawing = Drawing::BesideAnswers.unless(is_silent);
    let mut printer = Printer {
        source: source.to_string(),
        counting: Counting::new(drawing, |[urls, percent], elapsed| {
            let (count, rate) = (HumanCountOf(urls, "URL", "URLs"), Rate(urls, elapsed));
            format!("{count}, {percent} % allowed, {rate}")
        }),
        unanswered: NoticeGroups::errors([
            "more line was not answered",
            "more lines were not answered",
        ]),
    };
    let filtered = filter_urls(input, terms, threads, &mut printer)?;
    let tally = &filtered.tally;
    (printer.counting).finish(format_args!("{tally}; "), tally.urls());
    if let Some(first) = &filtered.without_body {
        let message = Message::new(format_args!(
            "no robots.txt was given for {}: the first is on line {}, of {}",
            CountOf(filtered.tally.without_body, "URL", "URLs"),
            first.line,
            first.authority
        ));
        let help = "choose their verdict with `--missing allow` or `--missing disallow`";
        notice::error(message.help(help));
    }
    Ok(filtered)
}

struct Printer {
    source: String,
    /// Number of URLs, and percentage of them that are allowed.
    counting: Counting<2>,
    unanswered: NoticeGroups,
}

impl FilterObserver for Printer {
    fn answered(&mut self, lines: &[u8]) -> io::Result<()> {
        write_out(lines)
    }

    fn unanswered(&mut self, line: &UnansweredLine<'_>) {
        let (source, number, message) = (&self.source, line.number, line.message);
        let message = Message::from_text(format_args!("{source}, line {number}: {message}"));
        self.unanswered.add(line.kind, message);
    }

    fn counted(&mut self, tally: &FilterTally) {
        self.counting.set(0, tally.urls());
        self.counting.set(1, tally.allowed_percent());
    }
}

impl MissingBody {
    fn effect(self) -> Option<Effect> {
        match self {
            Self::Allow => Some(Effect::Allow),
            Self::Disallow => Some(Effect::Disallow),
            Self::Report => None,
        }
    }
}

impl OutputArguments {
    fn printed(&self) -> LinesOf {
        match self {
            _ if self.format.is_json() => LinesOf::Json,
            Self { annotate: true, .. } => LinesOf::Annotated,
            Self { invert: true, .. } => LinesOf::Disallowed,
            _ => LinesOf::Allowed,
        }
    }
}

impl ReportArguments {
    /// Returns whether to print no progress and no totals, which is usual if standard error is not
    /// a terminal.
    fn is_silent(&self) -> bool {
        self.quiet || !(self.summary || io::stderr().is_terminal())
    }
}
