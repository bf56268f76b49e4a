use core::fmt;
use core::ops::Range;
use std::collections::HashMap;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::task::JoinSet;
use tokio::time::Instant;
use verger::{Crawler, TargetPath};
use verger_access::session::Wanted;
use verger_access::{
    AccessResult, Answer, Authority, Knowledge, Override, Profile, RestOfSite, Timestamp,
    WrittenAuthority, requested_target,
};
use verger_extensions::Pacing;
use verger_store::{MemoryStore, SnapshotId};

use crate::answers::asking::Asking;
use crate::answers::decision::Decision;
use crate::answers::decision_batch::DecisionBatch;
use crate::answers::held_policy::HeldPolicy;
use crate::answers::policy_cache::PolicyCache;
use crate::answers::urls_by_authority::{UrlsByAuthority, is_same_authority};
use crate::fetch::answered::Answered;
use crate::fetch::client_error::ClientError;
use crate::fetch::fetched::Fetched;
use crate::fetch::fetcher::Fetcher;
use crate::fetch::not_kept::NotKept;

/// Whether answers in use are refreshed shortly before they expire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RefreshAhead {
    /// Answers are refreshed in about the last tenth of their lifetime, so no call waits. Jitter
    /// spreads the refreshes of crawlers that fetched at the same time.
    #[default]
    On,
    /// Answers are fetched again after they expire, and a call waits for the fetch.
    Off,
}

/// Decides whether crawlers may fetch URLs, and fetches the robots.txt files it needs.
///
/// A client is cheap to clone, and clones share everything. A caller that stops waiting cancels
/// nothing: the fetch runs to its end and its result is stored. Call [`Client::close`] before the
/// program ends, to cancel all fetches.
///
/// If the store fails, for example because its disk is full, the client continues from memory and
/// the decision carries the reason ([`Decision::not_kept`]).
#[derive(Clone)]
pub struct Client {
    inner: Arc<Inner>,
}

struct Inner {
    fetcher: Arc<Fetcher>,
    policies: PolicyCache,
    memory: Option<Arc<MemoryStore>>,
    refresh_ahead: RefreshAhead,
    /// Memory budget for the tasks and decisions of one call, in bytes.
    call_bytes: usize,
}

/// The knowledge about an authority and the answer that follows from it.
#[derive(Clone, Debug)]
pub struct FetchReport {
    /// The authority.
    pub authority: Authority,
    /// The fetch. `None` if nothing was fetched, because the knowledge is recent enough or another
    /// process fetched at the same time.
    pub fetched: Option<Arc<Fetched>>,
    /// The knowledge.
    pub knowledge: Knowledge,
    /// The profile's answer.
    pub answer: Answer,
    /// The snapshot, if it is stored. `None` for an override.
    pub snapshot: Option<SnapshotId>,
    /// Why no snapshot is stored, if none is.
    pub not_kept: Option<NotKept>,
}

type HeldResult = Result<Arc<HeldPolicy>, ClientError>;

type Asked = JoinSet<(Range<usize>, HeldResult)>;

/// Estimated size of a task that waits for its fetch, in bytes.
const TASK_BYTES: usize = 32 << 10;

/// Memory in use by a client, including allocator overhead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeldStat {
    /// Number of cached answers, one per crawler and authority.
    pub answers: usize,
    /// Size of the cached answers, in bytes.
    pub answer_bytes: u64,
    /// Size of the client's own store in memory, in bytes. 0 if the caller supplied a store.
    pub store_bytes: u64,
}

impl HeldStat {
    /// Returns the sum, which never exceeds [`crate::ClientBuilder::memory_bytes_max`].
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.answer_bytes + self.store_bytes
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Client");
        debug.field("profile", &self.profile().name);
        debug.field("held", &self.held_stat());
        debug.finish_non_exhaustive()
    }
}

