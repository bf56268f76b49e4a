//! `verger parse`: how files are parsed, and what is ignored.
//!
//! | module | one line |
//! |---|---|
//! | `human`, `human_report` | the listing, and the report, for people |
//! | `warnings` | ignored lines, for `--check` |

mod human;
mod human_report;
mod warnings;

use std::ffi::OsString;
use std::io::{self, Write};

use clap::Args;
use verger::{Dialect, Reading, RobotsTxt};
use verger_answer::parsed::{FileName, Listing, ParsedFile, Report};
use verger_answer::{CrawlerQuery, FileDiagnostic, ReadAs, ResolvedCrawler, json};
use verger_inputs::{RunFilesError, Source};

use crate::arguments::crawler::{note_resolutions, one_crawler, warn_of_misspellings};
use crate::arguments::crawler_names::crawler_queries;
use crate::arguments::reading::ReadingArguments;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::byte_text::argument_bytes;
use crate::screen::notice;
use crate::screen::output_format::{FormatArguments, Formats};
use crate::screen::palette;
use crate::sources::robots_source::unreadable;

/// Show how a robots.txt is parsed, and what is ignored
///
/// Lists groups, rules and other records. Exit code 2: a file could not be read. With `--check`, 1: there are
/// warnings.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ParseArguments {
    /// Files, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<OsString>,

    /// Show only the group for this crawler, such as `GPTBot`
    ///
    /// All groups that apply to it are merged. A name from `verger crawlers`, or a product token.
    #[arg(short, long = "agent", value_name = "NAME", conflicts_with = "report")]
    #[arg(value_parser = crawler_queries(), hide_possible_values = true)]
    agent: Option<CrawlerQuery>,

    /// Show only the group for this product token, taken literally
    #[arg(long, value_name = "TOKEN", conflicts_with_all = ["report", "agent"])]
    token: Option<String>,

    #[command(flatten)]
    format: FormatArguments<Self>,

    /// Report on each line, like Google's parser [default dialect: google]
    #[arg(long)]
    report: bool,

    /// Print only warnings: what is ignored, cut or read differently
    ///
    /// Each has file, line and column. Exit code 1: there are some.
    #[arg(long, conflicts_with_all = ["report", "agent", "token"])]
    check: bool,

    #[command(flatten)]
    reading: ReadingArguments,
}

impl Formats for ParseArguments {
    const HUMAN: &'static str = "A listing of each file";
    const JSON: &'static str =
        "A line of JSON for each file (schema verger.parse/1 or verger.report/1, in docs/json.md)";
}

const EXAMPLES: &str = "\
Examples:
  verger parse robots.txt
  verger parse robots.txt -a GPTBot
  curl -s https://example.com/robots.txt | verger parse --check -";

pub(crate) fn run(arguments: &ParseArguments) -> CommandResult {
    if arguments.files.iter().filter(|name| *name == "-").count() > 1 {
        return Err(RunFilesError::StdinTwice.into());
    }
    let read_as = if arguments.report {
        ReadAs::Stated(arguments.reading.reading_unless_named(Dialect::Google))
    } else {
        arguments.reading.read_as()
    };
    let token = arguments.token.clone().map(CrawlerQuery::Token);
    let asked = match arguments.agent.as_ref().or(token.as_ref()) {
        Some(query) => Some(one_crawler(query, read_as)?),
        None => None,
    };
    let reading = read_as.reading();
    let reading = asked.as_ref().map_or(reading, |it| it.reading(reading));
    if !arguments.format.is_json() {
        note_resolutions(asked.as_slice(), reading);
    }
    let parse = Parse {
        arguments,
        reading,
        asked,
    };
    let mut outcome = Outcome::Success;
    let mut is_first = true;
    for name in &arguments.files {
        let source = Source::from(name.clone());
        let shown = match source.read() {
            Ok(body) => {
                let is_first = std::mem::replace(&mut is_first, false);
                parse.show(name, body, is_first)?
            }
            Err(error) => {
                notice::error(unreadable(&error, &source));
                Outcome::Unanswered
            }
        };
        outcome = outcome.max(shown);
    }
    Ok(outcome)
}

struct Parse<'a> {
    arguments: &'a ParseArguments,
    reading: Reading,
    asked: Option<ResolvedCrawler>,
}

impl Parse<'_> {
    fn show(&self, name: &OsString, body: Vec<u8>, is_first: bool) -> io::Result<Outcome> {
        let arguments = self.arguments;
        let robots = RobotsTxt::parse(body, self.reading);
        if is_first {
            warn_of_misspellings(self.asked.as_slice(), &[&robots]);
        }
        let is_clean = || FileDiagnostic::all_of(&robots).next().is_none();
        let outcome = Outcome::Warned.unless(!arguments.check || is_clean());
        let file = FileName::from_bytes(&argument_bytes(name));
        let listing = Listing::new(&robots, self.asked.as_ref());
        let report = Report::new(&robots);
        match (arguments.format.is_json(), arguments.report) {
            (true, is_report) => {
                let mut output = io::BufWriter::with_capacity(64 << 10, io::stdout().lock());
                if is_report {
                    json::write_line(&mut output, &report.in_file(&file))?;
                } else {
                    json::write_line(&mut output, &ParsedFile(&listing, &file))?;
                }
                output.flush()?;
            }
            (false, is_report) => {
                let mut output = palette::stdout();
                let source = Source::from(name.clone());
                if arguments.check {
                    warnings::write(&mut output, &robots, name)?;
                    output.flush()?;
                    return Ok(outcome);
                }
                if !is_first {
                    writeln!(output)?;
                }
                if is_report && arguments.files.len() > 1 {
                    writeln!(output, "{source}")?;
                }
                if is_report {
                    human_report::write(&mut output, &report)?;
                } else {
                    human::write_listing(&mut output, &listing, &source)?;
                }
                output.flush()?;
            }
        }
        Ok(outcome)
    }
}
