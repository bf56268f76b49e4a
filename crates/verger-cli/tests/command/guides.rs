//! The guides in `docs/guide/` and the first commands of the README, run as printed.
//!
//! Every `$ ` line of a `console` block runs in a shell, all lines of a page in one directory. Its output, including
//! standard error, must match the page. A `…` matches any text within a line, and any lines if it is a line of its
//! own. A block after `<!-- file: NAME -->` is a file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::verger::{PROXY_VARIABLES, command};

#[test]
fn look_after_a_site() {
    Page::of("docs/guide/site.md").run();
}

#[test]
fn who_disobeys() {
    Page::of("docs/guide/audit.md").run();
}

#[test]
fn a_month_of_captures() {
    Page::of("docs/guide/captures.md").run();
}

#[test]
fn recipes() {
    Page::of("docs/recipes.md").run();
}

#[test]
fn agents_ask_before_they_fetch() {
    Page::of("docs/guide/agents.md").run();
}

#[test]
fn pages_may_be_indexed() {
    Page::of("docs/guide/pages.md").run();
}

#[test]
fn keep_an_archive() {
    Page::of("docs/guide/archive.md").run();
}

#[test]
fn the_first_commands_of_the_readme() {
    let page = Page::of("README.md");
    let first = page.text.split("`--explain` shows").next().unwrap();
    let text = first.replace("cargo verger", "verger");
    Page { text, ..page }.run();
}

#[test]
fn what_stands_for_anything() {
    for (shown, printed) in [
        ("a", "a"),
        ("a …", "a b"),
        ("a … c … e", "a b c d e"),
        ("…", ""),
        ("…", "a\nb"),
        ("a\n…\nd", "a\nb\nc\nd"),
        ("a\n…\nb", "a\nb"),
    ] {
        assert!(is_shown(shown, printed), "{shown:?}, {printed:?}");
    }
    for (shown, printed) in [
        ("a", "b"),
        ("a …", "b a"),
        ("a … c", "a b c d"),
        ("a", "a\nb"),
        ("a\nb", "a"),
        ("a\n…\nd", "a\nb\nc"),
        ("aa…a", "aa"),
    ] {
        assert!(!is_shown(shown, printed), "{shown:?}, {printed:?}");
    }
}

/// A page of the documentation.
struct Page {
    path: PathBuf,
    text: String,
}

/// A command of a page, and its output as the page shows it.
struct Step {
    command: String,
    shown: String,
}

impl Page {
    fn of(path: &str) -> Self {
        let path = repository().join(path);
        let text = fs::read_to_string(&path).unwrap();
        Self { path, text }
    }

    fn run(&self) {
        let directory = self.directory();
        for (name, content) in self.files() {
            fs::write(directory.join(name), content).unwrap();
        }
        let steps = self.steps();
        assert!(
            !steps.is_empty(),
            "{} shows no command",
            self.path.display()
        );
        for Step { command, shown } in steps {
            let printed = printed_by(&command, &directory);
            assert!(
                is_shown(&shown, &printed),
                "{}\n$ {command}\n--- the page shows\n{shown}\n--- printed\n{printed}",
                self.path.display()
            );
        }
    }

    /// Makes a directory for the page, with the samples of the repository and the files next to the page.
    fn directory(&self) -> PathBuf {
        let name = self.path.file_stem().unwrap();
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("guide")
            .join(name);
        let _ = fs::remove_dir_all(&directory);
        copy_files(&repository().join("examples"), &directory.join("examples"));
        copy_files(self.path.parent().unwrap(), &directory);
        directory
    }

    fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        let marked = self.text.split("<!-- file: ").skip(1);
        marked.map(|rest| {
            let (name, rest) = rest.split_once(" -->\n```").unwrap();
            let (_, rest) = rest.split_once('\n').unwrap();
            let (content, _) = rest.split_once("```").unwrap();
            (name, content)
        })
    }

    fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        for block in self.text.split("```console\n").skip(1) {
            let (block, _) = block.split_once("```").unwrap();
            for step in block.strip_prefix("$ ").unwrap().split("\n$ ") {
                let (command, shown) = step.split_once('\n').unwrap_or((step, ""));
                steps.push(Step {
                    command: command.to_owned(),
                    shown: shown.trim_end().to_owned(),
                });
            }
        }
        steps
    }
}

fn copy_files(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the output of a shell that finds the command.
fn printed_by(line: &str, directory: &Path) -> String {
    let verger = command();
    let programs = Path::new(verger.get_program()).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap();
    let paths = std::iter::once(programs).chain(std::env::split_paths(&path));
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("exec 2>&1; {line}")])
        .current_dir(directory)
        .env("PATH", std::env::join_paths(paths).unwrap())
        .env("XDG_STATE_HOME", directory)
        .env_remove("NO_COLOR")
        .env_remove("VERGER_STORE")
        .env_remove("CLICOLOR_FORCE");
    for variable in PROXY_VARIABLES {
        shell.env_remove(variable);
    }
    let output = shell.output().unwrap();
    String::from_utf8(output.stdout)
        .unwrap()
        .trim_end()
        .to_owned()
}

/// Returns whether the output on a page matches what was printed.
fn is_shown(shown: &str, printed: &str) -> bool {
    let shown: Vec<_> = shown.lines().collect();
    let printed: Vec<_> = printed.lines().collect();
    lines_match(&shown, &printed)
}

fn lines_match(shown: &[&str], printed: &[&str]) -> bool {
    match shown {
        [] => printed.is_empty(),
        ["…", rest @ ..] => {
            (0..=printed.len()).any(|skipped| lines_match(rest, &printed[skipped..]))
        }
        [line, rest @ ..] => printed
            .split_first()
            .is_some_and(|(first, others)| line_matches(line, first) && lines_match(rest, others)),
    }
}

fn line_matches(shown: &str, printed: &str) -> bool {
    let Some((start, rest)) = shown.split_once('…') else {
        return shown.trim_end() == printed.trim_end();
    };
    printed.strip_prefix(start).is_some_and(|printed| {
        let ends = printed
            .char_indices()
            .map(|(end, _)| end)
            .chain([printed.len()]);
        ends.into_iter()
            .any(|end| line_matches(rest, &printed[end..]))
    })
}
