use std::collections::BTreeMap;
use std::fmt;

use verger_answer::CountOf;

/// Number of records and captures by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CaptureTally {
    /// Records of all kinds.
    pub records: u64,
    /// Rows: robots.txt captures, and records that could not be read.
    pub rows: u64,
    /// Responses for other URLs, such as targets of redirects. They have no row.
    pub other_urls: u64,
    /// Records without a response, such as requests and metadata. They have no row.
    pub without_response: u64,
    /// Rows by outcome, or by mark if they have none.
    pub outcomes: BTreeMap<String, u64>,
    /// Rows by mark.
    pub marks: BTreeMap<&'static str, u64>,
}

impl CaptureTally {
    pub(crate) fn add_row(&mut self, outcome: Option<&str>, mark: Option<&'static str>) {
        self.rows += 1;
        let shown = outcome.or(mark).unwrap_or("nothing");
        match self.outcomes.get_mut(shown) {
            Some(rows) => *rows += 1,
            None => {
                self.outcomes.insert(shown.to_owned(), 1);
            }
        }
        if let Some(mark) = mark {
            *self.marks.entry(mark).or_default() += 1;
        }
    }

    /// Returns the number of rows with the mark `damaged`.
    #[must_use]
    pub fn damaged(&self) -> u64 {
        self.marks.get("damaged").copied().unwrap_or(0)
    }

    /// Adds the counts of another tally.
    pub fn add(&mut self, other: &Self) {
        self.records += other.records;
        self.rows += other.rows;
        self.other_urls += other.other_urls;
        self.without_response += other.without_response;
        for (outcome, rows) in &other.outcomes {
            *self.outcomes.entry(outcome.clone()).or_default() += rows;
        }
        for (mark, rows) in &other.marks {
            *self.marks.entry(mark).or_default() += rows;
        }
    }
}

impl fmt::Display for CaptureTally {
    /// Displays a summary, then a line for each outcome, most frequent first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {}, {}, {} without a response",
            CountOf(self.records, "record", "records"),
            CountOf(self.rows, "capture", "captures"),
            CountOf(
                self.other_urls,
                "response of another URL",
                "responses of other URLs"
            ),
            self.without_response
        )?;
        let mut outcomes: Vec<_> = self.outcomes.iter().collect();
        outcomes.sort_by_key(|&(outcome, rows)| (std::cmp::Reverse(*rows), outcome));
        for (outcome, rows) in outcomes {
            write!(f, "\n{rows:>12}  {outcome}")?;
        }
        Ok(())
    }
}
