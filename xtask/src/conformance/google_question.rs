//! Recorded answers of Google's library, for interfaces that replace it.

pub(crate) struct GoogleQuestion {
    /// Suite and case, for reports.
    pub(crate) id: String,
    pub(crate) body: Vec<u8>,
    /// Names passed together.
    pub(crate) agents: Vec<String>,
    pub(crate) url: Vec<u8>,
    pub(crate) allowed: bool,
    /// Result of `matching_line()`: 0 if nothing matched, or else the line of a rule, which may be empty.
    pub(crate) line: u32,
}
