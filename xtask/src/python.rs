//! `cargo xtask python`: builds the package in `bindings/python` as a wheel, and tests it in environments of the
//! oldest and newest Python on this machine.
//!
//! Needs Python 3.10 or later with `venv`, and the packages in `tests/*.txt` from a package index. Python is
//! installed if apt may be used.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::binding::{cargo, install_packages, leave_out, ready_or_installed, run_in, run_with};
use crate::process::{self, succeeds, words};
use crate::workspace::{self, at, target};
use crate::{case_lines, parallel};

pub(crate) const PACKAGE: &str = "bindings/python";
const NAME: &str = "the package in bindings/python";
const PACKAGES: [&str; 2] = ["python3", "python3-venv"];

/// Minor versions of Python 3 to look for, starting with the oldest supported.
const MINORS: std::ops::RangeInclusive<u32> = 10..=19;

/// `PyO3` configuration of a free-threaded interpreter.
const FREE_THREADED: &str = "\
implementation=CPython
version=3.14
shared=true
pointer_width=64
build_flags=Py_GIL_DISABLED
";

/// A Python 3: its program and minor version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Python {
    program: String,
    minor: u32,
}

/// Checks, builds and tests the package, or reports that it was skipped.
pub(crate) fn run() -> Result<(), String> {
    let pythons = match installed() {
        Ok(pythons) => pythons,
        Err(why) => return leave_out(NAME, &why),
    };
    let (oldest, newest) = (&pythons[0], &pythons[pythons.len() - 1]);
    let tools = match environment(newest, "tools", "tests/tools.txt") {
        Ok(tools) => tools,
        Err(why) => return leave_out(NAME, &why),
    };
    let cargo = cargo();
    run_in(PACKAGE, &cargo, &["fmt", "--check"])?;
    lint_free_threaded(&cargo)?;
    let wheel = wheel(&tools)?;
    check_source_archive(&tools, &wheel)?;
    case_lines::write_file(PACKAGE)?;
    let origin = workspace::program("verger-origin")?;
    check_types(&tools, &wheel)?;
    // `cargo xtask spark` runs these.
    let left_out = [
        "--ignore=tests/spark",
        "--ignore=tests/test_scrapy.py",
        "--ignore-glob=*test_columns*",
    ];
    // The tools' requirements include those of the tests with the newest Python.
    let mut environments = vec![tools];
    if oldest != newest {
        let name = format!("3.{}", oldest.minor);
        environments.push(environment(oldest, &name, "tests/requirements.txt")?);
    }
    // Both environments need these tests, and fetching them in an old one takes minutes. If that fails, the tests say
    // so.
    let fetch = "import sys; sys.path.append('tests'); import originals; originals.protego_tests()";
    let _ = run_in(PACKAGE, &program(&environments[0]), &["-c", fetch]);
    // Scrapy's reactor is the same under both, and its crawls take longer than all other tests.
    let options = [&left_out[..1], &left_out];
    let runs: Vec<_> = environments.iter().zip(options).collect();
    let tested = parallel::map(&runs, |_, (environment, options)| {
        test(environment, &wheel, &origin, options)
    });
    tested.into_iter().collect()
}

/// Checks the package's invariants on inputs from atheris for `seconds`.
pub(crate) fn fuzz(seconds: &str) -> Result<(), String> {
    let pythons = installed()?;
    let python = &pythons[pythons.len() - 1];
    let tools = environment(python, "tools", "tests/tools.txt")?;
    let wheel = wheel(&tools)?;
    case_lines::write_file(PACKAGE)?;
    let environment = environment(python, "fuzz", "fuzz/requirements.txt")?;
    install_wheel(&environment, &wheel)?;
    let python = program(&environment);
    let time = format!("-max_total_time={seconds}");
    run_in(PACKAGE, &python, &["fuzz/laws.py", &time])
}

/// Lints the extension for a free-threaded interpreter. The wheel is the other build. `PyO3` reads the configuration
/// from a file, so no such interpreter is needed. Compiling with Clippy's driver shares all dependencies except
/// `PyO3` with the wheel, while `cargo clippy` would check them all again.
fn lint_free_threaded(cargo: &str) -> Result<(), String> {
    let (target, folder) = (target(), target().join("python"));
    fs::create_dir_all(&folder).map_err(at(&folder))?;
    let interpreter = folder.join("free-threaded.txt");
    fs::write(&interpreter, FREE_THREADED).map_err(at(&interpreter))?;
    let variables = [
        ("CARGO_TARGET_DIR", &*target),
        ("PYO3_CONFIG_FILE", &*interpreter),
        ("PYO3_BUILD_EXTENSION_MODULE", Path::new("1")),
        ("RUSTC_WORKSPACE_WRAPPER", Path::new("clippy-driver")),
    ];
    run_with(
        PACKAGE,
        cargo,
        &words("rustc --locked -- -D warnings"),
        &variables,
    )
}

/// Builds the wheel in the test profile of the workspace, to share compiled dependencies.
pub(crate) fn wheel(tools: &Path) -> Result<PathBuf, String> {
    let interpreter = program(tools);
    let mut arguments = words("build --locked --profile dev --compatibility linux --interpreter");
    arguments.push(&interpreter);
    maturin(tools, &arguments, "wheels")
}

