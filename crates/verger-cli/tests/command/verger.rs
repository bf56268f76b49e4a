//! Runs the binary.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use serde_json::Value;

/// The output of a run, and its exit code.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: i32,
}

/// Parses JSON Lines.
pub(crate) fn json_lines(text: &str) -> Vec<Value> {
    let lines = text.lines();
    let values = lines.map(|line| serde_json::from_str(line).unwrap());
    values.collect()
}

/// Returns the command, to run in the directory with the files of the tests.
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

/// The environment variables that name proxies. A test that sets none must not see them.
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

/// Runs it with arguments and `input` on standard input.
pub(crate) fn verger<A: AsRef<OsStr>>(
    arguments: impl IntoIterator<Item = A>,
    input: impl AsRef<[u8]>,
) -> Said {
    run(command().args(arguments), input)
}

/// Runs a [`command`].
pub(crate) fn run(command: &mut Command, input: impl AsRef<[u8]>) -> Said {
    let output = output(command, input);
    Said {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

/// Runs a [`command`] whose output need not be text.
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

/// Runs it with arguments separated by spaces. Writing beyond `blocks` times 512 bytes of a file fails, as on a full
/// disk.
#[cfg(unix)]
pub(crate) fn verger_with_short_files(blocks: u32, arguments: &str) -> Said {
    // A shell that counts in kibibytes sets twice as much.
    let script = format!("trap '' XFSZ; ulimit -f {blocks} || exit 99; exec \"$@\"");
    run_in_shell(&script, arguments)
}

/// Runs it with arguments separated by spaces and at most `limit` open files.
#[cfg(unix)]
pub(crate) fn verger_with_few_files(limit: u32, arguments: &str) -> Said {
    run_in_shell(
        &format!("ulimit -n {limit} || exit 99; exec \"$@\""),
        arguments,
    )
}

/// Returns whether it ends with 0 within that address space, in KiB. Its output is dropped.
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

/// Runs it with arguments separated by spaces and `body` on standard input.
pub(crate) fn verger_on(body: impl AsRef<[u8]>, arguments: &str) -> Said {
    verger(arguments.split_whitespace(), body)
}

/// Writes a file to the directory where the command runs. Names must differ between tests.
pub(crate) fn file(name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).unwrap();
    path
}

/// Makes an empty directory. Names must differ between tests.
pub(crate) fn empty_directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    directory
}

impl Said {
    /// Returns standard output. Asserts the exit code, and that standard error is empty.
    #[track_caller]
    pub(crate) fn quietly(self, code: i32) -> String {
        assert_eq!((self.stderr.as_str(), self.code), ("", code));
        self.stdout
    }

    /// Returns standard error. Asserts exit code 2, and that standard output is empty.
    #[track_caller]
    pub(crate) fn refused(self) -> String {
        assert_eq!((self.stdout.as_str(), self.code), ("", 2));
        self.stderr
    }
}
