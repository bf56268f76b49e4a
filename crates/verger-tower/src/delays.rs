//! `Delays`: when the next request to each site may be sent.

use std::collections::HashMap;
use std::mem;
use std::sync::{self, Arc, PoisonError};
use std::time::Duration;

use tokio::sync::{Mutex, MutexGuard};
use tokio::time::{Instant, sleep, timeout};

/// Number of sites above which sites whose delay has passed are removed.
const SITES_KEPT: usize = 1024;

/// The times at which the next request to each site may be sent.
#[derive(Debug, Default)]
pub(crate) struct Delays {
    sites: sync::Mutex<Sites>,
}

#[derive(Debug, Default)]
struct Sites {
    by_name: HashMap<String, Arc<Site>>,
    /// Number of sites at which those without a recent request are removed.
    kept_max: usize,
}

/// A site. Requests to it take turns in order of arrival. A request that is dropped while it waits does not use its
/// turn.
#[derive(Debug, Default)]
pub(crate) struct Site {
    /// Held by the request that is sent next. Waiting requests get it in order of arrival.
    turn: Mutex<()>,
    requests: sync::Mutex<Requests>,
}

/// The requests to one site. The lock is held for a few instructions, never during a wait.
#[derive(Debug, Default)]
struct Requests {
    /// When the last one was sent.
    last: Option<Instant>,
    /// The delay that was kept before it.
    delay: Duration,
    /// Sum of the delays of all requests that are not sent yet. A delay is never zero.
    waiting: Duration,
}

/// A wait would exceed the longest permitted one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLong;

impl Delays {
    pub(crate) fn site(&self, name: &str) -> Arc<Site> {
        let mut sites = self.sites.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(site) = sites.by_name.get(name) {
            return Arc::clone(site);
        }
        if sites.by_name.len() >= sites.kept_max.max(SITES_KEPT) {
            let now = Instant::now();
            sites.by_name.retain(|_, site| is_waited_for(site, now));
            // Double the limit, so each site is checked only a few times.
            sites.kept_max = sites.by_name.len() * 2;
        }
        let site = Arc::default();
        sites.by_name.insert(name.to_owned(), Arc::clone(&site));
        site
    }
}

impl Site {
    fn requests(&self) -> sync::MutexGuard<'_, Requests> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until `delay`, which is not zero, has passed since the last request. The other requests wait until the
    /// returned turn is dropped. Fails immediately if the earlier requests need longer than `longest`, and after
    /// `longest` if they turn out to need longer.
    pub(crate) async fn turn(
        &self,
        delay: Duration,
        longest: Option<Duration>,
    ) -> Result<Turn<'_>, TooLong> {
        let waiting = self.join(delay, longest)?;
        let turn = waiting.turn(longest.and_then(|longest| Instant::now().checked_add(longest)));
        match longest {
            None => Ok(turn.await),
            Some(longest) => timeout(longest, turn).await.map_err(|_| TooLong),
        }
    }

    fn join(&self, delay: Duration, longest: Option<Duration>) -> Result<Waiting<'_>, TooLong> {
        let mut requests = self.requests();
        let wait = requests.wait(Instant::now(), delay);
        if longest.is_some_and(|longest| wait > longest) {
            return Err(TooLong);
        }
        requests.waiting = requests.waiting.saturating_add(delay);
        Ok(Waiting { site: self, delay })
    }
}

impl Requests {
    /// Returns how long one more request would wait if each waiting request is sent as early as possible.
    fn wait(&self, now: Instant, delay: Duration) -> Duration {
        let since = self.last.map(|last| now.saturating_duration_since(last));
        let left = since.map_or(Duration::ZERO, |since| delay.saturating_sub(since));
        self.waiting.saturating_add(left)
    }
}

/// A waiting request. It stops waiting when it is dropped.
struct Waiting<'s> {
    site: &'s Site,
    delay: Duration,
}

