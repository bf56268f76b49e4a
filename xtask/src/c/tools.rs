//! Required programs and their Debian packages.

use crate::binding::install_packages;

/// Programs that every run needs. The packages have the same names.
pub(super) const USUAL: [&str; 5] = ["gcc", "g++", "cmake", "pkg-config", "make"];

pub(super) const VALGRIND: [&str; 1] = ["valgrind"];

/// Installs packages and the C library's headers, which no compiler package includes.
pub(super) fn install_tools(packages: &[&str]) -> Result<(), String> {
    install_packages(&[packages, &["libc6-dev"]].concat())
}