impl Client {
    pub(crate) fn new(
        fetcher: Arc<Fetcher>,
        policies: PolicyCache,
        memory: Option<Arc<MemoryStore>>,
        refresh_ahead: RefreshAhead,
        call_bytes: usize,
    ) -> Self {
        let inner = Inner {
            fetcher,
            policies,
            memory,
            refresh_ahead,
            call_bytes,
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// Returns the profile.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.inner.fetcher.context.profile
    }

    /// Replaces all overrides ([`ClientBuilder::override_site`](crate::ClientBuilder::override_site)).
    /// Later answers follow from the new ones. Clones share them.
    pub fn set_overrides(&self, overrides: HashMap<Authority, Override>) {
        self.inner.fetcher.context.overrides.replace(overrides);
    }

    pub(crate) fn fetcher(&self) -> &Fetcher {
        &self.inner.fetcher
    }

    /// Returns the time of the client's clock
    /// ([`ClientBuilder::clock`](crate::ClientBuilder::clock)).
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.inner.fetcher.context.clock.now()
    }

    /// Decides whether `crawler` may fetch the absolute URL `url`.
    ///
    /// If nothing is known or the knowledge has expired, this first fetches the robots.txt. That
    /// takes at most [`FetchLimits::deadline`](crate::FetchLimits::deadline).
    ///
    /// # Errors
    ///
    /// Returns an error if no robots.txt applies to `url`, if the profile's dialect rejects it, or
    /// if the robots.txt could not be requested before the deadline. A failing server is not an
    /// error, because the profile decides what follows. Neither is a failing store.
    pub async fn decide(&self, crawler: &Crawler, url: &str) -> Result<Decision, ClientError> {
        self.decide_given(crawler, url, RestOfSite::default()).await
    }

    /// Decides like [`Client::decide`], given whether the rest of the site is up. Google's profile
    /// needs that once a robots.txt has been unreachable for 30 days. G26-5xx-3.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Client::decide`].
    pub async fn decide_given(
        &self,
        crawler: &Crawler,
        url: &str,
        rest: RestOfSite,
    ) -> Result<Decision, ClientError> {
        let target = requested_target(url.as_bytes(), self.profile().reading)?;
        if let Some(held) = self.held(crawler, url, rest) {
            return Ok(Decision::new(held, &target));
        }
        let authority = Authority::from_url(url)?;
        let deadline = Some(self.inner.fetcher.deadline());
        let held = self.inner.policy_for(crawler, &authority, rest, deadline);
        Ok(Decision::new(held.await?, &target))
    }

    /// Returns the crawl delay, request rates and visit times that the authority of `url` asks of
    /// `crawler`. Fetches the robots.txt first if [`Client::decide`] would. If you have a decision,
    /// use [`Decision::pacing`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Client::decide`].
    pub async fn pacing(&self, crawler: &Crawler, url: &str) -> Result<Pacing, ClientError> {
        Ok(self.decide(crawler, url).await?.pacing().clone())
    }

    /// Decides from memory alone, without waiting. Returns `None` if the answer is not in memory or
    /// [`Client::decide`] would return an error.
    #[must_use]
    pub fn decide_from_memory(&self, crawler: &Crawler, url: &str) -> Option<Decision> {
        let target = requested_target(url.as_bytes(), self.profile().reading).ok()?;
        let held = self.held(crawler, url, RestOfSite::default())?;
        Some(Decision::new(held, &target))
    }

