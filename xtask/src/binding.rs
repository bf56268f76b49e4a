//! What the tasks of the bindings share: programs run in their directories, Debian's packages where they
//! may be installed, and what is said where a binding cannot be tested.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::process::{self, succeeds};
use crate::workspace::{self, at};

/// Runs a program in a directory of the workspace; its output is its own.
///
/// # Errors
///
/// Where it cannot be run, or fails.
pub(crate) fn run_in(folder: &str, program: &str, arguments: &[&str]) -> Result<(), String> {
    run_with(folder, program, arguments, &[])
}

/// Runs a program in a directory of the workspace, with variables of the environment.
///
/// # Errors
///
/// As [`run_in`].
pub(crate) fn run_with(
    folder: &str,
    program: &str,
    arguments: &[&str],
    variables: &[(&str, &Path)],
) -> Result<(), String> {
    let mut command = Command::new(program);
    command.args(arguments).envs(variables.iter().copied());
    process::run(command.current_dir(workspace::root().join(folder)))
}

/// Cargo, as it was called.
pub(crate) fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}

/// Whether all of these programs are there.
///
/// # Errors
///
/// The first that is not.
pub(crate) fn all_there(programs: &[&str]) -> Result<(), String> {
    let is_absent = |program: &&&str| !succeeds(program, &["--version"]);
    match programs.iter().find(is_absent) {
        Some(program) => Err(format!("there is no {program}")),
        None => Ok(()),
    }
}

/// Checks with `ready` whether everything is there; where it is not, and `install` does not help, says
/// what is missing.
///
/// # Errors
///
/// What is missing, and why it was not installed.
pub(crate) fn ready_or_installed<T>(
    ready: impl Fn() -> Result<T, String>,
    install: impl FnOnce() -> Result<(), String>,
) -> Result<T, String> {
    let absent = match ready() {
        Ok(found) => return Ok(found),
        Err(absent) => absent,
    };
    let installed = install();
    ready().map_err(|still_absent| match installed {
        Ok(()) => still_absent,
        Err(sentence) => format!("{absent}, and {sentence}"),
    })
}

/// Says loudly that `what` was not tested.
///
/// # Errors
///
/// In CI (the variable `CI` is set), where everything must be tested.
pub(crate) fn leave_out(what: &str, why: &str) -> Result<(), String> {
    if std::env::var_os("CI").is_some_and(|value| !value.is_empty()) {
        return Err(format!("{what} cannot be tested: {why}"));
    }
    println!("\n== NOT RUN: {what} ({why})\n");
    Ok(())
}

/// Installs Debian's packages, by lists that are up to date.
///
/// # Errors
///
/// Where there is no apt, or it may not be used.
pub(crate) fn install_packages(packages: &[&str]) -> Result<(), String> {
    update_packages()?;
    let mut arguments = vec!["install", "--quiet", "--yes", "--no-install-recommends"];
    arguments.extend(packages);
    apt_get(&arguments)
}

/// Brings the lists of Debian's packages up to date.
///
/// # Errors
///
/// As [`install_packages`].
pub(crate) fn update_packages() -> Result<(), String> {
    if !succeeds("apt-get", &["--version"]) {
        return Err("there is no apt to install it with".to_owned());
    }
    let root = process::output(Command::new("id").arg("-u"));
    if root.as_deref().map(str::trim) != Ok("0") {
        return Err("only root may install it".to_owned());
    }
    apt_get(&["update", "--quiet"])
}

/// Runs apt-get; in CI two parts may need it at once.
fn apt_get(arguments: &[&str]) -> Result<(), String> {
    let alone = std::env::temp_dir().join("verger-apt.lock");
    let alone = File::create(&alone).map_err(at(&alone))?;
    alone.lock().map_err(|error| format!("apt.lock: {error}"))?;
    let mut command = Command::new("apt-get");
    command
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive");
    process::run(command.stdout(Stdio::null()))
}
