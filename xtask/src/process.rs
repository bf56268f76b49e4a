//! Programs that tasks run.

use std::process::{Command, Stdio};

/// Runs a command to its end; its output is its own.
///
/// # Errors
///
/// Where it cannot be run, or fails.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let line = shown(command);
    println!("$ {line}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{line}: {status}")),
        Err(error) => Err(format!("{line}: cannot be run: {error}")),
    }
}

/// Runs a command, and returns what it writes to its standard output.
///
/// # Errors
///
/// Where it cannot be run, or fails: what it wrote.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let line = shown(command);
    let output = command
        .output()
        .map_err(|error| format!("{line}: cannot be run: {error}"))?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(printed);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{line} failed: {printed}{}", said.trim()))
}

/// How many differences are printed; all are counted.
const DIFFERENCES_SHOWN_MAX: usize = 50;

/// Prints what differs.
///
/// # Errors
///
/// Where anything does: how many, and what that means.
pub(crate) fn no_difference(differences: &[String], means: &str) -> Result<(), String> {
    for difference in differences.iter().take(DIFFERENCES_SHOWN_MAX) {
        println!("{difference}");
    }
    match differences.len() {
        0 => Ok(()),
        count => Err(format!("{count} {means}")),
    }
}

/// Whether a program runs to its end without an error; its output is dropped.
pub(crate) fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// The program and its arguments, and where it is run.
fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    let place = command
        .get_current_dir()
        .map(|it| format!("   (in {})", it.display()));
    words.join(" ") + &place.unwrap_or_default()
}

/// The words of a line of arguments.
pub(crate) fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}
