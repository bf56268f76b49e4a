//! What a case or a scenario may rest on.

use super::corpus::Clause;

/// The first of `cited` that is the id of none of `clauses`.
#[must_use]
pub fn unknown_citation<'c>(clauses: &[Clause], cited: &'c [String]) -> Option<&'c str> {
    let is_known = |citation: &str| clauses.iter().any(|clause| clause.id == citation);
    cited
        .iter()
        .map(String::as_str)
        .find(|citation| !is_known(citation))
}
