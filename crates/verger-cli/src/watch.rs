//! `verger watch`: reports when the meaning of a site's robots.txt has changed.
//!
//! | module | one line |
//! |---|---|
//! | `event_text` | one change, for people |
//! | `printed` | standard output as a receiver of changes |

mod event_text;
mod printed;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use verger_answer::text::legible;
use verger_answer::{ReadAs, ReadError};
use verger_watch::PostError;

use clap::{Args, ValueEnum};
use url::Url;
use verger::Crawler;
use verger_access::{Authority, Timestamp};
use verger_answer::CountOf;
use verger_client::{Asking, Clock as _, SystemClock, TransportSettings};
use verger_inputs::{JsonPoster, Source, read_regular};
use verger_store::{SnapshotId, length};
use verger_watch::{
    FailedDelivery, FetchedSite, Program, Receiver, ReceiverMeans, SelectedReceiver, SiteFetcher,
    SiteList, WATCH_INTERVAL_MIN, WATCH_SITEMAP_BYTES_MAX, Watch, WatchEnd, WatchEventKind,
    WatchObserver, WatchedSite, Webhook, receiver_name, webhook_url,
};

use crate::arguments::fetch::{FetchArguments, Fetching};
use crate::arguments::reading::ReadingOptions;
use crate::arguments::transport::TransportArguments;
use crate::interrupt::FetchClient;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::message::Message;
use crate::screen::notice;
use crate::screen::output_format::{FormatArguments, Formats};
use crate::sources::robots_source::site_argument;
use printed::Printed;

/// Watch sites and report each change in what they allow
///
/// Edits that do not change what any crawler may fetch are not reported. Outages and a missing robots.txt are.
/// Stop with Ctrl-C or SIGTERM.
///
/// The store remembers the last change that each receiver accepted: standard output, each program, each webhook.
/// The next watch continues from there, and a new receiver starts from the last stored fetch. A change that was
/// not accepted is sent again after 1, 2, 4, … seconds, then every 15 minutes, or by the next watch. Until then,
/// several changes become one. Each change has an id and is sent at least once. A slow receiver does not delay
/// other receivers or other sites. Watches with the same store and receiver share the work: one of them delivers
/// a change. With `--once` they do not wait for each other, so each may deliver it, with the same id. Use
/// `--receiver` to give each its own. With `--once`, exit code 0: nothing changed. 1: something changed, differs
/// from the file or fails claims. 2: something could not be fetched or compared, or a change is still due.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WatchArguments {
    /// URLs of sites, or hosts (which mean https)
    #[arg(value_name = "URL|HOST", required_unless_present = "list", value_parser = watched_site)]
    sites: Vec<Authority>,

    /// Watch the sites of this list, a TOML file that also names files, claims and receivers
    ///
    /// docs/watch.md lists its keys. A site is fetched every hour unless the list says otherwise, and the watch
    /// continues from the stored result of each site.
    #[arg(long = "sites", id = "list", value_name = "FILE")]
    #[arg(conflicts_with_all = ["sites", "every", "same_meaning_as"])]
    list: Option<PathBuf>,

    /// Time between fetches, such as 1h [default: when the result expires, usually 24h]
    #[arg(long, value_name = "LENGTH", value_parser = interval)]
    every: Option<Duration>,

    /// Fetch each site once, then exit
    #[arg(long)]
    once: bool,

    /// Also report when the served file starts or stops differing from this file
    #[arg(long, value_name = "FILE")]
    same_meaning_as: Option<PathBuf>,

    /// Run this program for each change, with JSON on its standard input
    ///
    /// It is run without a shell and without arguments. Up to four run at once, each for a different site.
    #[arg(long, value_name = "PROGRAM")]
    exec: Option<PathBuf>,

    /// Time limit for the program
    ///
    /// After that its process group is ended (on Windows only the program), and the change stays due.
    #[arg(long, value_name = "LENGTH", value_parser = length, requires = "exec")]
    #[arg(default_value = "60s", hide_short_help = true)]
    exec_timeout: Duration,

    /// POST each change to this URL
    ///
    /// Any 2xx status within ten seconds accepts it. With `--once` there are three attempts. Private addresses
    /// are allowed, except those that `--refuse-address` names.
    #[arg(long, value_name = "URL", value_parser = webhook_url)]
    webhook: Option<Url>,

    /// Body of the POST
    #[arg(long, value_enum, value_name = "FORMAT", requires = "webhook")]
    #[arg(default_value_t = WebhookFormat::Json)]
    webhook_format: WebhookFormat,

    /// Name of the receivers in the store, 1 to 64 letters, digits, `-`, `_` and `.`
    ///
    /// A later watch with this name continues where this one ended, even with another program or URL. Without
    /// it, standard output, each program and each URL have names of their own.
    #[arg(long, value_name = "NAME", value_parser = receiver_name, hide_short_help = true)]
    receiver: Option<String>,

    #[command(flatten)]
    format: FormatArguments<Self>,

    #[command(flatten)]
    reading: ReadingOptions,

    #[command(flatten)]
    fetching: FetchArguments,
}

