//! Finds the rule of a crawler that decides about a target.
//!
//! `path_match` is the reference: it compares every rule. The parts of `rule_index`, in reading
//! order: `rule_pattern`, `ranking`, `literal_index`, `ngram`, `triple_set`, `ngram_table`,
//! `visits`, `wildcard_index`.

mod literal_index;
mod ngram;
mod ngram_table;
pub(crate) mod path_match;
pub(crate) mod ranking;
pub(crate) mod rule_index;
pub(crate) mod rule_pattern;
mod triple_set;
mod visits;
mod wildcard_index;
