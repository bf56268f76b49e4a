use std::collections::BTreeMap;
use std::time::Duration;

/// Maximum number of sites in a queue. A later fetch finds the changes of other sites again.
const SITES_MAX: usize = 1024;

/// The pause after the first failure. It doubles with each further one.
const PAUSE_MIN: Duration = Duration::from_secs(1);
const PAUSE_MAX: Duration = Duration::from_secs(15 * 60);

/// The changes that a receiver has not accepted yet. Times are relative to the start of the watch.
#[derive(Debug)]
pub(crate) struct DeliveryQueue<T> {
    waiting: BTreeMap<String, Waiting<T>>,
    /// Maximum number of attempts per entry, or `None` for no limit.
    attempts_max: Option<u32>,
    is_closed: bool,
    last_number: u64,
}

#[derive(Debug)]
struct Waiting<T> {
    state: T,
    number: u64,
    failures: u32,
    not_before: Duration,
    attempt: Attempt,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attempt {
    None,
    InFlight,
    /// A newer state arrived during the delivery.
    Outdated,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next<T> {
    Deliver(String, T),
    WaitUntil(Duration),
    Wait,
    /// The queue has ended.
    End,
}

impl<T: Clone> DeliveryQueue<T> {
    pub(crate) fn new(attempts_max: Option<u32>) -> Self {
        Self {
            waiting: BTreeMap::new(),
            attempts_max,
            is_closed: false,
            last_number: 0,
        }
    }

    /// Returns whether a state of the site waits or is in flight.
    pub(crate) fn has(&self, site: &str) -> bool {
        self.waiting.contains_key(site)
    }

    /// Adds the newest state of a site. Returns false if the queue is full.
    pub(crate) fn push(&mut self, site: &str, state: T) -> bool {
        if let Some(waiting) = self.waiting.get_mut(site) {
            waiting.state = state;
            if waiting.attempt == Attempt::InFlight {
                waiting.attempt = Attempt::Outdated;
            }
            return true;
        }
        if self.waiting.len() == SITES_MAX {
            return false;
        }
        self.last_number += 1;
        let waiting = Waiting {
            state,
            number: self.last_number,
            failures: 0,
            not_before: Duration::ZERO,
            attempt: Attempt::None,
        };
        self.waiting.insert(site.to_owned(), waiting);
        true
    }

    /// Starts the next delivery. A site has at most one at a time.
    pub(crate) fn next(&mut self, now: Duration) -> Next<T> {
        let is_over = self.is_closed && self.waiting.is_empty();
        let idle = self.waiting.iter_mut();
        let idle = idle.filter(|(_, waiting)| waiting.attempt == Attempt::None);
        let first = idle.min_by_key(|(_, it)| (it.not_before.max(now), it.number));
        match first {
            Some((site, waiting)) if waiting.not_before <= now => {
                waiting.attempt = Attempt::InFlight;
                Next::Deliver(site.clone(), waiting.state.clone())
            }
            Some((_, waiting)) => Next::WaitUntil(waiting.not_before),
            None if is_over => Next::End,
            None => Next::Wait,
        }
    }

    /// Removes a delivered entry, or readies its newer state.
    pub(crate) fn taken(&mut self, site: &str) {
        if let Some(waiting) = self.waiting.get_mut(site) {
            if waiting.attempt == Attempt::Outdated {
                waiting.attempt = Attempt::None;
                (waiting.failures, waiting.not_before) = (0, Duration::ZERO);
            } else {
                self.waiting.remove(site);
            }
        }
    }

    /// Schedules another attempt, after the entries that wait. Returns true if the entry is given up instead.
    pub(crate) fn failed(&mut self, site: &str, now: Duration) -> bool {
        let Some(waiting) = self.waiting.get_mut(site) else {
            return true;
        };
        self.last_number += 1;
        waiting.number = self.last_number;
        waiting.attempt = Attempt::None;
        waiting.failures += 1;
        if self.attempts_max.is_some_and(|max| waiting.failures >= max) {
            self.waiting.remove(site);
            return true;
        }
        let doublings = (waiting.failures - 1).min(16);
        waiting.not_before = now + (PAUSE_MIN * (1 << doublings)).min(PAUSE_MAX);
        false
    }

    /// Puts an entry off, which is not a failure.
    pub(crate) fn later(&mut self, site: &str, not_before: Duration) {
        if self.attempts_max == Some(0) {
            self.waiting.remove(site);
        } else if let Some(waiting) = self.waiting.get_mut(site) {
            waiting.attempt = Attempt::None;
            waiting.not_before = not_before;
        }
    }

    pub(crate) fn close(&mut self) {
        self.is_closed = true;
    }

    /// Drops every entry that is not in flight.
    pub(crate) fn give_up(&mut self) {
        self.close();
        self.waiting.retain(|_, it| it.attempt != Attempt::None);
        self.attempts_max = Some(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn deliver(site: &str, state: u32) -> Next<u32> {
        Next::Deliver(site.to_owned(), state)
    }

    #[test]
    fn a_slow_receiver_holds_up_no_other_site_and_gets_the_newest_state() {
        let mut queue = DeliveryQueue::new(None);
        assert!(queue.push("b", 1) && queue.push("a", 1));
        assert_eq!(queue.next(seconds(0)), deliver("b", 1));
        // While it is in flight, another site can be delivered, but not a second state of the same
        // one.
        assert!(queue.push("b", 2) && queue.push("b", 3));
        assert_eq!(queue.next(seconds(0)), deliver("a", 1));
        assert_eq!(queue.next(seconds(0)), Next::Wait);
        queue.taken("a");
        queue.taken("b");
        assert_eq!(queue.next(seconds(0)), deliver("b", 3));
        queue.close();
        assert_eq!(queue.next(seconds(0)), Next::Wait);
        queue.taken("b");
        assert_eq!(queue.next(seconds(0)), Next::End);
    }

    #[test]
    fn an_entry_that_failed_goes_behind_those_that_wait() {
        let mut queue = DeliveryQueue::new(None);
        for site in ["a", "b", "c"] {
            queue.push(site, 1);
        }
        assert_eq!(queue.next(seconds(0)), deliver("a", 1));
        queue.failed("a", seconds(0));
        for site in ["b", "c", "a"] {
            assert_eq!(queue.next(seconds(9)), deliver(site, 1));
        }
    }

    #[test]
    fn pauses_double_up_to_a_quarter_of_an_hour() {
        let mut queue = DeliveryQueue::new(None);
        queue.push("a", 1);
        let mut now = Duration::ZERO;
        let mut pauses = Vec::new();
        for _ in 0..40 {
            assert_eq!(queue.next(now), deliver("a", 1));
            assert!(!queue.failed("a", now));
            let Next::WaitUntil(next) = queue.next(now) else {
                panic!("nothing is due before the pause is over");
            };
            pauses.push(next.as_secs() - now.as_secs());
            now = next;
        }
        assert_eq!(pauses[..11], [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900]);
        assert!(pauses[11..].iter().all(|pause| *pause == 900));
        assert_eq!(queue.next(now), deliver("a", 1));
        queue.push("a", 2);
        queue.taken("a");
        // A state that arrived meanwhile is delivered at once and starts with a short pause.
        assert_eq!(queue.next(now), deliver("a", 2));
        queue.failed("a", now);
        assert_eq!(queue.next(now), Next::WaitUntil(now + seconds(1)));
    }

    #[test]
    fn after_the_last_attempt_an_entry_is_given_up() {
        let mut queue = DeliveryQueue::new(Some(2));
        queue.push("a", 1);
        queue.close();
        assert_eq!(queue.next(seconds(0)), deliver("a", 1));
        assert!(!queue.failed("a", seconds(0)));
        assert_eq!(queue.next(seconds(1)), deliver("a", 1));
        assert!(queue.failed("a", seconds(1)));
        assert_eq!(queue.next(seconds(1)), Next::End);
    }

    #[test]
    fn a_queue_that_gives_up_keeps_what_is_in_flight_alone() {
        let mut queue = DeliveryQueue::new(None);
        queue.push("a", 1);
        queue.push("b", 1);
        assert_eq!(queue.next(seconds(0)), deliver("a", 1));
        queue.give_up();
        assert_eq!(queue.next(seconds(0)), Next::Wait);
        assert!(queue.failed("a", seconds(0)));
        assert_eq!(queue.next(seconds(0)), Next::End);
    }

    #[test]
    fn no_more_sites_wait_than_a_bound() {
        let mut queue = DeliveryQueue::new(None);
        for site in 0..SITES_MAX {
            assert!(queue.push(&site.to_string(), 1));
        }
        assert!(!queue.push("one more", 1));
        assert!(
            queue.push("0", 2),
            "a newer state takes the place of the older one"
        );
        assert_eq!(queue.next(seconds(0)), deliver("0", 2));
    }
}
