//! No run replaces its input, or one output with another.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::verger::{Said, command, run};

const BODY: &str = "User-agent: *\nDisallow: /private\n";

/// Makes a directory with inputs of every kind, none of which is complete enough to be read.
fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("run-files")
        .join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(directory.join("d")).unwrap();
    for name in ["in", "other", "d/in.parquet", "d/in.txt"] {
        fs::write(directory.join(name), BODY).unwrap();
    }
    fs::hard_link(directory.join("in"), directory.join("hard")).unwrap();
    symlink("../in", directory.join("d/soft")).unwrap();
    symlink("d", directory.join("e")).unwrap();
    symlink("e/new", directory.join("nowhere")).unwrap();
    directory
}

fn in_directory(directory: &Path, arguments: &str) -> Said {
    let mut command = command();
    command.current_dir(directory).args(arguments.split(' '));
    run(&mut command, "")
}

/// Returns everything below a directory, with the content of files.
fn content(directory: &Path) -> Vec<(PathBuf, Option<String>)> {
    let mut content = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            content.append(&mut self::content(&path));
        }
        content.push((path.clone(), fs::read_to_string(path).ok()));
    }
    content.sort();
    content
}

#[track_caller]
fn refuses(directory: &Path, arguments: &str, expected: &str) {
    let before = content(directory);
    let said = in_directory(directory, arguments).refused();
    assert_eq!(said, format!("error: {expected}\n"), "{arguments}");
    assert_eq!(content(directory), before, "{arguments}");
}

#[test]
fn an_output_that_is_read_is_refused() {
    let directory = directory("read");
    for (arguments, output) in [
        ("bulk captures in -o in", "in"),
        ("bulk captures other in -o ./d/../in", "./d/../in"),
        ("bulk captures in -o hard", "hard"),
        ("bulk captures in -o e/soft", "e/soft"),
        ("bulk captures d/in.parquet d/in -o d", "d/in.parquet"),
        ("bulk check in -r other -o in", "in"),
        ("bulk check other in -r other -o d/soft", "d/soft"),
        ("bulk check in -r other -o other", "other"),
        ("bulk check in --bodies other -o other", "other"),
        ("bulk check in --captures other -o other", "other"),
        ("bulk check in --captures d -o e/in.parquet", "e/in.parquet"),
        ("bulk check in --captures . -o d/in.parquet", "d/in.parquet"),
        ("bulk check in --store other -o other", "other"),
        ("bulk classes --store in -o in", "in"),
        ("bulk classes --bodies in --report in", "in"),
        ("bulk classes -r in -o other --report hard", "hard"),
        ("audit --robots other in --report in", "in"),
        ("audit --robots other in --parquet in", "in"),
        ("audit --robots 2026-11-20=other in --report other", "other"),
        ("audit --store other in --parquet other", "other"),
        ("audit --store other in --report other-wal", "other-wal"),
        ("bulk check in --store other -o other-shm", "other-shm"),
        ("bulk classes --store d/soft -o in-wal", "in-wal"),
        ("bulk classes --store in --report in-journal", "in-journal"),
        ("report in -o ./in", "./in"),
        ("report e/soft -o hard", "hard"),
        ("report ./hard -o d/soft", "d/soft"),
        ("report h.example --store other -o other", "other"),
        ("report h.example --offline --store in -o in-wal", "in-wal"),
        ("report h.example --no-store --ca-file in -o hard", "hard"),
        (
            "report h.example --proxy http://p --proxy-password-file d/soft -o in",
            "in",
        ),
    ] {
        let expected = format!("`{output}` is both input and output\nhelp: choose another output");
        refuses(&directory, arguments, &expected);
    }
    for (arguments, output) in [
        ("bulk check in --robots-dir d -o d/new", "d/new"),
        ("bulk check in --robots-dir e -o nowhere", "nowhere"),
        ("bulk check in --captures . -o d/new", "d/new"),
        ("bulk classes --robots-dir d --report e/in.txt", "e/in.txt"),
        (
            "audit --robots other in --checks d --report d/in.txt",
            "d/in.txt",
        ),
    ] {
        let expected = format!("`{output}` is in an input directory\nhelp: choose another output");
        refuses(&directory, arguments, &expected);
    }
}

