//! `cargo xtask test`: everything that a contributor must run.

use std::process::Command;

use crate::{c, python, ruby, workspace};

/// The tests of the workspace, with nextest where it is installed, and those of the bindings. The
/// output of the runners is theirs, down to its closing lines.
pub(crate) fn run() -> Result<(), String> {
    if has_nextest() {
        cargo(&["nextest", "run", "--workspace"])?;
        // Nextest runs no documentation tests.
        cargo(&["test", "--doc", "--workspace"])?;
    } else {
        cargo(&["test", "--workspace"])?;
    }
    ruby::run()?;
    python::run()?;
    c::run(c::Extent::Usual)
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