/// Builds the source archive, and checks that it contains the licence texts like the wheel.
fn check_source_archive(tools: &Path, wheel: &Path) -> Result<(), String> {
    let archive = maturin(tools, &["sdist"], "source")?;
    let [archive, wheel] = [&archive, wheel].map(|it| it.display().to_string());
    run_in(
        ".",
        &program(tools),
        &["release/licences", &archive, &wheel],
    )
}

/// Runs maturin, and returns the file in its output directory `name`.
fn maturin(tools: &Path, task: &[&str], name: &str) -> Result<PathBuf, String> {
    let target = target();
    let folder = target.join("python").join(name);
    // Remove older output.
    let _ = fs::remove_dir_all(&folder);
    let maturin = tools.join("bin/maturin").display().to_string();
    let out = folder.display().to_string();
    let variables = [("CARGO_TARGET_DIR", &*target)];
    run_with(
        PACKAGE,
        &maturin,
        &[task, &["--out", &out]].concat(),
        &variables,
    )?;
    let mut found = fs::read_dir(&folder).map_err(at(&folder))?;
    match found.next() {
        Some(Ok(entry)) => Ok(entry.path()),
        _ => Err(format!("maturin wrote no file to {out}")),
    }
}

/// Checks the stubs, and the tests as their users, with three type checkers.
fn check_types(tools: &Path, wheel: &Path) -> Result<(), String> {
    let python = program(tools);
    install_wheel(tools, wheel)?;
    run_in(PACKAGE, &python, &words("-m mypy python/verger tests"))?;
    run_in(PACKAGE, &python, &words("-m mypy.stubtest verger._verger"))?;
    let pyright = ["-m", "pyright", "--pythonpath", &python, "python", "tests"];
    run_in(PACKAGE, &python, &pyright)
}

/// Installs the wheel without an index, and runs the tests against that hostile origin with these pytest options.
fn test(environment: &Path, wheel: &Path, origin: &Path, options: &[&str]) -> Result<(), String> {
    install_wheel(environment, wheel)?;
    let pytest = [&words("-m pytest --quiet"), options].concat();
    let variables = [("VERGER_ORIGIN", origin)];
    run_with(PACKAGE, &program(environment), &pytest, &variables)
}

pub(crate) fn install_wheel(environment: &Path, wheel: &Path) -> Result<(), String> {
    let wheel = wheel.display().to_string();
    let mut arguments = words("-m pip install --quiet --no-index --no-deps --force-reinstall");
    arguments.push(&wheel);
    run_in(PACKAGE, &program(environment), &arguments)
}

/// Returns the interpreter of an environment.
pub(crate) fn program(environment: &Path) -> String {
    environment.join("bin/python").display().to_string()
}

/// Creates or reuses a virtual environment with the packages that a file lists.
pub(crate) fn environment(
    python: &Python,
    name: &str,
    requirements: &str,
) -> Result<PathBuf, String> {
    let folder = target().join("python").join(name);
    let shown = folder.display().to_string();
    if !folder.join("bin/python").exists() {
        run_in(PACKAGE, &python.program, &["-m", "venv", &shown])?;
    }
    // Only a small part of the packages is ever imported, so they are compiled on import.
    let mut arguments =
        words("-m pip install --quiet --disable-pip-version-check --no-compile --requirement");
    arguments.push(requirements);
    run_in(PACKAGE, &program(&folder), &arguments)?;
    Ok(folder)
}

/// Returns the Pythons on this machine, oldest first, never empty.
pub(crate) fn installed() -> Result<Vec<Python>, String> {
    ready_or_installed(pythons, || install_packages(&PACKAGES))
}

fn pythons() -> Result<Vec<Python>, String> {
    let names = MINORS.map(|minor| format!("python3.{minor}"));
    let names = std::iter::once("python3".to_owned()).chain(names);
    let names = names.chain(kept_by_pyenv());
    let mut found: Vec<Python> = names.filter_map(|name| python(&name)).collect();
    found.sort_by_key(|python| python.minor);
    found.dedup_by_key(|python| python.minor);
    if found.is_empty() {
        return Err("Python 3.10 or later with venv is not installed".to_owned());
    }
    Ok(found)
}

/// Returns the Pythons installed by pyenv, whose shims put only one on the path.
fn kept_by_pyenv() -> Vec<String> {
    let Ok(root) = process::output(Command::new("pyenv").arg("root")) else {
        return Vec::new();
    };
    let Ok(versions) = fs::read_dir(Path::new(root.trim()).join("versions")) else {
        return Vec::new();
    };
    let programs = versions.flatten().map(|it| it.path().join("bin/python3"));
    programs.map(|it| it.display().to_string()).collect()
}

/// Returns the Python of a program, if it is recent enough and can create environments.
fn python(program: &str) -> Option<Python> {
    let version = ["-c", "import sys; print(*sys.version_info[:2])"];
    let minor = minor_version(&process::output(Command::new(program).args(version)).ok()?)?;
    succeeds(program, &["-c", "import venv, ensurepip"]).then(|| Python {
        program: program.to_owned(),
        minor,
    })
}

/// Parses the minor version in `3 11`, if the package supports it.
fn minor_version(said: &str) -> Option<u32> {
    let minor = said.trim().strip_prefix("3 ")?.parse().ok()?;
    MINORS.contains(&minor).then_some(minor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_from_3_10_on_are_used() {
        assert_eq!(minor_version("3 10\n"), Some(10));
        assert_eq!(minor_version("3 15\n"), Some(15));
        for other in ["3 9\n", "2 7\n", "", "3 x", "4 10"] {
            assert_eq!(minor_version(other), None, "{other:?}");
        }
    }
}
