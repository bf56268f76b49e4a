//! How the pattern of a rule is compared with a target.
//!
//! In reading order: `octets` (the forms in which both are compared), `octet_search`,
//! `target_path`, `plain_octets`, `specificity`, `path_pattern` (the reference)
//! and `plain_pattern` (the same for a pattern that is its own form).

pub(crate) mod octet_search;
pub(crate) mod octets;
pub(crate) mod path_pattern;
pub(crate) mod plain_octets;
pub(crate) mod plain_pattern;
pub(crate) mod specificity;
pub(crate) mod target_path;