    /// Decides about many URLs and returns the results in the same order. Different authorities are
    /// fetched concurrently, once each. To save memory, later decisions keep only the rule that
    /// decided ([`crate::ClientBuilder::memory_bytes_max`]).
    pub async fn decide_many<U: AsRef<str>>(
        &self,
        crawler: &Crawler,
        urls: &[U],
    ) -> Vec<Result<Decision, ClientError>> {
        let mut batch = DecisionBatch::new(self.inner.call_bytes / 2);
        let reading = self.profile().reading;
        let (mut decisions, unknown) = self.decide_held(crawler, urls, &mut batch);
        let mut asked: Asked = JoinSet::new();
        // Outside a runtime, the calls below return the error.
        let is_in_runtime = Handle::try_current().is_ok();
        let unknown = unknown.in_order();
        let mut unasked = unknown.groups().filter(|_| is_in_runtime);
        loop {
            while asked.len() < self.inner.tasks_max()
                && let Some(group) = unasked.next()
            {
                let first = unknown.urls[group.start].index;
                match Authority::from_url(urls[first].as_ref()) {
                    Ok(authority) => self.ask(crawler, authority, group, &mut asked),
                    Err(error) => decisions[first] = Some(Err(error.into())),
                }
            }
            let Some(answered) = asked.join_next().await else {
                break;
            };
            // If a task panicked, the calls below return the error.
            let Ok((group, held)) = answered else {
                continue;
            };
            let first = urls[unknown.urls[group.start].index].as_ref();
            for index in unknown.urls[group].iter().map(|url| url.index) {
                let url = urls[index].as_ref();
                // Another authority has the same hash. The calls below decide about it.
                if !is_same_authority(first, url) {
                    continue;
                }
                decisions[index] = Some(match (&held, requested_target(url.as_bytes(), reading)) {
                    (Ok(held), Ok(target)) => Ok(batch.decide(held, &target)),
                    (Err(error), _) => Err(error.clone()),
                    (_, Err(error)) => Err(error.into()),
                });
            }
        }
        for (url, decision) in urls.iter().map(AsRef::as_ref).zip(&mut decisions) {
            if decision.is_none() {
                *decision = Some(self.decide(crawler, url).await);
            }
        }
        decisions.into_iter().flatten().collect()
    }

