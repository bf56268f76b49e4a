//! Programs that must be there, and the packages of Debian that have them.

use crate::binding::install_packages;
use crate::process::succeeds;

/// A program, and its package.
pub(super) type Tool = (&'static str, &'static str);

/// What every run takes.
pub(super) const USUAL: [Tool; 5] = [
    ("gcc", "gcc"),
    ("g++", "g++"),
    ("cmake", "cmake"),
    ("pkg-config", "pkg-config"),
    ("make", "make"),
];

pub(super) const VALGRIND: [Tool; 1] = [("valgrind", "valgrind")];

/// Whether all are there; else which one is not.
pub(super) fn all_there(tools: &[Tool]) -> Result<(), String> {
    let is_absent = |(program, _): &&Tool| !succeeds(program, &["--version"]);
    match tools.iter().find(is_absent) {
        Some((program, _)) => Err(format!("there is no {program}")),
        None => Ok(()),
    }
}

/// Installs their packages.
pub(super) fn install_tools(tools: &[Tool]) -> Result<(), String> {
    let packages = tools.iter().map(|(_, package)| *package);
    // The C library's own headers, which no compiler brings along.
    let packages: Vec<&str> = packages.chain(["libc6-dev"]).collect();
    install_packages(&packages)
}
