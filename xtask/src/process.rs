//! Subprocesses of tasks.

use std::process::{Command, Stdio};

/// Runs a command, and lets its output through. Returns an error if the command fails.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let line = shown(command);
    println!("$ {line}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{line}: {status}")),
        Err(error) => Err(format!("cannot run {line}: {error}")),
    }
}

/// Runs a command, and returns its standard output. The error contains the output of a failed command.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let line = shown(command);
    let output = command
        .output()
        .map_err(|error| format!("cannot run {line}: {error}"))?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(printed);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{line} failed: {printed}{}", said.trim()))
}

/// Maximum number of differences printed. All are counted.
const DIFFERENCES_SHOWN_MAX: usize = 50;

/// Prints the differences, and returns an error with their number and `means` if there are any.
pub(crate) fn no_difference(differences: &[String], means: &str) -> Result<(), String> {
    for difference in differences.iter().take(DIFFERENCES_SHOWN_MAX) {
        println!("{difference}");
    }
    match differences.len() {
        0 => Ok(()),
        count => Err(format!("{count} {means}")),
    }
}

/// Whether a program runs without an error. Discards its output.
pub(crate) fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Formats a command line and its directory.
fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    let place = command
        .get_current_dir()
        .map(|it| format!("   (in {})", it.display()));
    words.join(" ") + &place.unwrap_or_default()
}

pub(crate) fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}
