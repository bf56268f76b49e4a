//! The rules of a policy in file order. An index refers to them by row, and questions without an
//! index scan them.

pub(crate) mod head_planes;
pub(crate) mod rule_rows;
