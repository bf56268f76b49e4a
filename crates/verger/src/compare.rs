//! Compares the pattern of a rule with a target.
//!
//! In reading order: `bytes` (the forms in which both are compared), `byte_search`, `target_path`,
//! `plain_bytes`, `specificity`, `pattern_value`, `escape_start`, `path_pattern` (the reference)
//! and `plain_pattern` (a fast path for patterns that are already in comparison form).

pub(crate) mod byte_search;
pub(crate) mod bytes;
pub(crate) mod escape_start;
pub(crate) mod path_pattern;
pub(crate) mod pattern_value;
pub(crate) mod plain_bytes;
pub(crate) mod plain_pattern;
pub(crate) mod specificity;
pub(crate) mod target_path;
