//! Every message of the command that a test can provoke, in one snapshot to be read from top to bottom.
//!
//! A message is `what happened: why`, and below it the command or edit that fixes it, if there is one.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use insta::assert_snapshot;

use crate::past::{Past, day};
use crate::verger::{Said, command, run};

#[test]
fn messages() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("messages");
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(directory.join("bodies")).unwrap();
    fs::create_dir_all(directory.join("settings")).unwrap();
    for (name, content) in FILES {
        fs::write(directory.join(name), content).unwrap();
    }
    Past::of("https://example.com", &directory.join("store.db")).body(day(1), FILES[0].1);
    let mut text = String::new();
    for (heading, lines) in MESSAGES {
        writeln!(text, "## {heading}\n").unwrap();
        for line in *lines {
            let (line, input) = line.split_once(" <<< ").unwrap_or((line, ""));
            let mut command = command();
            command.env("COLUMNS", "80").current_dir(&directory);
            let Said { stderr, code, .. } = run(command.args(words(line)), input);
            // The page of a command is in a snapshot of its own.
            let stderr = if stderr.contains("Usage:") {
                "…\n"
            } else {
                &stderr
            };
            writeln!(text, "$ verger {line}\n{stderr}exit code {code}\n").unwrap();
        }
    }
    let text = text.replace(&format!("{}/", directory.display()), "");
    assert_snapshot!("messages", text);
    for line in text.lines().filter(|line| line.starts_with("error: ")) {
        let what = line.strip_prefix("error: ").unwrap();
        assert!(!what.ends_with('.'), "{line}");
        assert!(!what.starts_with(|it: char| it.is_uppercase()) || what.starts_with("Parquet"));
    }
}

