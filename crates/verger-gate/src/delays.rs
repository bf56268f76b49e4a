//! `Delays`: when the next request to each site may be sent.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Mutex as Turn;
use tokio::time::{Instant, sleep, timeout};

/// Sites that are remembered before those whose delay has passed are forgotten.
const SITES_KEPT: usize = 1024;

/// When the next request to each site may be sent. Requests to one site take turns in the order in which
/// they came; one that is dropped while it waits takes none.
#[derive(Debug, Default)]
pub(crate) struct Delays {
    sites: Mutex<Sites>,
}

#[derive(Debug, Default)]
struct Sites {
    by_name: HashMap<String, Arc<Site>>,
    /// How many there may be before the next look for those that can be forgotten.
    kept_max: usize,
}

#[derive(Debug, Default)]
struct Site {
    /// Held by the request that is sent next; requests get it in the order in which they came.
    turn: Turn<()>,
    requests: Mutex<Requests>,
}

/// The requests to one site. Locked for a few instructions, and never during a wait.
#[derive(Debug, Default)]
struct Requests {
    /// When the last one was sent.
    last: Option<Instant>,
    /// The delay that was kept then.
    delay: Duration,
    /// The delays of all that wait, added up. A delay is never zero.
    waiting: Duration,
}

/// The wait would be longer than the longest one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLong;

impl Delays {
    /// Waits until `delay` has passed since the last request to `site`, and counts the one that the caller
    /// sends now. Fails at once where the requests that came before take longer than `longest` if each is
    /// sent, and after `longest` where they turn out to take longer.
    pub(crate) async fn turn(
        &self,
        site: &str,
        delay: Duration,
        longest: Option<Duration>,
    ) -> Result<(), TooLong> {
        if delay.is_zero() {
            return Ok(());
        }
        let site = self.site(site);
        let Some(waiting) = site.join(delay, longest)? else {
            return Ok(());
        };
        match longest {
            None => waiting.turn().await,
            Some(longest) => timeout(longest, waiting.turn())
                .await
                .map_err(|_| TooLong)?,
        }
        Ok(())
    }

    fn site(&self, name: &str) -> Arc<Site> {
        let mut sites = self.sites.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(site) = sites.by_name.get(name) {
            return Arc::clone(site);
        }
        if sites.by_name.len() >= sites.kept_max.max(SITES_KEPT) {
            let now = Instant::now();
            sites.by_name.retain(|_, site| is_waited_for(site, now));
            // Twice as many, so that each site is looked at a few times only.
            sites.kept_max = sites.by_name.len() * 2;
        }
        let site = Arc::default();
        sites.by_name.insert(name.to_owned(), Arc::clone(&site));
        site
    }
}

impl Site {
    fn requests(&self) -> MutexGuard<'_, Requests> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a request to those that wait; `None` where it is sent now.
    fn join(
        &self,
        delay: Duration,
        longest: Option<Duration>,
    ) -> Result<Option<Waiting<'_>>, TooLong> {
        let mut requests = self.requests();
        let now = Instant::now();
        let wait = requests.wait(now, delay);
        if wait.is_zero() && requests.waiting.is_zero() {
            requests.sent(now, delay);
            return Ok(None);
        }
        if longest.is_some_and(|longest| wait > longest) {
            return Err(TooLong);
        }
        requests.waiting = requests.waiting.saturating_add(delay);
        Ok(Some(Waiting { site: self, delay }))
    }
}

impl Requests {
    /// How long another request waits where each that waits already is sent as early as it may be.
    fn wait(&self, now: Instant, delay: Duration) -> Duration {
        let Some(last) = self.last else {
            return Duration::ZERO;
        };
        let since = now.saturating_duration_since(last);
        self.waiting.saturating_add(delay).saturating_sub(since)
    }

    fn sent(&mut self, now: Instant, delay: Duration) {
        self.last = Some(now);
        self.delay = delay;
    }
}

/// A request that waits; dropped, it waits no longer.
struct Waiting<'s> {
    site: &'s Site,
    delay: Duration,
}