#[test]
fn an_output_that_a_list_of_bodies_names_is_refused() {
    let directory = directory("list");
    let list = "{\"authority\":\"https://a.example\",\"robots\":\"\"}\n\
                {\"authority\":\"https://b.example\",\"robots_path\":\"d/../in\"}\n";
    fs::write(directory.join("list"), list).unwrap();
    let problem = "line 2: `d/../in` is both input and output\nhelp: choose another output";
    for arguments in [
        "bulk check other --bodies list -o in",
        "bulk check other --bodies list -o hard",
        "bulk classes --bodies list -o d/soft",
        "bulk classes --bodies list -o new --report in",
    ] {
        refuses(&directory, arguments, &format!("`list`, {problem}"));
    }
    let before = content(&directory);
    let mut command = command();
    command.current_dir(&directory);
    command.args(["bulk", "check", "other", "--bodies", "-", "-o", "in"]);
    let said = run(&mut command, list).refused();
    assert_eq!(said, format!("error: standard input, {problem}\n"));
    assert_eq!(content(&directory), before);
    // What replaces nothing may be named there: the body cannot be read.
    let absent = list.replace("d/../in", "new");
    fs::write(directory.join("list"), absent).unwrap();
    let said = in_directory(&directory, "bulk classes --quiet --bodies list -o new");
    assert_eq!((said.code, said.stdout.as_str()), (2, ""));
    let expected = "error: cannot read `new`: there is no such file\n";
    assert_eq!(said.stderr, expected);
}

#[test]
fn an_output_that_is_standard_input_is_refused() {
    let directory = directory("stdin");
    let mut command = command();
    command
        .current_dir(&directory)
        .args(["bulk", "check", "-r", "other", "-o", "hard"])
        .stdin(File::open(directory.join("in")).unwrap())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let said = command.spawn().unwrap().wait_with_output().unwrap();
    let expected = "error: `hard` is both input and output\nhelp: choose another output\n";
    assert_eq!(String::from_utf8(said.stderr).unwrap(), expected);
    assert_eq!(said.status.code(), Some(2));
    assert_eq!(fs::read_to_string(directory.join("in")).unwrap(), BODY);
}

#[test]
fn two_outputs_in_one_place_and_directories_are_refused() {
    let directory = directory("written");
    for (arguments, output) in [
        ("bulk classes -r in -o new --report new", "new"),
        (
            "bulk classes -r in -o d/new --report e/../d/new",
            "e/../d/new",
        ),
        ("bulk classes -r in -o d/new --report nowhere", "nowhere"),
        ("bulk classes -r other -o in --report d/soft", "d/soft"),
        ("audit --robots other in --report new --parquet new", "new"),
    ] {
        let expected = format!("`{output}` is used for two outputs\nhelp: choose another output");
        refuses(&directory, arguments, &expected);
    }
    for (arguments, output) in [
        ("bulk check in -r other -o d", "d"),
        ("bulk check in -r other -o absent/", "absent/"),
        ("bulk classes -r in -o new --report e", "e"),
        ("audit --robots other in --report d", "d"),
    ] {
        let expected = format!("`{output}` is a directory\nhelp: give a file");
        refuses(&directory, arguments, &expected);
    }
}

#[test]
fn a_directory_that_is_not_there_is_said_before_anything_is_read() {
    let directory = directory("missing");
    symlink("absent/new", directory.join("astray")).unwrap();
    for (arguments, output, missing) in [
        ("bulk captures in -o absent/a", "absent/a", "absent"),
        (
            "bulk check in -r other -o absent/d/a",
            "absent/d/a",
            "absent/d",
        ),
        ("bulk check in -r other -o in/a", "in/a", "in"),
        ("bulk classes -r in -o astray", "astray", "absent"),
        (
            "bulk classes -r in -o new --report absent/a",
            "absent/a",
            "absent",
        ),
        (
            "audit --robots other in --report absent/a",
            "absent/a",
            "absent",
        ),
        ("audit --robots other in --parquet d/e/a", "d/e/a", "d/e"),
        (
            "audit --update-checks --report absent/a",
            "absent/a",
            "absent",
        ),
    ] {
        let expected = format!("cannot write `{output}`: there is no directory `{missing}`");
        refuses(&directory, arguments, &expected);
    }
}

