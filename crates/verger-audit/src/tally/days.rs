use std::collections::BTreeMap;

use verger_access::Timestamp;

/// Maximum number of days counted individually. A log may contain arbitrary dates.
const DAYS_MAX: usize = 400;

const DAY_SECONDS: u64 = 24 * 60 * 60;

/// Requests by day, in UTC.
#[derive(Clone, Debug, Default)]
pub struct Days {
    by_day: BTreeMap<u64, DayCount>,
    earlier: u64,
}

/// The requests of a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DayCount {
    /// All requests.
    pub requests: u64,
    /// Disallowed requests outside the grace period.
    pub disallowed: u64,
}

impl Days {
    /// Counts requests of a day. If there are too many days, the earliest is dropped.
    pub(crate) fn count(&mut self, time: Timestamp, requests: u64, disallowed: u64) {
        let day = time.unix_seconds() / DAY_SECONDS;
        let counted = self.by_day.entry(day).or_default();
        counted.requests += requests;
        counted.disallowed += disallowed;
        if self.by_day.len() > DAYS_MAX
            && let Some((_, earliest)) = self.by_day.pop_first()
        {
            self.earlier += earliest.requests;
        }
    }

    /// Iterates over the last 400 days with requests, earliest first, each with its start time.
    pub fn iter(&self) -> impl Iterator<Item = (Timestamp, DayCount)> {
        let days = self.by_day.iter();
        days.map(|(day, count)| (Timestamp::from_unix_seconds(day * DAY_SECONDS), *count))
    }

    /// Returns the number of requests on earlier days.
    #[must_use]
    pub fn earlier(&self) -> u64 {
        self.earlier
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_one_by_one_up_to_a_limit() {
        let mut days = Days::default();
        for day in 0..2 * DAYS_MAX as u64 {
            days.count(
                Timestamp::from_unix_seconds(day * DAY_SECONDS + 86_399),
                1,
                day % 2,
            );
        }
        // A line that is out of order.
        days.count(Timestamp::from_unix_seconds(0), 1, 0);
        days.count(Timestamp::from_unix_seconds(0), 0, 1);
        let last = Timestamp::from_unix_seconds((2 * DAYS_MAX as u64 - 1) * DAY_SECONDS);
        days.count(last, 2, 1);
        let counted: Vec<_> = days.iter().collect();
        assert_eq!(counted.len(), DAYS_MAX);
        let expected = DayCount {
            requests: 3,
            disallowed: 2,
        };
        assert_eq!(counted.last(), Some(&(last, expected)));
        assert_eq!(days.earlier(), DAYS_MAX as u64 + 1);
    }
}
