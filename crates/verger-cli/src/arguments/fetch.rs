//! How robots.txt files are fetched: the options that all fetching commands share.

use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once};

use clap::Args;
use verger::Crawler;
use verger_access::{Authority, Outcome, Profile, Reply, user_agent_warnings};
use verger_answer::{PacingBounds, ReadAs};
use verger_client::{
    Asking, Client, ClientError, FetchLimits, FetchReport, NetworkTransport, Observer,
    TransportSettings,
};
use verger_inputs::PageFetcher;
use verger_store::{KeptStore, Store};

use crate::arguments::fetch_store::FetchStore;
use crate::arguments::profile_names::profiles;
use crate::arguments::reading::{ReadingArguments, ReadingOptions};
use crate::arguments::site::SiteArguments;
use crate::arguments::store::StoreArguments;
use crate::arguments::transport::{TransportArguments, allow_address};
use crate::interrupt::FetchClient;
use crate::screen::fetch_progress::FetchProgress;
use crate::screen::message::Message;
use crate::screen::notice;

/// How robots.txt files are fetched, and what follows from the result.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "How robots.txt is fetched")]
pub(crate) struct FetchArguments {
    /// Rules for status codes, errors and expiry (see `verger profiles`) [default: rfc9309]
    #[arg(long, value_name = "NAME", value_parser = profiles(), hide_possible_values = true)]
    profile: Option<Box<Profile>>,

    #[command(flatten)]
    pub(crate) store: StoreArguments,

    /// Fetch every robots.txt anew, and store nothing
    #[arg(long, conflicts_with = "store", hide_short_help = true)]
    no_store: bool,

    #[command(flatten)]
    pub(crate) transport: TransportArguments,

    #[command(flatten)]
    pub(crate) sites: SiteArguments,
}

impl FetchArguments {
    pub(crate) fn profile(&self, options: &ReadingOptions) -> Profile {
        options.profile(self.profile.as_deref())
    }

    /// Returns the profile with the dialect given, if any.
    pub(crate) fn profile_of(&self, reading: &ReadingArguments) -> Profile {
        Profile {
            reading: self.read_as_of(reading).reading(),
            ..self.profile(&reading.options)
        }
    }

    /// Returns the dialect given, that of a profile that is given, or for each crawler that of its
    /// operator.
    pub(crate) fn read_as_of(&self, reading: &ReadingArguments) -> ReadAs {
        reading.read_as_unless(self.profile.as_deref())
    }

    /// Returns the dialect of a profile that is given, or for each crawler that of its operator.
    pub(crate) fn read_as(&self, options: &ReadingOptions) -> ReadAs {
        options.read_as_unless(self.profile.as_deref())
    }

    fn open_store(&self) -> Result<FetchStore, Box<dyn Error>> {
        if self.no_store {
            return Ok(FetchStore::in_memory());
        }
        FetchStore::open(&self.store)
    }

