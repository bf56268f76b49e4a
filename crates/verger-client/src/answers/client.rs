//! `Client`: may this crawler fetch this URL? It fetches what it needs to know.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::task::JoinSet;
use tokio::time::Instant;
use verger::{Crawler, TargetPath};
use verger_access::{AccessResult, Answer, Authority, Knowledge, Profile, RestOfSite};
use verger_store::{MemoryStore, SnapshotId};

use crate::answers::decision::Decision;
use crate::answers::held_policy::HeldPolicy;
use crate::answers::policy_cache::PolicyCache;
use crate::fetch::client_error::ClientError;
use crate::fetch::fetched::Fetched;
use crate::fetch::fetcher::Fetcher;
use crate::fetch::known::{Known, Wanted};
use crate::fetch::not_kept::NotKept;

/// Whether answers are fetched again shortly before they expire, while they are in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RefreshAhead {
    /// In the last tenth of their lifetime, more or less: no call waits, and crawlers that began
    /// together do not come back together.
    #[default]
    On,
    /// When they have expired: a call waits then.
    Off,
}

/// Whether an authority is asked though what is known about it is still good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// It is asked where nothing is known, or what is known has expired.
    WhereDue,
    /// It is asked now, by an attempt that begins after the call.
    Now,
}

/// Decides whether crawlers may fetch URLs, and fetches what it needs to know.
///
/// It is cheap to clone, and clones share everything. A caller that stops waiting for an answer
/// stops nothing: a fetch that has begun ends, for the others that wait, and is kept. Before a program ends,
/// [`Client::close`] gives up what runs.
///
/// Where its store fails, as on a full disk, a client goes on from memory and says so
/// ([`Decision::not_kept`]).
#[derive(Clone)]
pub struct Client {
    inner: Arc<Inner>,
}

struct Inner {
    fetcher: Arc<Fetcher>,
    policies: PolicyCache,
    /// The store, where it is the client's own in memory.
    memory: Option<Arc<MemoryStore>>,
    refresh_ahead: RefreshAhead,
}

/// What is known about an authority and what follows from it.
#[derive(Clone, Debug)]
pub struct FetchReport {
    /// Whose robots.txt it is.
    pub authority: Authority,
    /// What was seen; `None` where nothing was fetched, since what is known is new enough, or where
    /// another process fetched at the same time, and what it saw is answered.
    pub fetched: Option<Arc<Fetched>>,
    /// What is known with it.
    pub knowledge: Knowledge,
    /// What the profile makes of it.
    pub answer: Answer,
    /// What was seen, as the store keeps it; `None` where it is in no store.
    pub snapshot: Option<SnapshotId>,
    /// Why what was seen is in no store; `None` where it is in one.
    pub not_kept: Option<NotKept>,
}

type HeldResult = Result<Arc<HeldPolicy>, ClientError>;

/// By authority: what came of asking, once it did.
type Found = HashMap<Authority, Option<HeldResult>>;

type Asked = JoinSet<(Authority, HeldResult)>;

/// What a client holds in memory, counted with what the allocator adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldStat {
    /// Answers, one for each crawler and authority.
    pub answers: usize,
    /// Bytes that the answers take.
    pub answer_bytes: u64,
    /// Bytes that the client's own store in memory takes; none where it was given another store.
    pub store_bytes: u64,
}

impl HeldStat {
    /// Bytes that all of it takes: never more than [`crate::ClientBuilder::memory_bytes_max`].
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.answer_bytes + self.store_bytes
    }
}

