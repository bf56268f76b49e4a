use std::fmt;

const PROBLEMS_MAX: u64 = 10;

/// Only the first ones are kept.
#[derive(Debug)]
pub(super) struct RowProblems {
    /// `line` or `element`.
    unit: &'static str,
    sentences: Vec<String>,
    met: u64,
}

impl RowProblems {
    pub(super) const fn of(unit: &'static str) -> Self {
        Self {
            unit,
            sentences: Vec::new(),
            met: 0,
        }
    }

    /// Numbers start at 1.
    pub(super) fn add(&mut self, name: &str, number: u64, problem: impl fmt::Display) {
        self.met += 1;
        if self.met <= PROBLEMS_MAX {
            self.sentences
                .push(format!("{name}, {} {number}: {problem}", self.unit));
        } else if self.met == PROBLEMS_MAX + 1 {
            self.sentences
                .push(format!("{name}: problems of further rows are not listed"));
        }
    }

    /// Returns each message once.
    pub(super) fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.sentences)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_problems_are_said() {
        let mut problems = RowProblems::of("line");
        for line in 1..=8 {
            problems.add("a", line, "no text");
        }
        assert_eq!(problems.take()[7], "a, line 8: no text");
        for line in 9..=100 {
            problems.add("a", line, "no text");
        }
        assert_eq!(
            problems.take(),
            [
                "a, line 9: no text",
                "a, line 10: no text",
                "a: problems of further rows are not listed"
            ]
        );
    }
}
