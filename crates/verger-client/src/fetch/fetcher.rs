//! `Fetcher`: finds out what is to be known about an authority; one fetch however many ask.

use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::task::yield_now;
use tokio::time::{Instant, timeout_at};
use url::Url;
use verger::Crawler;
use verger_access::{
    Answer, Authority, HopVerdict, Jitter, Outcome, RecordedChain, RestOfSite, Scheme, Timestamp,
    TransportFailure,
};
use verger_store::{KeptHeaders, Observation, StoreError};

use crate::fetch::active_count::ActiveCount;
use crate::fetch::async_store::{
    AsyncStore, CALL_LEAST, HeldLease, LeaseOutcome, LeaseRequest, StoreQuery, StoreResult,
};
use crate::fetch::chain::{FetchContext, RunningFetch};
use crate::fetch::client_error::ClientError;
use crate::fetch::fetched::Fetched;
use crate::fetch::known::{Known, Wanted};
use crate::fetch::lease_wait::LeaseWait;
use crate::fetch::local_knowledge::LocalKnowledge;
use crate::fetch::not_kept::NotKept;
use crate::fetch::observer::Observer;
use crate::fetch::single_flight::{Joining, SharedTask, SingleFlight};
use crate::fetch::wait_graph::WaitGraph;
use crate::future::BoxFuture;
use crate::transport::fetch_permit::{FetchPermit, FetchPermits};

/// For how long the right to fetch is asked for. It is renewed while the fetch lasts; where a process
/// is killed, others wait no longer than this.
const LEASE: Duration = Duration::from_secs(15);

/// The longest wait for another process on behalf of a fetch.
const HOP_LEASE_WAIT_MAX: Duration = Duration::from_secs(10);

/// What a fetch does where a redirect leads to a URL that its own authority may disallow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HopPolicy {
    /// It finds out.
    Checked,
    /// It follows. Such is a fetch that began on behalf of another one: else a chain of them would
    /// have no end.
    Followed,
}

/// What a running fetch is for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Purpose {
    wanted: Wanted,
    hops: HopPolicy,
    /// `None` where the time of the fetch begins with its place among the others.
    deadline: Option<Instant>,
}

type FetchResult = Result<Arc<Known>, ClientError>;

/// Finds out what is to be known about an authority.
pub(crate) struct Fetcher {
    pub(crate) context: FetchContext,
    pub(crate) store: AsyncStore,
    pub(crate) local: LocalKnowledge,
    pub(crate) single_flight: SingleFlight<Authority, Purpose, FetchResult>,
    pub(crate) permits: FetchPermits,
    pub(crate) wait_graph: WaitGraph,
    pub(crate) active: ActiveCount,
    /// Whose verdict counts on the way.
    pub(crate) crawler: Crawler,
    pub(crate) holder: Arc<str>,
    pub(crate) jitter: Box<dyn Fn() -> Jitter + Send + Sync>,
    pub(crate) observer: Arc<dyn Observer>,
}

/// A fetch that is to be made.
struct FetchJob {
    /// What is known so far.
    known: Known,
    /// The right to put what is seen, or why there is no store to put it into.
    lease: StoreResult<HeldLease>,
    hops: HopPolicy,
    running: RunningFetch,
}

impl Fetcher {
    pub(crate) fn now(&self) -> Timestamp {
        self.context.clock.now()
    }

    /// Ends everything that runs and gives all leases back; nothing is fetched any more.
    pub(crate) async fn close(&self) {
        self.single_flight.close();
        self.active.end().await;
    }

    /// What is known, as new as is wanted. Without a deadline the time begins with the place among
    /// the fetches.
    pub(crate) async fn find_out(
        self: &Arc<Self>,
        authority: &Authority,
        wanted: Wanted,
        deadline: Option<Instant>,
    ) -> FetchResult {
        if self.single_flight.is_closed() {
            return Err(ClientError::Closed);
        }
        if authority.scheme() == Scheme::Other {
            return Err(ClientError::SchemeNotFetched(Box::new(authority.clone())));
        }
        let runtime = Handle::try_current().map_err(|_| ClientError::NoRuntime)?;
        let purpose = Purpose {
            wanted,
            hops: HopPolicy::Checked,
            deadline,
        };
        let found = self.join_or_start(&runtime, authority, purpose);
        let Some(deadline) = deadline else {
            return found.await;
        };
        // What has come by then may still be on its way into the store.
        let last = deadline.checked_add(CALL_LEAST).unwrap_or(deadline);
        let found = timeout_at(last, found).await;
        found.unwrap_or_else(|_| Err(ClientError::OutOfTime(Box::new(authority.clone()))))
    }

