//! Which of a crawler's rules decides about a target.
//!
//! `path_match` is the reference: it asks every rule. `rule_index` gives the same answer without
//! asking every rule; what it is made of, in reading order: `ranking`, `rule_pattern`, `kept_rules`,
//! `few_rules`, `literal_index`, `gram`, `triple_set`, `gram_table`, `visits`, `wildcard_index`.

mod few_rules;
mod gram;
mod gram_table;
mod kept_rules;
mod literal_index;
pub(crate) mod path_match;
mod ranking;
pub(crate) mod rule_index;
mod rule_pattern;
mod triple_set;
mod visits;
mod wildcard_index;