impl<'s> Waiting<'s> {
    async fn turn(self, latest: Option<Instant>) -> Turn<'s> {
        let held = self.site.turn.lock().await;
        sleep(self.left()).await;
        Turn {
            waiting: self,
            latest,
            _held: held,
        }
    }

    /// Returns the rest of the delay since the last request.
    fn left(&self) -> Duration {
        let last = self.site.requests().last;
        last.map_or(Duration::ZERO, |last| {
            self.delay.saturating_sub(last.elapsed())
        })
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut requests = self.site.requests();
        requests.waiting = requests.waiting.saturating_sub(self.delay);
    }
}

pub(crate) struct Turn<'s> {
    waiting: Waiting<'s>,
    /// The latest time until which the request may wait.
    latest: Option<Instant>,
    _held: MutexGuard<'s, ()>,
}

impl Turn<'_> {
    /// Waits for the rest of a delay that has grown since the request began to wait, and returns whether it had. A
    /// shorter delay changes nothing, because the original one has passed.
    pub(crate) async fn lengthen(&mut self, delay: Duration) -> Result<bool, TooLong> {
        let Some(more) = delay
            .checked_sub(self.waiting.delay)
            .filter(|it| !it.is_zero())
        else {
            return Ok(false);
        };
        {
            let mut requests = self.waiting.site.requests();
            requests.waiting = requests.waiting.saturating_add(more);
            self.waiting.delay = delay;
        }
        let left = self.waiting.left();
        let is_in_time = |latest: Instant| left <= latest.saturating_duration_since(Instant::now());
        if !self.latest.is_none_or(is_in_time) {
            return Err(TooLong);
        }
        sleep(left).await;
        Ok(true)
    }

    /// Returns the delay, and how long the request may still wait.
    pub(crate) fn limits(&self) -> (Duration, Option<Duration>) {
        let left = |latest: Instant| latest.saturating_duration_since(Instant::now());
        (self.waiting.delay, self.latest.map(left))
    }

    /// Records that the request is sent now.
    pub(crate) fn sent(mut self) {
        // Change both under one lock, so no other request counts this one twice.
        let mut requests = self.waiting.site.requests();
        let delay = mem::take(&mut self.waiting.delay);
        requests.waiting = requests.waiting.saturating_sub(delay);
        requests.last = Some(Instant::now());
        requests.delay = delay;
    }
}

/// Returns whether requests wait for the site, or a new one would have to.
fn is_waited_for(site: &Arc<Site>, now: Instant) -> bool {
    let requests = site.requests();
    let is_recent = |last| now.saturating_duration_since(last) < requests.delay;
    Arc::strong_count(site) > 1 || requests.last.is_some_and(is_recent)
}

#[cfg(test)]
mod tests {
    use tokio::task::JoinHandle;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    async fn turn(
        delays: &Delays,
        site: &str,
        delay: Duration,
        longest: Option<Duration>,
    ) -> Result<(), TooLong> {
        let site = delays.site(site);
        site.turn(delay, longest).await.map(Turn::sent)
    }

    /// Sends a request that waits for its turn. It returns after how many seconds it got the turn, or `None` if that
    /// took too long.
    fn waiting(
        delays: &Arc<Delays>,
        site: &'static str,
        longest: Option<Duration>,
    ) -> JoinHandle<Option<u64>> {
        let (delays, start) = (Arc::clone(delays), Instant::now());
        tokio::spawn(async move {
            let turn = turn(&delays, site, SECOND, longest).await;
            turn.ok().map(|()| start.elapsed().as_secs())
        })
    }

