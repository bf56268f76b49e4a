//! The messages of a build without features: this build if it has none, or the program that `VERGER_FILES_ONLY`
//! names.

use std::ffi::OsString;
use std::process::{Command, Output};

const HOW: &str = "help: in a checkout, run `cargo install --path crates/verger-cli`\n";

/// Returns the command without features. If there is none, returns `None` and prints a line.
fn files_only() -> Option<OsString> {
    let has_none = cfg!(not(any(
        feature = "web",
        feature = "filter",
        feature = "lsp",
        feature = "man"
    )));
    let this = || has_none.then(|| env!("CARGO_BIN_EXE_verger").into());
    let program = std::env::var_os("VERGER_FILES_ONLY").or_else(this);
    if program.is_none() {
        eprintln!("LEFT OUT: a command without features: VERGER_FILES_ONLY is not set");
    }
    program
}

fn run(program: &OsString, arguments: &str) -> Output {
    let mut command = Command::new(program);
    command.args(arguments.split(' ')).output().unwrap()
}

#[test]
fn commands_that_are_left_out_say_how_to_get_them() {
    let Some(verger) = files_only() else { return };
    for arguments in [
        "fetch example.com",
        "history --json example.com",
        "store stat --help",
        "watch",
        "check https://example.com/",
        "lint https://example.com",
        "who https://example.com",
    ] {
        let said = run(&verger, arguments);
        assert_eq!(said.status.code(), Some(2), "{arguments}");
        let text = String::from_utf8(said.stderr).unwrap();
        let how = format!("built without `web`\n{HOW}");
        assert!(text.ends_with(&how), "{arguments}: {text}");
    }
    for feature in ["filter", "man", "audit", "bulk", "lsp"] {
        let said = String::from_utf8(run(&verger, feature).stderr).unwrap();
        let how = format!("built without `{feature}`\n{HOW}");
        assert!(said.ends_with(&how), "{said}");
    }
}

#[test]
fn help_marks_them() {
    let Some(verger) = files_only() else { return };
    let help = String::from_utf8(run(&verger, "--help").stdout).unwrap();
    let line = help
        .lines()
        .find(|line| line.starts_with("  fetch "))
        .unwrap();
    assert!(line.ends_with("Not in this build"), "{help}");
}
