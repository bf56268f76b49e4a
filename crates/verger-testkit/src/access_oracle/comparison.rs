//! Histories, held against the oracle.

use std::ops::Range;

use super::history::History;
use super::knowledge::Told;
use super::oracle::AccessOracle;

/// What came of an event: the answer, and the URLs that were requested for it.
type Outcome = (Told, Vec<String>);

/// Holds what the oracle makes of histories against what `play` makes of them: of those that
/// `generate` makes of as many seeds as the environment variable `VERGER_TEST_HISTORIES` says, or
/// else of `usual` seeds.
///
/// # Panics
///
/// With the seed and the history, as short as it fails, where they differ.
pub fn hold_histories(
    usual: u64,
    generate: impl Fn(u64) -> History,
    play: impl Fn(&History) -> Vec<Outcome>,
) {
    let (mut histories, mut events) = (0, 0);
    for seed in seeds(usual) {
        let history = generate(seed);
        histories += 1;
        events += history.events.len();
        if difference(&history, &play).is_some() {
            let short = history.shortened(|it| difference(it, &play).is_some());
            let differs = difference(&short, &play).unwrap_or_default();
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

/// The first event whose outcome is another one than the oracle's, in words.
fn difference(history: &History, play: impl Fn(&History) -> Vec<Outcome>) -> Option<String> {
    let mut oracle = AccessOracle::default();
    let played = play(history);
    assert_eq!(
        played.len(),
        history.events.len(),
        "every event has an outcome"
    );
    for (number, (event, got)) in history.events.iter().zip(played).enumerate() {
        let expected = oracle.event(event);
        if got != expected {
            let differs = format!("expected {expected:?}\n  got      {got:?}");
            return Some(format!("event {number}:\n  {differs}"));
        }
    }
    None
}
