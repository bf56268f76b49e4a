//! `Fetcher`: returns the knowledge about an authority, with one fetch for all callers.

use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::task::yield_now;
use tokio::time::{Instant, timeout_at};
use url::Url;
use verger_access::{
    Authority, HopVerdict, Jitter, Outcome, RestOfSite, Scheme, Timestamp, TransportFailure,
};
use verger_store::Shortage;

use crate::fetch::active_count::ActiveCount;
use crate::fetch::async_store::{
    AsyncStore, CALL_LEAST, HeldLease, LeaseOutcome, LeaseRequest, StoreQuery,
};
use crate::fetch::chain::{FetchContext, RunningFetch};
use crate::fetch::client_error::ClientError;
use crate::fetch::ending::{Attempted, Ending};
use crate::fetch::fetched::Fetched;
use crate::fetch::gathered_reads::StoreResult;
use crate::fetch::known::{Known, Wanted};
use crate::fetch::lease_wait::LeaseWait;
use crate::fetch::local_knowledge::LocalKnowledge;
use crate::fetch::not_kept::NotKept;
use crate::fetch::observer::Observer;
use crate::fetch::purpose::{HopPolicy, Purpose};
use crate::fetch::single_flight::{Joining, SharedTask, SingleFlight};
use crate::fetch::spans::{self, Span};
use crate::fetch::wait_graph::WaitGraph;
use crate::future::BoxFuture;
use crate::transport::fetch_permit::{FetchPermit, FetchPermits};

/// Duration of a lease, renewed during the fetch. If a process is killed, others wait at most this
/// long.
const LEASE: Duration = Duration::from_secs(15);

/// Maximum wait for another process while another fetch waits for this one.
const HOP_LEASE_WAIT_MAX: Duration = Duration::from_secs(10);

type FetchResult = Result<Arc<Known>, ClientError>;

pub(crate) struct Fetcher {
    pub(crate) context: FetchContext,
    pub(crate) store: AsyncStore,
    pub(crate) local: LocalKnowledge,
    pub(crate) single_flight: SingleFlight<Authority, Purpose, FetchResult>,
    pub(crate) permits: FetchPermits,
    pub(crate) wait_graph: WaitGraph,
    pub(crate) active: ActiveCount,
    pub(crate) holder: Arc<str>,
    pub(crate) jitter: Box<dyn Fn() -> Jitter + Send + Sync>,
    pub(crate) observer: Arc<dyn Observer>,
}

struct FetchJob {
    known: Known,
    lease: StoreResult<HeldLease>,
    hops: HopPolicy,
    running: RunningFetch,
}

impl Fetcher {
    pub(crate) fn now(&self) -> Timestamp {
        self.context.clock.now()
    }

    /// Cancels all fetches and releases their leases. Later fetches are refused.
    pub(crate) async fn close(&self) {
        self.single_flight.close();
        self.active.end().await;
    }

    /// Returns knowledge as recent as `wanted`. Without a deadline, the time starts with the fetch
    /// permit.
    pub(crate) async fn find_out(
        self: &Arc<Self>,
        authority: &Authority,
        wanted: Wanted,
        deadline: Option<Instant>,
    ) -> FetchResult {
        if authority.scheme() == Scheme::Other {
            return Err(ClientError::SchemeNotFetched(Box::new(authority.clone())));
        }
        let runtime = Handle::try_current().map_err(|_| ClientError::NoRuntime)?;
        let purpose = Purpose {
            wanted,
            hops: HopPolicy::Checked,
            deadline,
        };
        let found = self.shared(&runtime, authority, purpose);
        let Some(deadline) = deadline else {
            return found.await;
        };
        // A complete reply may still need to be stored.
        let last = deadline.checked_add(CALL_LEAST).unwrap_or(deadline);
        let found = timeout_at(last, found).await;
        found.unwrap_or_else(|_| Err(ClientError::OutOfTime(Box::new(authority.clone()))))
    }

    /// Returns the result of a fetch that others may share.
    async fn shared(
        self: &Arc<Self>,
        runtime: &Handle,
        authority: &Authority,
        purpose: Purpose,
    ) -> FetchResult {
        let last_number = self.single_flight.last_number();
        let accepts = |other: &SharedTask<Purpose, FetchResult>| {
            let is_new_enough = match purpose.wanted {
                Wanted::Now => other.number > last_number,
                Wanted::Fresh | Wanted::Newer(_) => true,
            };
            let is_met = purpose.wanted.is_met_by(other.purpose.wanted);
            // A fetch that does not check hops may have a different result.
            is_new_enough && is_met && other.purpose.hops == HopPolicy::Checked
        };
        loop {
            let start = || self.task(authority.clone(), purpose);
            match (self.single_flight).join_or_start(runtime, authority, purpose, accepts, start) {
                Joining::Joined(task) => {
                    let theirs = task.purpose.deadline;
                    let outcome = task.outcome().await;
                    let ends_later = |theirs| purpose.deadline.is_none_or(|own| own > theirs);
                    let is_out_of_time = matches!(&outcome, Some(Err(ClientError::OutOfTime(_))));
                    if is_out_of_time && theirs.is_some_and(ends_later) {
                        // The other call's deadline has passed, not this one's. The table may still
                        // list the task.
                        yield_now().await;
                        continue;
                    }
                    return outcome.unwrap_or_else(|| Err(self.cancelled(authority)));
                }
                Joining::Busy(task) => {
                    drop(task.outcome().await);
                    yield_now().await;
                }
            }
        }
    }

