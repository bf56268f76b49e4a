//! How robots.txt files are fetched: the options that all fetching commands share.

use std::error::Error;
use std::sync::Arc;

use clap::Args;
use verger::Crawler;
use verger_access::{Profile, user_agent_warnings};
use verger_client::{Client, FetchLimits, NetworkTransport, Observer, TransportSettings};
use verger_store::Store;

use crate::fetch_store::FetchStore;
use crate::interrupt::FetchClient;
use crate::notice;
use crate::profile_names::profiles;
use crate::reading_arguments::ReadingOptions;
use crate::store_arguments::StoreArguments;
use crate::transport_arguments::TransportArguments;

/// How robots.txt files are fetched, and what is made of what came.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "How robots.txt is fetched")]
pub(crate) struct FetchArguments {
    /// What follows from statuses, failures and age; `verger profiles` shows them [default: rfc9309]
    #[arg(long, value_name = "NAME", value_parser = profiles())]
    profile: Option<Box<Profile>>,

    #[command(flatten)]
    pub(crate) store: StoreArguments,

    /// Keep nothing: fetch every robots.txt anew, and forget it when the command ends
    #[arg(long, conflicts_with = "store", hide_short_help = true)]
    no_store: bool,

    #[command(flatten)]
    pub(crate) transport: TransportArguments,
}

impl FetchArguments {
    /// What decides: the profile that is named, which reads with these options.
    pub(crate) fn profile(&self, options: &ReadingOptions) -> Profile {
        let profile = self.profile.as_deref().cloned().unwrap_or(Profile::RFC9309);
        Profile {
            reading: options.reading_of(profile.reading.dialect()),
            ..profile
        }
    }

    /// Whether nothing is kept.
    pub(crate) fn has_no_store(&self) -> bool {
        self.no_store
    }

    /// Opens the store.
    ///
    /// # Errors
    ///
    /// Where there is no store to open, and none can be made.
    pub(crate) fn open_store(&self) -> Result<FetchStore, Box<dyn Error>> {
        if self.no_store {
            return Ok(FetchStore::in_memory());
        }
        FetchStore::open(&self.store)
    }

    /// The first of the options that is given, as it is written.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        let given = [
            (self.profile.is_some(), "--profile"),
            (self.store.is_given(), "--store"),
            (self.no_store, "--no-store"),
        ];
        let mut given = given.into_iter().filter(|(is_given, _)| *is_given);
        let given = given.next().map(|(_, name)| name);
        given.or_else(|| self.transport.first_given())
    }

    /// A client that decides by `profile` and keeps what it sees in `store`. Whether a redirect may be
    /// followed is decided for `crawler`.
    ///
    /// # Errors
    ///
    /// Where an option cannot be used.
    pub(crate) fn client(
        &self,
        profile: Profile,
        store: Arc<dyn Store>,
        crawler: &Crawler,
        observer: Arc<dyn Observer>,
    ) -> Result<FetchClient, Box<dyn Error>> {
        self.client_of(
            self.transport.settings()?,
            profile,
            store,
            crawler,
            observer,
        )
    }

    /// As [`FetchArguments::client`], with settings that are at hand.
    ///
    /// # Errors
    ///
    /// Where a setting cannot be used.
    pub(crate) fn client_of(
        &self,
        settings: TransportSettings,
        profile: Profile,
        store: Arc<dyn Store>,
        crawler: &Crawler,
        observer: Arc<dyn Observer>,
    ) -> Result<FetchClient, Box<dyn Error>> {
        let client = Client::over(Arc::new(NetworkTransport::new(settings)?))
            .profile(profile)
            .crawler(crawler.clone())
            .store(store)
            .observer(observer)
            .limits(FetchLimits {
                deadline: self.transport.deadline(),
                ..FetchLimits::default()
            });
        Ok(FetchClient::new(client.build()?)?)
    }

    /// Notes problems of the User-Agent header, if the user gave one.
    pub(crate) fn note_user_agent<'c>(&self, crawlers: impl IntoIterator<Item = &'c Crawler>) {
        let Some(sent) = &self.transport.send_user_agent else {
            return;
        };
        let mut noted = Vec::new();
        for crawler in crawlers {
            for warning in user_agent_warnings(crawler, sent) {
                if !noted.contains(&warning) {
                    notice::note(&warning);
                    noted.push(warning);
                }
            }
        }
    }
}
