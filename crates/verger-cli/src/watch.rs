//! `verger watch`: says when what a site's robots.txt means has changed.
//!
//! | module | one line |
//! |---|---|
//! | `event_text` | one change, for people |
//! | `printed` | standard output as a receiver of changes |

mod event_text;
mod printed;

use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;
use verger_answer::ReadError;
use verger_owner::PostError;

use clap::{Args, ValueEnum};
use url::Url;
use verger::Crawler;
use verger_access::{Authority, Timestamp};
use verger_answer::{CountOf, written_site};
use verger_client::{Asking, Clock as _, JsonPoster, SystemClock, TransportSettings};
use verger_files::Source;
use verger_owner::{
    FailedDelivery, FetchedSite, Program, Receiver, SiteFetcher, WATCH_INTERVAL_MIN, Watch,
    WatchObserver, Webhook, receiver_name, webhook_url,
};
use verger_store::length;

use crate::arguments::fetch::{FetchArguments, Fetching};
use crate::arguments::reading::ReadingOptions;
use crate::interrupt::FetchClient;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::notice;
use crate::screen::output_format::{FormatArguments, Formats};
use printed::Printed;

/// Fetch robots.txt files when they are due, and print each change of what they mean
///
/// A change of lines that means the same to every crawler is none. That a site cannot be reached any
/// more, or has no robots.txt any more, is a change. It ends by Ctrl-C or SIGTERM.
///
/// The store keeps what each receiver took last: standard output, each program, each webhook. A change is
/// what is served now, compared with that; of a new receiver, with what the store saw last. So a watch
/// that was ended goes on where it was, and a change that a receiver did not take stays due: it gets it
/// again after a second, then after two, up to 15 minutes, or in the next watch. What changed several
/// times meanwhile comes as one change. Each change has an id, and comes at least once. A slow receiver
/// holds up no other one, and no other site. Watches with the same store and the same receiver share it:
/// each change goes to one of them, or with the same id to each that sees it at once; `--receiver` gives
/// each a receiver of its own. With `--once`, exit code 0: nothing changed; 1: something did, or differs
/// from the file; 2: something could not be fetched or compared, or a change is still due, which a line
/// on standard error says.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WatchArguments {
    /// URLs of sites, or hosts, which mean https
    #[arg(value_name = "URL|HOST", required = true, value_parser = written_site)]
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
    /// name, and there are no arguments. At most four run at once, each for another site
    #[arg(long, value_name = "PROGRAM")]
    exec: Option<PathBuf>,

    /// How long the program may take; then its process group is ended (on Windows, the program alone),
    /// and the change is still due
    #[arg(long, value_name = "LENGTH", value_parser = length, requires = "exec")]
    #[arg(default_value = "60s", hide_short_help = true)]
    exec_timeout: Duration,

    /// Send each change to this URL, by POST; any status 2xx within ten seconds takes it. With `--once`
    /// there are three attempts. Private addresses are allowed, except those that `--refuse-address` has
    #[arg(long, value_name = "URL", value_parser = webhook_url)]
    webhook: Option<Url>,

    /// What the webhook gets
    #[arg(long, value_enum, value_name = "FORMAT", requires = "webhook")]
    #[arg(default_value_t = WebhookFormat::Json)]
    webhook_format: WebhookFormat,

    /// The name under which the store keeps what receivers took, of at most 64 letters, digits, `-`, `_`
    /// and `.`. A later watch with this name goes on where this one was, also with another program or URL
    /// [default: standard output, each program and each URL have names of their own]
    #[arg(long, value_name = "NAME", value_parser = receiver_name, hide_short_help = true)]
    receiver: Option<String>,

    #[command(flatten)]
    format: FormatArguments<Self>,

    #[command(flatten)]
    reading: ReadingOptions,

    #[command(flatten)]
    fetching: FetchArguments,
}

/// What a webhook gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum WebhookFormat {
    /// The change as JSON (schema verger.watch/1, in docs/json.md)
    #[default]
    Json,
    /// A message that Slack and Mattermost show
    Slack,
}

impl Formats for WatchArguments {
    const HUMAN: &'static str = "A line for each change";
    const JSON: &'static str = "JSON Lines (schema verger.watch/1, in docs/json.md)";
}

const EXAMPLES: &str = "\
Examples:
  verger watch example.com
  verger watch --every 1h --json example.com www.example.com
  verger watch --once --exec ./tell-the-team example.com
  verger watch --same-meaning-as public/robots.txt https://example.com
  verger watch --webhook https://hooks.example.com/robots example.com
  verger watch --webhook https://chat.example.com/hooks/x --webhook-format slack example.com";

