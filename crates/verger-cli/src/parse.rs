//! `verger parse`: what a file holds, and what was ignored.
//!
//! | module | one line |
//! |---|---|
//! | `listing` | the records, group by group, and where each belongs |
//! | `values` | what the other records say |
//! | `diagnostic_place` | line and column of a diagnostic |
//! | `human` | the listing for people |
//! | `json` | the listing as JSON |
//! | `report` | a line for each line, as Google's parsing report has it |
//! | `walked` | a list in JSON whose items are made as they are written |

mod diagnostic_place;
mod human;
mod json;
mod listing;
mod report;
mod values;
mod walked;

use std::ffi::OsString;
use std::io::{self, Write};

use clap::Args;
use verger::{Dialect, RobotsTxt};
use verger_answer::CrawlerQuery;

use crate::crawler_arguments::{note_resolutions, one_crawler};
use crate::input::Source;
use crate::outcome::{CommandResult, Outcome};
use crate::palette;
use crate::reading_arguments::ReadingArguments;
use json::Document;
use listing::Listing;
use report::Report;

/// Show what a robots.txt holds: groups, rules, values, and what was ignored
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ParseArguments {
    /// The robots.txt; `-` for standard input
    #[arg(value_name = "FILE")]
    robots: OsString,

    /// Also show what the groups that apply to a crawler hold beside the rules: a name from
    /// `verger crawlers`, or else a product token
    #[arg(short, long = "agent", value_name = "NAME", conflicts_with = "report")]
    agent: Option<CrawlerQuery>,

    /// The same for a product token, literally, even if it is a name or an operator
    #[arg(long, value_name = "TOKEN", conflicts_with_all = ["report", "agent"])]
    token: Option<String>,

    /// Answer in JSON (schema verger.parse/1 or verger.report/1, in docs/json.md)
    #[arg(long)]
    json: bool,

    /// A line for each line, as Google's parsing report has it; read as google by default
    #[arg(long)]
    report: bool,

    #[command(flatten)]
    reading: ReadingArguments,
}

const EXAMPLES: &str = "\
Examples:
  verger parse robots.txt
  verger parse robots.txt -a bingbot
  verger parse robots.txt --dialect koster1996
  curl -s https://example.com/robots.txt | verger parse - --json";

/// Runs the command.
pub(crate) fn run(arguments: &ParseArguments) -> CommandResult {
    let source = Source::from(arguments.robots.clone());
    let default = if arguments.report {
        Dialect::Google
    } else {
        Dialect::default()
    };
    let reading = arguments.reading.reading_unless_named(default);
    let token = arguments.token.clone().map(CrawlerQuery::Token);
    let asked = match arguments.agent.as_ref().or(token.as_ref()) {
        Some(query) => Some(one_crawler(query, reading)?),
        None => None,
    };
    let robots = RobotsTxt::parse(source.read()?, reading);
    if arguments.report {
        let report = Report::of(&robots);
        if arguments.json {
            write_json(&report)?;
        } else {
            let mut output = palette::stdout();
            report.write(&mut output)?;
            output.flush()?;
        }
    } else {
        let listing = Listing::of(&robots, asked.as_ref());
        if arguments.json {
            write_json(&Document(&listing))?;
        } else {
            note_resolutions(asked.as_slice());
            let mut output = palette::stdout();
            human::write_listing(&mut output, &listing, &source)?;
            output.flush()?;
        }
    }
    Ok(Outcome::Success)
}

fn write_json(document: &impl serde::Serialize) -> io::Result<()> {
    let mut output = io::BufWriter::with_capacity(64 << 10, io::stdout().lock());
    serde_json::to_writer(&mut output, document)?;
    output.write_all(b"\n")?;
    output.flush()
}
