//! Where things are.

use std::path::PathBuf;

use crate::workspace;

/// The crate.
pub(super) const CRATE: &str = "bindings/c";

/// Where tests find the library installed.
pub(super) fn prefix() -> PathBuf {
    workspace::root().join(CRATE).join("target/prefix")
}

/// Where what the tests build goes.
pub(super) fn built() -> PathBuf {
    workspace::root().join(CRATE).join("target/tests")
}
