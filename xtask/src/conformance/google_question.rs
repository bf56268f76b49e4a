//! What the suites say that Google's library answers, for interfaces that are asked in its stead.

/// A question, and the answer of Google's library.
pub(crate) struct GoogleQuestion {
    /// Suite and case, for a report.
    pub(crate) id: String,
    pub(crate) body: Vec<u8>,
    /// All of them at once.
    pub(crate) agents: Vec<String>,
    pub(crate) url: Vec<u8>,
    pub(crate) allowed: bool,
    /// Its `matching_line()`: 0 where nothing matched, else the line of a rule, which may be empty.
    pub(crate) line: u32,
}
