//! Contestants take turns, round by round, so disturbances of the machine affect all of them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use crate::clock::CpuInstant;
use crate::contestant::Contestant;

#[derive(Clone, Copy)]
pub(crate) struct Pace {
    pub(crate) rounds: usize,
    pub(crate) round: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// Nanoseconds of CPU time per call, the median of all rounds.
    Nanoseconds(f64),
    Panicked,
    /// One call took longer than this.
    TooSlow(Duration),
}

pub(crate) fn race(contestants: &mut [Contestant<'_>], pace: Pace) -> Vec<Outcome> {
    let calls: Vec<Option<u64>> = contestants
        .iter_mut()
        .map(|contestant| calls_per_round(contestant, pace.round))
        .collect();
    let mut spans = vec![Vec::with_capacity(pace.rounds); contestants.len()];
    for round in 0..pace.rounds {
        for turn in 0..contestants.len() {
            let at = (round + turn) % contestants.len();
            let span = calls[at].and_then(|calls| per_call(&mut contestants[at], calls));
            spans[at].extend(span);
        }
    }
    spans
        .into_iter()
        .map(|spans| {
            if spans.len() == pace.rounds {
                Outcome::Nanoseconds(median(spans))
            } else {
                Outcome::Panicked
            }
        })
        .collect()
}

/// Returns the median, or 0 without values.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// Returns the number of calls that fill a round, after a warm-up. Returns `None` if the contestant panics.
fn calls_per_round(contestant: &mut Contestant<'_>, round: Duration) -> Option<u64> {
    let mut calls = 1;
    loop {
        let each = per_call(contestant, calls)?;
        let span = each * nanoseconds_of(calls);
        let wanted = round.as_secs_f64() * 1e9;
        if span * 8.0 >= wanted {
            return Some(whole_calls(wanted / each));
        }
        calls *= 2;
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn whole_calls(calls: f64) -> u64 {
    calls.max(1.0) as u64
}

#[allow(clippy::cast_precision_loss)]
fn nanoseconds_of(count: u64) -> f64 {
    count as f64
}

fn per_call(contestant: &mut Contestant<'_>, calls: u64) -> Option<f64> {
    let start = CpuInstant::now();
    catch_unwind(AssertUnwindSafe(|| contestant.run(calls))).ok()?;
    Some(start.elapsed().as_secs_f64() * 1e9 / nanoseconds_of(calls))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Outcome, Pace, median, race};
    use crate::contestant::Contestant;

    #[test]
    fn the_median_is_the_middle_one() {
        assert!((median(vec![3.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
    }

    #[test]
    fn one_panics_and_the_other_is_measured() {
        let mut contestants = [
            Contestant::new("fine", vec![1], |_| true),
            Contestant::new("panics", vec![1], |_| panic!("as asked")),
        ];
        let pace = Pace {
            rounds: 3,
            round: Duration::from_micros(100),
        };
        let outcomes = race(&mut contestants, pace);
        assert!(matches!(outcomes[0], Outcome::Nanoseconds(each) if each > 0.0));
        assert_eq!(outcomes[1], Outcome::Panicked);
    }
}