    /// Decides about the URLs whose answers are in memory, and about those without an authority.
    /// Returns the others grouped by authority. Looks up only the first of consecutive URLs of one
    /// site.
    fn decide_held<'u, U: AsRef<str>>(
        &self,
        crawler: &Crawler,
        urls: &'u [U],
        batch: &mut DecisionBatch,
    ) -> (Vec<Option<Result<Decision, ClientError>>>, UrlsByAuthority) {
        let mut unknown = UrlsByAuthority::default();
        let mut last: Option<(WrittenAuthority<'u>, Arc<HeldPolicy>)> = None;
        let reading = self.profile().reading;
        let mut decide = |(index, url): (usize, &'u str)| {
            if let Some((site, held)) = &last
                && site.starts(url)
                && let Ok(target) = TargetPath::as_sent(url, reading)
            {
                return Some(Ok(batch.decide(held, &target)));
            }
            let target = match requested_target(url.as_bytes(), reading) {
                Ok(target) => target,
                Err(error) => return Some(Err(error.into())),
            };
            let Some(held) = self.held(crawler, url, RestOfSite::default()) else {
                return unknown.add(url, index).err().map(|it| Err(it.into()));
            };
            let decision = batch.decide(&held, &target);
            last = WrittenAuthority::from_url(url).map(|site| (site, held));
            Some(Ok(decision))
        };
        let urls = urls.iter().map(AsRef::as_ref).enumerate();
        let decisions = urls.map(&mut decide).collect();
        (decisions, unknown)
    }

    fn ask(&self, crawler: &Crawler, authority: Authority, group: Range<usize>, asked: &mut Asked) {
        let (inner, crawler) = (Arc::clone(&self.inner), crawler.clone());
        asked.spawn(async move {
            let rest = RestOfSite::default();
            let held = inner.policy_for(&crawler, &authority, rest, None).await;
            (group, held)
        });
    }

    /// Returns the answer about `authority`, including its body. Fetches the robots.txt first if
    /// that is due.
    ///
    /// # Errors
    ///
    /// Returns an error if the robots.txt could not be requested before the deadline.
    pub async fn answer(&self, authority: &Authority) -> Result<Answer, ClientError> {
        let deadline = self.inner.fetcher.deadline();
        let report = self.report_until(authority, Asking::WhereDue, Some(deadline));
        Ok(report.await?.answer)
    }

    /// Fetches the robots.txt of `authority` now, regardless of what is known, and returns the
    /// result. Cached answers of the authority are removed.
    ///
    /// The reported attempt begins after the call. If an earlier one is in flight, this waits for
    /// it to end. Callers that wait together share the next attempt.
    ///
    /// # Errors
    ///
    /// Returns an error if the robots.txt could not be requested before the deadline.
    pub async fn fetch(&self, authority: &Authority) -> Result<FetchReport, ClientError> {
        self.report(authority, Asking::Now).await
    }

    /// Reports the knowledge about `authority`, after a fetch if `asking` requires one.
    ///
    /// # Errors
    ///
    /// Returns an error if the robots.txt could not be requested before the deadline.
    pub async fn report(
        &self,
        authority: &Authority,
        asking: Asking,
    ) -> Result<FetchReport, ClientError> {
        let deadline = self.inner.fetcher.deadline();
        self.report_until(authority, asking, Some(deadline)).await
    }

    /// Cancels all fetches in flight and releases their leases, so other processes need not wait
    /// for them to expire. Waiting calls return [`ClientError::Closed`].
    ///
    /// This closes all clones. Afterwards only [`Client::decide_from_memory`] decides. Returns
    /// after every lease is released and every store call has ended.
    pub async fn close(&self) {
        self.inner.fetcher.close().await;
    }

    /// Reports the knowledge about many authorities, in the same order. Authorities are fetched
    /// concurrently, once each.
    pub async fn report_many(
        &self,
        authorities: &[Authority],
        asking: Asking,
    ) -> Vec<Result<FetchReport, ClientError>> {
        let each = authorities.iter().map(|it| (it.clone(), asking));
        self.report_each(&each.collect::<Vec<_>>()).await
    }

    /// Reports the knowledge about many authorities, like [`Client::report_many`], with a question
    /// for each.
    pub async fn report_each(
        &self,
        authorities: &[(Authority, Asking)],
    ) -> Vec<Result<FetchReport, ClientError>> {
        let each = authorities.iter().cloned();
        if Handle::try_current().is_err() {
            return each.map(|_| Err(ClientError::NoRuntime)).collect();
        }
        let asked: Vec<_> = each
            .map(|(authority, asking)| {
                let client = self.clone();
                tokio::spawn(async move { client.report_until(&authority, asking, None).await })
            })
            .collect();
        let mut reports = Vec::with_capacity(asked.len());
        for (asked, (authority, _)) in asked.into_iter().zip(authorities) {
            let cancelled = |_| ClientError::Cancelled(Box::new(authority.clone()));
            reports.push(asked.await.map_err(cancelled).flatten());
        }
        reports
    }

    async fn report_until(
        &self,
        authority: &Authority,
        asking: Asking,
        deadline: Option<Instant>,
    ) -> Result<FetchReport, ClientError> {
        let Inner {
            fetcher, policies, ..
        } = &*self.inner;
        let wanted = match asking {
            Asking::WhereDue => Wanted::Fresh,
            Asking::Now => Wanted::Now,
            Asking::NewerThan(snapshot) => Wanted::Newer(snapshot.map(|id| id.0)),
        };
        let rest = RestOfSite::default();
        let answered = fetcher.answered(authority, wanted, deadline, rest).await?;
        if asking != Asking::WhereDue {
            policies.forget(&authority.to_string());
        }
        let known = &answered.known;
        Ok(FetchReport {
            authority: authority.clone(),
            fetched: known.fetched.clone(),
            knowledge: known.knowledge.clone(),
            snapshot: answered.snapshot(),
            not_kept: known.not_kept.clone(),
            answer: answered.answer,
        })
    }

    /// Returns how much memory the client uses.
    #[must_use]
    pub fn held_stat(&self) -> HeldStat {
        let Inner {
            policies, memory, ..
        } = &*self.inner;
        let store = memory.as_ref().map_or(0, |memory| memory.bytes());
        HeldStat {
            answers: policies.entries(),
            answer_bytes: policies.bytes(),
            store_bytes: store as u64,
        }
    }

    fn held(&self, crawler: &Crawler, url: &str, rest: RestOfSite) -> Option<Arc<HeldPolicy>> {
        let Inner {
            fetcher, policies, ..
        } = &*self.inner;
        let held = match Authority::normal_prefix(url) {
            Some(authority) => policies.held(crawler, authority),
            None => policies.held(crawler, &Authority::from_url(url).ok()?.to_string()),
        }?;
        let now = fetcher.now();
        if !self.inner.holds(&held, now) || !is_valid_for(&held, rest) {
            return None;
        }
        if self.inner.refresh_ahead == RefreshAhead::On && held.is_to_be_refreshed(now) {
            self.refresh(crawler, url, &held);
        }
        Some(held)
    }

    fn refresh(&self, crawler: &Crawler, url: &str, held: &HeldPolicy) {
        let (Ok(runtime), Ok(authority)) = (Handle::try_current(), Authority::from_url(url)) else {
            return;
        };
        if !held.begin_refresh() {
            return;
        }
        let (inner, crawler) = (Arc::clone(&self.inner), crawler.clone());
        let wanted = Wanted::Newer(held.snapshot.map(|id| id.0));
        runtime.spawn(async move {
            let rest = RestOfSite::default();
            let answered = inner.fetcher.answered(&authority, wanted, None, rest);
            // If this fails, a call after expiry fetches and returns the error.
            if let Ok(answered) = answered.await {
                inner.hold(&answered, &crawler, &authority);
            }
        });
    }
}