/// The body of a POST to a webhook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum WebhookFormat {
    /// The change as JSON (schema verger.watch/1, in docs/json.md)
    #[default]
    Json,
    /// A message for Slack or Mattermost
    Slack,
}

impl Formats for WatchArguments {
    const HUMAN: &'static str = "A line for each change";
    const JSON: &'static str = "JSON Lines (schema verger.watch/1, in docs/json.md)";
}

const EXAMPLES: &str = "\
Examples:
  verger watch example.com
  verger watch --once --same-meaning-as robots.txt https://example.com
  verger watch --every 1h --webhook https://hooks.example.com/robots example.com";

/// Rejects the name of a file, because it would be taken for a host.
fn watched_site(text: &str) -> Result<Authority, Box<dyn Error + Send + Sync>> {
    if Path::new(text).is_file() {
        let message = Message::new(format_args!("`{text}` is a file, but `watch` takes sites"));
        let help = format!("run `verger watch --same-meaning-as {text} https://example.com`");
        return Err(message.help(help).into());
    }
    Ok(site_argument(text)?)
}

fn interval(text: &str) -> Result<Duration, Box<dyn Error + Send + Sync>> {
    let interval = length(text)?;
    if interval < WATCH_INTERVAL_MIN {
        return Err("write at least 1s".into());
    }
    Ok(interval)
}

pub(crate) fn run(arguments: &WatchArguments) -> CommandResult {
    let profile = arguments.fetching.profile(&arguments.reading);
    (arguments.fetching.sites).refuse_overrides("`watch` is about what the sites serve")?;
    let read_as = arguments.fetching.read_as(&arguments.reading);
    let asked = arguments
        .sites
        .first()
        .filter(|_| arguments.sites.len() == 1);
    if let Some(path) = &arguments.same_meaning_as {
        Source::File(path.clone()).read()?;
    }
    let list = match &arguments.list {
        Some(path) => Some(site_list(path, read_as)?),
        None => None,
    };
    let mut fetching = arguments.fetching.clone();
    if let Some(list) = &list {
        fetching.transport.own_hosts = list.own_hosts();
    }
    let Fetching {
        client,
        store,
        settings,
        ..
    } = fetching.start(profile.clone(), &[&Crawler::unnamed()], asked)?;
    let poster = arguments.poster(&settings)?;
    let post = |url: &Url, body| {
        let sent = poster.post(url, body);
        sent.map_err(|error| PostError(error.to_string()))
    };
    let means = ReceiverMeans {
        post: &post,
        message: event_text::plain,
        program_limit: arguments.exec_timeout,
    };
    let receivers = arguments.receivers(means, list.as_ref());
    let receivers: Vec<&dyn Receiver> = receivers.iter().map(|it| &**it).collect();
    let fetcher = Fetcher {
        client,
        transport: &fetching.transport,
        has_list: list.is_some(),
    };
    let watch = Watch {
        store: &*store.store,
        profile: &profile,
        read_as,
        receivers: &receivers,
        fetcher: &fetcher,
        observer: arguments,
        now: &|| SystemClock.now(),
        resumes: list.is_some() && !arguments.once,
    };
    let sites = list
        .as_ref()
        .map_or_else(|| arguments.watched_sites(read_as), SiteList::watched);
    if !arguments.once {
        let count = CountOf(sites.len(), "site", "sites");
        notice::note(format_args!(
            "watching {count} until Ctrl-C: changes are printed as they happen"
        ));
        watch.run(&sites, &WatchEnd::default())?;
        return Ok(Outcome::Success);
    }
    let round = watch.once(&sites)?;
    let has_problem = list.as_ref().is_some_and(|it| it.problem().is_some());
    Ok(match (round.has_failed || has_problem, round.has_changed) {
        (true, _) => Outcome::Unanswered,
        (false, true) => Outcome::Changed,
        (false, false) => Outcome::Success,
    })
}

/// Reads a list of sites, and reports sites that cannot be watched.
fn site_list(path: &Path, read_as: ReadAs) -> Result<SiteList, Box<dyn Error>> {
    let text = Source::File(path.to_owned()).read()?;
    let shown = legible(path.to_string_lossy().as_bytes());
    let text = str::from_utf8(&text).map_err(|error| format!("`{shown}`: {error}"))?;
    let directory = path.parent().unwrap_or(Path::new(""));
    let list = SiteList::parse(text, directory, read_as);
    let list = list.map_err(|error| format!("`{shown}`: {error}"))?;
    for site in &list.sites {
        if let Err(problem) = &site.watched {
            let (line, url) = (site.line, &site.url);
            notice::error(Message::from_text(format_args!(
                "{url} is not watched: line {line}: {problem}"
            )));
        }
    }
    Ok(list)
}

