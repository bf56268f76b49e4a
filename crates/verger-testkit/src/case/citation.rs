use super::corpus::Clause;

/// Returns the first of `cited` that is not the id of a clause.
#[must_use]
pub fn unknown_citation<'c>(clauses: &[Clause], cited: &'c [String]) -> Option<&'c str> {
    let is_known = |citation: &str| clauses.iter().any(|clause| clause.id == citation);
    cited
        .iter()
        .map(String::as_str)
        .find(|citation| !is_known(citation))
}
