//! `SiteQuestion`: finds the state of a site for one crawler: in memory, by a fetch, or in the past.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio::sync::OwnedSemaphorePermit;
use tokio::task::spawn_blocking;
use verger_access::{Authority, Profile, Timestamp};
use verger_answer::{AuthorityFile, AuthorityLookup, Explaining, Readings, ResolvedCrawler};
use verger_client::{
    Asking, Clock as _, FetchAsker, FetchShare, SystemClock, lookup_at, lookup_of_report,
};

use crate::metrics::{Shed, Source};
use crate::problem::Problem;
use crate::service::{Service, agent};
use crate::site_file::SiteFile;

/// Maximum length of a crawler name, in bytes. Names are keys in memory.
const AGENT_BYTES_MAX: usize = 512;

/// A question about a site, without the site.
#[derive(Clone)]
pub(crate) struct SiteQuestion {
    /// The crawler, by name or resolved.
    pub(crate) agent: Agent,
    /// The index of the profile in `Profile::ALL`.
    pub(crate) profile: usize,
    /// The time in the past, if the question is about one.
    pub(crate) at: Option<Timestamp>,
    pub(crate) explaining: Explaining,
    pub(crate) asker: FetchAsker,
    /// The permit that a question of a batch has already.
    pub(crate) share: Option<Arc<FetchShare>>,
}

/// The crawler of a question.
#[derive(Clone, Debug)]
pub(crate) enum Agent {
    Named(Arc<str>),
    Resolved(Arc<ResolvedCrawler>),
}

impl Agent {
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Named(name) => name,
            Self::Resolved(crawler) => crawler.name(),
        }
    }
}

impl SiteQuestion {
    /// Returns the state of the authority of `url` if it is in memory and the question is about now. Does not count it.
    pub(crate) fn held(&self, service: &Arc<Service>, url: &str) -> Option<Arc<SiteFile>> {
        if self.at.is_some() {
            return None;
        }
        match Authority::normal_prefix(url) {
            Some(prefix) => self.held_of(service, prefix),
            None => self.held_of(service, &Authority::from_url(url).ok()?.to_string()),
        }
    }

    /// Returns the state of the authority of `url`, from memory or from [`SiteQuestion::known`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`SiteQuestion::known`], and an error if no robots.txt applies to the URL.
    pub(crate) async fn of_url(
        &self,
        service: &Arc<Service>,
        url: &str,
    ) -> Result<Arc<SiteFile>, Problem> {
        if let Some(held) = self.held(service, url) {
            service.metrics.count_answers(Source::Memory, 1);
            return Ok(held);
        }
        let authority = Authority::from_url(url).map_err(Problem::because("url"))?;
        self.known(service, &authority).await
    }

    fn held_of(&self, service: &Arc<Service>, authority: &str) -> Option<Arc<SiteFile>> {
        let now = SystemClock.now();
        let held = service.files.get(&self.key(service, authority), now)?;
        if held.begins_renewal(now) {
            let mut question = self.clone();
            question.asker = FetchAsker::default();
            let (service, authority) = (Arc::clone(service), held.known.lookup.authority.clone());
            let than = held.snapshot().map(verger_store::SnapshotId);
            tokio::spawn(async move {
                // If it fails, the next question after expiry gets the error.
                let share = service.fetches.take(question.asker).await?;
                let asking = Asking::NewerThan(than);
                question
                    .asked(&service, &authority, asking, share)
                    .await
                    .ok()
            });
        }
        Some(held)
    }

    /// Returns the key in memory, which changes with the overrides. A crawler name may contain any character. The other parts contain no line end.
    fn key(&self, service: &Service, authority: &str) -> String {
        let explaining = match self.explaining {
            Explaining::Yes => "\nexplained\n",
            Explaining::No => "\n\n",
        };
        let profile = &*Profile::ALL[self.profile].name;
        let overrides = service.overrides_number.load(Ordering::Acquire).to_string();
        [
            profile,
            explaining,
            self.agent.name(),
            "\n",
            &overrides,
            "\n",
            authority,
        ]
        .concat()
    }