impl Client {
    pub(crate) fn new(
        fetcher: Arc<Fetcher>,
        policies: PolicyCache,
        memory: Option<Arc<MemoryStore>>,
        refresh_ahead: RefreshAhead,
    ) -> Self {
        let inner = Inner {
            fetcher,
            policies,
            memory,
            refresh_ahead,
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// The profile that decides.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.inner.fetcher.context.profile
    }

    /// Decides whether `crawler` may fetch `url`, an absolute URL. Where nothing is known, or what
    /// is known has expired, it is fetched first; so this may take as long as a fetch may.
    ///
    /// # Errors
    ///
    /// Where no robots.txt applies to `url`, where it cannot be read in the dialect of the profile,
    /// or where the authority could not be asked before the deadline. A server that fails is no
    /// error: the profile decides. Nor is a store that fails.
    pub async fn decide(&self, crawler: &Crawler, url: &str) -> Result<Decision, ClientError> {
        self.decide_given(crawler, url, RestOfSite::default()).await
    }

    /// Decides as [`Client::decide`] does, where the caller knows how the rest of the site is.
    /// Google's profile asks for that once a robots.txt was unreachable for 30 days. G26-5xx-3.
    ///
    /// # Errors
    ///
    /// As [`Client::decide`].
    pub async fn decide_given(
        &self,
        crawler: &Crawler,
        url: &str,
        rest: RestOfSite,
    ) -> Result<Decision, ClientError> {
        let target = TargetPath::as_sent(url, self.profile().reading)?;
        if let Some(held) = self.held(crawler, url, rest) {
            return Ok(Decision::new(held, &target));
        }
        let authority = Authority::of(url)?;
        let deadline = Some(self.inner.fetcher.context.limits.deadline_from_now());
        let held = self.inner.find_out(crawler, &authority, rest, deadline);
        Ok(Decision::new(held.await?, &target))
    }

    /// Decides from memory alone; `None` where that takes more, an error included. It never waits.
    #[must_use]
    pub fn decide_from_memory(&self, crawler: &Crawler, url: &str) -> Option<Decision> {
        let target = TargetPath::as_sent(url, self.profile().reading).ok()?;
        let held = self.held(crawler, url, RestOfSite::default())?;
        Some(Decision::new(held, &target))
    }

    /// Decides about many URLs, each answered in its place. Authorities that are to be asked are
    /// asked side by side, each once.
    pub async fn decide_many<U: AsRef<str>>(
        &self,
        crawler: &Crawler,
        urls: &[U],
    ) -> Vec<Result<Decision, ClientError>> {
        let mut asked = JoinSet::new();
        let mut found = HashMap::new();
        let mut decisions = Vec::with_capacity(urls.len());
        for url in urls.iter().map(AsRef::as_ref) {
            let decision = self.decide_from_memory(crawler, url);
            if decision.is_none() && Handle::try_current().is_ok() {
                self.ask_once(crawler, url, &mut found, &mut asked);
            }
            decisions.push(decision.map(Ok));
        }
        while let Some(answered) = asked.join_next().await {
            // One that panicked is asked again below, for its error.
            if let Ok((authority, held)) = answered {
                found.insert(authority, Some(held));
            }
        }
        let mut answers = Vec::with_capacity(urls.len());
        for (url, decision) in urls.iter().map(AsRef::as_ref).zip(decisions) {
            let of_url = || {
                Authority::of(url)
                    .ok()
                    .and_then(|it| found.get(&it)?.clone())
            };
            answers.push(match decision {
                Some(decision) => decision,
                None => match of_url() {
                    Some(held) => held.and_then(|held| self.decide_by(held, url)),
                    None => self.decide(crawler, url).await,
                },
            });
        }
        answers
    }

    /// Has the authority of `url` asked, unless it is already.
    fn ask_once(&self, crawler: &Crawler, url: &str, found: &mut Found, asked: &mut Asked) {
        let Ok(authority) = Authority::of(url) else {
            return;
        };
        if found.contains_key(&authority) {
            return;
        }
        found.insert(authority.clone(), None);
        let (inner, crawler) = (Arc::clone(&self.inner), crawler.clone());
        asked.spawn(async move {
            let rest = RestOfSite::default();
            let held = inner.find_out(&crawler, &authority, rest, None).await;
            (authority, held)
        });
    }

    /// What the profile makes of what is known about `authority`, its body included; fetched first
    /// where that is due.
    ///
    /// # Errors
    ///
    /// Where the authority could not be asked before the deadline.
    pub async fn answer(&self, authority: &Authority) -> Result<Answer, ClientError> {
        let deadline = self.inner.fetcher.context.limits.deadline_from_now();
        let report = self.report(authority, Asking::WhereDue, Some(deadline));
        Ok(report.await?.answer)
    }

    /// Fetches the robots.txt of `authority` now, whatever is known, and tells what happened. What
    /// was held about it in memory is given up.
    ///
    /// The attempt that is reported has begun after the call. One that is under way is waited for;
    /// of several callers that wait, one fetches for all.
    ///
    /// # Errors
    ///
    /// Where the authority could not be asked before the deadline.
    pub async fn fetch(&self, authority: &Authority) -> Result<FetchReport, ClientError> {
        let deadline = self.inner.fetcher.context.limits.deadline_from_now();
        self.report(authority, Asking::Now, Some(deadline)).await
    }

    /// Gives up all fetches that are under way, and gives the leases on their authorities back, so
    /// that other processes that share the store need not wait until they expire. Those who wait for
    /// an answer get [`ClientError::Closed`]; afterwards nothing is fetched any more, and memory
    /// answers alone ([`Client::decide_from_memory`]). It is the same for all clones.
    ///
    /// It returns once every lease is given back and every call of the store has ended.
    pub async fn close(&self) {
        self.inner.fetcher.close().await;
    }

    /// What is known about many authorities, each reported in its place. Those that are to be asked
    /// are asked side by side, each once.
    pub async fn report_many(
        &self,
        authorities: &[Authority],
        asking: Asking,
    ) -> Vec<Result<FetchReport, ClientError>> {
        if Handle::try_current().is_err() {
            let without = |_: &Authority| Err(ClientError::NoRuntime);
            return authorities.iter().map(without).collect();
        }
        let asked: Vec<_> = authorities
            .iter()
            .map(|authority| {
                let (client, authority) = (self.clone(), authority.clone());
                tokio::spawn(async move { client.report(&authority, asking, None).await })
            })
            .collect();
        let mut reports = Vec::with_capacity(asked.len());
        for (asked, authority) in asked.into_iter().zip(authorities) {
            let given_up = |_| ClientError::GivenUp(Box::new(authority.clone()));
            reports.push(asked.await.map_err(given_up).flatten());
        }
        reports
    }

    async fn report(
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
        };
        let known = fetcher.find_out(authority, wanted, deadline).await?;
        if asking == Asking::Now {
            policies.forget(&authority.to_string());
        }
        Ok(FetchReport {
            authority: authority.clone(),
            fetched: known.fetched.clone(),
            knowledge: known.knowledge.clone(),
            answer: known.answer(self.profile(), fetcher.now(), RestOfSite::default()),
            snapshot: known.snapshot,
            not_kept: known.not_kept.clone(),
        })
    }

