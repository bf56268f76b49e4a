//! Where things are.

use std::path::PathBuf;

use crate::workspace;

/// The crate.
pub(super) const CRATE: &str = "bindings/c";

/// The workspace's own target directory: the tests are built in the profile of the workspace's, beside
/// what these have compiled.
pub(super) fn target() -> PathBuf {
    workspace::root().join("target")
}

/// Where tests find the library installed.
pub(super) fn prefix() -> PathBuf {
    target().join("c/prefix")
}

/// Where what the tests build goes.
pub(super) fn built() -> PathBuf {
    target().join("c/tests")
}
