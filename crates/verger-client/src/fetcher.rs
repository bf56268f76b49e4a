//! `Fetcher`: finds out what is to be known about an authority; one fetch however many ask.

use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep};
use url::Url;
use verger::Crawler;
use verger_access::{Authority, HopVerdict, Jitter, RestOfSite, Timestamp};
use verger_store::{KeptHeaders, Observation, StoreError};

use crate::chain::Line;
use crate::client_error::ClientError;
use crate::flights::{Boarding, Flights};
use crate::future::BoxFuture;
use crate::known::{Known, Wanted};
use crate::observer::Observer;
use crate::store_desk::{Errand, HeldLease, LeaseRequest, StoreDesk};
use crate::turn::Turn;
use crate::waits::Waits;

/// How long to wait before looking again whether somebody else has fetched; it doubles.
const LOOK_AGAIN_FIRST: Duration = Duration::from_millis(20);

/// The longest such wait.
const LOOK_AGAIN_LONGEST: Duration = Duration::from_secs(1);

/// For how long the right to fetch is asked for. It is renewed while the fetch lasts; where a process
/// is killed, others wait no longer than this.
const LEASE: Duration = Duration::from_secs(15);

/// The longest wait for another process on behalf of a fetch.
const HOP_ELSEWHERE_LONGEST: Duration = Duration::from_secs(10);

/// What a fetch does where a redirect leads to a URL that its own authority may disallow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hops {
    /// It finds out.
    AskedAbout,
    /// It follows. Such is a fetch that began on behalf of another one: else a chain of them would
    /// have no end.
    Followed,
}

/// What a running fetch is for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Purpose {
    wanted: Wanted,
    hops: Hops,
}

type Outcome = Result<Arc<Known>, ClientError>;

/// Finds out what is to be known about an authority.
pub(crate) struct Fetcher {
    pub(crate) line: Line,
    pub(crate) desk: StoreDesk,
    pub(crate) flights: Flights<Authority, Purpose, Outcome>,
    pub(crate) permits: Arc<Semaphore>,
    pub(crate) waits: Waits,
    /// Whose verdict counts on the way.
    pub(crate) crawler: Crawler,
    pub(crate) holder: Arc<str>,
    pub(crate) jitter: Box<dyn Fn() -> Jitter + Send + Sync>,
    pub(crate) observer: Arc<dyn Observer>,
}

impl Fetcher {
    pub(crate) fn now(&self) -> Timestamp {
        self.line.clock.now()
    }

    /// What is known, as new as is wanted.
    pub(crate) async fn find_out(
        self: &Arc<Self>,
        authority: &Authority,
        wanted: Wanted,
    ) -> Outcome {
        let runtime = Handle::try_current().map_err(|_| ClientError::NoRuntime)?;
        let purpose = Purpose {
            wanted,
            hops: Hops::AskedAbout,
        };
        loop {
            // What a fetch finds that asks about no hop may not be what one finds that does.
            let does =
                |other: &Purpose| wanted.is_met_by(other.wanted) && other.hops == Hops::AskedAbout;
            let start = || self.flight(authority.clone(), purpose);
            match self
                .flights
                .board(&runtime, authority, purpose, does, start)
            {
                Boarding::Joined(flight) => {
                    let given_up = || ClientError::GivenUp(Box::new(authority.clone()));
                    return flight.landing().await.ok_or_else(given_up)?;
                }
                Boarding::Otherwise(flight) => drop(flight.landing().await),
            }
        }
    }

    /// What the robots.txt of its own authority says about a URL on the way from `from`, whose
    /// fetch has that turn. G-3xx-2.
    async fn ask_about_hop(
        self: Arc<Self>,
        from: Authority,
        turn: Option<Arc<Turn>>,
        url: Url,
    ) -> HopVerdict {
        let (Ok(authority), Ok(runtime)) = (Authority::of_url(&url), Handle::try_current()) else {
            return HopVerdict::Unknown;
        };
        let Some(_wait) = self.waits.begin(&from, &authority) else {
            return HopVerdict::Unknown;
        };
        let purpose = Purpose {
            wanted: Wanted::Fresh,
            hops: Hops::Followed,
        };
        let start = || self.flight(authority.clone(), purpose);
        let boarding = self
            .flights
            .board(&runtime, &authority, purpose, |_| true, start);
        let flight = boarding.flight();
        let landed = match (flight.purpose.hops, &turn) {
            // It may be waiting for a turn, which those who wait for it must not keep from it.
            (Hops::AskedAbout, Some(turn)) => turn.lent_during(flight.landing()).await,
            _ => flight.landing().await,
        };
        let known = landed.and_then(Result::ok);
        known.map_or(HopVerdict::Unknown, |known| self.hop_verdict(&known, &url))
    }

    fn hop_verdict(&self, known: &Known, url: &Url) -> HopVerdict {
        let answer = known.answer(&self.line.profile, self.now(), RestOfSite::default());
        HopVerdict::of(&answer, &self.crawler, url)
    }

