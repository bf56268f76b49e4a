//! Completions, tested in the shells.
//!
//! `VERGER_FISH` names the program of fish, which then must run. Without it, the test looks where Debian installs fish,
//! and is skipped with a message if it is missing.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use crate::verger::{file, verger_on};

/// Words and their completions.
const COMPLETED: [(&str, &[&str]); 9] = [
    ("check -a googlebot-n", &["googlebot-news"]),
    ("check --agent gptb", &["gptbot"]),
    ("filter -a gptb", &["gptbot"]),
    ("parse -a gptb", &["gptbot"]),
    ("crawlers gptb", &["gptbot"]),
    ("check -a @ai-", &["@ai-input", "@ai-train"]),
    ("check --profile google", &["google", "google-2023"]),
    ("check -d ko", &["koster1996"]),
    ("profiles cau", &["cautious"]),
];

/// Returns the output of a shell that runs a script.
fn printed(shell: &OsString, options: &[&str], script: &str) -> String {
    let mut command = Command::new(shell);
    command.args(options).args(["-c", script]);
    command.current_dir(env!("CARGO_TARGET_TMPDIR"));
    command.env("HOME", env!("CARGO_TARGET_TMPDIR"));
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn bash_completes_names() {
    file(
        "completions.bash",
        verger_on("", "completions bash").quietly(0),
    );
    // As Bash calls a function: the command, the word to complete, the word before it. It ends words at
    // `@` and at `=`.
    let script = r#"
        . ./completions.bash
        read -r _ _ _ _ _ _ name _ <<< "$(complete -p verger)"
        words=($1) last="${1##* }" COMP_WORDS=()
        for word in verger "${words[@]}"; do
            case "$word" in
                @?*) COMP_WORDS+=(@ "${word#@}") ;;
                *=?*) COMP_WORDS+=("${word%%=*}" = "${word#*=}"); last="${word#*=}" ;;
                *) COMP_WORDS+=("$word") ;;
            esac
        done
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        "$name" verger "$last" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let bash = OsString::from("bash");
    let options = ["--norc", "--noprofile"];
    let complete = |line: &str| {
        let script = format!("set -- '{line}'\n{script}");
        printed(&bash, &options, &script)
    };
    for (line, expected) in COMPLETED {
        let completed = complete(line);
        assert_eq!(completed.lines().collect::<Vec<_>>(), expected, "{line}");
    }
    assert_eq!(complete("check --agent=gptb"), "gptbot\n");
    assert_eq!(complete("check --format=c"), "csv\n");
}

/// Returns the program of fish, if it is installed.
fn fish() -> Option<OsString> {
    if let Some(program) = std::env::var_os("VERGER_FISH") {
        return Some(program);
    }
    let debian = Path::new("/usr/bin/fish");
    debian.exists().then(|| debian.into())
}

#[test]
fn fish_completes_names() {
    let Some(fish) = fish() else {
        eprintln!("LEFT OUT: completions in fish: there is no fish, and VERGER_FISH is not set");
        return;
    };
    file(
        "completions.fish",
        verger_on("", "completions fish").quietly(0),
    );
    for (line, expected) in COMPLETED {
        let script = format!("source completions.fish; complete -C 'verger {line}'");
        let completed = printed(&fish, &["--no-config"], &script);
        let names = completed
            .lines()
            .map(|line| line.split('\t').next().unwrap());
        assert_eq!(names.collect::<Vec<_>>(), expected, "{line}");
    }
}
