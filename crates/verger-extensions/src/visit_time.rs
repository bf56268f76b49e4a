//! `Visit-time`: when a crawler is welcome (V-77).

use alloc::vec::Vec;
use core::fmt;

use crate::day_window::DayWindow;
use crate::records_for::pacing_records_for;
use verger::{Crawler, LineNumber, RecordKind, RobotsTxt};

/// A part of the day in which a crawler is welcome. Outside of it, the crawler should come later.
///
/// It is written as `0600-0845`, in UTC. V-77.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VisitTime {
    window: DayWindow,
    line: LineNumber,
}

impl VisitTime {
    /// Creates a visit time on that line, for example a stored one.
    #[must_use]
    pub fn new(window: DayWindow, line: LineNumber) -> Self {
        Self { window, line }
    }

    /// Returns the part of the day.
    #[must_use]
    pub fn window(&self) -> DayWindow {
        self.window
    }

    /// Returns the line number.
    #[must_use]
    pub fn line(&self) -> LineNumber {
        self.line
    }
}

impl fmt::Display for VisitTime {
    /// Writes `HHMM-HHMM`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.window.fmt(f)
    }
}

/// Returns when `crawler` is welcome, in file order (V-87). An empty list means any time. Invalid
/// lines are left out.
///
/// The record was meant to occur once in a group. No document defines how several combine, so all
/// are returned. V-77.
#[must_use]
pub fn visit_times(robots: &RobotsTxt, crawler: &Crawler) -> Vec<VisitTime> {
    pacing_records_for(robots, crawler, RecordKind::VisitTime)
        .into_iter()
        .filter_map(|record| {
            Some(VisitTime {
                window: DayWindow::parse(record.value())?,
                line: record.line(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use verger::Dialect;

    #[test]
    fn valid_windows_are_given_in_file_order() {
        let robots = RobotsTxt::parse(
            "User-agent: *\nVisit-time: 0600-0845\nVisit-time: 2700-0800\nVisit-time: 2200 - 0100",
            Dialect::Rfc9309,
        );
        let times: Vec<_> = visit_times(&robots, &Crawler::unnamed())
            .iter()
            .map(|time| (time.line().get(), time.to_string()))
            .collect();
        assert_eq!(
            times,
            [(2, "0600-0845".to_string()), (4, "2200-0100".to_string())]
        );
    }
}