    /// Returns the first option that is given, with `--profile` last.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        let store = self.store.is_given().then_some("--store");
        let store = store.or(self.no_store.then_some("--no-store"));
        let given = store.or_else(|| self.transport.first_given());
        let given = given.or_else(|| self.sites.first_given());
        given.or(self.profile.is_some().then_some("--profile"))
    }

    /// Starts a client that stores each result. The first of the crawlers decides whether a
    /// redirect may be followed. `asked` is the site that is asked, if there is only one.
    pub(crate) fn start(
        &self,
        profile: Profile,
        crawlers: &[&Crawler],
        asked: Option<&Authority>,
    ) -> Result<Fetching, Box<dyn Error>> {
        let store = self.open_store()?;
        let progress = Arc::new(FetchProgress::start());
        let settings = self.transport.settings()?;
        let unnamed = Crawler::unnamed();
        let first = crawlers.first().copied().unwrap_or(&unnamed);
        let kept: Arc<dyn Store> = store.store.clone();
        let shared = (kept, Arc::clone(&progress));
        let client = self.client(settings.clone(), profile, first, asked, shared)?;
        self.note_user_agent(crawlers);
        Ok(Fetching {
            client,
            store,
            progress,
            settings,
            own_agent: AtomicBool::new(self.transport.send_user_agent.is_none()),
            refused_address: Once::new(),
        })
    }

    pub(crate) fn client(
        &self,
        mut settings: TransportSettings,
        profile: Profile,
        crawler: &Crawler,
        asked: Option<&Authority>,
        (store, progress): (Arc<dyn Store>, Arc<FetchProgress>),
    ) -> Result<FetchClient, Box<dyn Error>> {
        let mut limits = FetchLimits::default();
        limits.deadline = self.transport.deadline();
        settings.keeps_facts = store.keeps_facts();
        let client = Client::over(Arc::new(NetworkTransport::new(settings)?))
            .profile(profile)
            .crawler(crawler.clone())
            .store(store)
            .observer(progress as Arc<dyn Observer>)
            .limits(limits);
        let client = self.sites.configure(client, asked)?;
        Ok(FetchClient::new(client.build()?)?)
    }

    /// Returns a fetcher of pages under this program's own name, which keeps the delays of sites within `delays`.
    pub(crate) fn page_fetcher(
        &self,
        started: &Fetching,
        delays: PacingBounds,
    ) -> Result<PageFetcher, Box<dyn Error>> {
        let (client, deadline) = (started.client.client().clone(), self.transport.deadline());
        let mut settings = started.settings.clone();
        settings.user_agent = self.transport.own_user_agent()?;
        let own = "Verger".parse()?;
        Ok(PageFetcher::new(client, settings, own, deadline, delays)?)
    }

    /// Opens the store read-only. Returns `None` if there is no store, and an error with
    /// `--no-store`.
    pub(crate) fn find_store(&self) -> Result<Option<KeptStore>, Box<dyn Error>> {
        if self.no_store {
            let what = "`--no-store` cannot be used with `--offline` and `--at`: they answer from the store";
            return Err(Message::new(what).help("leave out `--no-store`").into());
        }
        let past = "`--offline` and `--at` answer from the store";
        self.sites.refuse_overrides(past)?;
        self.store.find()
    }

    fn note_user_agent(&self, crawlers: &[&Crawler]) {
        let Some(sent) = &self.transport.send_user_agent else {
            return;
        };
        let mut noted = Vec::new();
        for crawler in crawlers {
            for warning in user_agent_warnings(crawler, sent) {
                if !noted.contains(&warning) {
                    notice::note(warning.to_string());
                    noted.push(warning);
                }
            }
        }
    }
}

pub(crate) struct Fetching {
    pub(crate) client: FetchClient,
    pub(crate) store: FetchStore,
    pub(crate) progress: Arc<FetchProgress>,
    pub(crate) settings: TransportSettings,
    /// Whether to advise another `User-Agent` if this program's own is refused, which is done once.
    own_agent: AtomicBool,
    refused_address: Once,
}

impl Fetching {
    pub(crate) fn fetch(&self, site: &Authority) -> Result<FetchReport, ClientError> {
        let report = self.progress.during(|| self.client.fetch(site));
        self.note_refusal(&report);
        report
    }

    pub(crate) fn report_many(
        &self,
        sites: &[Authority],
        asking: Asking,
    ) -> Vec<Result<FetchReport, ClientError>> {
        let report = || self.client.report_many(sites, asking);
        let reports = self.progress.during(report);
        self.note_refusal(reports.iter().flatten());
        self.note_address(reports.iter().flatten());
        reports
    }

    /// Notes the first site whose address is refused, and how to allow it.
    pub(crate) fn note_address<'r>(&self, reports: impl IntoIterator<Item = &'r FetchReport>) {
        let refused = |report: &'r FetchReport| {
            let help = allow_address(report.answer.access_result()?.outcome())?;
            Some((&report.authority, help))
        };
        if let Some((site, help)) = reports.into_iter().find_map(refused) {
            let what = format!("{site} was not asked: its address is not allowed");
            (self.refused_address).call_once(|| notice::note(Message::from(what).help(help)));
        }
    }

    /// Notes the first site that refuses the `User-Agent` of this program.
    fn note_refusal<'r>(&self, reports: impl IntoIterator<Item = &'r FetchReport>) {
        let refused = |report: &'r FetchReport| match report.fetched.as_ref()?.attempt.last.outcome
        {
            refused @ Outcome::Error(Reply::Http(401 | 403)) => Some((&report.authority, refused)),
            _ => None,
        };
        if let Some((site, refused)) = reports.into_iter().find_map(refused)
            && self.own_agent.swap(false, Ordering::Relaxed)
        {
            let what = format!("{site} answers {refused} to Verger, perhaps not to your crawler");
            let help = "send your crawler's header with `--send-user-agent`, or a login with `--netrc` or `--header`";
            notice::note(Message::from(what).help(help));
        }
    }
}
