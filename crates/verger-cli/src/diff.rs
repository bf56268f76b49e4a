//! `verger diff`: compares what two robots.txt files allow, crawler by crawler.
//!
//! | module | one line |
//! |---|---|
//! | `human` | for people |

mod human;

use std::error::Error;
use std::io::Write as _;

pub(crate) use human::write as write_comparison;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use verger::RobotsTxt;
use verger_access::Timestamp;
use verger_inputs::{RunFilesError, Source};
use verger_owner::{
    FileComparison, SitemapReader as _, SitemapSource, UrlCounts, write_change_lines,
    write_url_count_lines,
};

use crate::arguments::budget::BudgetArguments;
use crate::arguments::crawler::CrawlerArguments;
use crate::arguments::fetch::FetchArguments;
use crate::arguments::reading::ReadingArguments;
use crate::arguments::time::past_time;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::output_format::{FormatArguments, Formats};
use crate::screen::palette;
use crate::screen::progress;
use crate::sources::robots_source::{
    RobotsSource, refuse_all_but_profile, refuse_without_fetch, robots_source,
};
use crate::sources::site_client::SiteClient;
use crate::sources::site_sitemaps::SiteSitemaps;

/// Compare what two robots.txt files allow, crawler by crawler
///
/// Each change comes with a URL that shows it. Lines that are moved, split, merged or reworded are not changes:
/// only what may be fetched is compared, and that nothing else changed is proven for every URL. Exit code 0:
/// nothing changed. 1: something did. 2: a file could not be read, or a proof exceeded `--max-states`. With
/// `--urls`, only the URLs of the list count, and 2 means that some could not be counted.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DiffArguments {
    /// The old robots.txt: a file, `-` for standard input, or a URL of a site
    #[arg(value_name = "OLD", value_parser = robots_source())]
    old: RobotsSource,

    /// The new robots.txt
    #[arg(value_name = "NEW", value_parser = robots_source())]
    new: RobotsSource,

    /// Take a site's OLD from the store, as of 2026-11-20, 7d, yesterday
    #[arg(long, value_name = "TIME", value_parser = past_time)]
    old_at: Option<Timestamp>,

    /// Take a site's NEW from the store, as of this time
    #[arg(long, value_name = "TIME", value_parser = past_time)]
    new_at: Option<Timestamp>,

    /// Compare only the URLs in this list or sitemap
    ///
    /// Counts how many of them each file disallows. A list has a URL or a path on each line. A sitemap is XML.
    /// A sitemap index is read with its first 1,000 sitemaps, from files next to it if they exist. Plain or
    /// gzip (`-` is standard input). Only path and query of a URL matter, not its site.
    #[arg(long, value_name = "FILE|URL", value_parser = sitemap_source())]
    urls: Option<SitemapSource>,

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
    const HUMAN: &'static str = "Changes with example URLs and lines";
    const JSON: &'static str = "JSON Lines, a line for each change and one for the whole (schema verger.diff/1, with --urls verger.diff-urls/1, in docs/json.md)";
}

const EXAMPLES: &str = "\
Examples:
  verger diff robots.txt new.txt
  verger diff robots.txt https://example.com
  verger diff robots.txt new.txt --urls sitemap.xml";

fn sitemap_source() -> impl TypedValueParser<Value = SitemapSource> {
    OsStringValueParser::new().try_map(|text| SitemapSource::from_argument(&text))
}

pub(crate) fn run(arguments: &DiffArguments) -> CommandResult {
    let urls = arguments.urls.as_ref();
    let is_stdin = [
        arguments.old.is_stdin(),
        arguments.new.is_stdin(),
        urls == Some(&SitemapSource::File("-".into())),
    ];
    if is_stdin.into_iter().filter(|it| *it).count() > 1 {
        return Err(RunFilesError::StdinTwice.into());
    }
    let both = [
        (&arguments.old, arguments.old_at.map(|_| "--old-at")),
        (&arguments.new, arguments.new_at.map(|_| "--new-at")),
    ];
    let files = both.into_iter().filter(|(source, _)| !source.is_site());
    for (_, at) in files.clone() {
        refuse_without_fetch(at)?;
    }
    // A sitemap may be an index of others on the web.
    if files.count() == both.len() && urls.is_none() {
        refuse_all_but_profile(&arguments.fetching)?;
    }
    let read_as = arguments.fetching.read_as_of(&arguments.reading);
    let mut sites = SiteClient::new(&arguments.fetching, &arguments.reading.options);
    let mut read = |source: &RobotsSource, at: Option<Timestamp>| {
        let body = source.read(&mut sites, at)?;
        Ok::<_, Box<dyn Error>>(RobotsTxt::parse(body, read_as.reading()))
    };
    let old = read(&arguments.old, arguments.old_at)?;
    let new = read(&arguments.new, arguments.new_at)?;
    let crawlers = arguments.crawlers.named_or_all(read_as, &[&old, &new])?;
    let is_json = arguments.format.is_json();
    let mut output = palette::stdout();
    let is_same = if let Some(urls) = urls {
        let mut counts = UrlCounts::new(old, new, &crawlers);
        let mut reader = SiteSitemaps::new(sites);
        progress::during("counting URLs", || count(&mut counts, urls, &mut reader))?;
        if is_json {
            write_url_count_lines(&mut output, &counts)?;
        } else {
            human::write_counts(&mut output, &counts)?;
        }
        counts.is_same()
    } else {
        let site = match &arguments.new {
            RobotsSource::Site(site) => site.to_string(),
            RobotsSource::Input(_) => arguments.old.site(),
        };
        let budget = arguments.budget.budget();
        let comparison = FileComparison::new(old, new, &crawlers, budget)?.of_site(site);
        if is_json {
            write_change_lines(&mut output, &comparison)?;
        } else {
            human::write(&mut output, &comparison)?;
        }
        comparison.is_same()
    };
    output.flush()?;
    Ok(match is_same {
        Some(true) => Outcome::Success,
        Some(false) => Outcome::Changed,
        None => Outcome::Unanswered,
    })
}

fn count(
    counts: &mut UrlCounts<'_>,
    urls: &SitemapSource,
    reader: &mut SiteSitemaps<'_>,
) -> Result<(), Box<dyn Error>> {
    match urls {
        SitemapSource::File(path) => {
            let input = Source::from(path.clone().into_os_string());
            let added = counts.add_all(urls, input.open()?, reader);
            Ok(added.map_err(|error| input.unreadable(error))?)
        }
        SitemapSource::Url(_) => {
            let bytes = reader
                .sitemap(urls, true)
                .map_err(|why| format!("{urls}: {why}"))?;
            Ok(counts.add_all(urls, bytes.as_slice(), reader)?)
        }
    }
}
