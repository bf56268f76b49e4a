//! Where things are.

use std::path::PathBuf;

use crate::workspace::target;

/// The crate.
pub(super) const CRATE: &str = "bindings/c";

/// Where tests find the library installed.
pub(super) fn prefix() -> PathBuf {
    target().join("c/prefix")
}

/// Where what the tests build goes.
pub(super) fn built() -> PathBuf {
    target().join("c/tests")
}
