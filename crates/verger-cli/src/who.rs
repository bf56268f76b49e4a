//! `verger who`: how much of a site each known crawler may fetch.
//!
//! | module | one line |
//! |---|---|
//! | `table` | for people, by purpose |

mod table;

use std::io::Write as _;

use clap::Args;
use verger::RobotsTxt;
use verger_access::Timestamp;
use verger_answer::{ResolvedCrawler, json};
use verger_crawlers::{KnownCrawler, Purpose};
use verger_owner::{Server, ServerMap, WhoLine, cut_names, who, write_who_csv};
use verger_store::BodyHash;

use crate::arguments::budget::BudgetArguments;
use crate::arguments::crawler::CrawlerArguments;
use crate::arguments::crawler_names::purpose_names;
use crate::arguments::fetch::FetchArguments;
use crate::arguments::reading::ReadingArguments;
use crate::arguments::time::past_time;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::output_format::{Format, FormatArguments, Formats};
use crate::screen::palette;
use crate::sources::robots_source::{
    RobotsSource, refuse_all_but_profile, refuse_without_fetch, robots_source,
};
use crate::sources::site_client::SiteClient;

/// Show which crawlers may fetch everything, something or nothing
///
/// Covers all known crawlers in use, those that the file names, and any other. Prints how many may fetch
/// everything (open), a part (partly) or nothing (closed), by purpose. With `--all`, `--purpose` or `-a`, prints
/// all names with the lines that decide. Open and closed are proven for every URL. A robots.txt only binds
/// crawlers that obey it: `verger crawlers` shows which do.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WhoArguments {
    /// File, `-` for standard input, or URL of a site
    #[arg(value_name = "FILE|URL", value_parser = robots_source())]
    robots: RobotsSource,

    #[command(flatten)]
    crawlers: CrawlerArguments,

    /// List the names of all crawlers
    #[arg(long)]
    all: bool,

    /// List the names of crawlers with this purpose, such as ai-train (repeatable)
    #[arg(long = "purpose", value_name = "PURPOSE", value_parser = purpose_names())]
    #[arg(conflicts_with = "all", hide_possible_values = true)]
    purposes: Vec<Purpose>,

    #[command(flatten)]
    format: FormatArguments<Self>,

    /// Use a site's file of this time from the store: 2026-11-20, 7d, yesterday
    #[arg(long, value_name = "TIME", value_parser = past_time)]
    at: Option<Timestamp>,

    #[command(flatten)]
    budget: BudgetArguments,

    #[command(flatten)]
    reading: ReadingArguments,

    #[command(flatten)]
    fetching: FetchArguments,
}

impl Formats for WhoArguments {
    const HUMAN: &'static str =
        "Numbers by purpose, or names with crawlers of the same group together";
    const JSON: &'static str =
        "JSON Lines, a line for each crawler (schema verger.who/1, in docs/json.md)";
    const OTHERS: &'static [(Format, &'static str)] = &[
        (Format::Csv, "Comma-separated, a line for each crawler"),
        (
            Format::Nginx,
            "A `map` for nginx, from User-Agent headers to 1 for crawlers that may fetch nothing",
        ),
        (Format::Caddy, "The same for a Caddyfile"),
        (Format::Haproxy, "The same as a map file for HAProxy"),
    ];
}

const EXAMPLES: &str = "\
Examples:
  verger who robots.txt
  verger who --purpose ai-train robots.txt
  verger who --format nginx robots.txt > crawlers.conf";

impl WhoArguments {
    /// Returns whether names are listed, not only counted.
    fn lists_names(&self) -> bool {
        self.all || !self.purposes.is_empty() || !self.crawlers.is_empty()
    }

    fn has_purpose(&self, crawler: &ResolvedCrawler) -> bool {
        let purposes = crawler.known().map(KnownCrawler::purposes);
        purposes.is_some_and(|of_it| of_it.iter().any(|it| self.purposes.contains(it)))
    }
}

pub(crate) fn run(arguments: &WhoArguments) -> CommandResult {
    if !arguments.robots.is_site() {
        refuse_without_fetch(arguments.at.map(|_| "--at"))?;
        refuse_all_but_profile(&arguments.fetching)?;
    }
    let read_as = arguments.fetching.read_as_of(&arguments.reading);
    let reading = read_as.reading();
    let mut sites = SiteClient::new(&arguments.fetching, &arguments.reading.options);
    let body = arguments.robots.read(&mut sites, arguments.at)?;
    let hash = BodyHash::new(&body);
    let robots = RobotsTxt::parse(body, reading);
    let mut crawlers = arguments.crawlers.named_or_all(read_as, &[&robots])?;
    if !arguments.purposes.is_empty() {
        crawlers.retain(|it| arguments.has_purpose(it));
    }
    let cut = cut_names(&robots);
    let example_site = arguments.robots.example_site(&robots);
    let rows = who(robots, &crawlers, arguments.budget.budget());
    let site = arguments.robots.site();
    let mut output = palette::stdout();
    let name = arguments.robots.name();
    let map = |server| ServerMap::new(&rows, server, &name, hash, reading.dialect());
    match arguments.format.format() {
        Format::Nginx => write!(output, "{}", map(Server::Nginx))?,
        Format::Caddy => write!(output, "{}", map(Server::Caddy))?,
        Format::Haproxy => write!(output, "{}", map(Server::Haproxy))?,
        Format::Json => rows
            .iter()
            .try_for_each(|row| json::write_line(&mut output, &WhoLine::new(row, &site)))?,
        Format::Csv => write_who_csv(&mut output, &rows, &site)?,
        _ if !arguments.lists_names() => {
            table::write_summary(&mut output, &rows, &example_site)?;
        }
        _ => table::write(&mut output, &rows, &arguments.purposes, &cut)?,
    }
    output.flush()?;
    let is_decided = rows.iter().all(|row| row.extent.class().is_some());
    Ok(Outcome::Unanswered.unless(is_decided))
}
