//! Test programs in C and C++, compiled against the installed library.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::place::{CRATE, built};
use crate::process;
use crate::workspace::{self, at};

const WARNINGS: [&str; 5] = ["-O1", "-g", "-Wall", "-Wextra", "-Werror"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Linking {
    /// With the shared library, found at its installed path.
    Shared,
    /// Fully static.
    Static,
    /// With the static library but shared system libraries, as sanitizers require.
    Archive,
}

/// Runs the tests that need no table of cases.
pub(super) fn run_tests(prefix: &Path) -> Result<(), String> {
    for (source, linking) in [
        ("tests/contract_test.c", Linking::Shared),
        ("tests/contract_test.c", Linking::Static),
        ("tests/threads_test.c", Linking::Shared),
    ] {
        run(prefix, source, linking, &[])?;
    }
    let abseil = format!("-I{}/{CRATE}/tests/abseil", workspace::root().display());
    let abseil = [abseil.as_str(), "-fno-exceptions"];
    for flags in [&["-DVERGER_STD_STRING_VIEW"][..], &abseil] {
        run(prefix, "tests/shim_test.cc", Linking::Shared, flags)?;
    }
    Ok(())
}

/// Tests bodies and URLs of 2 GB.
pub(super) fn run_large(prefix: &Path) -> Result<(), String> {
    run(prefix, "tests/large_test.c", Linking::Shared, &[])
}

/// Compiles a program of `bindings/c`, and returns its path.
pub(super) fn compile(
    prefix: &Path,
    source: &str,
    linking: Linking,
    flags: &[&str],
) -> Result<PathBuf, String> {
    let folder = built();
    fs::create_dir_all(&folder).map_err(at(&folder))?;
    let is_cpp = Path::new(source).extension().is_some_and(|it| it == "cc");
    let name = Path::new(source).file_stem().unwrap_or_default();
    let program = folder.join(name).with_extension(match linking {
        Linking::Shared => "shared",
        Linking::Static => "static",
        Linking::Archive => "archive",
    });
    let (compiler, standard) = if is_cpp {
        ("g++", "-std=c++17")
    } else {
        ("gcc", "-std=c11")
    };
    let mut command = Command::new(compiler);
    command.args(WARNINGS).args([standard, "-D_GNU_SOURCE"]);
    command.args(flags).arg("-o").arg(&program);
    command.arg(workspace::root().join(CRATE).join(source));
    command.args(package_flags(prefix, linking)?);
    command.arg("-pthread");
    process::run(&mut command)?;
    Ok(program)
}

/// Returns the flags that pkg-config prints.
fn package_flags(prefix: &Path, linking: Linking) -> Result<Vec<String>, String> {
    let rpath = format!("-Wl,-rpath,{}/lib", prefix.display());
    let (kind, library, place) = match linking {
        Linking::Shared => ("--libs", "-lverger", Some(rpath)),
        Linking::Static => ("--static", "-lverger", Some("-static".to_owned())),
        Linking::Archive => ("--static", "-l:libverger.a", None),
    };
    let mut command = Command::new("pkg-config");
    command.args(["--cflags", "--libs", kind, "verger"]);
    command.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
    let flags = process::output(&mut command)?.replace("-lverger", library);
    let flags = flags.split_whitespace().map(str::to_owned);
    Ok(flags.chain(place).collect())
}

pub(super) fn run(
    prefix: &Path,
    source: &str,
    linking: Linking,
    flags: &[&str],
) -> Result<(), String> {
    process::run(&mut Command::new(compile(prefix, source, linking, flags)?))
}