/// Decides whether an answer cached without `rest` also holds given `rest`.
fn is_valid_for(held: &HeldPolicy, rest: RestOfSite) -> bool {
    let is_unreachable = matches!(
        held.answer().access_result(),
        Some(AccessResult::Unreachable(_))
    );
    rest == RestOfSite::default() || !is_unreachable
}

impl Inner {
    /// Returns the number of tasks that use every fetch permit.
    fn tasks_max(&self) -> usize {
        let fetches = self.fetcher.context.limits.fetches_max;
        (self.call_bytes / 2 / TASK_BYTES).max(fetches).max(1)
    }

    async fn policy_for(
        &self,
        crawler: &Crawler,
        authority: &Authority,
        rest: RestOfSite,
        deadline: Option<Instant>,
    ) -> HeldResult {
        let fetcher = &self.fetcher;
        let answered = fetcher.answered(authority, Wanted::Fresh, deadline, rest);
        let answered = answered.await?;
        if rest != RestOfSite::default() {
            return Ok(self.make(&answered, crawler));
        }
        // The first of the callers that waited for one fetch compiles the policy.
        let held = self.policies.held(crawler, &authority.to_string());
        let is_made = |held: &Arc<HeldPolicy>| {
            held.snapshot == answered.snapshot() && self.holds(held, fetcher.now())
        };
        Ok(match held.filter(is_made) {
            Some(held) => held,
            None => self.hold(&answered, crawler, authority),
        })
    }

    fn hold(
        &self,
        answered: &Answered,
        crawler: &Crawler,
        authority: &Authority,
    ) -> Arc<HeldPolicy> {
        let held = self.make(answered, crawler);
        let name = authority.to_string();
        self.policies.hold(crawler, &name, Arc::clone(&held));
        held
    }

    fn make(&self, answered: &Answered, crawler: &Crawler) -> Arc<HeldPolicy> {
        let (now, jitter) = (self.fetcher.now(), (self.fetcher.jitter)());
        Arc::new(HeldPolicy::new(answered, crawler, now, jitter))
    }

    /// Returns `true` if a policy is valid now.
    fn holds(&self, held: &HeldPolicy, now: Timestamp) -> bool {
        held.overrides == self.fetcher.context.overrides.number() && held.holds(now)
    }
}
