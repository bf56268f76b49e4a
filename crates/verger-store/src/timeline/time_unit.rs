//! The lengths of time slots, and the marks of an axis.

use verger_access::Timestamp;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// The usual lengths of slots, in seconds. Longer slots double the last one repeatedly.
const UNITS: [u64; 17] = [
    MINUTE,
    2 * MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    15 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    3 * HOUR,
    4 * HOUR,
    6 * HOUR,
    8 * HOUR,
    12 * HOUR,
    DAY,
    2 * DAY,
    4 * DAY,
    7 * DAY,
];

fn units() -> impl Iterator<Item = u64> {
    let longest = UNITS[UNITS.len() - 1];
    let doubled = std::iter::successors(longest.checked_mul(2), |unit| unit.checked_mul(2));
    UNITS.into_iter().chain(doubled).chain([u64::MAX])
}

/// Returns the start of the first slot, the length of each, and their number, for the time from `first` to `last`. Uses
/// the shortest slots of which at most `slots_max` (two or more) are needed.
pub(super) fn slots(first: u64, last: u64, slots_max: u64) -> (u64, u64, u64) {
    let slots = |unit| (first / unit, last / unit - first / unit + 1);
    let fits = |unit: &u64| slots(*unit).1 <= slots_max;
    let unit = units().find(fits).unwrap_or(u64::MAX);
    let (start, count) = slots(unit);
    (start * unit, unit, count)
}

/// A mark on an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AxisMark {
    /// The slot that begins at the mark.
    pub slot: usize,
    /// A date, or a date without its year and a time of day.
    pub label: String,
}

/// Returns the marks of an axis over slots of `unit` seconds that begin at the times `starts`, at least
/// `slots_between` slots apart. If none fits, the only mark is at the start.
pub(super) fn axis_marks(
    starts: impl ExactSizeIterator<Item = Timestamp>,
    unit: u64,
    slots_between: usize,
) -> Vec<AxisMark> {
    let slots_between = slots_between as u64;
    let is_wide = |step: &u64| step.is_multiple_of(unit) && step / unit >= slots_between;
    let step = units().find(is_wide).unwrap_or(u64::MAX);
    let mut first = None;
    let marks = starts.enumerate().filter_map(|(slot, start)| {
        let mark = AxisMark {
            slot,
            label: label(start, step),
        };
        if start.unix_seconds().is_multiple_of(step) {
            return Some(mark);
        }
        first.get_or_insert(mark);
        None
    });
    let marks: Vec<_> = marks.collect();
    match (marks.is_empty(), first) {
        (true, Some(first)) => vec![first],
        _ => marks,
    }
}

fn label(time: Timestamp, step: u64) -> String {
    let text = time.to_string();
    match (text.get(..10), text.get(5..10), text.get(11..16)) {
        (Some(date), _, Some(_)) if step.is_multiple_of(DAY) => date.to_owned(),
        (_, Some(day), Some(minutes)) => format!("{day} {minutes}"),
        // A year after 9999.
        _ => text,
    }
}

/// Formats the length of a slot for people: `1 day`, `30 minutes`.
#[must_use]
pub fn unit_text(seconds: u64) -> String {
    let (length, noun) = match seconds {
        seconds if seconds.is_multiple_of(DAY) => (DAY, "day"),
        seconds if seconds.is_multiple_of(HOUR) => (HOUR, "hour"),
        _ => (MINUTE, "minute"),
    };
    match seconds / length {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-09-21 14:13:20 UTC.
    const START: u64 = 1_790_000_000;

    #[test]
    fn slots_are_the_shortest_that_are_few_enough() {
        for (length, slots_max, unit, count) in [
            (0, 60, MINUTE, 1),
            (59 * MINUTE, 60, MINUTE, 60),
            (60 * MINUTE, 60, 2 * MINUTE, 31),
            (29 * DAY, 60, 12 * HOUR, 59),
            (30 * DAY, 60, DAY, 31),
            (365 * DAY, 60, 7 * DAY, 53),
            (3650 * DAY, 60, 112 * DAY, 34),
        ] {
            let (start, found, slots) = slots(START, START + length, slots_max);
            assert_eq!((found, slots), (unit, count), "{length}");
            assert!(start <= START && START - start < unit);
        }
    }

    #[test]
    fn any_time_has_a_slot() {
        for (first, last) in [(0, 0), (0, u64::MAX), (u64::MAX, u64::MAX), (1, u64::MAX)] {
            for slots_max in [2, 60, 1000] {
                let (start, unit, count) = slots(first, last, slots_max);
                assert!((1..=slots_max).contains(&count));
                assert!(start <= first && (last - start) / unit < count);
            }
        }
    }

    #[test]
    fn a_length_has_its_largest_unit() {
        for (seconds, text) in [
            (MINUTE, "1 minute"),
            (90 * MINUTE, "90 minutes"),
            (HOUR, "1 hour"),
            (36 * HOUR, "36 hours"),
            (DAY, "1 day"),
            (14 * DAY, "14 days"),
        ] {
            assert_eq!(unit_text(seconds), text);
        }
    }
}
