//! `verger fetch`: fetches one robots.txt now, and shows what happened and what follows.

mod human;

use std::io::{self, BufWriter, Write};

use clap::Args;
use verger::Crawler;
use verger_access::{AccessResult, Authority};
use verger_answer::json;
use verger_client::FetchAnswer;

use crate::arguments::delay::DelayArguments;
use crate::arguments::fetch::FetchArguments;
use crate::arguments::reading::ReadingOptions;
use crate::arguments::time::now;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::byte_text::write_out;
use crate::screen::output_format::{FormatArguments, Formats};
use crate::screen::palette;
use crate::sources::robots_source::site_argument;

/// Fetch a site's robots.txt and show what follows from it
///
/// Shows every request, and stores the result as `verger check` does. Exit code 0: there is a robots.txt, or
/// the site has none. 4: it is unreachable. 2: nothing was fetched.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FetchCommandArguments {
    /// A URL of the site, or its host (which means https)
    #[arg(value_name = "URL|HOST", value_parser = site_argument)]
    site: Authority,

    #[command(flatten)]
    format: FormatArguments<Self>,

    /// Print the file, up to 512,000 bytes, and the rest to standard error
    ///
    /// On a terminal, control characters are escaped.
    #[arg(long)]
    body: bool,

    #[command(flatten, next_help_heading = "Output")]
    delay: DelayArguments,

    #[command(flatten)]
    fetching: FetchArguments,

    #[command(flatten)]
    reading: ReadingOptions,
}

impl Formats for FetchCommandArguments {
    const HUMAN: &'static str = "What happened and what follows from it";
    const JSON: &'static str = "JSON (schema verger.fetch/1, in docs/json.md)";
}

const EXAMPLES: &str = "\
Examples:
  verger fetch example.com
  verger fetch --body example.com > robots.txt
  verger fetch --allow-address 127.0.0.0/8 http://localhost:8080";

pub(crate) fn run(arguments: &FetchCommandArguments) -> CommandResult {
    let FetchCommandArguments { site, fetching, .. } = arguments;
    let profile = fetching.profile(&arguments.reading);
    let started = fetching.start(profile, &[&Crawler::unnamed()], Some(site))?;
    let report = started.fetch(site)?;
    started.note_address([&report]);
    let path = started.store.path.as_deref();
    let bounds = arguments.delay.bounds();
    write(arguments, &FetchAnswer::new(&report, path, bounds, now()))?;
    Ok(match report.answer.access_result() {
        Some(AccessResult::Unreachable(_)) => Outcome::Unreachable,
        // Without a result, an override answers.
        Some(AccessResult::Successful(_) | AccessResult::Unavailable(_)) | None => Outcome::Success,
    })
}

fn write(arguments: &FetchCommandArguments, seen: &FetchAnswer<'_>) -> io::Result<()> {
    let mut output: Box<dyn Write> = if arguments.body {
        Box::new(BufWriter::new(anstream::stderr().lock()))
    } else {
        Box::new(palette::stdout())
    };
    if arguments.format.is_json() {
        json::write_line(&mut output, seen)?;
    } else {
        human::write(&mut output, seen)?;
    }
    output.flush()?;
    if arguments.body {
        write_out(seen.body().unwrap_or_default())?;
    }
    Ok(())
}