    /// Boxed, since a fetch may wait for another one, whose type would be part of its own.
    fn flight(
        self: &Arc<Self>,
        authority: Authority,
        purpose: Purpose,
    ) -> BoxFuture<'static, Outcome> {
        let fetcher = Arc::clone(self);
        Box::pin(async move { fetcher.fly(&authority, purpose).await.map(Arc::new) })
    }

    async fn fly(
        self: Arc<Self>,
        authority: &Authority,
        purpose: Purpose,
    ) -> Result<Known, ClientError> {
        let wanted = purpose.wanted;
        let known = self.desk.known(authority, &self.line.profile).await?;
        if wanted.is_met(&known, &self.line.profile, self.now()) {
            return Ok(known);
        }
        let since = Instant::now();
        let mut look_again = LOOK_AGAIN_FIRST;
        loop {
            let turn = self.turn(purpose.hops).await;
            let (profile, now) = (&self.line.profile, self.now());
            let lease = LeaseRequest {
                holder: Arc::clone(&self.holder),
                duration: LEASE,
            };
            match self
                .desk
                .errand(authority, profile, wanted, now, lease)
                .await?
            {
                Errand::None(known) => return Ok(known),
                Errand::Fetch(known, lease) => {
                    let fetch = self.fetch(authority, known, lease, purpose, turn);
                    if let Some(known) = fetch.await? {
                        return Ok(known);
                    }
                }
                Errand::Wait { holder } => {
                    drop(turn);
                    if since.elapsed() > self.patience(purpose.hops) {
                        let authority = Box::new(authority.clone());
                        return Err(ClientError::HeldElsewhere { authority, holder });
                    }
                    sleep(look_again).await;
                    look_again = (look_again * 2).min(LOOK_AGAIN_LONGEST);
                }
            }
        }
    }

    /// How long to wait for another process. It may in turn wait for a fetch that waits for this one.
    fn patience(&self, hops: Hops) -> Duration {
        let longest = self.line.limits.elsewhere_max;
        match hops {
            Hops::AskedAbout => longest,
            Hops::Followed => longest.min(HOP_ELSEWHERE_LONGEST),
        }
    }

    /// The right to fetch at all. A fetch that began on behalf of another one has that one's.
    async fn turn(&self, hops: Hops) -> Option<Arc<Turn>> {
        match hops {
            Hops::AskedAbout => Some(Arc::new(Turn::take(&self.permits).await)),
            Hops::Followed => None,
        }
    }

    /// Fetches and puts what was seen; `None` where the right to put it was lost on the way.
    async fn fetch(
        self: &Arc<Self>,
        authority: &Authority,
        known: Known,
        mut lease: HeldLease,
        purpose: Purpose,
        turn: Option<Arc<Turn>>,
    ) -> Result<Option<Known>, ClientError> {
        self.observer.begun(authority);
        let unasked = Arc::new(AtomicBool::new(false));
        let hop = |url| -> BoxFuture<'static, HopVerdict> {
            match purpose.hops {
                Hops::AskedAbout => {
                    let (fetcher, from) = (Arc::clone(self), authority.clone());
                    Box::pin(fetcher.ask_about_hop(from, turn.clone(), url))
                }
                Hops::Followed => {
                    unasked.store(true, Ordering::Relaxed);
                    Box::pin(async { HopVerdict::Unknown })
                }
            }
        };
        let copy = known.knowledge.copy.as_ref();
        let fetch = self.line.fetch(authority, copy, hop);
        let holding = self.desk.holding(&mut lease, LEASE, || self.now(), fetch);
        let fetched = holding.await;
        drop(turn);
        let profile = &self.line.profile;
        let mut knowledge = known.knowledge;
        knowledge.record(&fetched.attempt, profile, (self.jitter)());
        let answer = knowledge.answer(profile, fetched.attempt.last.at, RestOfSite::default());
        self.observer.ended(authority, &fetched, &answer);
        if unasked.load(Ordering::Relaxed) {
            // Good for the question that it was made for, and not for a day.
            return Ok(Some(Known {
                knowledge,
                snapshot: None,
                fetched: Some(Arc::new(fetched)),
            }));
        }
        let observation = Observation {
            authority: authority.clone(),
            profile: profile.name.clone(),
            attempt: fetched.attempt.clone(),
            knowledge,
            headers: KeptHeaders::of(&fetched.headers),
            peer: fetched.peer(),
            fresh_until: answer.ask_again_at(),
        };
        let knowledge = observation.knowledge.clone();
        let snapshot = match self.desk.put(observation, lease).await? {
            Ok(id) => Some(id),
            Err(StoreError::LeaseLost(_)) => return Ok(None),
            Err(error) => {
                self.observer.not_kept(authority, &error);
                None
            }
        };
        Ok(Some(Known {
            knowledge,
            snapshot,
            fetched: Some(Arc::new(fetched)),
        }))
    }
}
