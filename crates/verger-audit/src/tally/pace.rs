use serde::Serialize;

/// Requests under a crawl delay. Log times are whole seconds, so a gap counts as too short only if
/// it is too short regardless of rounding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pace {
    /// Requests with a preceding request of the same crawler and a delay in force.
    pub judged: u64,
    /// Requests that came too early.
    pub early: u64,
    /// The longest delay in force, in whole seconds.
    pub delay_seconds: u64,
    /// The shortest gap, in whole seconds.
    pub shortest_gap_seconds: Option<u64>,
}

impl Pace {
    pub(crate) fn count(&mut self, gap_seconds: u64, delay_seconds: u64) {
        self.judged += 1;
        // Times are truncated to seconds, so the true gap is less than one second longer.
        self.early += u64::from(gap_seconds < delay_seconds);
        self.delay_seconds = self.delay_seconds.max(delay_seconds);
        let shortest = self.shortest_gap_seconds.unwrap_or(gap_seconds);
        self.shortest_gap_seconds = Some(shortest.min(gap_seconds));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_early_where_no_clock_makes_it_long_enough() {
        let mut pace = Pace::default();
        for gap in [0, 1, 3, 4, 5] {
            pace.count(gap, 5);
        }
        assert_eq!((pace.judged, pace.early), (5, 4));
        assert_eq!(
            (pace.delay_seconds, pace.shortest_gap_seconds),
            (5, Some(0))
        );
        let mut pace = Pace::default();
        pace.count(0, 1);
        assert_eq!(pace.early, 1);
    }
}
