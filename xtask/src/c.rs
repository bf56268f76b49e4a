//! `cargo xtask c`: the C library in `bindings/c` is built, linked, installed into a directory of its
//! own, and tested from there, as its users have it.
//!
//! What it takes is a C and a C++ compiler, `CMake` and pkg-config. `--all` also takes Go, PHP and R, for
//! their examples; without it those that are there are run, and the others are left out, in CI too:
//! installing them takes a minute or two.

mod examples;
mod header;
mod library;
mod place;
mod programs;
mod sanitizers;
mod shim;
mod tools;

use std::path::Path;

pub(crate) use self::examples::Extent;
pub(crate) use self::header::files as header_files;
use self::library::Build;
use self::place::{CRATE, prefix};
use self::programs::{Linking, compile};
use self::tools::{USUAL, VALGRIND, install_tools};
use crate::binding::{all_there, cargo, leave_out, ready_or_installed, run_in, run_with};
use crate::generated;
use crate::process::words;
use crate::workspace::target;

/// The task that writes the header.
pub(crate) const HEADER: &str = "c --header";

/// Checks, builds, installs and tests the library. Where that cannot be done it is left out, loudly.
///
/// # Errors
///
/// Where a test fails; in CI (the variable `CI` is set) also where it cannot be done.
pub(crate) fn run(extent: Extent) -> Result<(), String> {
    if let Err(why) = ready_or_installed(|| all_there(&USUAL), || install_tools(&USUAL)) {
        return leave_out("the C library in bindings/c", &why);
    }
    let cargo = cargo();
    run_in(CRATE, &cargo, &["fmt", "--all", "--check"])?;
    let target = target();
    let variables = [("CARGO_TARGET_DIR", target.as_path())];
    for arguments in [
        "clippy --locked --workspace --all-targets -- -D warnings",
        // The engine alone, without what site owners ask.
        "clippy --locked --no-default-features --lib -- -D warnings",
        "test --quiet --locked --lib",
    ] {
        run_with(CRATE, &cargo, &words(arguments), &variables)?;
    }
    generated::check(HEADER, &header_files()?)?;
    let prefix = prefix();
    library::install(&prefix, Build::Tests)?;
    library::check_symbols(&prefix)?;
    programs::run_tests(&prefix)?;
    let driver = compile(&prefix, "tests/driver.c", Linking::Shared, &[])?;
    let variables = [variables[0], ("VERGER_C_DRIVER", driver.as_path())];
    let cases = words("test --quiet --locked --test cases");
    run_with(CRATE, &cargo, &cases, &variables)?;
    shim::ask(&prefix)?;
    examples::run(&prefix, extent)?;
    if extent == Extent::Everything {
        programs::run_large(&prefix)?;
    }
    Ok(())
}

/// Builds the library and installs it under a directory such as `/usr/local`.
///
/// # Errors
///
/// Where it cannot be built or written.
pub(crate) fn install(directory: &str) -> Result<(), String> {
    library::install(Path::new(directory), Build::Release)
}

/// Random calls for so many seconds each under `AddressSanitizer`, `ThreadSanitizer` and valgrind.
///
/// # Errors
///
/// Where one of them finds something.
pub(crate) fn sanitize(seconds: &str) -> Result<(), String> {
    let seconds: u32 = seconds
        .parse()
        .map_err(|_| format!("{seconds} is no number of seconds"))?;
    let tools = [&USUAL[..], &VALGRIND].concat();
    if let Err(why) = ready_or_installed(|| all_there(&tools), || install_tools(&tools)) {
        return leave_out("the C library under sanitizers", &why);
    }
    let prefix = prefix();
    // As users have it: what the tools see is what runs there.
    library::install(&prefix, Build::Release)?;
    sanitizers::run_all(&prefix, seconds)
}
