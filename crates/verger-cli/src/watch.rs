//! `verger watch`: says when what a site's robots.txt means has changed.
//!
//! | module | one line |
//! |---|---|
//! | `seen_rules` | what was known of a site at a time, and what changed since |
//! | `watch_event` | one change, for people and as JSON |
//! | `deliveries` | a program and a webhook that get each change |
//! | `rounds` | which sites are due, and when |

mod deliveries;
mod rounds;
mod seen_rules;
mod watch_event;

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use url::Url;
use verger::Crawler;
use verger_access::Authority;
use verger_client::Observer;

use crate::authority_argument::authority;
use crate::count_of::CountOf;
use crate::fetch_arguments::FetchArguments;
use crate::fetch_progress::FetchProgress;
use crate::fetch_store::FetchStore;
use crate::input::Source;
use crate::length_argument::length;
use crate::notice;
use crate::outcome::{CommandResult, Outcome};
use crate::reading_arguments::ReadingOptions;
use deliveries::Deliveries;
use rounds::{INTERVAL_MIN, Rounds};

/// Fetch robots.txt files when they are due, and print each change of what they mean
///
/// A change of lines that means the same to every crawler is none. That a site cannot be reached any
/// more, or has no robots.txt any more, is a change; it is said once. What the store saw last of a site
/// is what the next fetch is compared with, so a watch that was ended goes on where it was. It ends by
/// Ctrl-C or SIGTERM. With `--once`, exit code 0: nothing changed; 1: something did; 2: something could
/// not be fetched, compared or delivered.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WatchArguments {
    /// URLs of sites, or hosts, which mean https
    #[arg(value_name = "URL|HOST", required = true, value_parser = authority)]
    sites: Vec<Authority>,

    /// Fetch each site so often [default: when its answer is no longer good, mostly after a day]
    #[arg(long, value_name = "LENGTH", value_parser = interval)]
    every: Option<Duration>,

    /// Fetch each site once, and end
    #[arg(long)]
    once: bool,

    /// Also say when what is served begins to mean something else than this file, and when that ends
    #[arg(long, value_name = "FILE")]
    same_meaning_as: Option<PathBuf>,

    /// Run this program for each change, the change as JSON on its standard input; no shell reads the
    /// name, and there are no arguments
    #[arg(long, value_name = "PROGRAM")]
    exec: Option<PathBuf>,

    /// Send each change as JSON to this URL, by POST; at most three attempts of ten seconds
    #[arg(long, value_name = "URL", value_parser = webhook)]
    webhook: Option<Url>,

    /// Print changes as JSON Lines (schema verger.watch/1, in docs/json.md)
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    reading: ReadingOptions,

    #[command(flatten)]
    fetching: FetchArguments,
}

const EXAMPLES: &str = "\
Examples:
  verger watch example.com
  verger watch --every 1h --json example.com www.example.com
  verger watch --once --exec ./tell-the-team example.com
  verger watch --same-meaning-as public/robots.txt https://example.com
  verger watch --webhook https://hooks.example.com/robots example.com";

fn interval(text: &str) -> Result<Duration, Box<dyn Error + Send + Sync>> {
    let interval = length(text)?;
    if interval < INTERVAL_MIN {
        return Err("at least one second".into());
    }
    Ok(interval)
}

fn webhook(text: &str) -> Result<Url, Box<dyn Error + Send + Sync>> {
    let url: Url = text.parse()?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        scheme => Err(format!("`{scheme}` is neither http nor https").into()),
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &WatchArguments) -> CommandResult {
    let profile = arguments.fetching.profile(&arguments.reading);
    let file = match &arguments.same_meaning_as {
        Some(path) => Some(Source::File(path.clone()).read()?),
        None => None,
    };
    let FetchStore { store, .. } = arguments.fetching.open_store()?;
    let progress = Arc::new(FetchProgress::start());
    let observer = Arc::clone(&progress) as Arc<dyn Observer>;
    let crawler = Crawler::unnamed();
    let client = {
        let (profile, store) = (profile.clone(), Arc::clone(&store));
        arguments
            .fetching
            .client(profile, store, &crawler, observer)?
    };
    arguments.fetching.note_user_agent([&crawler]);
    let deliveries = Deliveries {
        is_json: arguments.json,
        program: arguments.exec.as_deref(),
        webhook: arguments.webhook.as_ref(),
    };
    let mut rounds = Rounds::new(&arguments.sites, client, store, profile, file);
    if !arguments.once {
        let sites = CountOf(arguments.sites.len(), "site", "sites");
        notice::note(format_args!(
            "watching {sites}, until Ctrl-C; changes are printed"
        ));
    }
    loop {
        let round = rounds.round(arguments.every, &deliveries)?;
        if arguments.once {
            return Ok(match (round.has_failed, round.has_changed) {
                (true, _) => Outcome::Unanswered,
                (false, true) => Outcome::Changed,
                (false, false) => Outcome::Success,
            });
        }
        rounds.wait();
    }
}
