//! Completions, manual pages, help, colours.

use crate::verger::{command, file, run, verger_on};

#[test]
fn every_shell_has_completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let said = verger_on("", &format!("completions {shell}")).quietly(0);
        assert!(said.contains("dialect"), "{shell}");
    }
}

#[test]
fn a_manual_page_is_printed_and_pages_need_a_directory() {
    assert!(verger_on("", "man").quietly(0).contains(".TH verger 1"));
    assert_eq!(
        verger_on("", "man nowhere/at/all").refused(),
        "error: cannot write pages to `nowhere/at/all`: there is no such directory\n\
         help: run `mkdir -p nowhere/at/all`\n"
    );
}

#[test]
fn the_version_is_told() {
    let version = verger_on("", "--version").quietly(0);
    assert_eq!(version, format!("verger {}\n", env!("CARGO_PKG_VERSION")));
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