    /// How much is held in memory.
    #[must_use]
    pub fn held_stat(&self) -> HeldStat {
        let Inner {
            policies, memory, ..
        } = &*self.inner;
        let store = memory.as_ref().map_or(0, |memory| memory.octets());
        HeldStat {
            answers: policies.entries(),
            answer_bytes: policies.octets(),
            store_bytes: store as u64,
        }
    }

    fn decide_by(&self, held: Arc<HeldPolicy>, url: &str) -> Result<Decision, ClientError> {
        let target = TargetPath::as_sent(url, self.profile().reading)?;
        Ok(Decision::new(held, &target))
    }

    /// The answer that is held in memory and holds now.
    fn held(&self, crawler: &Crawler, url: &str, rest: RestOfSite) -> Option<Arc<HeldPolicy>> {
        let Inner {
            fetcher, policies, ..
        } = &*self.inner;
        let held = match Authority::normal_prefix(url) {
            Some(authority) => policies.held(crawler, authority),
            None => policies.held(crawler, &Authority::of(url).ok()?.to_string()),
        }?;
        let now = fetcher.now();
        if !held.holds(now) || !answers(&held, rest) {
            return None;
        }
        if self.inner.refresh_ahead == RefreshAhead::On && held.is_to_be_refreshed(now) {
            self.refresh(crawler, url, &held);
        }
        Some(held)
    }

    /// Looks for something newer than `held` while it is still in use.
    fn refresh(&self, crawler: &Crawler, url: &str, held: &HeldPolicy) {
        let (Ok(runtime), Ok(authority)) = (Handle::try_current(), Authority::of(url)) else {
            return;
        };
        if !held.begin_refresh() {
            return;
        }
        let (inner, crawler) = (Arc::clone(&self.inner), crawler.clone());
        let wanted = Wanted::Newer(held.snapshot);
        runtime.spawn(async move {
            // Where it fails, whoever asks when the answer has expired is told.
            if let Ok(known) = inner.fetcher.find_out(&authority, wanted, None).await {
                inner.hold(&known, &crawler, &authority);
            }
        });
    }
}

/// Whether an answer that was made without knowing how the rest of the site is answers who does.
fn answers(held: &HeldPolicy, rest: RestOfSite) -> bool {
    let is_unreachable = matches!(
        held.answer().access_result(),
        Some(AccessResult::Unreachable(_))
    );
    rest == RestOfSite::default() || !is_unreachable
}

impl Inner {
    /// The answer for `crawler`; found out first where it is not known.
    async fn find_out(
        &self,
        crawler: &Crawler,
        authority: &Authority,
        rest: RestOfSite,
        deadline: Option<Instant>,
    ) -> HeldResult {
        let known = self.fetcher.find_out(authority, Wanted::Fresh, deadline);
        let known = known.await?;
        if rest != RestOfSite::default() {
            return Ok(self.make(&known, crawler, rest));
        }
        // Of all who waited for one fetch, the first makes what the others hold.
        let held = self.policies.held(crawler, &authority.to_string());
        let is_made = |held: &Arc<HeldPolicy>| {
            held.snapshot == known.snapshot && held.holds(self.fetcher.now())
        };
        Ok(match held.filter(is_made) {
            Some(held) => held,
            None => self.hold(&known, crawler, authority),
        })
    }

    fn hold(&self, known: &Known, crawler: &Crawler, authority: &Authority) -> Arc<HeldPolicy> {
        let held = self.make(known, crawler, RestOfSite::default());
        let name = authority.to_string();
        self.policies.hold(crawler, &name, Arc::clone(&held));
        held
    }

    fn make(&self, known: &Known, crawler: &Crawler, rest: RestOfSite) -> Arc<HeldPolicy> {
        let Fetcher {
            context, jitter, ..
        } = &*self.fetcher;
        let at = (self.fetcher.now(), rest);
        Arc::new(HeldPolicy::new(
            known,
            crawler,
            &context.profile,
            at,
            jitter(),
        ))
    }
}
