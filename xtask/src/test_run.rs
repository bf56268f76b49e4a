//! `cargo xtask test` and `cargo xtask bindings`: the tests of the workspace, and those of what other
//! languages call.

use std::process::Command;

use crate::{c, python, ruby, workspace};

/// How the tests of the bindings are run, said where those of the workspace end.
const BINDINGS: &str = "
Ruby, Python and C are tested by one more command, which installs what they need or leaves one out and
says so:   cargo xtask bindings";

/// The tests of the workspace, with nextest where it is installed. The output of the runners is theirs,
/// down to its closing lines.
///
/// # Errors
///
/// Where a test fails.
pub(crate) fn run() -> Result<(), String> {
    if has_nextest() {
        cargo(&["nextest", "run", "--workspace"])?;
        // Nextest runs no documentation tests.
        cargo(&["test", "--doc", "--workspace"])?;
    } else {
        cargo(&["test", "--workspace"])?;
    }
    println!("{BINDINGS}");
    Ok(())
}

/// The tests of all bindings, each to its end whatever becomes of the others.
///
/// # Errors
///
/// Which of them failed.
pub(crate) fn bindings() -> Result<(), String> {
    let results = [ruby::run(), python::run(), c::run(c::Extent::Usual)];
    let failed: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    if failed.is_empty() {
        return Ok(());
    }
    Err(failed.join("; "))
}

fn has_nextest() -> bool {
    cargo_command(&["nextest", "--version"])
        .output()
        .is_ok_and(|output| output.status.success())
}

fn cargo(arguments: &[&str]) -> Result<(), String> {
    let line = arguments.join(" ");
    println!("$ cargo {line}");
    let status = cargo_command(arguments)
        .status()
        .map_err(|error| format!("cargo {line} cannot be run: {error}"))?;
    if status.success() {
        return Ok(());
    }
    Err(format!("cargo {line} failed"))
}

fn cargo_command(arguments: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(arguments).current_dir(workspace::root());
    command
}
