//! The rules of a policy in file order, which its index refers to and questions without an index compare.

pub(crate) mod head_planes;
pub(crate) mod rule_rows;
