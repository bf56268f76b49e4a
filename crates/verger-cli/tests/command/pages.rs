//! Completions, manual pages, help.

use std::fs;
use std::path::Path;

use crate::verger::{verger, verger_on};

#[test]
fn every_shell_has_completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let said = verger_on("", &format!("completions {shell}")).quietly(0);
        assert!(said.contains("dialect"), "{shell}");
    }
}

#[test]
fn there_is_a_manual_page_for_each_command() {
    assert!(verger_on("", "man").quietly(0).contains(".TH verger 1"));
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("man");
    fs::create_dir_all(&directory).unwrap();
    let said = verger(["man", directory.to_str().unwrap()], "");
    assert_eq!(said.quietly(0), "");
    for page in [
        "verger",
        "verger-check",
        "verger-crawlers",
        "verger-fetch",
        "verger-filter",
        "verger-history",
        "verger-man",
        "verger-parse",
        "verger-profiles",
        "verger-store",
        "verger-store-export",
    ] {
        let page = fs::read_to_string(directory.join(format!("{page}.1"))).unwrap();
        assert!(page.contains(".SH SYNOPSIS"));
    }
    assert_eq!(
        verger_on("", "man nowhere/at/all").refused(),
        "error: cannot write pages to `nowhere/at/all`: there is no such directory\n"
    );
}

#[test]
fn help_and_version_are_told() {
    let version = verger_on("", "--version").quietly(0);
    assert_eq!(version, format!("verger {}\n", env!("CARGO_PKG_VERSION")));
    let commands = [
        "",
        "check",
        "fetch",
        "filter",
        "history",
        "parse",
        "crawlers",
        "store",
        "store stat",
        "store sweep",
        "store export",
        "store import",
        "completions",
        "man",
    ];
    for command in commands {
        let said = verger_on("", &format!("{command} --help")).quietly(0);
        assert!(said.contains("Usage: verger"), "{command}");
    }
    assert!(
        verger_on("", "check --help")
            .quietly(0)
            .contains("Examples:")
    );
}
