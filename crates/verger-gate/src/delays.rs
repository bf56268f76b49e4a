//! `Delays`: when the next request to each site may be sent.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Mutex as Turn;
use tokio::time::{Instant, sleep_until};

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
    by_name: HashMap<String, Arc<Turn<Site>>>,
    /// How many there may be before the next look for those that can be forgotten.
    kept_max: usize,
}

#[derive(Debug, Default)]
struct Site {
    /// When the last request was sent.
    last: Option<Instant>,
    /// The delay that was kept then.
    delay: Duration,
}

impl Delays {
    /// Waits until `delay` has passed since the last request to `site`, and counts the one that the caller
    /// sends now.
    pub(crate) async fn turn(&self, site: &str, delay: Duration) {
        if delay.is_zero() {
            return;
        }
        let turn = self.site(site);
        let mut turn = turn.lock().await;
        if let Some(last) = turn.last {
            sleep_until(last + delay).await;
        }
        turn.last = Some(Instant::now());
        turn.delay = delay;
    }

    fn site(&self, name: &str) -> Arc<Turn<Site>> {
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

/// Whether a request waits for the site, or would have to wait if it came now.
fn is_waited_for(site: &Arc<Turn<Site>>, now: Instant) -> bool {
    Arc::strong_count(site) > 1
        || site
            .try_lock()
            .is_ok_and(|site| site.last.is_some_and(|last| now < last + site.delay))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn requests_to_one_site_take_turns() {
        let delays = Arc::new(Delays::default());
        let start = Instant::now();
        let mut waiting = Vec::new();
        for site in ["a", "b", "a", "a"] {
            let delays = Arc::clone(&delays);
            waiting.push(tokio::spawn(async move {
                delays.turn(site, SECOND).await;
                start.elapsed().as_secs()
            }));
        }
        // The third is dropped while it waits, and takes no turn.
        tokio::task::yield_now().await;
        waiting.remove(2).abort();
        let mut sent = Vec::new();
        for task in waiting {
            sent.push(task.await.unwrap());
        }
        assert_eq!(sent, [0, 0, 1]);
    }

    #[tokio::test(start_paused = true)]
    async fn sites_whose_delay_has_passed_are_forgotten() {
        let delays = Delays::default();
        for number in 0..10 * SITES_KEPT {
            delays.turn(&number.to_string(), SECOND).await;
            tokio::time::advance(SECOND / 64).await;
            let held = delays.sites.lock().unwrap().by_name.len();
            assert!(held <= SITES_KEPT, "{held}");
        }
        let held = delays.site("10239").lock().await.last;
        assert!(held.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn no_delay_takes_no_turn() {
        let delays = Delays::default();
        delays.turn("a", Duration::ZERO).await;
        assert!(delays.sites.lock().unwrap().by_name.is_empty());
    }
}