impl Waiting<'_> {
    /// Returns when the request is sent.
    async fn turn(mut self) {
        let _turn = self.site.turn.lock().await;
        let last = self.site.requests().last;
        if let Some(last) = last {
            sleep(self.delay.saturating_sub(last.elapsed())).await;
        }
        // Together, so that no other request counts this one twice.
        let mut requests = self.site.requests();
        let delay = mem::take(&mut self.delay);
        requests.waiting = requests.waiting.saturating_sub(delay);
        requests.sent(Instant::now(), delay);
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut requests = self.site.requests();
        requests.waiting = requests.waiting.saturating_sub(self.delay);
    }
}

/// Whether a request waits for the site, or would have to wait if it came now.
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

    /// A request that waits for its turn, and says after how many seconds it came; `None` where that is too long.
    fn waiting(
        delays: &Arc<Delays>,
        site: &'static str,
        longest: Option<Duration>,
    ) -> JoinHandle<Option<u64>> {
        let (delays, start) = (Arc::clone(delays), Instant::now());
        tokio::spawn(async move {
            let turn = delays.turn(site, SECOND, longest).await;
            turn.ok().map(|()| start.elapsed().as_secs())
        })
    }

    #[tokio::test(start_paused = true)]
    async fn requests_to_one_site_take_turns() {
        let delays = Arc::new(Delays::default());
        let mut requests: Vec<_> = ["a", "b", "a", "a"]
            .map(|site| waiting(&delays, site, None))
            .into();
        // The third is dropped while it waits, and takes no turn.
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
        // Those that wait already would be sent after one and two seconds.
        assert!(requests[3].is_finished());
        assert_eq!(delays.turn("a", SECOND, longest).await, Err(TooLong));
        assert_eq!(start.elapsed(), Duration::ZERO);
        // One that is dropped makes room.
        let [first, second, third, fourth] = requests;
        second.abort();
        assert!(second.await.unwrap_err().is_cancelled());
        assert_eq!(delays.turn("a", SECOND, longest).await, Ok(()));
        assert_eq!(start.elapsed(), 2 * SECOND);
        assert_eq!(first.await.unwrap(), Some(0));
        assert_eq!(third.await.unwrap(), Some(1));
        assert_eq!(fourth.await.unwrap(), None);
        assert_eq!(delays.site("a").requests().waiting, Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn a_wait_that_turns_out_to_be_too_long_fails_then() {
        let delays = Delays::default();
        delays.turn("a", SECOND, None).await.unwrap();
        // The request that is next keeps its turn, since nothing runs it.
        let site = delays.site("a");
        let turn = site.turn.lock().await;
        let start = Instant::now();
        let longest = Some(3 * SECOND);
        assert_eq!(delays.turn("a", SECOND, longest).await, Err(TooLong));
        assert_eq!(start.elapsed(), 3 * SECOND);
        drop(turn);
        assert_eq!(delays.turn("a", SECOND, longest).await, Ok(()));
        assert_eq!(start.elapsed(), 3 * SECOND);
    }

    #[tokio::test(start_paused = true)]
    async fn the_longest_delay_of_all_is_no_overflow() {
        let delays = Arc::new(Delays::default());
        let longest = Some(SECOND);
        assert_eq!(delays.turn("a", Duration::MAX, longest).await, Ok(()));
        assert_eq!(delays.turn("a", Duration::MAX, longest).await, Err(TooLong));
        let requests = [(); 3].map(|()| {
            let delays = Arc::clone(&delays);
            tokio::spawn(async move { delays.turn("a", Duration::MAX, None).await })
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
            let turn = delays.turn(&number.to_string(), SECOND, None).await;
            turn.unwrap();
            tokio::time::advance(SECOND / 64).await;
            let held = delays.sites.lock().unwrap().by_name.len();
            assert!(held <= SITES_KEPT, "{held}");
        }
        let held = delays.site("10239").requests().last;
        assert!(held.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn no_delay_takes_no_turn() {
        let delays = Delays::default();
        assert_eq!(delays.turn("a", Duration::ZERO, None).await, Ok(()));
        assert!(delays.sites.lock().unwrap().by_name.is_empty());
    }
}
