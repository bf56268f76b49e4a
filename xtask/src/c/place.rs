//! Directories.

use std::path::PathBuf;

use crate::workspace::target;

pub(super) const CRATE: &str = "bindings/c";

/// Installation prefix for tests.
pub(super) fn prefix() -> PathBuf {
    target().join("c/prefix")
}

/// Directory of test builds.
pub(super) fn built() -> PathBuf {
    target().join("c/tests")
}