    async fn join_or_start(
        self: &Arc<Self>,
        runtime: &Handle,
        authority: &Authority,
        purpose: Purpose,
    ) -> FetchResult {
        let last_number = self.single_flight.last_number();
        let does = |other: &SharedTask<Purpose, FetchResult>| {
            let is_new_enough = match purpose.wanted {
                Wanted::Now => other.number > last_number,
                Wanted::Fresh | Wanted::Newer(_) => true,
            };
            let is_met = purpose.wanted.is_met_by(other.purpose.wanted);
            // What a fetch finds that asks about no hop may not be what one finds that does.
            is_new_enough && is_met && other.purpose.hops == HopPolicy::Checked
        };
        loop {
            let start = || self.task(authority.clone(), purpose);
            match (self.single_flight).join_or_start(runtime, authority, purpose, does, start) {
                Joining::Joined(task) => {
                    let theirs = task.purpose.deadline;
                    let outcome = task.outcome().await;
                    let ends_later = |theirs| purpose.deadline.is_none_or(|own| own > theirs);
                    let is_out_of_time = matches!(&outcome, Some(Err(ClientError::OutOfTime(_))));
                    if is_out_of_time && theirs.is_some_and(ends_later) {
                        // Another call's time was over, not this one's. The task may not have left
                        // the table yet.
                        yield_now().await;
                        continue;
                    }
                    return outcome.unwrap_or_else(|| Err(self.given_up(authority)));
                }
                Joining::Busy(task) => {
                    drop(task.outcome().await);
                    yield_now().await;
                }
            }
        }
    }

    /// Why a fetch ended without an outcome.
    fn given_up(&self, authority: &Authority) -> ClientError {
        if self.single_flight.is_closed() {
            return ClientError::Closed;
        }
        ClientError::GivenUp(Box::new(authority.clone()))
    }

    /// What the robots.txt of its own authority says about a URL on the way from `from`, whose
    /// fetch is `running`. G-3xx-2.
    async fn ask_about_hop(
        self: Arc<Self>,
        from: Authority,
        running: RunningFetch,
        url: Url,
    ) -> HopVerdict {
        let (Ok(authority), Ok(runtime)) = (Authority::of_url(&url), Handle::try_current()) else {
            return HopVerdict::Unknown;
        };
        let Some(_wait) = self.wait_graph.begin(&from, &authority) else {
            return HopVerdict::Unknown;
        };
        let purpose = Purpose {
            wanted: Wanted::Fresh,
            hops: HopPolicy::Followed,
            deadline: Some(running.deadline),
        };
        let start = || self.task(authority.clone(), purpose);
        let joining =
            self.single_flight
                .join_or_start(&runtime, &authority, purpose, |_| true, start);
        // The other fetch needs a permit as well, which those who wait for it must not keep from it.
        let outcome = running.permit.lent_during(joining.task().outcome());
        let outcome = timeout_at(running.deadline, outcome).await;
        let known = outcome.ok().flatten().and_then(Result::ok);
        let Some(known) = known else {
            return HopVerdict::Unknown;
        };
        let answer = known.answer(&self.context.profile, self.now(), RestOfSite::default());
        HopVerdict::of(&answer, &self.crawler, &url)
    }

