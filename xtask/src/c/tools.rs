//! Programs that must be there, and the packages of Debian that have them.

use crate::binding::install_packages;

/// What every run takes; the packages have the names of the programs.
pub(super) const USUAL: [&str; 5] = ["gcc", "g++", "cmake", "pkg-config", "make"];

pub(super) const VALGRIND: [&str; 1] = ["valgrind"];

/// Installs packages, and the C library's own headers, which no compiler brings along.
pub(super) fn install_tools(packages: &[&str]) -> Result<(), String> {
    install_packages(&[packages, &["libc6-dev"]].concat())
}
