//! Runs the binary.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use serde_json::Value;

/// What a run said, and its exit code.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: i32,
}

/// The lines of JSON Lines.
pub(crate) fn json_lines(text: &str) -> Vec<Value> {
    let lines = text.lines();
    let values = lines.map(|line| serde_json::from_str(line).unwrap());
    values.collect()
}

/// The command, to be run where the files of the tests are.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verger"));
    command
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        // A test that names no store must not find that of whoever runs it.
        .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .env_remove("NO_COLOR")
        .env_remove("VERGER_STORE")
        .env_remove("VERGER_CONTACT")
        .env_remove("CLICOLOR_FORCE");
    for variable in PROXY_VARIABLES {
        command.env_remove(variable);
    }
    command
}

/// The variables of the environment that name proxies: a test that sets none must not find them.
pub(crate) const PROXY_VARIABLES: [&str; 9] = [
    "http_proxy",
    "HTTP_PROXY",
    "https_proxy",
    "HTTPS_PROXY",
    "all_proxy",
    "ALL_PROXY",
    "no_proxy",
    "NO_PROXY",
    "VERGER_PROXY_PASSWORD",
];

/// Runs it with arguments, and with `input` on standard input.
pub(crate) fn verger<A: AsRef<OsStr>>(
    arguments: impl IntoIterator<Item = A>,
    input: impl AsRef<[u8]>,
) -> Said {
    run(command().args(arguments), input)
}

/// Runs what [`command`] made.
pub(crate) fn run(command: &mut Command, input: impl AsRef<[u8]>) -> Said {
    let output = output(command, input);
    Said {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

/// Runs what [`command`] made, whose output need not be text.
pub(crate) fn output(command: &mut Command, input: impl AsRef<[u8]>) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.as_ref().to_vec();
    let writer = thread::spawn(move || {
        // A run that needs no input may end before it has read any.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// Runs it with arguments between spaces, where no file may be written beyond so many times 512
/// bytes: writing there fails, as on a full disk.
#[cfg(unix)]
pub(crate) fn verger_with_short_files(blocks: u32, arguments: &str) -> Said {
    // A shell that counts in kibibytes sets twice as much.
    let script = format!("trap '' XFSZ; ulimit -f {blocks} || exit 99; exec \"$@\"");
    run_in_shell(&script, arguments)
}

/// Runs it with arguments between spaces, where it may have so many files open.
#[cfg(unix)]
pub(crate) fn verger_with_few_files(limit: u32, arguments: &str) -> Said {
    run_in_shell(
        &format!("ulimit -n {limit} || exit 99; exec \"$@\""),
        arguments,
    )
}

/// Whether it ends with 0 where it may have so many KiB of address space; its output is dropped.
#[cfg(target_os = "linux")]
pub(crate) fn succeeds_within(kibibytes: u32, arguments: &str) -> bool {
    let script = format!("ulimit -v {kibibytes} || exit 99; \"$@\" >/dev/null 2>&1");
    let said = run_in_shell(&script, arguments);
    assert_ne!(said.code, 99, "{}", said.stderr);
    said.code == 0
}

#[cfg(unix)]
fn run_in_shell(script: &str, arguments: &str) -> Said {
    let verger = command();
    let mut shell = Command::new("sh");
    shell.args(["-c", script, "sh"]).arg(verger.get_program());
    shell.current_dir(verger.get_current_dir().unwrap());
    for (name, value) in verger.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    run(shell.args(arguments.split_whitespace()), "")
}

/// Runs it with arguments between spaces, `body` on standard input.
pub(crate) fn verger_on(body: impl AsRef<[u8]>, arguments: &str) -> Said {
    verger(arguments.split_whitespace(), body)
}

/// A file of that name and content where the command runs; names must differ between tests.
pub(crate) fn file(name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).unwrap();
    path
}

impl Said {
    /// What it said, where nothing went to standard error.
    #[track_caller]
    pub(crate) fn quietly(self, code: i32) -> String {
        assert_eq!((self.stderr.as_str(), self.code), ("", code));
        self.stdout
    }

    /// What went to standard error, where nothing else was said.
    #[track_caller]
    pub(crate) fn refused(self) -> String {
        assert_eq!((self.stdout.as_str(), self.code), ("", 2));
        self.stderr
    }
}