    fn cancelled(&self, authority: &Authority) -> ClientError {
        if self.single_flight.is_closed() {
            return ClientError::Closed;
        }
        ClientError::Cancelled(Box::new(authority.clone()))
    }

    /// Decides whether the robots.txt of its own authority allows the URL of a redirect. `from` is
    /// the authority whose fetch is `running`. Fails only if this machine runs out of a resource.
    /// G-3xx-2.
    async fn ask_about_hop(
        self: Arc<Self>,
        from: Authority,
        running: RunningFetch,
        url: Url,
    ) -> Result<HopVerdict, Shortage> {
        let (Ok(authority), Ok(runtime)) =
            (Authority::from_parsed_url(&url), Handle::try_current())
        else {
            return Ok(HopVerdict::Unknown);
        };
        let Some(_wait) = self.wait_graph.begin(&from, &authority) else {
            return Ok(HopVerdict::Unknown);
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
        // The other fetch needs a permit as well, so lend this one's during the wait.
        let outcome = running.permit.lent_during(joining.task().outcome());
        let outcome = timeout_at(running.deadline, outcome).await;
        let known = match outcome.ok().flatten() {
            Some(Ok(known)) => known,
            Some(Err(ClientError::Shortage { shortage, .. })) => return Err(shortage),
            Some(Err(_)) | None => return Ok(HopVerdict::Unknown),
        };
        // An override further on closes this fetch, and is not a rule about the hop.
        let answer = self.context.answer(&known, RestOfSite::default());
        let answer = answer.filter(|answer| !answer.is_overridden());
        Ok(answer.map_or(HopVerdict::Unknown, |answer| {
            HopVerdict::new(&answer, &self.context.crawler, &url)
        }))
    }

    /// Boxed because a fetch may wait for another, and the type would contain itself.
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
        let is_met = |known: &Known| self.context.is_met(wanted, known);
        let local = self.local.known(authority);
        // If the snapshot is also in the store, the store may have a newer one.
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
            Err(error) => Err(ClientError::unless_shortage(authority, error)?),
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
                // The store fails now, but what was read from it before is valid.
                Err(error) => {
                    let error = ClientError::unless_shortage(authority, error)?;
                    let known = std::mem::replace(&mut known, Err(Arc::clone(&error)));
                    let known = known.ok().or_else(|| local.clone());
                    (known.unwrap_or_default(), Err(error))
                }
                Ok(LeaseOutcome::HeldElsewhere { holder }) => {
                    drop(permit);
                    let lease_wait =
                        lease_wait.get_or_insert_with(|| self.lease_wait(authority, hops, limit));
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
            match self.attempt(authority, job).await? {
                Attempted::Known(known) if self.context.applies(&known) => return Ok(*known),
                Attempted::Known(_) | Attempted::LeaseLost | Attempted::NotSent => {}
            }
            if Instant::now() >= limit {
                return Err(ClientError::OutOfTime(Box::new(authority.clone())));
            }
        }
    }

    async fn acquire(
        self: &Arc<Self>,
        asked: StoreQuery<'_>,
        local: Option<Known>,
        wanted: Wanted,
    ) -> StoreResult<LeaseOutcome> {
        let lease = LeaseRequest {
            holder: Arc::clone(&self.holder),
            duration: LEASE,
        };
        let fetcher = Arc::clone(self);
        let is_met = move |known: &Known| fetcher.context.is_met(wanted, known);
        (self.store.acquire(asked, local, is_met, self.now(), lease)).await
    }

    /// Creates the wait for another process. The wait is short if another fetch waits for this one,
    /// because the processes may be waiting for each other.
    fn lease_wait(&self, authority: &Authority, hops: HopPolicy, deadline: Instant) -> LeaseWait {
        let longest = self.context.limits.lease_wait_max;
        let longest = match hops {
            HopPolicy::Checked => longest,
            HopPolicy::Followed => longest.min(HOP_LEASE_WAIT_MAX),
        };
        LeaseWait::until(deadline, longest, |wake| self.store.watch(authority, wake))
    }

