//! Compares histories with the oracle.

use std::fmt::Debug;
use std::ops::Range;

use super::history::History;
use super::knowledge::Told;
use super::oracle::AccessOracle;

/// Compares what `expect` and `play` return for each event of generated histories. The environment
/// variable `VERGER_TEST_HISTORIES` sets the number of seeds. The default is `usual`.
///
/// # Panics
///
/// Panics at a difference, with the seed and the shortest history that still fails.
pub fn hold_histories<T: Debug + PartialEq>(
    usual: u64,
    generate: impl Fn(u64) -> History,
    expect: impl Fn(&History) -> Vec<T>,
    play: impl Fn(&History) -> Vec<T>,
) {
    let difference = |history: &History| difference(&expect(history), &play(history));
    let (mut histories, mut events) = (0, 0);
    for seed in seeds(usual) {
        let history = generate(seed);
        histories += 1;
        events += history.events.len();
        if difference(&history).is_some() {
            let short = history.shortened(|it| difference(it).is_some());
            let differs = difference(&short).unwrap_or_default();
            panic!("seed {seed}:\n{short}{differs}");
        }
    }
    println!("{histories} histories, {events} events");
}

fn seeds(usual: u64) -> Range<u64> {
    let wanted = std::env::var("VERGER_TEST_HISTORIES").ok();
    let wanted = wanted.map(|it| it.parse().expect("VERGER_TEST_HISTORIES is a number"));
    0..wanted.unwrap_or(usual)
}

/// Returns the oracle's answer to each event of a history, and the URLs requested for it.
#[must_use]
pub fn told_by_oracle(history: &History) -> Vec<(Told, Vec<String>)> {
    let mut oracle = AccessOracle::default();
    let events = history.events.iter();
    events.map(|event| oracle.event(event)).collect()
}

fn difference<T: Debug + PartialEq>(expected: &[T], got: &[T]) -> Option<String> {
    assert_eq!(expected.len(), got.len(), "every event has an outcome");
    let mut events = expected.iter().zip(got).enumerate();
    let (number, (expected, got)) = events.find(|(_, (expected, got))| expected != got)?;
    Some(format!(
        "event {number}:\n  expected {expected:?}\n  got      {got:?}"
    ))
}
