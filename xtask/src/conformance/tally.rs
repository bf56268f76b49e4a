//! What was asked and what came of it.

use super::explanation::Explanations;
use crate::table::Table;

/// How one answer compares with the one that it is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Agrees,
    Differs,
    /// The question cannot be asked.
    Refused,
}

/// The answers of one file, held against one authority.
pub(super) struct Tally {
    suite: String,
    against: String,
    agree: usize,
    differ: usize,
    refused: usize,
    explained: usize,
}

impl Tally {
    pub(super) fn new(suite: &str, against: &str) -> Self {
        Self {
            suite: suite.to_owned(),
            against: against.to_owned(),
            agree: 0,
            differ: 0,
            refused: 0,
            explained: 0,
        }
    }

    /// Counts one answer; `is_explained` counts only where it does not agree.
    pub(super) fn count(&mut self, outcome: Outcome, is_explained: bool) {
        match outcome {
            Outcome::Agrees => self.agree += 1,
            Outcome::Differs => self.differ += 1,
            Outcome::Refused => self.refused += 1,
        }
        self.explained += usize::from(outcome != Outcome::Agrees && is_explained);
    }

    fn asked(&self) -> usize {
        self.agree + self.differ + self.refused
    }

    fn unexplained(&self) -> usize {
        self.differ + self.refused - self.explained
    }
}

/// Everything that the run has to say.
#[derive(Default)]
pub(super) struct Report {
    tallies: Vec<Tally>,
    unexplained: Vec<String>,
    explained: Vec<String>,
    skipped: Vec<String>,
    notes: Vec<String>,
}

impl Report {
    pub(super) fn tally(&mut self, tally: Tally) {
        if tally.asked() > 0 {
            self.tallies.push(tally);
        }
    }

    /// A difference, as a sentence.
    pub(super) fn difference(&mut self, sentence: String, is_explained: bool) {
        if is_explained {
            self.explained.push(sentence);
        } else {
            self.unexplained.push(sentence);
        }
    }

    pub(super) fn skip(&mut self, sentence: String) {
        self.skipped.push(sentence);
    }

    pub(super) fn note(&mut self, sentence: String) {
        self.notes.push(sentence);
    }

    pub(super) fn unexplained(&self) -> usize {
        self.unexplained.len()
    }

    pub(super) fn print(&self, explanations: &Explanations, listing: bool) {
        println!("{}", self.table());
        println!("Explanations (data/explained.toml):");
        for (reason, count) in explanations.counts() {
            println!("{count:>5}  {}: {}", reason.clauses.join(", "), reason.why);
        }
        println!("\nNot asked, since they are no questions about access:");
        for sentence in &self.skipped {
            println!("  {sentence}");
        }
        for sentence in &self.notes {
            println!("Note: {sentence}");
        }
        let listed = if listing { &self.explained[..] } else { &[] };
        for sentence in listed {
            println!("explained: {sentence}");
        }
        for sentence in &self.unexplained {
            println!("not explained: {sentence}");
        }
    }

    fn table(&self) -> Table {
        let mut table = Table::new(
            2,
            &[
                "file",
                "held against",
                "asked",
                "agree",
                "differ",
                "refused",
                "explained",
                "unexplained",
            ],
        );
        let row = |name: &str, against: &str, counts: [usize; 6]| {
            let mut cells = vec![name.to_owned(), against.to_owned()];
            cells.extend(counts.map(|count| count.to_string()));
            cells
        };
        let mut total = [0; 6];
        for tally in &self.tallies {
            let counts = [
                tally.asked(),
                tally.agree,
                tally.differ,
                tally.refused,
                tally.explained,
                tally.unexplained(),
            ];
            table.row(row(&tally.suite, &tally.against, counts));
            for (sum, count) in total.iter_mut().zip(counts) {
                *sum += count;
            }
        }
        table.row(row("total", "", total));
        table
    }
}
