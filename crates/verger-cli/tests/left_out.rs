//! What a build without the feature `web` says about what it leaves out.
#![cfg(not(feature = "web"))]

use std::process::{Command, Output};

fn verger(arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verger"));
    command.args(arguments.split(' ')).output().unwrap()
}

#[test]
fn commands_that_are_left_out_say_how_to_get_them() {
    for arguments in [
        "fetch example.com",
        "history --json example.com",
        "store stat --help",
        "watch",
        "check https://example.com/",
        "lint https://example.com",
        "who https://example.com",
    ] {
        let said = verger(arguments);
        assert_eq!(said.status.code(), Some(2), "{arguments}");
        let text = String::from_utf8(said.stderr).unwrap();
        let how = "built without `web`: cargo install verger-cli --features web\n";
        assert!(text.ends_with(how), "{arguments}: {text}");
    }
}

#[cfg(not(feature = "filter"))]
#[test]
fn each_names_its_feature() {
    for feature in ["filter", "man", "audit", "bulk", "lsp"] {
        let said = String::from_utf8(verger(feature).stderr).unwrap();
        assert!(said.ends_with(&format!("--features {feature}\n")), "{said}");
    }
}

#[test]
fn help_marks_them() {
    let help = String::from_utf8(verger("--help").stdout).unwrap();
    let line = help
        .lines()
        .find(|line| line.starts_with("  fetch "))
        .unwrap();
    assert!(line.ends_with("Not in this build"), "{help}");
}
