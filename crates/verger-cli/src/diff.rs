//! `verger diff`: what a change of a robots.txt means for each crawler.
//!
//! | module | one line |
//! |---|---|
//! | `human` | for people |

mod human;

use std::error::Error;
use std::io::Write as _;

pub(crate) use human::write as write_comparison;

use clap::Args;
use verger::RobotsTxt;
use verger_access::Timestamp;
use verger_owner::{FileComparison, write_change_lines};

use crate::budget_arguments::BudgetArguments;
use crate::crawler_arguments::CrawlerArguments;
use crate::fetch_arguments::FetchArguments;
use crate::outcome::{CommandResult, Outcome};
use crate::output_format::{FormatArguments, Formats};
use crate::palette;
use crate::reading_arguments::ReadingArguments;
use crate::robots_source::{RobotsSource, robots_source};
use crate::site_client::SiteClient;
use crate::time_argument::past_time;

/// Compare what two robots.txt files mean, crawler by crawler, with a URL for each change
///
/// Lines may be moved, split, joined and written otherwise: only what may be fetched is compared, and
/// that nothing changed is proven for every URL. Exit code 0: nothing changed; 1: something did; 2: a
/// file could not be read, or a question was not decided within `--max-states`.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DiffArguments {
    /// The robots.txt before: a file, `-` for standard input, or a URL of a site
    #[arg(value_name = "OLD", value_parser = robots_source())]
    old: RobotsSource,

    /// The robots.txt after
    #[arg(value_name = "NEW", value_parser = robots_source())]
    new: RobotsSource,

    /// Of a site, take OLD from what the store had at that time: 2026-11-20, 7d (before now), yesterday
    #[arg(long, value_name = "TIME", value_parser = past_time)]
    old_at: Option<Timestamp>,

    /// Of a site, take NEW from what the store had at that time
    #[arg(long, value_name = "TIME", value_parser = past_time)]
    new_at: Option<Timestamp>,

    #[command(flatten)]
    crawlers: CrawlerArguments,

    #[command(flatten)]
    format: FormatArguments<Self>,

    #[command(flatten)]
    budget: BudgetArguments,

    #[command(flatten)]
    reading: ReadingArguments,

    #[command(flatten)]
    fetching: FetchArguments,
}

impl Formats for DiffArguments {
    const HUMAN: &'static str = "What changed, with examples and lines";
    const JSON: &'static str = "JSON Lines, a line for each change and one for the whole (schema verger.diff/1, in docs/json.md)";
}

const EXAMPLES: &str = "\
Examples:
  verger diff robots.txt new.txt
  git show main:robots.txt | verger diff - robots.txt
  verger diff robots.txt https://example.com
  verger diff --old-at 7d https://example.com https://example.com";

/// Runs the command.
pub(crate) fn run(arguments: &DiffArguments) -> CommandResult {
    if arguments.old.is_stdin() && arguments.new.is_stdin() {
        return Err("standard input can be read once: give one of the files by its name".into());
    }
    let options = &arguments.reading.options;
    let of_profile = arguments.fetching.profile(options);
    let dialect = of_profile.reading.dialect();
    let reading = arguments.reading.reading_unless_named(dialect);
    let mut sites = SiteClient::new(&arguments.fetching, options.clone());
    let mut read = |source: &RobotsSource, at: Option<Timestamp>| {
        let body = source.read(&mut sites, at)?;
        Ok::<_, Box<dyn Error>>(RobotsTxt::parse(body, reading))
    };
    let old = read(&arguments.old, arguments.old_at)?;
    let new = read(&arguments.new, arguments.new_at)?;
    let crawlers = arguments.crawlers.named_or_all(reading, &[&old, &new])?;
    let budget = arguments.budget.budget();
    let site = if arguments.new.is_site() {
        arguments.new.site()
    } else {
        arguments.old.site()
    };
    let comparison = FileComparison::of(old, new, &crawlers, budget)?.of_site(site);
    let mut output = palette::stdout();
    if arguments.format.is_json() {
        write_change_lines(&mut output, &comparison)?;
    } else {
        human::write(&mut output, &comparison)?;
    }
    output.flush()?;
    Ok(match comparison.is_same() {
        Some(true) => Outcome::Success,
        Some(false) => Outcome::Changed,
        None => Outcome::Unanswered,
    })
}
