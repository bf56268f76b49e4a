//! `Pacing`: how fast and when a crawler should send requests (V-75, V-76, V-77).

use alloc::vec::Vec;

use crate::crawl_delay::{CrawlDelay, crawl_delay};
use crate::day_window::TimeOfDay;
use crate::key_search::may_have_key;
use crate::request_rate::{RequestRate, request_rates};
use crate::visit_time::{VisitTime, visit_times};
use verger::{Crawler, Reading, RobotsTxt, allocated_bytes};
use verger_simd::FirstByteSet;

const KEYS: [&str; 3] = ["crawl-delay", "request-rate", "visit-time"];

/// The first bytes of a line with such a key: the key, or white space.
const FIRST_BYTES: FirstByteSet = FirstByteSet::new(b"crv \t\x0B\x0C");

/// How fast and when a site wants a crawler to send requests. Before the first rule of a group, a
/// value is for the user-agent lines directly above it, and after a rule for the whole group (V-87).
/// Each value has its line. Times are in milliseconds and in UTC.
///
/// It never changes what may be accessed, and it borrows nothing from the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pacing {
    crawl_delay: Option<CrawlDelay>,
    request_rates: Vec<RequestRate>,
    visit_times: Vec<VisitTime>,
}

impl Pacing {
    /// The pacing of a file without pacing records.
    pub const NONE: Self = Self {
        crawl_delay: None,
        request_rates: Vec::new(),
        visit_times: Vec::new(),
    };

    /// Creates a pacing from values, for example stored ones. Rates and times must be in file
    /// order.
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

    /// Reads the pacing of a body for one crawler, like [`pacing()`]. It only parses bodies in
    /// which some line may have such a key. Most have none.
    #[must_use]
    pub fn read(body: &[u8], crawler: &Crawler, reading: impl Into<Reading>) -> Self {
        let reading = reading.into();
        if may_have_key(body, &reading, &FIRST_BYTES, &KEYS) {
            pacing(&RobotsTxt::parse(body, reading), crawler)
        } else {
            Self::NONE
        }
    }

    /// Returns whether the file has no pacing for the crawler.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self == &Self::NONE
    }

    /// Returns the minimum delay between two requests ([`crawl_delay()`]).
    #[must_use]
    pub fn crawl_delay(&self) -> Option<CrawlDelay> {
        self.crawl_delay
    }

    /// Returns the rates, in file order ([`request_rates()`]).
    #[must_use]
    pub fn request_rates(&self) -> &[RequestRate] {
        &self.request_rates
    }

    /// Returns the parts of the day in which the crawler is welcome, in file order. If there are
    /// none, it is welcome at any time ([`visit_times()`]).
    #[must_use]
    pub fn visit_times(&self) -> &[VisitTime] {
        &self.visit_times
    }

    /// Returns the time between two requests sent at `time`, in milliseconds, that obeys the delay
    /// and every rate that applies then. Returns 0 if none applies. No document defines how they
    /// combine, but the longest wait obeys them all. V-75, V-76.
    #[must_use]
    pub fn wait_milliseconds(&self, time: TimeOfDay) -> u64 {
        let rates = self.request_rates.iter();
        let rates = rates.filter(|rate| rate.window().is_none_or(|it| it.contains(time)));
        let delay = self.crawl_delay.map_or(0, |delay| delay.milliseconds());
        rates
            .map(RequestRate::interval_milliseconds)
            .fold(delay, u64::max)
    }

    /// Returns whether the crawler is welcome at `time`: within any visit time, or always if there
    /// are none. V-77.
    #[must_use]
    pub fn is_welcome_at(&self, time: TimeOfDay) -> bool {
        let mut times = self.visit_times.iter();
        self.visit_times.is_empty() || times.any(|it| it.window().contains(time))
    }

    /// Returns the heap memory in use, in bytes, including allocator overhead.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let rates = self.request_rates.capacity() * size_of::<RequestRate>();
        let times = self.visit_times.capacity() * size_of::<VisitTime>();
        allocated_bytes(rates) + allocated_bytes(times)
    }
}

/// Returns how fast and when the file wants `crawler` to send requests. V-75, V-76, V-77, V-87.
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
    use alloc::format;
    use verger::dialect::{EncodingMismatch, OtherRecords};
    use verger::{Dialect, ProductToken};

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
        assert!(!pacing.is_none() && pacing.heap_bytes() > 0);
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

    /// Most bodies are not parsed.
    #[test]
    fn the_pacing_of_a_body_is_that_of_its_tree() {
        let crawler = Crawler::unnamed();
        let strict = Reading::new(Dialect::Rfc9309);
        let lenient = strict.with_other_records(OtherRecords::Lenient);
        let bridging = lenient.with_encoding_mismatch(EncodingMismatch::Bridge);
        let keys = [
            "crawl-delay",
            "REQUEST-RATE",
            "Visit-Time ",
            "crawldelay",
            "crawl_delay",
        ];
        let values = ["7", "1/9", "0600-0700", "8", "9"];
        let mut found = 0;
        for (bytes, nth) in (200..600).zip((0..5).cycle()) {
            let padding = &"-t-r-d-".repeat(bytes / 7 + 1)[..bytes];
            let indent = ["", " ", "\t \t", "\u{C}\u{B}"][bytes % 4];
            let end = ["\n", "\r", "\r\n"][bytes % 3];
            let line = format!("{indent}{}: {}", keys[nth], values[nth]);
            let text = format!("User-agent: *\n#{padding}{end}{line}{end}Disallow: /a\n");
            let marked = format!("\u{FEFF}{text}");
            let utf16 = marked.encode_utf16().flat_map(u16::to_le_bytes);
            let utf16: Vec<u8> = utf16.collect();
            for (body, reading) in [
                (text.as_bytes(), strict),
                (text.as_bytes(), lenient),
                (text.as_bytes(), Reading::new(Dialect::Google)),
                (
                    marked
                        .trim_start_matches("\u{FEFF}User-agent: *\n")
                        .as_bytes(),
                    strict,
                ),
                (&utf16, bridging),
            ] {
                let read = Pacing::read(body, &crawler, reading);
                let of_tree = super::pacing(&RobotsTxt::parse(body, reading), &crawler);
                assert_eq!(read, of_tree, "{bytes} {line}");
                found += usize::from(!read.is_none());
            }
        }
        // All dialects read three of the five keys. In two dialects a control byte makes a line
        // invalid.
        assert!(found > 400 * 3 * 3 / 5, "{found}");
    }
}
