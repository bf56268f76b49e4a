//! Output that no program reads, and questions that wait for answers.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use crate::verger::{command, file};

fn spawn(arguments: &[&str]) -> Child {
    command()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Reads one line of a run with endless input, closes its output, and waits for its end.
#[track_caller]
fn read_one_line(arguments: &[&str], input_line: &'static str) {
    let mut child = spawn(arguments);
    let mut stdin = child.stdin.take().unwrap();
    let writer = thread::spawn(move || while stdin.write_all(input_line.as_bytes()).is_ok() {});
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    assert!(!line.is_empty());
    assert_eq!(child.wait().unwrap().code(), Some(141));
    writer.join().unwrap();
    let mut stderr = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut stderr)
        .unwrap();
    assert_eq!(stderr, "");
}

#[test]
fn output_that_no_program_reads_ends_a_run_quietly() {
    file("pipe-body.txt", "User-agent: *\nDisallow: /\n");
    read_one_line(&["check", "-r", "pipe-body.txt", "--urls", "-"], "/a\n");
    read_one_line(
        &["check", "-r", "pipe-body.txt", "--json", "--urls", "-"],
        "/a\n",
    );
    read_one_line(&["filter", "-r", "pipe-body.txt", "--invert"], "/a\n");
    let question = "{\"robots\":\"\",\"agent\":\"a\",\"url\":\"/\"}\n";
    read_one_line(&["check", "--batch", "-"], question);
}

#[test]
fn a_log_that_no_program_reads_ends_a_run_quietly() {
    let mut child = spawn(&["lint", "--format", "sarif", "-"]);
    drop(child.stdout.take());
    let rules = (0..500).map(|rule| format!("Disalow: /{rule}\nDisallow: {rule}\n"));
    let body = format!("User-agent: *\n{}", rules.collect::<String>());
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(body.as_bytes()).unwrap();
    drop(stdin);
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.stderr, b"");
    assert_eq!(ended.status.code(), Some(141));
}

/// Every write fails as on a full disk, because the shell allows the command only empty files.
#[cfg(unix)]
#[test]
fn an_output_that_cannot_be_written_is_named_and_no_part_of_a_page_is_left() {
    file("full-body.txt", "User-agent: *\nDisallow: /\n");
    let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join("full-page.html");
    for (arguments, message) in [
        (
            "parse full-body.txt > full-output.txt",
            "cannot write to standard output: ",
        ),
        (
            "check -r full-body.txt /a > full-output.txt",
            "cannot write to standard output: ",
        ),
        (
            "report full-body.txt -o full-page.html",
            "cannot write `full-page.html`: ",
        ),
    ] {
        let verger = env!("CARGO_BIN_EXE_verger");
        let script = format!("trap '' XFSZ; ulimit -f 0; exec \"$0\" {arguments}");
        let ended = Command::new("sh")
            .args(["-c", &script, verger])
            .current_dir(env!("CARGO_TARGET_TMPDIR"))
            .output()
            .unwrap();
        assert_eq!(ended.status.code(), Some(2), "{arguments}");
        let said = String::from_utf8(ended.stderr).unwrap();
        assert!(said.contains(message), "{arguments}: {said}");
    }
    assert!(!page.exists());
}

#[test]
fn an_answer_goes_out_before_the_next_question_is_waited_for() {
    file("wait-body.txt", "User-agent: *\nDisallow: /\n");
    let question = "{\"robots\":\"\",\"agent\":\"a\",\"url\":\"/\"}\n";
    for (arguments, question) in [
        (&["check", "--batch", "-"][..], question),
        (&["check", "-r", "wait-body.txt", "--urls", "-"], "/a\n"),
        (
            &["check", "-r", "wait-body.txt", "--json", "--urls", "-"],
            "/a\n",
        ),
        (&["filter", "-r", "wait-body.txt", "--annotate"], "/a\n"),
    ] {
        let mut child = spawn(arguments);
        let mut stdin = child.stdin.take().unwrap();
        let mut answers = BufReader::new(child.stdout.take().unwrap());
        // What follows a question on an empty line is no question.
        for end in ["", "\n", "\r\n"] {
            let input = [question, end].concat();
            stdin.write_all(input.as_bytes()).unwrap();
            let mut answer = String::new();
            answers.read_line(&mut answer).unwrap();
            assert!(answer.contains("allowed"));
        }
        drop(stdin);
        child.wait().unwrap();
    }
}
