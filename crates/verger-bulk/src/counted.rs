//! A number with its noun, as in "1 record" and "2 records".

/// How many of what there are: the number, the noun for one, the noun for all other numbers.
pub(crate) fn counted(number: u64, one: &str, others: &str) -> String {
    let noun = if number == 1 { one } else { others };
    format!("{number} {noun}")
}