/// No process can create a file in `/proc`, not even as root.
#[cfg(target_os = "linux")]
#[test]
fn a_directory_in_which_no_file_can_be_made_is_said_before_anything_is_read() {
    let directory = directory("writable");
    symlink("/proc/new", directory.join("astray")).unwrap();
    for (arguments, output) in [
        ("bulk captures in -o /proc/new", "/proc/new"),
        ("bulk check in -r other -o astray", "astray"),
        ("bulk classes -r in -o new --report /proc/new", "/proc/new"),
        ("audit --robots other in --report astray", "astray"),
        ("audit --robots other in --parquet /proc/new", "/proc/new"),
    ] {
        let before = content(&directory);
        let said = in_directory(&directory, arguments).refused();
        let beginning = format!("error: cannot write `{output}`: ");
        assert!(said.starts_with(&beginning), "{arguments}: {said}");
        assert_eq!(content(&directory), before, "{arguments}");
    }
}

#[test]
fn standard_input_is_read_once() {
    let directory = directory("once");
    for arguments in [
        "bulk captures - - -o new",
        "bulk check - - -r other",
        "bulk check - in - -r other -o new",
        "audit --robots other - -",
        "audit --robots - in -",
    ] {
        let expected = "`-` is given more than once: standard input can be read only once\nhelp: give one of the files by its name";
        refuses(&directory, arguments, expected);
    }
    for arguments in [
        "bulk check -r -",
        "bulk check in - -r - -o new",
        "bulk check - --bodies -",
    ] {
        let expected = "the URLs and their rules both come from standard input\nhelp: give one of them as a file";
        refuses(&directory, arguments, expected);
    }
}

/// Arguments of runs that lack the name of their output, and the start of that output.
const RUNS: [(&str, &str); 5] = [
    ("bulk captures --quiet record -o", "PAR1"),
    ("bulk check --quiet urls -r in -o", "{\"schema\":"),
    (
        "bulk classes --quiet -r in -o rows --report",
        "<!DOCTYPE html>",
    ),
    ("audit --robots in log --report", "<!DOCTYPE html>"),
    ("audit --robots in log --parquet", "PAR1"),
];

/// Makes a directory with the inputs of the runs.
fn readable(name: &str) -> PathBuf {
    let directory = directory(name);
    let record = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://a.example/robots.txt\r\n\
                  WARC-Date: 2026-11-01T02:03:04Z\r\nContent-Type: application/http\r\n\
                  Content-Length: 19\r\n\r\nHTTP/1.1 200 OK\r\n\r\n\r\n\r\n";
    fs::write(directory.join("record"), record).unwrap();
    fs::write(directory.join("urls"), "https://a.example/\n").unwrap();
    let log = "192.0.2.1 - - [20/Nov/2026:10:00:00 +0000] \"GET /private HTTP/1.1\" 200 1 \"-\" \
               \"Googlebot/2.1\"\n";
    fs::write(directory.join("log"), log).unwrap();
    directory
}

#[track_caller]
fn begins(bytes: &[u8], beginning: &str, arguments: &str) {
    assert!(bytes.starts_with(beginning.as_bytes()), "{arguments}");
}

#[test]
fn a_fifo_is_written_as_it_is() {
    let directory = readable("fifo");
    let fifo = directory.join("fifo");
    let made = Command::new("mkfifo").arg(&fifo).status().unwrap();
    assert!(made.success());
    for (arguments, beginning) in RUNS {
        let reader = std::thread::spawn({
            let fifo = fifo.clone();
            move || fs::read(fifo).unwrap()
        });
        let said = in_directory(&directory, &format!("{arguments} fifo"));
        // Had the run not written to it, the reader would wait for ever.
        let made_file = fs::symlink_metadata(&fifo).unwrap().is_file();
        assert!(!made_file, "{arguments}");
        assert_eq!((said.stderr.as_str(), said.code), ("", 0), "{arguments}");
        begins(&reader.join().unwrap(), beginning, arguments);
    }
}

#[test]
fn a_link_stays_and_a_file_keeps_its_permissions() {
    let directory = readable("link");
    let at = |name: &str| directory.join(name);
    fs::write(at("there"), "before").unwrap();
    fs::set_permissions(at("there"), Permissions::from_mode(0o600)).unwrap();
    symlink("../there", at("d/link")).unwrap();
    for (arguments, beginning) in RUNS {
        for (link, end) in [("d/link", "there"), ("nowhere", "d/new")] {
            let said = in_directory(&directory, &format!("{arguments} {link}"));
            assert_eq!((said.stderr.as_str(), said.code), ("", 0), "{arguments}");
            assert!(at(link).is_symlink(), "{arguments} {link}");
            begins(&fs::read(at(end)).unwrap(), beginning, arguments);
        }
        let mode = fs::metadata(at("there")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{arguments}");
        fs::remove_file(at("d/new")).unwrap();
    }
}
