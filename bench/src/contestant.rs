//! `Contestant`: one engine with one question prepared.

use std::hint::black_box;

/// What is timed: `run`, and nothing that happened before.
pub(crate) struct Contestant<'i> {
    pub(crate) label: String,
    ask_all: Box<dyn FnMut(u64) -> u64 + 'i>,
}

impl<'i> Contestant<'i> {
    /// Asks about the items in turn, beginning anew at the end, going on where the last run
    /// stopped. The loop is compiled with `ask`, so that nothing but `ask` is paid per call.
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

    /// Asks as `ask_all` does, which takes how many times and returns how often the answer was yes.
    #[cfg(feature = "client")]
    pub(crate) fn looping(label: impl Into<String>, ask_all: impl FnMut(u64) -> u64 + 'i) -> Self {
        Self {
            label: label.into(),
            ask_all: Box::new(ask_all),
        }
    }

    /// Asks that many times, and says how often the answer was yes.
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
