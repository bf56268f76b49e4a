//! A number with its noun.

pub(crate) use verger_answer::{CountOf, HumanCountOf};