impl WatchArguments {
    fn watched_sites(&self, read_as: ReadAs) -> Vec<WatchedSite> {
        let crawlers = WatchedSite::usual_crawlers(read_as);
        let watched = self.sites.iter().map(|site| {
            let mut watched = WatchedSite::new(site.clone(), Arc::clone(&crawlers));
            watched.every = self.every;
            watched.file.clone_from(&self.same_meaning_as);
            watched
        });
        watched.collect()
    }

    fn receivers<'a>(
        &'a self,
        means: ReceiverMeans<'a>,
        list: Option<&'a SiteList>,
    ) -> Vec<Box<dyn Receiver + 'a>> {
        let name = self.receiver.as_deref();
        let mut receivers: Vec<Box<dyn Receiver + 'a>> = vec![Box::new(Printed {
            is_json: self.format.is_json(),
            name,
        })];
        if let Some(path) = &self.exec {
            receivers.push(Box::new(Program {
                path,
                name,
                limit: means.program_limit,
            }));
        }
        if let Some(url) = &self.webhook {
            let is_chat = self.webhook_format == WebhookFormat::Slack;
            receivers.push(Box::new(Webhook {
                url,
                name,
                message: is_chat.then_some(means.message),
                post: Box::new(means.post),
            }));
        }
        let listed = list.map(|list| SelectedReceiver::all(list, means));
        for selected in listed.unwrap_or_default() {
            receivers.push(Box::new(selected));
        }
        receivers
    }

    fn poster(&self, settings: &TransportSettings) -> Result<JsonPoster, Box<dyn Error>> {
        // The user chose the address, not a site.
        let mut settings = settings.clone();
        settings.user_agent = self.fetching.transport.own_user_agent()?;
        settings.guard = settings.guard.allowing_all();
        Ok(JsonPoster::new(settings)?)
    }
}

impl WatchObserver for WatchArguments {
    fn site_failed(&self, site: &Authority, problem: &str) {
        notice::error(Message::from_text(format_args!("{site}: {problem}")));
    }

    fn delivery_failed(&self, failed: &FailedDelivery<'_>) {
        // With `--once`, only the last attempt is reported.
        if self.once && !failed.is_last {
            return;
        }
        let next = if self.once {
            &failed.next_watch
        } else {
            "it is sent again later"
        };
        let problem = Message::from_text(failed.problem);
        let message = Message::new(format_args!(
            "a change of {} is still due to {}: {}",
            failed.site,
            failed.receiver,
            problem.what()
        ));
        let help = problem.help_text().map(|help| format!("{help}; {next}"));
        notice::error(message.help(help.unwrap_or_else(|| next.to_owned())));
    }

    fn still_differs(&self, site: &Authority, kind: WatchEventKind, since: Timestamp) {
        if self.once {
            let what = match kind {
                WatchEventKind::ClaimsFail => "fails claims",
                _ => "differs from the file",
            };
            notice::note(format_args!("{site} still {what}, as reported at {since}"));
        }
    }
}

struct Fetcher<'a> {
    client: FetchClient,
    transport: &'a TransportArguments,
    has_list: bool,
}

impl SiteFetcher for Fetcher<'_> {
    fn fetch(&self, site: &Authority, seen: Option<SnapshotId>) -> Result<FetchedSite, ReadError> {
        let asking = seen.map_or(Asking::Now, |seen| Asking::NewerThan(Some(seen)));
        let mut reports = self.client.report_each(&[(site.clone(), asking)]);
        let report = reports.pop().ok_or("not fetched")?;
        let report = report.map_err(|error| error.to_string())?;
        let now = SystemClock.now();
        let (answer, knowledge) = (report.answer, &report.knowledge);
        Ok(FetchedSite::new(answer, knowledge, report.snapshot, now))
    }

    fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        // A look at one site of a list must not wait for the writer of a FIFO.
        let read = if self.has_list {
            read_regular(path)
        } else {
            Source::File(path.to_owned()).read()
        };
        read.map_err(|error| error.to_string().into())
    }

    fn sitemap(&self, url: &Url) -> Result<Vec<u8>, ReadError> {
        let read = (self.transport.web_reader(WATCH_SITEMAP_BYTES_MAX)).read(url.clone());
        read.map_err(|error| error.to_string().into())
    }
}
