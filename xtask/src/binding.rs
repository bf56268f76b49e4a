//! Shared by the tasks of the bindings: running programs, installing Debian packages, and skipping a binding that
//! cannot be tested.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::process::{self, succeeds};
use crate::workspace::{self, at};

/// Runs a program in a directory of the workspace, and lets its output through.
pub(crate) fn run_in(folder: &str, program: &str, arguments: &[&str]) -> Result<(), String> {
    run_with(folder, program, arguments, &[])
}

/// Runs a program in a directory of the workspace with these environment variables.
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

/// Returns the Cargo that runs this task.
pub(crate) fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}

/// Returns an error that names the first missing program.
pub(crate) fn all_there(programs: &[&str]) -> Result<(), String> {
    let is_absent = |program: &&&str| !succeeds(program, &["--version"]);
    match programs.iter().find(is_absent) {
        Some(program) => Err(format!("{program} is not installed")),
        None => Ok(()),
    }
}

/// Calls `ready`, and again after `install` if something was missing. Returns an error if it is still missing.
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
        Err(sentence) => format!("{absent}, and cannot be installed: {sentence}"),
    })
}

/// Reports that `what` was not tested. In CI (variable `CI`) this is an error.
pub(crate) fn leave_out(what: &str, why: &str) -> Result<(), String> {
    if std::env::var_os("CI").is_some_and(|value| !value.is_empty()) {
        return Err(format!("cannot test {what}: {why}"));
    }
    println!("\n== NOT RUN: {what} ({why})\n");
    Ok(())
}

/// Installs Debian packages from up-to-date package lists.
pub(crate) fn install_packages(packages: &[&str]) -> Result<(), String> {
    update_packages()?;
    let mut arguments = vec!["install", "--quiet", "--yes", "--no-install-recommends"];
    arguments.extend(packages);
    apt_get(&arguments)
}

/// Updates Debian's package lists.
pub(crate) fn update_packages() -> Result<(), String> {
    if !succeeds("apt-get", &["--version"]) {
        return Err("apt-get is not installed".to_owned());
    }
    let root = process::output(Command::new("id").arg("-u"));
    if root.as_deref().map(str::trim) != Ok("0") {
        return Err("apt-get needs root".to_owned());
    }
    apt_get(&["update", "--quiet"])
}

/// Runs apt-get. It waits for the lock because two CI jobs may run it at once.
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