/// Splits a line into words at spaces outside single quotes.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut is_quoted) = (vec![String::new()], false);
    for character in line.chars() {
        match character {
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            _ => words.last_mut().unwrap().push(character),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

const FILES: [(&str, &str); 17] = [
    ("robots.txt", "User-agent: *\nDisallow: /a\n"),
    (
        "page.txt",
        "<!doctype html><html><head><title>x</title></head></html>",
    ),
    ("urls.txt", "https://example.com/a\nexample.com/b\nftp://\n"),
    ("questions.jsonl", "{}\n"),
    (
        "bodies.jsonl",
        "{\"authority\": \"https://example.com\"}\nnothing\n",
    ),
    ("bodies/example.com.txt", "User-agent: *\nDisallow: /a\n"),
    ("access.log", "not a line of a log\n"),
    ("robots.test.toml", "[[claim]]\nallowed = [\"blog/\"]\n"),
    (
        "claims.toml",
        "[[claim]]\ncrawlers = [\"Googelbot\"]\nallowed = [\"/\"]\n",
    ),
    ("settings/verger.toml", "[lints]\nno-such-lint = \"deny\"\n"),
    ("settings/robots.txt", "User-agent: *\n"),
    ("empty.toml", ""),
    ("export.jsonl", "{\"schema\":\"other\"}\n"),
    ("robots.warc", "nothing\n"),
    ("urls.csv", "page\nhttps://example.com/\n"),
    ("list.txt", "https://other.example/\n"),
    (
        "clean.jsonl",
        "{\"authority\": \"https://example.com\", \"robots\": \"\"}\n",
    ),
];

/// Command lines by subject. Text after ` <<< ` is standard input.
const MESSAGES: &[(&str, &[&str])] = &[
    (
        "arguments",
        &[
            "chekc",
            "store stt",
            "check",
            "check --robots robots.txt",
            "check --robots robots.txt --explian /a",
            "check --robots robots.txt --nonsense /a",
            "check --robots robots.txt -d rfc9308 /a",
            "check --robots robots.txt --robots robots.txt /a",
            "check --robots robots.txt --explain --matrix /a",
            "check --profile rfc9308 https://example.com/",
            "check --robots robots.txt --reading ignore-allow,lenient /a",
            "check --robots",
            "clause --format csv R9309-1",
            "clause --format human --json R9309-1",
            "filter --urls urls.txt",
            "watch",
            "report robots.txt",
            "store sweep --store store.db",
            "completions nosuchshell",
            "parse",
            "add robots.txt -a GPTBot",
        ],
    ),
    (
        "times and lengths",
        &[
            "check --at 2999-01-01 https://example.com/",
            "check --at someday https://example.com/",
            "check --at 1969-01-01 https://example.com/",
            "store sweep --store store.db --keep soon",
            "fetch --timeout 2d example.com",
            "watch --every 10ms example.com",
            "watch --receiver 'a name' example.com",
        ],
    ),
    (
        "crawlers",
        &[
            "check --robots robots.txt -a Googelbot /b",
            "check --robots robots.txt -a OpenAI /b",
            "check --robots robots.txt -a Example/1.0 /a",
            "check --robots robots.txt --token Ex4mple /b",
            "check --robots robots.txt -a @gptbot /b",
            "check --robots robots.txt -a @ai-trian /b",
            "check --robots robots.txt -a @opnai /b",
            "check --robots robots.txt -a @nobody /b",
            "check --robots robots.txt -a @openai /b",
            "check --robots robots.txt --user-agent Mozilla /a",
            "check --robots robots.txt --user-agent 'NewBot/1.0' /a",
            "check --robots robots.txt -a googlebot-news -a Google-Safety /b",
            "parse robots.txt -a @openai",
            "crawlers nosuchbot",
            "crawlers gptbt",
            "crawlers --operator opnai",
            "lint --as nosuchbot https://example.com",
            "lint --as google-extended https://example.com",
        ],
    ),
    (
        "files, URLs and sites",
        &[
            "check --robots absent.txt /a",
            "check --robots robots.txt example.com/a",
            "check --robots robots.txt mailto:a@example.com",
            "check robots.txt /wp-admin/",
            "check /wp-admin/",
            "check example.com/wp-admin/",
            "check https://",
            "check --robots - --urls -",
            "check --robots robots.txt --at 7d /a",
            "check --batch questions.jsonl --refresh",
            "check --robots robots.txt --matrix --format json /a",
            "check --robots robots.txt --explain --format csv /a",
            "check --robots page.txt /a",
            "lint example.com",
            "lint - -",
            "lint absent.txt",
            "lint .",
            "who example.com",
            "who https://",
            "diff robots.txt example.com",
            "diff - -",
            "diff --old-at 7d robots.txt robots.txt",
            "fetch https:/example.com",
            "fetch 'a b'",
            "watch robots.txt",
            "watch --once --no-store --same-meaning-as https://example.com example.com",
            "parse https://example.com",
            "add https://example.com -a GPTBot --disallow /",
            "check --robots https://example.com /a",
            "test https://example.com",
            "test example.com",
            "test --live robots.txt --same-meaning",
            "parse absent.txt example.com",
            "report robots.txt --refresh -o report.html",
            "report robots.txt -o robots.txt",
            "report robots.txt -o absent/report.html",
            "report robots.txt --url example.com/a -o report.html",
            "man absent",
        ],
    ),
    (
        "lint, add and test",
        &[
            "lint settings/robots.txt",
            "lint --config absent.toml robots.txt",
            "lint --allow no-such-lint robots.txt",
            "lint --explain swallows-group",
            "lint --fix https://example.com",
            "lint --no-variants robots.txt",
            "add robots.txt --disallow /b",
            "add robots.txt -a GPTBot --disallow wp-login.php",
            "add robots.txt -a GPTBot --disallow ''",
            "add - -a GPTBot --disallow /b --write <<< User-agent: *",
            "add page.txt -a GPTBot --disallow /b",
            "add robots.txt -a @ai-train --disallow /a",
            "test",
            "test absent.toml",
            "test claims.toml",
            "test empty.toml",
            "test robots.txt",
            "test claims.toml --site https://example.com",
            "test claims.toml --sitemap ftp://example.com/sitemap.xml",
            "test claims.toml --no-store",
            "clause nonsense",
        ],
    ),
    (
        "the network",
        &[
            "fetch --store fetch.db https://localhost:1",
            "fetch --store fetch.db --allow-address 127.0.0.0/8 https://127.0.0.1:1",
            "check --store fetch.db https://127.0.0.1:1/a",
            "check --no-store --allow-address 127.0.0.0/8 http://me:secret@127.0.0.1:1/a",
            "fetch --no-store http://me:secret@a..b/",
            "check --robots robots.txt http://me:secret@a..b/ /a",
            "lint --no-store https://127.0.0.1:1",
            "who --no-store https://127.0.0.1:1",
            "report --no-store https://127.0.0.1:1 -o report.html",
            "diff --no-store robots.txt https://127.0.0.1:1",
            "watch --no-store --once https://127.0.0.1:1",
            "fetch --allow-address everything example.com",
            "fetch --nat64-prefix ::/8 example.com",
            "fetch --name-server nowhere example.com",
            "fetch --proxy nowhere example.com --no-store",
            "fetch --proxy socks5://localhost example.com --no-store",
            "fetch --contact me example.com",
            "fetch --send-user-agent 'é' example.com --no-store",
            "fetch --ca-file absent.pem example.com --no-store",
            "watch --webhook ftp://example.com/ example.com",
            "watch --webhook https://user:password@example.com/ example.com",
        ],
    ),
    (
        "the store",
        &[
            "check --offline --store absent.db https://example.com/",
            "check --offline --no-store https://example.com/",
            "check --offline --store store.db https://other.example/",
            "check --offline --store robots.txt https://example.com/",
            "fetch --store absent/store.db example.com",
            "history --store absent.db example.com",
            "history --store store.db other.example",
            "history --store store.db --since 1d example.com",
            "history --store store.db --since 2999 example.com",
            "history --store store.db --body --until 1971 example.com",
            "history --store store.db --body --graph example.com",
            "history --store store.db --facts example.com",
            "history --store robots.txt example.com",
            "report example.com --offline --store store.db -o report.html",
            "report other.example --offline --store store.db -o report.html",
            "store stat --store absent.db",
            "store stat --store robots.txt",
            "store export --store store.db robots.txt",
            "store export --store store.db --authority other.example",
            "store export --store store.db export.out",
            "store import --store new.db absent.jsonl",
            "store import --store new.db export.jsonl",
            "store import --store store.db - <<< {",
            "store sweep --keep 1d --store absent.db",
        ],
    ),
    (
        "filter, audit and bulk",
        &[
            "filter --robots robots.txt --urls urls.txt",
            "filter --robots-dir bodies --urls list.txt",
            "filter --robots-dir absent --urls list.txt",
            "filter --bodies bodies.jsonl --urls list.txt --missing allow",
            "filter --robots - --urls -",
            "filter --robots robots.txt --urls list.txt --format json --invert",
            "audit --robots robots.txt absent.log",
            "audit --robots robots.txt access.log",
            "audit --robots robots.txt access.log access.log",
            "audit --robots robots.txt --log-format nonsense access.log",
            "audit --robots robots.txt --log-format '$status' access.log",
            "audit --robots robots.txt --json-field nonsense access.log",
            "audit --robots robots.txt --robots page.txt access.log",
            "audit --robots robots.txt --store store.db access.log",
            "audit --store absent.db access.log",
            "audit --robots someday=robots.txt access.log",
            "audit --robots robots.txt --fail-on nonsense access.log",
            "audit --robots robots.txt --report robots.txt access.log",
            "audit --update-checks --checks-from nowhere",
            "bulk captures robots.warc -o captures.parquet",
            "bulk captures absent.warc -o captures.parquet",
            "bulk captures robots.warc -o -",
            "bulk captures robots.warc -o captures.parquet --resume",
            "bulk captures robots.warc robots.warc -o captures/",
            "bulk check list.txt --captures absent.parquet",
            "bulk check list.txt --captures bodies",
            "bulk check urls.csv --robots robots.txt",
            "bulk check list.txt --robots robots.txt --url-column page",
            "bulk check list.txt --robots robots.txt --format parquet",
            "bulk check list.txt --robots robots.txt -o list.txt",
            "bulk check urls.csv --url-column page --keep url --robots robots.txt",
            "bulk check urls.txt --robots robots.txt --quiet",
            "bulk check list.txt --store absent.db",
            "bulk classes --store store.db --at 1970-01-01 -a GPTBot",
            "bulk classes --bodies bodies.jsonl -a GPTBot",
        ],
    ),
];