fn interval(text: &str) -> Result<Duration, Box<dyn Error + Send + Sync>> {
    let interval = length(text)?;
    if interval < WATCH_INTERVAL_MIN {
        return Err("at least one second".into());
    }
    Ok(interval)
}

/// Runs the command.
pub(crate) fn run(arguments: &WatchArguments) -> CommandResult {
    let profile = arguments.fetching.profile(&arguments.reading);
    let file = match &arguments.same_meaning_as {
        Some(path) => Some(Source::File(path.clone()).read()?),
        None => None,
    };
    let Fetching {
        client,
        store,
        settings,
        ..
    } = (arguments.fetching).start(profile.clone(), &[&Crawler::unnamed()])?;
    let receivers = arguments.receivers(&settings)?;
    let receivers: Vec<&dyn Receiver> = receivers.iter().map(|it| &**it).collect();
    let watch = Watch {
        store: &*store.store,
        profile: &profile,
        file: file.as_deref(),
        receivers: &receivers,
        fetcher: &Fetcher(client),
        observer: arguments,
        now: &|| SystemClock.now(),
    };
    if !arguments.once {
        let sites = CountOf(arguments.sites.len(), "site", "sites");
        notice::note(format_args!(
            "watching {sites}, until Ctrl-C; changes are printed"
        ));
        return Err(watch.run(&arguments.sites, arguments.every).into());
    }
    let round = watch.once(&arguments.sites)?;
    Ok(match (round.has_failed, round.has_changed) {
        (true, _) => Outcome::Unanswered,
        (false, true) => Outcome::Changed,
        (false, false) => Outcome::Success,
    })
}

impl WatchArguments {
    /// The receivers of changes.
    fn receivers<'a>(
        &'a self,
        settings: &TransportSettings,
    ) -> Result<Vec<Box<dyn Receiver + 'a>>, Box<dyn Error>> {
        let name = self.receiver.as_deref();
        let mut receivers: Vec<Box<dyn Receiver + 'a>> = vec![Box::new(Printed {
            is_json: self.format.is_json(),
            name,
        })];
        if let Some(path) = &self.exec {
            receivers.push(Box::new(Program {
                path,
                name,
                limit: self.exec_timeout,
            }));
        }
        if let Some(url) = &self.webhook {
            // An argument chose the address, not a site.
            let mut settings = settings.clone();
            settings.user_agent = self.fetching.transport.own_user_agent()?;
            settings.guard = settings.guard.allowing_all();
            let poster = JsonPoster::new(settings)?;
            receivers.push(Box::new(Webhook {
                url,
                name,
                message: (self.webhook_format == WebhookFormat::Slack).then_some(event_text::plain),
                post: Box::new(move |url, body| {
                    let posted = poster.post(url, body);
                    posted.map_err(|error| PostError(error.to_string()))
                }),
            }));
        }
        Ok(receivers)
    }
}

impl WatchObserver for WatchArguments {
    fn site_failed(&self, site: &Authority, problem: &str) {
        notice::error(format_args!("{site}: {problem}"));
    }

    fn delivery_failed(&self, failed: &FailedDelivery<'_>) {
        // With `--once`, the last attempt says what there is to say.
        if self.once && !failed.is_last {
            return;
        }
        let next = if self.once {
            &failed.next_watch
        } else {
            "it is tried again"
        };
        notice::error(format_args!(
            "a change of {} is still due to {}: {}; {next}",
            failed.site, failed.receiver, failed.problem,
        ));
    }

    fn still_differs(&self, site: &Authority, since: Timestamp) {
        if self.once {
            notice::note(format_args!(
                "{site} differs from the file, as was said of what was seen at {since}"
            ));
        }
    }
}

struct Fetcher(FetchClient);

impl SiteFetcher for Fetcher {
    fn fetch(&self, sites: &[Authority]) -> Vec<Result<FetchedSite, ReadError>> {
        let reports = self.0.report_many(sites, Asking::Now).into_iter();
        let fetched = reports.map(|report| {
            let report = report.map_err(|error| error.to_string())?;
            let last = report.knowledge.last.as_ref();
            Ok(FetchedSite {
                outcome: last.map(|it| it.outcome.to_string()).unwrap_or_default(),
                at: last.map_or_else(|| SystemClock.now(), |it| it.at),
                answer: report.answer,
            })
        });
        fetched.collect()
    }
}
