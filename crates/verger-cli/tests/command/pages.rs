//! Completions, manual pages, help, colours.

use std::fs;
use std::path::Path;

use crate::verger::{command, file, run, verger, verger_on};

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
        "verger-report",
        "verger-store",
        "verger-store-export",
    ] {
        let page = fs::read_to_string(directory.join(format!("{page}.1"))).unwrap();
        assert!(page.contains(".SH SYNOPSIS"));
    }
    assert_eq!(
        verger_on("", "man nowhere/at/all").refused(),
        "error: cannot write pages to `nowhere/at/all`: there is no such directory\n\
         help: run `mkdir -p nowhere/at/all`\n"
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
        "report",
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

#[test]
fn colours_are_a_choice() {
    file("colours.txt", "User-agent: *\nDisallow: /a\n");
    let with = |arguments: &str, variable: Option<&str>| {
        let mut command = command();
        command.args(format!("{arguments} check -r colours.txt /a").split_whitespace());
        command.envs(variable.map(|name| (name, "1")));
        run(&mut command, "").quietly(1)
    };
    let plain = with("", None);
    assert!(plain.starts_with("disallowed  /a "), "{plain}");
    let coloured = with("--color always", None);
    assert!(
        coloured.starts_with("\x1b[1m\x1b[31mdisallowed\x1b[0m"),
        "{coloured:?}"
    );
    assert_eq!(with("--color always", Some("NO_COLOR")), coloured);
    assert_eq!(with("--color auto", Some("CLICOLOR_FORCE")), coloured);
    assert_eq!(with("", Some("CLICOLOR_FORCE")), coloured);
    assert_eq!(with("--color never", Some("CLICOLOR_FORCE")), plain);
    // Help and errors about arguments have them, too.
    for arguments in ["--color always --help", "check --help --color=always"] {
        let help = verger_on("", arguments).quietly(0);
        assert!(help.contains("\x1b[1m\x1b[4mUsage:\x1b[0m"), "{help:?}");
    }
    let mut forced = command();
    forced
        .env("CLICOLOR_FORCE", "1")
        .args(["--color", "never", "--help"]);
    assert!(!run(&mut forced, "").quietly(0).contains('\x1b'));
    // It may also follow the command, and is about errors, too.
    let said = verger_on("", "parse nowhere.txt --color always");
    assert!(
        said.stderr.starts_with("\x1b[1m\x1b[31merror:\x1b[0m"),
        "{said:?}"
    );
}