    /// Boxed, since a fetch may wait for another one, whose type would be part of its own.
    fn task(
        self: &Arc<Self>,
        authority: Authority,
        purpose: Purpose,
    ) -> BoxFuture<'static, FetchResult> {
        let fetcher = Arc::clone(self);
        Box::pin(async move { fetcher.run(&authority, purpose).await.map(Arc::new) })
    }

    async fn run(
        self: Arc<Self>,
        authority: &Authority,
        purpose: Purpose,
    ) -> Result<Known, ClientError> {
        let Purpose { wanted, hops, .. } = purpose;
        let profile = &self.context.profile;
        let is_met = |known: &Known| wanted.is_met(known, profile, self.now());
        let local = self.local.known(authority);
        // Of what the store has as well, it may know something newer.
        let here = local.as_ref().filter(|known| known.snapshot.is_none());
        if let Some(known) = here.filter(|known| is_met(known)) {
            return Ok(known.clone());
        }
        let asked = |deadline| StoreQuery {
            authority,
            profile,
            deadline,
        };
        let mut known = match self.store.known(asked(purpose.deadline)).await {
            Ok(known) => Ok(known.or_newer(local.as_ref())),
            Err(error) => Err(error),
        };
        if let Some(known) = known.as_ref().ok().filter(|known| is_met(known)) {
            return Ok(known.clone());
        }
        let mut lease_wait = None;
        let mut deadline = purpose.deadline;
        loop {
            let permit = self.permit(authority, hops, deadline).await?;
            let limit = *deadline.get_or_insert_with(|| self.context.limits.deadline_from_now());
            let outcome = match &known {
                Ok(_) => self.acquire(asked(deadline), local.clone(), wanted).await,
                Err(error) => Err(Arc::clone(error)),
            };
            let (so_far, lease) = match outcome {
                Ok(LeaseOutcome::UpToDate(known)) => return Ok(known),
                Ok(LeaseOutcome::Granted(known, lease)) => (known, Ok(lease)),
                // What a store knew that fails now is good all the same.
                Err(error) => {
                    let known = std::mem::replace(&mut known, Err(Arc::clone(&error)));
                    let known = known.ok().or_else(|| local.clone());
                    (known.unwrap_or_default(), Err(error))
                }
                Ok(LeaseOutcome::HeldElsewhere { holder }) => {
                    drop(permit);
                    let lease_wait = lease_wait.get_or_insert_with(|| self.lease_wait(hops, limit));
                    lease_wait.wait(&*self.observer, authority, holder).await?;
                    continue;
                }
            };
            let job = FetchJob {
                known: so_far,
                lease,
                hops,
                running: RunningFetch {
                    permit: Arc::new(permit),
                    deadline: limit,
                },
            };
            if let Some(known) = self.fetch(authority, job).await {
                return Ok(known);
            }
            if Instant::now() >= limit {
                return Err(ClientError::OutOfTime(Box::new(authority.clone())));
            }
        }
    }

    /// What is to be done about an authority.
    async fn acquire(
        &self,
        asked: StoreQuery<'_>,
        local: Option<Known>,
        wanted: Wanted,
    ) -> StoreResult<LeaseOutcome> {
        let lease = LeaseRequest {
            holder: Arc::clone(&self.holder),
            duration: LEASE,
        };
        let outcome = self.store.acquire(asked, local, wanted, self.now(), lease);
        outcome.await
    }

    /// The wait for another process, which may in turn wait for a fetch that waits for this one.
    fn lease_wait(&self, hops: HopPolicy, deadline: Instant) -> LeaseWait {
        let longest = self.context.limits.lease_wait_max;
        let longest = match hops {
            HopPolicy::Checked => longest,
            HopPolicy::Followed => longest.min(HOP_LEASE_WAIT_MAX),
        };
        LeaseWait::until(deadline, longest)
    }

    /// The right to fetch at all. A fetch that began on behalf of another one does not wait behind
    /// those that have not begun.
    async fn permit(
        &self,
        authority: &Authority,
        hops: HopPolicy,
        deadline: Option<Instant>,
    ) -> Result<FetchPermit, ClientError> {
        let permit = async {
            match hops {
                HopPolicy::Checked => self.permits.take().await,
                HopPolicy::Followed => self.permits.take_ahead().await,
            }
        };
        let Some(deadline) = deadline else {
            return Ok(permit.await);
        };
        let permit = timeout_at(deadline, permit).await;
        permit.map_err(|_| ClientError::OutOfTime(Box::new(authority.clone())))
    }

    /// Fetches and keeps what was seen; `None` where the right to put it was lost on the way, the time
    /// was used up before the fetch began, or a limit of this client's stood in the way.
    async fn fetch(self: &Arc<Self>, authority: &Authority, job: FetchJob) -> Option<Known> {
        self.observer.begun(authority);
        let unasked = Arc::new(AtomicBool::new(false));
        let FetchJob {
            known,
            mut lease,
            hops,
            running,
        } = job;
        let hop = |url| -> BoxFuture<'static, HopVerdict> {
            match hops {
                HopPolicy::Checked => {
                    let (fetcher, from) = (Arc::clone(self), authority.clone());
                    Box::pin(fetcher.ask_about_hop(from, running.clone(), url))
                }
                HopPolicy::Followed => {
                    unasked.store(true, Ordering::Relaxed);
                    Box::pin(async { HopVerdict::Unknown })
                }
            }
        };
        let begun = Instant::now();
        let copy = known.knowledge.copy.as_ref();
        let fetch = self.context.fetch(authority, copy, &running, hop);
        let fetched = match &mut lease {
            Ok(lease) => {
                let now = || self.now();
                self.store.holding(lease, LEASE, now, fetch).await
            }
            Err(_) => fetch.await,
        };
        let RunningFetch { permit, deadline } = running;
        drop(permit);
        let profile = &self.context.profile;
        let mut knowledge = known.knowledge;
        knowledge.record(&fetched.attempt, profile, (self.jitter)());
        let answer = knowledge.answer(profile, fetched.attempt.last.at, RestOfSite::default());
        self.observer.ended(authority, &fetched, &answer);
        if fetched.is_not_sent || self.ran_out_early(&fetched, begun, deadline) {
            if let Ok(lease) = lease {
                self.store.give_back(lease, deadline).await;
            }
            return None;
        }
        let fetched = Arc::new(fetched);
        let known = Known {
            knowledge,
            snapshot: None,
            not_kept: None,
            fetched: Some(Arc::clone(&fetched)),
        };
        let is_asked = !unasked.load(Ordering::Relaxed);
        let is_fact = fetched.attempt.last.outcome.is_about_the_site();
        match lease {
            Ok(lease) if is_fact && is_asked => {
                let put = self.put(authority, known, &fetched, &answer, lease, deadline);
                return put.await;
            }
            Ok(lease) => self.store.give_back(lease, deadline).await,
            Err(error) if is_fact && is_asked => {
                return Some(self.not_kept(authority, known, error));
            }
            Err(_) => {}
        }
        if is_asked {
            return Some(self.hold(authority, known, NotKept::RefusedHere));
        }
        // A chain that was followed without asking about its hops answers one question. The next
        // one fetches again.
        Some(known)
    }

    /// Whether the deadline ended a fetch that began when most of its time was used up, by a wait or
    /// by the redirects of another site. That is no fact about this one.
    fn ran_out_early(&self, fetched: &Fetched, begun: Instant, deadline: Instant) -> bool {
        let timeout = Outcome::Failed(TransportFailure::Timeout);
        let had = deadline.saturating_duration_since(begun);
        fetched.attempt.last.outcome == timeout
            && Instant::now() >= deadline
            && had < self.context.limits.deadline / 2
    }

    /// Puts what was seen; `None` where the right to is lost.
    async fn put(
        &self,
        authority: &Authority,
        known: Known,
        fetched: &Fetched,
        answer: &Answer,
        lease: HeldLease,
        deadline: Instant,
    ) -> Option<Known> {
        let observation = Observation {
            authority: authority.clone(),
            profile: self.context.profile.name.clone(),
            attempt: fetched.attempt.clone(),
            knowledge: known.knowledge.clone(),
            headers: KeptHeaders::of(&fetched.headers),
            peer: fetched.peer(),
            fresh_until: answer.ask_again_at(),
        };
        match self.store.put(observation, lease, deadline).await {
            Ok(id) => {
                let known = Known {
                    snapshot: Some(id),
                    ..known
                };
                let chain = RecordedChain {
                    authority,
                    hops: &fetched.attempt.hops,
                    last: fetched.attempt.last,
                    locations: &[],
                };
                if chain.asks_about_hop(&self.context.profile) {
                    self.local.hold(authority, &known);
                } else {
                    self.local.remove(authority);
                }
                Some(known)
            }
            Err(error) if matches!(*error, StoreError::LeaseLost(_)) => None,
            Err(error) => Some(self.not_kept(authority, known, error)),
        }
    }

    /// The same, held in memory, since the store failed.
    fn not_kept(&self, authority: &Authority, known: Known, error: Arc<StoreError>) -> Known {
        self.observer.not_kept(authority, &error);
        self.hold(authority, known, NotKept::Store(error))
    }

    /// Keeps what is known in memory, since it is not in the store.
    fn hold(&self, authority: &Authority, known: Known, why: NotKept) -> Known {
        let known = Known {
            not_kept: Some(why),
            ..known
        };
        self.local.hold(authority, &known);
        known
    }
}
