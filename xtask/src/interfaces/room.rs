//! The command, called in each of its ways.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use serde_json::{Value, json};

use super::asked_file::{Answers, AskedFile, Decided, Urls};
use crate::workspace::at;

/// Name of the file.
const FILE: &str = "robots.txt";

type Interface = fn(&Room<'_>, &AskedFile) -> Result<Answers, String>;

/// Each way to call the command, by name, with its treatment of URLs.
pub(super) const INTERFACES: [(&str, Urls, Interface); 5] = [
    ("check --json", Urls::AsSent, check),
    ("check --batch", Urls::AsGiven, batch),
    ("filter --json", Urls::AsSent, filter),
    ("parse --agent", Urls::AsSent, parse),
    ("report", Urls::AsSent, report),
];

/// The command in a directory that contains one file at a time.
pub(super) struct Room<'c> {
    command: &'c Path,
    directory: PathBuf,
}

impl<'c> Room<'c> {
    pub(super) fn new(command: &'c Path, name: &str) -> Result<Self, String> {
        let directory = command.with_file_name("interfaces").join(name);
        fs::create_dir_all(&directory).map_err(at(&directory))?;
        Ok(Self { command, directory })
    }

    /// Replaces the file.
    pub(super) fn hold(&self, file: &AskedFile) -> Result<(), String> {
        let path = self.directory.join(FILE);
        fs::write(&path, &file.body).map_err(at(&path))
    }

    /// Runs the command, and returns its output.
    fn run(&self, file: &AskedFile, arguments: &[&str], input: String) -> Result<String, String> {
        let failed =
            |error: &dyn std::fmt::Display| format!("verger {}: {error}", arguments.join(" "));
        let mut child = Command::new(self.command)
            .args(arguments)
            .args(["--dialect", file.dialect.as_str()])
            .current_dir(&self.directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| failed(&error))?;
        let stdin = child.stdin.take();
        let writer =
            thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(input.as_bytes())));
        let output = child.wait_with_output().map_err(|error| failed(&error))?;
        // A command that ends early is reported below.
        let _ = writer.join();
        if !matches!(output.status.code(), Some(0 | 1)) {
            return Err(failed(&String::from_utf8_lossy(&output.stderr)));
        }
        String::from_utf8(output.stdout).map_err(|error| failed(&error))
    }
}

fn check(room: &Room<'_>, file: &AskedFile) -> Result<Answers, String> {
    let mut arguments = vec!["check", "--json", "--robots", FILE];
    for token in &file.tokens {
        arguments.extend(["--token", token]);
    }
    arguments.extend(file.urls.iter().map(String::as_str));
    json_answers(&room.run(file, &arguments, String::new())?)
}

fn batch(room: &Room<'_>, file: &AskedFile) -> Result<Answers, String> {
    let question = |token: &String, url: &String| json!({ "agent": token, "url": url });
    let of_token = |token| file.urls.iter().map(move |url| question(token, url));
    let queries: Vec<_> = file.tokens.iter().flat_map(of_token).collect();
    let request = json!({ "robots_path": FILE, "queries": queries });
    json_answers(&room.run(file, &["check", "--batch", "-"], request.to_string())?)
}

fn filter(room: &Room<'_>, file: &AskedFile) -> Result<Answers, String> {
    let mut arguments = vec!["filter", "--json", "--robots", FILE];
    for token in &file.tokens {
        arguments.extend(["--token", token]);
    }
    json_answers(&room.run(file, &arguments, file.urls.join("\n"))?)
}

/// Returns the answers of the engine that match the printed rules of the crawler by line and effect, and the answers
/// without a rule.
fn parse(room: &Room<'_>, file: &AskedFile) -> Result<Answers, String> {
    let mut answers = Answers::new();
    for token in &file.tokens {
        let said = room.run(
            file,
            &["parse", "--json", FILE, "--token", token],
            String::new(),
        )?;
        let listing: Value = serde_json::from_str(&said).map_err(|error| error.to_string())?;
        let rules = listing["merged_group"]["rules"].as_array();
        let rules = rules.map(Vec::as_slice).unwrap_or_default();
        for (question, decided) in file.answers(Urls::AsSent) {
            if question.0 != *token {
                continue;
            }
            let shown = match decided.line {
                None => Some(*decided),
                Some(line) => rules
                    .iter()
                    .find(|rule| rule["line"] == line)
                    .map(|rule| Decided {
                        allowed: rule["effect"] == "allow",
                        line: Some(line),
                    }),
            };
            answers.extend(shown.map(|shown| (question.clone(), shown)));
        }
    }
    Ok(answers)
}

/// Reads the page. After the head, its rows are ordered by URL, which only the first one names, each with the crawlers that
/// have the same answer.
fn report(room: &Room<'_>, file: &AskedFile) -> Result<Answers, String> {
    let mut arguments = vec!["report", FILE, "--output", "-"];
    for token in &file.tokens {
        arguments.extend(["--token", token]);
    }
    for url in &file.urls {
        arguments.extend(["--url", url]);
    }
    let page = room.run(file, &arguments, String::new())?;
    let (_, rest) = page
        .split_once("id=\"verdicts\"")
        .ok_or("the page has no verdicts")?;
    let (verdicts, _) = rest
        .split_once("</section>")
        .ok_or("the page is incomplete")?;
    let mut answers = Answers::new();
    let (mut urls, mut left) = (file.urls.iter(), Vec::new());
    let mut url = "";
    for row in verdicts.split("<tr>").skip(2) {
        if left.is_empty() {
            url = urls.next().ok_or("the page has too many rows")?;
            left.clone_from(&file.tokens);
        }
        let decided = Decided {
            allowed: row.contains("</svg> allowed<"),
            // Lines that the page omits have no link.
            line: row.split_once("line ").and_then(|(_, after)| {
                let digits = after.split(|next: char| !next.is_ascii_digit()).next()?;
                digits.parse().ok()
            }),
        };
        let cells = row.split_once("\"wide\">");
        let names = cells.and_then(|(_, names)| names.split_once("</td>"));
        for name in names.unwrap_or_default().0.split(", ") {
            let name = match name {
                "<code>*</code> (any other crawler)" => "",
                name => name,
            };
            let name = letters(name);
            let place = left.iter().position(|it| letters(it) == name);
            let token = left.swap_remove(place.ok_or_else(|| format!("unexpected name: {name}"))?);
            answers.insert((token, url.to_owned()), decided);
        }
    }
    Ok(answers)
}

/// Returns what a token and its operator's spelling share: `Sogou web spider` is `sogou-web-spider`.
fn letters(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.collect::<String>().to_ascii_lowercase()
}

/// Reads answers in JSON Lines.
fn json_answers(lines: &str) -> Result<Answers, String> {
    lines.lines().map(json_answer).collect()
}

fn json_answer(line: &str) -> Result<((String, String), Decided), String> {
    let unexpected = || format!("unexpected answer: {line}");
    let answer: Value = serde_json::from_str(line).map_err(|_| unexpected())?;
    let text = |key: &str| answer[key].as_str().map(str::to_owned);
    let line = answer["line"].as_u64().map(u32::try_from).transpose();
    match (
        text("agent"),
        text("url"),
        answer["allowed"].as_bool(),
        line,
    ) {
        (Some(token), Some(url), Some(allowed), Ok(line)) => {
            Ok(((token, url), Decided { allowed, line }))
        }
        _ => Err(unexpected()),
    }
}
