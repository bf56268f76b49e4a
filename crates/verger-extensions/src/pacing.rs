//! `Pacing`: how fast and when a crawler is asked to send requests (V-75, V-76, V-77).

use alloc::vec::Vec;

use crate::crawl_delay::{CrawlDelay, crawl_delay};
use crate::day_window::TimeOfDay;
use crate::request_rate::{RequestRate, request_rates};
use crate::visit_time::{VisitTime, visit_times};
use verger::{Crawler, RobotsTxt, allocated_octets};

/// How fast and when the groups that apply to a crawler ask it to send requests. Each value has the
/// line that it comes from; times are in milliseconds and in UTC.
///
/// It never changes what may be accessed. It borrows nothing from the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pacing {
    crawl_delay: Option<CrawlDelay>,
    request_rates: Vec<RequestRate>,
    visit_times: Vec<VisitTime>,
}

impl Pacing {
    /// The pacing of a file that asks for nothing.
    pub const NONE: Self = Self {
        crawl_delay: None,
        request_rates: Vec::new(),
        visit_times: Vec::new(),
    };

    /// The pacing of these values, such as ones that were kept; rates and times in file order.
    #[must_use]
    pub fn new(
        crawl_delay: Option<CrawlDelay>,
        request_rates: Vec<RequestRate>,
        visit_times: Vec<VisitTime>,
    ) -> Self {
        Self {
            crawl_delay,
            request_rates,
            visit_times,
        }
    }

    /// Whether the file asks for nothing.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self == &Self::NONE
    }

    /// Returns the delay between two requests ([`crawl_delay()`]).
    #[must_use]
    pub fn crawl_delay(&self) -> Option<CrawlDelay> {
        self.crawl_delay
    }

    /// Returns the rates, in file order ([`request_rates()`]).
    #[must_use]
    pub fn request_rates(&self) -> &[RequestRate] {
        &self.request_rates
    }

    /// Returns the parts of the day in which the crawler is welcome, in file order; it may come at any
    /// time where there are none ([`visit_times()`]).
    #[must_use]
    pub fn visit_times(&self) -> &[VisitTime] {
        &self.visit_times
    }

    /// Returns how many milliseconds a crawler waits between two requests that it sends at `time`, so
    /// that it obeys the delay and every rate that applies then; 0 where none does. No document says
    /// how they combine: the longest wait obeys them all. V-75, V-76.
    #[must_use]
    pub fn wait_milliseconds(&self, time: TimeOfDay) -> u64 {
        let rates = self.request_rates.iter();
        let rates = rates.filter(|rate| rate.window().is_none_or(|it| it.contains(time)));
        let delay = self.crawl_delay.map_or(0, |delay| delay.milliseconds());
        rates
            .map(RequestRate::interval_milliseconds)
            .fold(delay, u64::max)
    }

    /// Whether the crawler is welcome at `time`: in any of the visit times, or always where there are
    /// none. V-77.
    #[must_use]
    pub fn is_welcome_at(&self, time: TimeOfDay) -> bool {
        let mut times = self.visit_times.iter();
        self.visit_times.is_empty() || times.any(|it| it.window().contains(time))
    }

    /// Returns how many octets it takes on the heap, with what the allocator adds.
    #[must_use]
    pub fn heap_octets(&self) -> usize {
        let rates = self.request_rates.capacity() * size_of::<RequestRate>();
        let times = self.visit_times.capacity() * size_of::<VisitTime>();
        allocated_octets(rates) + allocated_octets(times)
    }
}

