//! Google's command line.

use crate::verger::{file, verger};

#[test]
fn one_sentence_and_an_exit_code() {
    file("google.txt", "user-agent: FooBot\ndisallow: /a\n");
    assert_eq!(
        verger(["robots", "google.txt", "FooBot", "https://h/a"], "").quietly(1),
        "user-agent 'FooBot' with URI 'https://h/a': DISALLOWED\n"
    );
    assert_eq!(
        verger(["robots", "google.txt", "FooBot/1", "-x"], "").quietly(0),
        "user-agent 'FooBot/1' with URI '-x': ALLOWED\n"
    );
    assert_eq!(
        verger(["robots", "google.txt", "", ""], "").quietly(0),
        "user-agent '' with URI '': ALLOWED\n"
    );
}

#[test]
fn after_two_hyphens_the_arguments_are_those_of_googles_program() {
    file("--google.txt", "user-agent: other\ndisallow: /\n");
    for (arguments, sentence) in [
        (
            ["--google.txt", "FooBot", "/"],
            "user-agent 'FooBot' with URI '/': ALLOWED\n",
        ),
        (
            ["--google.txt", "--", "--x"],
            "user-agent '--' with URI '--x': ALLOWED\n",
        ),
        (
            ["--google.txt", "--color", "-"],
            "user-agent '--color' with URI '-': ALLOWED\n",
        ),
    ] {
        let said = verger(["robots", "--"].into_iter().chain(arguments), "");
        assert_eq!(said.quietly(0), sentence);
    }
    let help = verger(["robots", "--help"], "").refused();
    assert_eq!(verger(["robots", "--", "--help"], "").refused(), help);
    assert_eq!(
        verger(["robots", "--", "--color", "a", "b"], "").refused(),
        "failed to read file \"--color\"\n"
    );
}

#[test]
fn an_empty_file_is_told() {
    file("google-empty.txt", "");
    assert_eq!(
        verger(["robots", "google-empty.txt", "FooBot", "/"], "").quietly(0),
        "user-agent 'FooBot' with URI '/': ALLOWED\n\
         notice: robots file is empty so all user-agents are allowed\n"
    );
}

#[test]
fn help_and_wrong_numbers_of_arguments_go_to_standard_error() {
    let help = verger(["robots", "--help"], "").refused();
    assert!(help.contains("Usage:"));
    for help_word in ["-h", "-help"] {
        assert_eq!(
            verger(["robots", help_word, "x", "y", "z"], "").refused(),
            help
        );
    }
    let complaint = format!("Invalid amount of arguments. Showing help.\n\n{help}");
    for arguments in [
        &["robots"][..],
        &["robots", "a", "b"],
        &["robots", "a", "b", "c", "d"],
    ] {
        assert_eq!(verger(arguments, "").refused(), complaint, "{arguments:?}");
    }
    assert_eq!(
        verger(["robots", "nowhere.txt", "FooBot", "/"], "").refused(),
        "failed to read file \"nowhere.txt\"\n"
    );
}

#[cfg(unix)]
#[test]
fn bytes_are_asked_as_they_are_and_shown_as_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    file("google-bytes.txt", b"user-agent: *\ndisallow: /\xe9\n");
    let output = crate::verger::command()
        .args(["robots", "google-bytes.txt"])
        .args([
            OsStr::from_bytes(b"Foo\xff"),
            OsStr::from_bytes(b"/%E9\xfe"),
        ])
        .output()
        .unwrap();
    let sentence = "user-agent 'Foo\u{fffd}' with URI '/%E9\u{fffd}': DISALLOWED\n";
    assert_eq!(output.stdout, sentence.as_bytes());
    assert_eq!(output.status.code(), Some(1));
}
