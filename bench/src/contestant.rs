//! `Contestant`: an engine with one prepared question.

use std::hint::black_box;

/// The timed part of a measurement. Everything before `run` is untimed.
pub(crate) struct Contestant<'i> {
    pub(crate) label: String,
    ask_all: Box<dyn FnMut(u64) -> u64 + 'i>,
}

impl<'i> Contestant<'i> {
    /// Cycles through the items, and continues after the last run. The loop is compiled with `ask`, so a call costs
    /// nothing else.
    pub(crate) fn new<T: 'i>(
        label: impl Into<String>,
        items: Vec<T>,
        mut ask: impl FnMut(&T) -> bool + 'i,
    ) -> Self {
        let mut next = 0;
        let ask_all = move |calls| {
            let mut allowed = 0;
            for _ in 0..calls {
                allowed += u64::from(black_box(ask(black_box(&items[next]))));
                next = if next + 1 == items.len() { 0 } else { next + 1 };
            }
            allowed
        };
        Self {
            label: label.into(),
            ask_all: Box::new(ask_all),
        }
    }

    /// Creates a contestant from `ask_all`, which takes a number of calls and returns the number of positive answers.
    #[cfg(feature = "client")]
    pub(crate) fn looping(label: impl Into<String>, ask_all: impl FnMut(u64) -> u64 + 'i) -> Self {
        Self {
            label: label.into(),
            ask_all: Box::new(ask_all),
        }
    }

    /// Makes that many calls, and returns the number of positive answers.
    pub(crate) fn run(&mut self, calls: u64) -> u64 {
        (self.ask_all)(calls)
    }
}

#[cfg(test)]
mod tests {
    use super::Contestant;

    #[test]
    fn goes_on_where_it_stopped() {
        let mut contestant = Contestant::new("odd", vec![1, 2, 3], |number| number % 2 == 1);
        assert_eq!(contestant.run(2), 1);
        assert_eq!(contestant.run(2), 2);
        assert_eq!(contestant.run(3), 2);
    }
}
