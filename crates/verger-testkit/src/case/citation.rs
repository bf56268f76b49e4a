//! What a case or a scenario may rest on.

use super::corpus::Clause;

/// The first of `cited` that is none of `clauses`, nor another place that may be cited.
#[must_use]
pub fn unknown_citation<'c>(clauses: &[Clause], cited: &'c [String]) -> Option<&'c str> {
    let is_known = |citation: &str| {
        is_other_citation(citation) || clauses.iter().any(|clause| clause.id == citation)
    };
    cited
        .iter()
        .map(String::as_str)
        .find(|citation| !is_known(citation))
}

/// Whether a citation names a place that is not a numbered requirement: a row of the table of
/// dialects (`B12`), of the comparison rule (`C4 …`, `C5 …`) or of the extensions (`E2`), a
/// defect of a source (`0.3-2`), a choice (`contract-3 …`), an erratum, a fact about Google's
/// library, an incident or a trap.
fn is_other_citation(clause: &str) -> bool {
    let (place, rest) = clause.split_once(' ').unwrap_or((clause, ""));
    let numbered = |prefix: &str| {
        let number = place.strip_prefix(prefix).unwrap_or("");
        number.starts_with(|c: char| c.is_ascii_digit())
    };
    match place {
        "contract-2" | "contract-3" | "contract-4" | "C4" | "C5" | "erratum" | "google-library"
        | "incident" | "trap" => !rest.is_empty(),
        _ => numbered("B") || numbered("E") || numbered("D1.") || numbered("0.3-"),
    }
}