    #[tokio::test(start_paused = true)]
    async fn requests_to_one_site_take_turns() {
        let delays = Arc::new(Delays::default());
        let mut requests: Vec<_> = ["a", "b", "a", "a"]
            .map(|site| waiting(&delays, site, None))
            .into();
        // The third request is dropped while it waits, and uses no turn.
        tokio::task::yield_now().await;
        requests.remove(2).abort();
        let mut sent = Vec::new();
        for request in requests {
            sent.push(request.await.unwrap());
        }
        assert_eq!(sent, [Some(0), Some(0), Some(1)]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_wait_that_is_known_to_be_too_long_fails_at_once() {
        let delays = Arc::new(Delays::default());
        let start = Instant::now();
        let longest = Some(2 * SECOND);
        let requests = [(); 4].map(|()| waiting(&delays, "a", longest));
        tokio::task::yield_now().await;
        // The requests that already wait would be sent after one and two seconds.
        assert!(requests[3].is_finished());
        assert_eq!(turn(&delays, "a", SECOND, longest).await, Err(TooLong));
        assert_eq!(start.elapsed(), Duration::ZERO);
        // A dropped request makes room.
        let [first, second, third, fourth] = requests;
        second.abort();
        assert!(second.await.unwrap_err().is_cancelled());
        assert_eq!(turn(&delays, "a", SECOND, longest).await, Ok(()));
        assert_eq!(start.elapsed(), 2 * SECOND);
        assert_eq!(first.await.unwrap(), Some(0));
        assert_eq!(third.await.unwrap(), Some(1));
        assert_eq!(fourth.await.unwrap(), None);
        assert_eq!(delays.site("a").requests().waiting, Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn a_wait_that_turns_out_to_be_too_long_fails_then() {
        let delays = Delays::default();
        turn(&delays, "a", SECOND, None).await.unwrap();
        // The next request keeps its turn, because nothing runs it.
        let site = delays.site("a");
        let held = site.turn.lock().await;
        let start = Instant::now();
        let longest = Some(3 * SECOND);
        assert_eq!(turn(&delays, "a", SECOND, longest).await, Err(TooLong));
        assert_eq!(start.elapsed(), 3 * SECOND);
        drop(held);
        assert_eq!(turn(&delays, "a", SECOND, longest).await, Ok(()));
        assert_eq!(start.elapsed(), 3 * SECOND);
    }

    #[tokio::test(start_paused = true)]
    async fn the_longest_delay_of_all_is_no_overflow() {
        let delays = Arc::new(Delays::default());
        let longest = Some(SECOND);
        assert_eq!(turn(&delays, "a", Duration::MAX, longest).await, Ok(()));
        assert_eq!(
            turn(&delays, "a", Duration::MAX, longest).await,
            Err(TooLong)
        );
        let requests = [(); 3].map(|()| {
            let delays = Arc::clone(&delays);
            tokio::spawn(async move { turn(&delays, "a", Duration::MAX, None).await })
        });
        tokio::task::yield_now().await;
        for request in requests {
            assert!(!request.is_finished());
            request.abort();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn sites_whose_delay_has_passed_are_forgotten() {
        let delays = Delays::default();
        for number in 0..10 * SITES_KEPT {
            let turn = turn(&delays, &number.to_string(), SECOND, None).await;
            turn.unwrap();
            tokio::time::advance(SECOND / 64).await;
            let held = delays.sites.lock().unwrap().by_name.len();
            assert!(held <= SITES_KEPT, "{held}");
        }
        let held = delays.site("10239").requests().last;
        assert!(held.is_some());
    }

    /// While one request has its turn and is not sent, the others wait. Their delays begin when it is sent.
    #[tokio::test(start_paused = true)]
    async fn a_delay_begins_when_the_request_before_is_sent() {
        let delays = Arc::new(Delays::default());
        let start = Instant::now();
        let site = delays.site("a");
        let first = site.turn(SECOND, None).await.unwrap();
        let others = [(); 2].map(|()| waiting(&delays, "a", None));
        let hasty = waiting(&delays, "a", Some(2 * SECOND));
        sleep(5 * SECOND).await;
        assert_eq!(hasty.await.unwrap(), None);
        first.sent();
        // A request that is not sent leaves its turn to the next.
        drop(site.turn(SECOND, None).await.unwrap());
        assert_eq!(start.elapsed(), 8 * SECOND);
        let [second, third] = others;
        assert_eq!(second.await.unwrap(), Some(6));
        assert_eq!(third.await.unwrap(), Some(7));
        assert_eq!(turn(&delays, "a", SECOND, None).await, Ok(()));
        assert_eq!(start.elapsed(), 8 * SECOND);
        assert_eq!(site.requests().waiting, Duration::ZERO);
    }
}
