//! The scripts in `hooks/`, which the pre-commit hook and the GitHub Action run.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::verger::{Said, empty_directory, run};

const VERGER: &str = env!("CARGO_BIN_EXE_verger");

const FILE: &str = "User-agent: *\nDisallow: /private\n";

const CLAIMS: &str = "robots = \"robots.txt\"\n\n[[claim]]\ncrawlers = [\"gptbot\"]\ndisallowed_under = [\"/private\"]\n";

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs a script in a directory.
fn script(path: &Path, directory: &Path, variables: &[(&str, &str)], arguments: &[&str]) -> Said {
    let mut command = Command::new(path);
    command.current_dir(directory).args(arguments);
    for name in ["VERGER_FORMAT", "VERGER_FAIL_ON", "VERGER_TEST", "FILES"] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied());
    run(&mut command, "")
}

fn check(directory: &Path, variables: &[(&str, &str)], arguments: &[&str]) -> Said {
    let variables = [&[("VERGER", VERGER)], variables].concat();
    script(
        &repository().join("hooks/check"),
        directory,
        &variables,
        arguments,
    )
}

#[test]
fn files_are_linted_and_held_to_the_claims_beside_them() {
    let directory = empty_directory("hooks-check");
    fs::create_dir_all(directory.join("a site")).unwrap();
    let write = |path: &str, text: &str| fs::write(directory.join(path), text).unwrap();
    write("robots.txt", FILE);
    write("a site/robots.txt", FILE);
    let said = check(&directory, &[], &["robots.txt", "a site/robots.txt"]);
    let nothing = "robots.txt: nothing found\na site/robots.txt: nothing found\n";
    assert_eq!(said.quietly(0), nothing);
    write("a site/robots.test.toml", CLAIMS);
    let said = check(&directory, &[], &["robots.txt", "a site/robots.txt"]).quietly(0);
    assert!(
        said.starts_with(nothing) && said.contains("1 claim holds"),
        "{said}"
    );
    // Claims that are named and found are tested once.
    let both = ["a site/robots.test.toml", "./a site/robots.txt"];
    let said = check(&directory, &[], &both).quietly(0);
    assert_eq!(said.matches("claim holds").count(), 1, "{said}");
    let said = check(&directory, &[], &["a site/robots.test.toml"]).quietly(0);
    assert!(!said.contains("nothing found"), "{said}");
    write("a site/robots.txt", "User-agent: *\nDisallow: /other\n");
    let said = check(&directory, &[], &["a site/robots.txt"]);
    assert_eq!(said.code, 1);
    assert!(said.stdout.contains("fails  GPTBot"), "{}", said.stdout);
    let said = check(&directory, &[("VERGER_TEST", "no")], &["a site/robots.txt"]);
    assert_eq!(said.quietly(0), "a site/robots.txt: nothing found\n");
    let said = check(&directory, &[], &["a site/robots.txt", "absent.txt"]);
    assert_eq!(said.code, 2);
}

#[test]
fn the_least_severity_is_that_of_the_setting() {
    let directory = empty_directory("hooks-fail-on");
    fs::write(directory.join("robots.txt"), "User-agent: *\nDisallow: x\n").unwrap();
    for (fail_on, code) in [("", 1), ("error", 1), ("never", 2)] {
        let said = check(&directory, &[("VERGER_FAIL_ON", fail_on)], &["robots.txt"]);
        assert_eq!(said.code, code, "{fail_on}");
    }
    fs::write(
        directory.join("robots.txt"),
        "User-agent: *\nDisallow: /a\nAllow: /a\n",
    )
    .unwrap();
    for (fail_on, code) in [("", 1), ("error", 0), ("note", 1)] {
        let said = check(&directory, &[("VERGER_FAIL_ON", fail_on)], &["robots.txt"]);
        assert_eq!(said.code, code, "{fail_on}");
    }
}

#[test]
fn the_action_writes_annotations() {
    let directory = empty_directory("hooks-action");
    fs::write(directory.join("robots.txt"), "User-agent: *\nDisallow: x\n").unwrap();
    fs::write(directory.join("robots.test.toml"), CLAIMS).unwrap();
    let action = |files: &str| {
        let variables = [("VERGER", VERGER), ("FILES", files)];
        script(
            &repository().join("hooks/action"),
            &directory,
            &variables,
            &[],
        )
    };
    let said = action("robots.txt \n\n");
    assert_eq!((said.code, said.stderr.as_str()), (1, ""));
    let starts: Vec<&str> = said
        .stdout
        .lines()
        .map(|line| line.split(",col").next().unwrap())
        .collect();
    assert_eq!(starts[0], "::error file=robots.txt,line=2,endLine=2");
    assert!(
        starts[1].starts_with("::error file=robots.test.toml,line="),
        "{}",
        starts[1]
    );
    let said = action("nope.txt");
    let annotation = "::error title=verger::cannot read `nope.txt`: there is no such file\n";
    assert_eq!(said.code, 2);
    assert!(said.stdout.starts_with(annotation), "{}", said.stdout);
    let said = check(
        &directory,
        &[("VERGER_FORMAT", "github"), ("VERGER_FAIL_ON", "eror")],
        &["robots.txt"],
    );
    let annotation = "::error title=verger::invalid value `eror` for `--fail-on <SEVERITY>`: it takes note, warning, error%0Ahelp: did you mean `error`?\n";
    assert_eq!(said.code, 2);
    assert!(said.stdout.starts_with(annotation), "{}", said.stdout);
    let said = action(" \n");
    assert_eq!(said.code, 2);
    assert!(said.stdout.starts_with("::error "), "{}", said.stdout);
}

/// Copies the scripts, to build nothing in the repository.
fn copied(directory: &Path) -> PathBuf {
    let hooks = directory.join("source/hooks");
    fs::create_dir_all(&hooks).unwrap();
    for entry in fs::read_dir(repository().join("hooks")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, hooks.join(path.file_name().unwrap())).unwrap();
    }
    hooks
}

#[test]
fn the_hook_builds_the_command_once() {
    let directory = empty_directory("hooks-pre-commit");
    let (hooks, tools) = (copied(&directory), directory.join("tools"));
    fs::create_dir_all(&tools).unwrap();
    // A program in the place of cargo: it writes down where and how it is called, and installs the command.
    let cargo = tools.join("cargo");
    let text = format!(
        "#!/bin/sh\necho \"$(pwd) $*\" >> '{}/calls'\nmkdir -p \"$6/bin\"\nln -s '{VERGER}' \"$6/bin/verger\"\n",
        directory.display()
    );
    fs::write(&cargo, text).unwrap();
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    fs::write(directory.join("robots.txt"), FILE).unwrap();
    // The directory of the project may be called by another name than its own.
    symlink(&directory, directory.join("link")).unwrap();
    for _ in 0..2 {
        let said = script(
            &hooks.join("pre-commit"),
            &directory.join("link"),
            &[("PATH", &path)],
            &["robots.txt"],
        );
        assert_eq!(said.quietly(0), "robots.txt: nothing found\n");
    }
    let calls = fs::read_to_string(directory.join("calls")).unwrap();
    let source = directory.join("source");
    let source = source.display();
    let expected =
        format!("{source} install --locked --path crates/verger-cli --root {source}/target/hook\n");
    assert_eq!(calls, expected);
}