/// Returns how fast and when the groups that apply to `crawler` ask it to send requests. V-75,
/// V-76, V-77.
#[must_use]
pub fn pacing(robots: &RobotsTxt, crawler: &Crawler) -> Pacing {
    Pacing {
        crawl_delay: crawl_delay(robots, crawler),
        request_rates: request_rates(robots, crawler),
        visit_times: visit_times(robots, crawler),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::day_window::DayWindow;
    use verger::Dialect;
    use verger::ProductToken;

    fn pacing(body: &str) -> Pacing {
        let crawler = Crawler::from(ProductToken::new("FooBot").unwrap());
        super::pacing(&RobotsTxt::parse(body, Dialect::Rfc9309), &crawler)
    }

    fn at(hours: u8, minutes: u8) -> TimeOfDay {
        TimeOfDay::new(hours, minutes).unwrap()
    }

    const BODY: &str = "User-agent: FooBot\nCrawl-delay: 2\nRequest-rate: 1/10 0800-1159\n\
                        Request-rate: 3/10\nVisit-time: 0600-0845\nVisit-time: 2300-0100\nDisallow: /a\n\
                        User-agent: *\nCrawl-delay: 60\n";

    #[test]
    fn the_values_are_those_of_the_groups_that_apply_with_their_lines() {
        let pacing = pacing(BODY);
        let delay = pacing.crawl_delay().unwrap();
        assert_eq!((delay.milliseconds(), delay.line().get()), (2000, 2));
        let rates: Vec<_> = pacing
            .request_rates()
            .iter()
            .map(|rate| (rate.interval_milliseconds(), rate.line().get()))
            .collect();
        assert_eq!(rates, [(10_000, 3), (3334, 4)]);
        let times = pacing.visit_times().iter();
        assert_eq!(times.map(|it| it.line().get()).collect::<Vec<_>>(), [5, 6]);
        assert!(!pacing.is_none() && pacing.heap_octets() > 0);
    }

    #[test]
    fn it_is_made_again_of_its_values() {
        let read = pacing(BODY);
        let delay = read.crawl_delay().unwrap();
        let rates = read.request_rates().iter().map(|it| {
            let (requests, seconds) = (it.requests(), it.seconds());
            RequestRate::new(requests, seconds, it.window(), it.line()).unwrap()
        });
        let times = read.visit_times().iter().map(|it| {
            let (first, last) = (it.window().first(), it.window().last());
            VisitTime::new(DayWindow::new(first, last), it.line())
        });
        let delay = CrawlDelay::new(delay.milliseconds(), delay.line());
        let again = Pacing::new(Some(delay), rates.collect(), times.collect());
        assert_eq!(again, read);
        assert_eq!(RequestRate::new(0, 1, None, delay.line()), None);
        assert_eq!(RequestRate::new(1, 0, None, delay.line()), None);
    }

    #[test]
    fn the_longest_wait_that_applies_at_a_time_counts() {
        let pacing = pacing(BODY);
        assert_eq!(pacing.wait_milliseconds(at(7, 59)), 3334);
        assert_eq!(pacing.wait_milliseconds(at(8, 0)), 10_000);
        assert_eq!(pacing.wait_milliseconds(at(11, 59)), 10_000);
        assert_eq!(pacing.wait_milliseconds(at(12, 0)), 3334);
        let slow = self::pacing("User-agent: *\nCrawl-delay: 20\nRequest-rate: 9/1\n");
        assert_eq!(slow.wait_milliseconds(at(0, 0)), 20_000);
    }

    #[test]
    fn a_crawler_is_welcome_in_any_of_the_visit_times() {
        let pacing = pacing(BODY);
        for (time, is_welcome) in [
            (at(5, 59), false),
            (at(6, 0), true),
            (at(8, 45), true),
            (at(8, 46), false),
            (at(23, 0), true),
            (at(1, 0), true),
            (at(1, 1), false),
        ] {
            assert_eq!(pacing.is_welcome_at(time), is_welcome, "{time}");
        }
    }

    #[test]
    fn a_file_that_asks_for_nothing_has_no_pacing() {
        let none = pacing("User-agent: *\nCrawl-delay: soon\nDisallow: /\n");
        assert_eq!(none, Pacing::NONE);
        assert!(none.is_none() && none.is_welcome_at(at(3, 0)));
        assert_eq!(none.wait_milliseconds(at(3, 0)), 0);
    }
}
