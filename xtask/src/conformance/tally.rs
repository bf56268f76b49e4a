//! Counts of answers and differences.

use super::explanation::Explanations;
use crate::table::Table;

/// A difference: whether the question was refused, and a sentence. `None` if the answers agree.
pub(super) type Difference = Option<(bool, String)>;

/// Counts of one file compared with one authority.
#[derive(Default)]
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
            ..Self::default()
        }
    }

    /// Counts an answer. `is_explained` matters only if there is a difference.
    fn count(&mut self, difference: &Difference, is_explained: bool) {
        match difference {
            None => self.agree += 1,
            Some((false, _)) => self.differ += 1,
            Some((true, _)) => self.refused += 1,
        }
        self.explained += usize::from(difference.is_some() && is_explained);
    }

    fn asked(&self) -> usize {
        self.agree + self.differ + self.refused
    }

    fn unexplained(&self) -> usize {
        self.differ + self.refused - self.explained
    }
}

/// The report of a run.
#[derive(Default)]
pub(super) struct Report {
    tallies: Vec<Tally>,
    pub(super) unexplained: Vec<String>,
    explained: Vec<String>,
    pub(super) skipped: Vec<String>,
    pub(super) notes: Vec<String>,
}

impl Report {
    pub(super) fn tally(&mut self, tally: Tally) {
        if tally.asked() > 0 {
            self.tallies.push(tally);
        }
    }

    /// Records the answer to the question `id` in `tally`.
    pub(super) fn answer(
        &mut self,
        tally: &mut Tally,
        id: &str,
        difference: Difference,
        is_explained: bool,
    ) {
        tally.count(&difference, is_explained);
        let of = if is_explained {
            &mut self.explained
        } else {
            &mut self.unexplained
        };
        of.extend(difference.map(|(_, sentence)| format!("{id}: {sentence}")));
    }

    pub(super) fn print(&self, explanations: &Explanations, listing: bool) {
        println!("{}", self.table());
        println!("Explanations (data/explained.toml):");
        for (reason, count) in explanations.counts() {
            println!("{count:>5}  {}: {}", reason.clauses.join(", "), reason.why);
        }
        println!("\nSkipped, because they are not about access:");
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
            println!("unexplained: {sentence}");
        }
    }

    fn table(&self) -> Table {
        let head = "file,compared with,asked,agree,differ,refused,explained,unexplained";
        let mut table = Table::new(2, head);
        let mut total = [0; 6];
        for it in &self.tallies {
            let counts = [
                it.asked(),
                it.agree,
                it.differ,
                it.refused,
                it.explained,
                it.unexplained(),
            ];
            table.row(row(&it.suite, &it.against, counts));
            for (sum, count) in total.iter_mut().zip(counts) {
                *sum += count;
            }
        }
        table.row(row("total", "", total));
        table
    }
}

fn row(name: &str, against: &str, counts: [usize; 6]) -> Vec<String> {
    let mut row = vec![name.to_owned(), against.to_owned()];
    row.extend(counts.map(|count| count.to_string()));
    row
}
