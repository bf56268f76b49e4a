//! The test programs in C and C++: how they are compiled against the installed library, and run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::place::{CRATE, built};
use crate::workspace;

const WARNINGS: [&str; 5] = ["-O1", "-g", "-Wall", "-Wextra", "-Werror"];

/// How a program is linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Linking {
    /// With the shared library, which it finds where it is installed.
    Shared,
    /// With the static one.
    Static,
}

/// The tests that need no table.
pub(super) fn run_tests(prefix: &Path) -> Result<(), String> {
    for (source, linking) in [
        ("tests/contract_test.c", Linking::Shared),
        ("tests/contract_test.c", Linking::Static),
        ("tests/threads_test.c", Linking::Shared),
    ] {
        run(&compile(prefix, source, linking, &[])?, &[])?;
    }
    let abseil = workspace::root().join(CRATE).join("tests/abseil");
    let abseil = format!("-I{}", abseil.display());
    for texts in ["-DVERGER_STD_STRING_VIEW", &abseil] {
        run(
            &compile(prefix, "tests/shim_test.cc", Linking::Shared, &[texts])?,
            &[],
        )?;
    }
    Ok(())
}

/// Bodies and URLs of 2 GB.
pub(super) fn run_large(prefix: &Path) -> Result<(), String> {
    run(
        &compile(prefix, "tests/large_test.c", Linking::Shared, &[])?,
        &[],
    )
}

/// Compiles a program of `bindings/c`, and returns where it is.
pub(super) fn compile(
    prefix: &Path,
    source: &str,
    linking: Linking,
    flags: &[&str],
) -> Result<PathBuf, String> {
    let folder = built();
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let is_cpp = Path::new(source).extension().is_some_and(|it| it == "cc");
    let name = Path::new(source).file_stem().unwrap_or_default();
    let program = folder.join(name).with_extension(match linking {
        Linking::Shared => "shared",
        Linking::Static => "static",
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
    let status = command
        .status()
        .map_err(|error| format!("{compiler} cannot be run: {error}"))?;
    if status.success() {
        return Ok(program);
    }
    Err(format!("{source} cannot be compiled"))
}

/// What pkg-config says for a program.
fn package_flags(prefix: &Path, linking: Linking) -> Result<Vec<String>, String> {
    let mut command = Command::new("pkg-config");
    command.args(["--cflags", "--libs"]);
    if linking == Linking::Static {
        command.arg("--static");
    }
    let output = command
        .arg("verger")
        .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"))
        .output()
        .map_err(|error| format!("pkg-config cannot be run: {error}"))?;
    if !output.status.success() {
        return Err("pkg-config does not find verger".to_owned());
    }
    let library = prefix.join("lib");
    let flags = String::from_utf8_lossy(&output.stdout).into_owned();
    let flags = flags.split_whitespace().map(|flag| match (flag, linking) {
        ("-lverger", Linking::Static) => "-l:libverger.a".to_owned(),
        _ => flag.to_owned(),
    });
    let place = format!("-Wl,-rpath,{}", library.display());
    Ok(flags.chain([place]).collect())
}

/// Runs a program; its output is its own.
pub(super) fn run(program: &Path, arguments: &[&str]) -> Result<(), String> {
    let status = Command::new(program).args(arguments).status();
    let status = status.map_err(|error| format!("{}: {error}", program.display()))?;
    if status.success() {
        return Ok(());
    }
    Err(format!("{} failed: {status}", program.display()))
}
