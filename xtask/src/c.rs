//! `cargo xtask c`: builds the C library in `bindings/c`, installs it into a directory of its own, and tests it there
//! as users have it.
//!
//! Needs a C and a C++ compiler, `CMake` and pkg-config. Examples in Go, PHP and R run if these are installed, and
//! are otherwise skipped, even in CI, because installing them takes minutes. `--all` requires them.

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

/// The command that writes the header.
pub(crate) const HEADER: &str = "c --header";

/// Checks, builds, installs and tests the library, or reports that it was skipped.
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
        // The engine alone, without the functions for site owners.
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

/// Builds and installs the library under a directory such as `/usr/local`.
pub(crate) fn install(directory: &str) -> Result<(), String> {
    library::install(Path::new(directory), Build::Release)
}

/// Makes random calls for `seconds` under each of `AddressSanitizer`, `ThreadSanitizer` and valgrind.
pub(crate) fn sanitize(seconds: &str) -> Result<(), String> {
    let seconds: u32 = seconds
        .parse()
        .map_err(|_| format!("invalid number of seconds `{seconds}`"))?;
    let tools = [&USUAL[..], &VALGRIND].concat();
    if let Err(why) = ready_or_installed(|| all_there(&tools), || install_tools(&tools)) {
        return leave_out("the C library under sanitizers", &why);
    }
    let prefix = prefix();
    // Test the build that users have.
    library::install(&prefix, Build::Release)?;
    sanitizers::run_all(&prefix, seconds)
}