    /// Returns the state of `authority`, from memory or after a fetch if one is due.
    ///
    /// # Errors
    ///
    /// Returns an error if the crawler is unknown, too many requests wait already, or nothing can be fetched.
    pub(crate) async fn known(
        &self,
        service: &Arc<Service>,
        authority: &Authority,
    ) -> Result<Arc<SiteFile>, Problem> {
        if let Some(at) = self.at {
            return self.past(service, authority.clone(), at).await;
        }
        if let Some(held) = self.held_of(service, &authority.to_string()) {
            service.metrics.count_answers(Source::Memory, 1);
            return Ok(held);
        }
        let share = match &self.share {
            Some(share) => Some(Arc::clone(share)),
            None => service.fetches.take(self.asker).await,
        };
        let Some(share) = share else {
            let what = "too many requests wait for a fetch or the store";
            return Err(service.shed(Shed::Waiting, what));
        };
        service.metrics.count_answers(Source::Waited, 1);
        let (service, question) = (Arc::clone(service), self.clone());
        let authority = authority.clone();
        // The fetch goes on without its request, and keeps the permit.
        let asked = tokio::spawn(async move {
            let asking = Asking::WhereDue;
            question.asked(&service, &authority, asking, share).await
        });
        asked.await.map_err(Problem::defect).flatten()
    }

    async fn asked(
        &self,
        service: &Arc<Service>,
        authority: &Authority,
        asking: Asking,
        _share: Arc<FetchShare>,
    ) -> Result<Arc<SiteFile>, Problem> {
        let crawler = self.crawler()?;
        // Before the fetch, because its answer belongs to the overrides of now.
        let key = self.key(service, &authority.to_string());
        let report = service
            .client(self.profile)?
            .report(authority, asking)
            .await?;
        let job = Arc::clone(&service.jobs).acquire_owned().await.ok();
        // Another request that waited for the same fetch may have stored it.
        let is_of_report = |site: &Arc<SiteFile>| {
            let snapshot = site.snapshot();
            snapshot.is_some() && snapshot == report.snapshot.map(|id| id.0)
        };
        let held = service.files.get(&key, SystemClock.now());
        if let Some(held) = held.filter(is_of_report) {
            return Ok(held);
        }
        let made = self.make(service, (crawler, job), move |service, profile| {
            Ok(lookup_of_report(report, profile, &*service.store))
        });
        let made = made.await?;
        service.files.insert(&key, Arc::clone(&made));
        Ok(made)
    }

    async fn past(
        &self,
        service: &Arc<Service>,
        authority: Authority,
        at: Timestamp,
    ) -> Result<Arc<SiteFile>, Problem> {
        let crawler = self.crawler()?;
        service.metrics.count_answers(Source::Past, 1);
        let job = Arc::clone(&service.store_jobs).acquire_owned().await.ok();
        self.make(service, (crawler, job), move |service, profile| {
            let looked = lookup_at(Some(&*service.store), profile, at, &authority);
            looked.map_err(|error| Problem::busy("store", error.to_string()))
        })
        .await
    }

    /// Resolves the crawler.
    ///
    /// # Errors
    ///
    /// Returns an error if its name is unknown.
    pub(crate) fn crawler(&self) -> Result<Arc<ResolvedCrawler>, Problem> {
        match &self.agent {
            Agent::Resolved(crawler) => Ok(Arc::clone(crawler)),
            Agent::Named(name) if name.len() > AGENT_BYTES_MAX => Err(Problem::bad(
                "agent",
                format!("crawler name too long: the limit is {AGENT_BYTES_MAX} bytes"),
            )),
            Agent::Named(name) => Ok(Arc::new(agent(name, &Profile::ALL[self.profile])?)),
        }
    }

    /// Reads the result of `look` on a thread that may wait for the store. The thread keeps `job` until it is done.
    async fn make(
        &self,
        service: &Arc<Service>,
        (crawler, job): (Arc<ResolvedCrawler>, Option<OwnedSemaphorePermit>),
        look: impl FnOnce(&Service, &Profile) -> Result<AuthorityLookup, Problem> + Send + 'static,
    ) -> Result<Arc<SiteFile>, Problem> {
        let (service, profile) = (Arc::clone(service), &Profile::ALL[self.profile]);
        let explaining = self.explaining;
        let made = spawn_blocking(move || {
            let lookup = look(&service, profile)?;
            let readings = Readings::new(crawler.reading(profile.reading), explaining);
            let known = AuthorityFile::new(lookup, &readings, &crawler);
            drop(job);
            Ok(Arc::new(SiteFile::new(known, SystemClock.now())))
        });
        made.await.map_err(Problem::defect).flatten()
    }
}
