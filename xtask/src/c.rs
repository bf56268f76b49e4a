//! `cargo xtask c`: the C library in `bindings/c` is built, linked, installed into a directory of its
//! own, and tested from there, as its users have it.
//!
//! What it takes is a C and a C++ compiler, CMake and pkg-config. `--all` also takes Go, PHP and R, for
//! their examples; without it those that are there are run, and the others are left out.

mod cases;
mod examples;
mod fields;
mod header;
mod library;
mod programs;
mod sanitizers;
mod shim;

use std::path::{Path, PathBuf};

use crate::binding::{self, run_in, succeeds};
use crate::workspace;

/// The crate.
const CRATE: &str = "bindings/c";
const CLIPPY: [&str; 8] = [
    "clippy",
    "--release",
    "--locked",
    "--workspace",
    "--all-targets",
    "--",
    "-D",
    "warnings",
];
const TEST: [&str; 5] = ["test", "--quiet", "--release", "--locked", "--lib"];

/// What every run takes, by program and package of Debian.
const TOOLS: [(&str, &str); 5] = [
    ("gcc", "gcc"),
    ("g++", "g++"),
    ("cmake", "cmake"),
    ("pkg-config", "pkg-config"),
    ("make", "make"),
];

/// Which examples must be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// C and C++; the others where their languages are there.
    Usual,
    /// All, and what takes gigabytes of memory.
    Everything,
}

/// Checks, builds, installs and tests the library. Where that cannot be done it is left out, loudly.
///
/// # Errors
///
/// Where a test fails; in CI (the variable `CI` is set) also where it cannot be done.
pub(crate) fn run(extent: Extent) -> Result<(), String> {
    if let Err(why) = binding::make_ready(ready, || Ok(packages(&TOOLS))) {
        return binding::leave_out("the C library in bindings/c", &why);
    }
    let cargo = binding::cargo();
    run_in(CRATE, &cargo, &["fmt", "--all", "--check"])?;
    run_in(CRATE, &cargo, &CLIPPY)?;
    run_in(CRATE, &cargo, &TEST)?;
    header::check()?;
    let prefix = prefix();
    library::install(&prefix)?;
    library::check_symbols(&prefix)?;
    programs::run_tests(&prefix)?;
    cases::ask(&prefix)?;
    shim::ask(&prefix)?;
    examples::run(&prefix, extent)?;
    if extent == Extent::Everything {
        programs::run_large(&prefix)?;
    }
    Ok(())
}

/// Writes the header.
///
/// # Errors
///
/// Where it cannot be made.
pub(crate) fn write_header() -> Result<(), String> {
    header::write()
}

/// Builds the library and installs it under a directory such as `/usr/local`.
///
/// # Errors
///
/// Where it cannot be built or written.
pub(crate) fn install(directory: &str) -> Result<(), String> {
    library::install(Path::new(directory))
}

/// Random calls for so many seconds each under AddressSanitizer, `ThreadSanitizer` and valgrind.
///
/// # Errors
///
/// Where one of them finds something.
pub(crate) fn sanitize(seconds: &str) -> Result<(), String> {
    let seconds: u32 = seconds
        .parse()
        .map_err(|_| format!("{seconds} is no number of seconds"))?;
    let tools = [TOOLS[0], TOOLS[3], ("valgrind", "valgrind")];
    if let Err(why) = binding::make_ready(|| all_there(&tools), || Ok(packages(&tools))) {
        return binding::leave_out("the C library under sanitizers", &why);
    }
    let prefix = prefix();
    library::install(&prefix)?;
    sanitizers::run_all(&prefix, seconds)
}

/// Where tests find the library installed.
fn prefix() -> PathBuf {
    workspace::root().join(CRATE).join("target/prefix")
}

/// Where what the tests build goes.
fn built() -> PathBuf {
    workspace::root().join(CRATE).join("target/tests")
}

fn ready() -> Result<(), String> {
    all_there(&TOOLS)
}

fn all_there(tools: &[(&str, &str)]) -> Result<(), String> {
    match tools
        .iter()
        .find(|(program, _)| !succeeds(program, &["--version"]))
    {
        Some((program, _)) => Err(format!("there is no {program}")),
        None => Ok(()),
    }
}

fn packages(tools: &[(&str, &str)]) -> Vec<String> {
    let mut packages: Vec<String> = tools.iter().map(|(_, it)| (*it).to_owned()).collect();
    // The C library's own headers, which no compiler brings along.
    packages.push("libc6-dev".to_owned());
    packages
}