    /// Waits for a fetch permit. A fetch that another one waits for goes ahead of fetches that have
    /// not begun.
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

    async fn attempt(
        self: &Arc<Self>,
        authority: &Authority,
        mut job: FetchJob,
    ) -> Result<Attempted, ClientError> {
        self.observer.begun(authority);
        let span = Span::of_fetch(authority);
        let ending = span.around(self.ending(authority, &mut job)).await;
        let (deadline, lease) = (job.running.deadline, job.lease);
        drop(job.running.permit);
        let profile = &self.context.profile;
        let mut knowledge = job.known.knowledge;
        let mut record = |fetched: &Fetched| {
            knowledge.record(&fetched.attempt, profile, (self.jitter)());
            let answer = knowledge.answer(profile, fetched.attempt.last.at, RestOfSite::default());
            spans::fetched(authority, fetched.attempt.last.outcome);
            self.observer.ended(authority, fetched, &answer);
            answer
        };
        let (fetched, why_not_kept) = match ending {
            Ending::Fact(fetched) => {
                let answer = record(&fetched);
                let fetched = Arc::new(fetched);
                let known = Known::fetched(knowledge, Arc::clone(&fetched));
                return match lease {
                    Ok(lease) => {
                        let put = self.put(authority, known, &fetched, &answer, lease, deadline);
                        put.await
                    }
                    Err(error) => Ok(Attempted::Known(Box::new(
                        self.not_kept(authority, known, error),
                    ))),
                };
            }
            Ending::Shortage(shortage) => {
                self.observer.cut_short(authority, &shortage);
                self.release(lease, deadline).await;
                return Err(ClientError::of_shortage(authority, shortage));
            }
            Ending::NotSent(fetched) => {
                record(&fetched);
                self.release(lease, deadline).await;
                return Ok(Attempted::NotSent);
            }
            Ending::RefusedHere(fetched) if fetched.overridden_at.is_some() => {
                (fetched, Some(NotKept::Overridden))
            }
            Ending::RefusedHere(fetched) => (fetched, Some(NotKept::RefusedHere)),
            Ending::Unchecked(fetched) => (fetched, None),
        };
        record(&fetched);
        self.release(lease, deadline).await;
        let known = Known::fetched(knowledge, Arc::new(fetched));
        Ok(Attempted::Known(Box::new(match why_not_kept {
            Some(why) => self.hold(authority, known, why),
            None => known,
        })))
    }

    async fn release(&self, lease: StoreResult<HeldLease>, deadline: Instant) {
        if let Ok(lease) = lease {
            self.store.release(lease, deadline).await;
        }
    }

    async fn ending(self: &Arc<Self>, authority: &Authority, job: &mut FetchJob) -> Ending {
        let begun = Instant::now();
        let unchecked = Arc::new(AtomicBool::new(false));
        let FetchJob {
            known,
            lease,
            hops,
            running,
        } = job;
        let hop = |url| -> BoxFuture<'static, Result<HopVerdict, Shortage>> {
            match hops {
                HopPolicy::Checked => {
                    let (fetcher, from) = (Arc::clone(self), authority.clone());
                    Box::pin(fetcher.ask_about_hop(from, running.clone(), url))
                }
                HopPolicy::Followed => {
                    unchecked.store(true, Ordering::Relaxed);
                    Box::pin(async { Ok(HopVerdict::Unknown) })
                }
            }
        };
        let copy = known.knowledge.copy.as_ref();
        let fetch = self.context.fetch(authority, copy, running, hop);
        let fetched = match lease {
            Ok(lease) => {
                let now = || self.now();
                self.store.holding(lease, LEASE, now, fetch).await
            }
            Err(_) => fetch.await,
        };
        let fetched = match fetched {
            Ok(fetched) => fetched,
            Err(shortage) => return Ending::Shortage(shortage),
        };
        if fetched.is_not_sent || self.ran_out_early(&fetched, begun, running.deadline) {
            Ending::NotSent(fetched)
        } else if unchecked.load(Ordering::Relaxed) {
            Ending::Unchecked(fetched)
        } else if fetched.attempt.last.outcome.is_about_the_site() {
            Ending::Fact(fetched)
        } else {
            Ending::RefusedHere(fetched)
        }
    }

    /// Returns `true` if the deadline ended a fetch that had begun with little time left. That is
    /// not a fact about the site.
    fn ran_out_early(&self, fetched: &Fetched, begun: Instant, deadline: Instant) -> bool {
        let timeout = Outcome::Failed(TransportFailure::Timeout);
        let had = deadline.saturating_duration_since(begun);
        fetched.attempt.last.outcome == timeout
            && Instant::now() >= deadline
            && had < self.context.limits.deadline / 2
    }
}
