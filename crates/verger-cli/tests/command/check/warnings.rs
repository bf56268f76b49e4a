//! What is odd about a file, said once a file by every command that answers.

use serde_json::Value;

use crate::verger::{command, file, json_lines, run, verger, verger_on};

/// A body of 30 bytes and `rule` at byte 600,000.
fn long(rule: &str) -> String {
    let start = "User-agent: *\nDisallow: /a\n";
    let filler = "#12345678\n".repeat(60_000 - start.len().div_ceil(10));
    format!("{start}{filler}{rule}\n")
}

fn kinds(answer: &Value) -> Vec<&str> {
    let warnings = answer["warnings"].as_array().unwrap().iter();
    warnings.map(|it| it["kind"].as_str().unwrap()).collect()
}

#[test]
fn an_answer_about_an_odd_file_is_preceded_by_warnings() {
    let body = b"<html>\nUser-agent: *\nDisallow: /\xe9\nnonsense\n";
    let said = verger_on(body, "check -r - /a /b");
    assert_eq!(said.code, 0);
    assert_eq!(
        said.stderr,
        "\
warning: standard input: some bytes are not UTF-8 and are compared one by one (the first is on line 3)
warning: standard input: the file looks like an HTML page, but lines that look like rules apply
warning: standard input: 2 lines are invalid and ignored (the first is line 1)
"
    );
    let explained = verger_on(body, "check -r - --explain /a /b");
    assert_eq!(explained.stderr, said.stderr);
    let path = file("odd.txt", body);
    let said = verger(["check", "-r", path.to_str().unwrap(), "/a"], "");
    assert_eq!(said.stderr.lines().count(), 3);
    assert!(said.stderr.contains("odd.txt`: 2 lines"), "{}", said.stderr);
}

#[test]
fn json_has_the_warnings_and_standard_error_does_not() {
    let body = b"\x1f\x8b\x08\0\nUser-agent: *\nDisallow: /a\n";
    let said = verger_on(body, "check -r - --json /a /b").quietly(1);
    for answer in json_lines(&said) {
        assert_eq!(kinds(&answer), ["compressed", "not-utf8", "invalid-lines"]);
        assert_eq!(answer["warnings"][2]["line"], 1);
        assert_eq!(answer["warnings"][2]["count"], 1);
        assert_eq!(answer["warnings"][0]["clause"], "R9309-2.3.1.5-1");
    }
    let said = verger_on(body, "check -r - --json --explain /a").quietly(1);
    assert_eq!(kinds(&json_lines(&said)[0]).len(), 3);
}

#[test]
fn a_rule_behind_the_limit_is_named() {
    let body = long("Disallow: /x");
    let said = verger_on(&body, "check -r - /x /a");
    assert_eq!(
        said.stderr,
        "warning: standard input: the file has 600,010 bytes, but only the first 512,000 are used\n"
    );
    assert_eq!(
        said.stdout,
        "\
allowed     /x   no rule matches   (group at line 1, *; with the bytes after the first 512,000: disallowed by line 60000)
disallowed  /a   line 2: Disallow: /a   (group at line 1, *)
"
    );
    let said = verger_on(&body, "check -r - --json /x /a").quietly(1);
    let answers = json_lines(&said);
    assert_eq!(kinds(&answers[0]), ["body-cut"]);
    let limit = &answers[0]["body_limit"];
    assert_eq!(
        (&limit["bytes"], &limit["applies"]),
        (&512_000.into(), &true.into())
    );
    assert_eq!(limit["otherwise"]["allowed"], false);
    assert_eq!(limit["otherwise"]["rule"], "Disallow: /x");
    assert!(answers[1]["body_limit"].is_null());
}

#[test]
fn a_filter_warns_once_a_file_unless_it_is_quiet() {
    let odd = r#"{"authority":"https://odd.example","robots":"nonsense\nUser-agent: *\n"}"#;
    let good = r#"{"authority":"https://good.example","robots":"User-agent: *\nAllow: /"}"#;
    let bodies = file("warned-bodies.jsonl", format!("{odd}\n{good}\n"));
    let urls = "https://odd.example/a\nhttps://good.example/a\n".repeat(1000);
    // With so little memory bodies are read again.
    for cache in ["256", "0"] {
        let mut filter = command();
        filter.args(["filter", "--cache", cache, "--bodies"]);
        let said = run(filter.arg(&bodies), &urls);
        assert_eq!(said.code, 0);
        let warnings = said
            .stderr
            .lines()
            .filter(|line| line.starts_with("warning:"));
        assert_eq!(
            warnings.collect::<Vec<_>>(),
            ["warning: https://odd.example: line 1 is invalid and ignored"]
        );
    }
    let mut quiet = command();
    quiet.args(["filter", "--quiet", "--bodies"]);
    let said = run(quiet.arg(&bodies), &urls);
    assert!(!said.stderr.contains("warning"), "{}", said.stderr);
    let robots = file("warned-robots.txt", "nonsense\n");
    let mut one = command();
    let said = run(
        one.args(["filter", "--summary", "--robots"]).arg(&robots),
        "/a\n",
    );
    assert!(said.stderr.starts_with("warning: `"), "{}", said.stderr);
}

#[test]
fn a_crawler_that_ignores_star_is_named_where_only_star_would_apply() {
    let body = "User-agent: x\nDisallow: /x\n\nUser-agent: *\nDisallow: /\n";
    let said = verger_on(body, "check -r - -a AdsBot-Google /p").stdout;
    assert_eq!(
        said,
        "allowed     /p   no group applies to this crawler   (as Google reads it; it ignores the * group at line 4)\n"
    );
    let star = |body: &str, agent: &str| {
        let said = verger(["check", "-r", "-", "--json", "-a", agent, "/p"], body);
        json_lines(&said.stdout)[0]["ignored_star"].clone()
    };
    assert_eq!(star(body, "AdsBot-Google"), 4);
    assert!(star(body, "Googlebot").is_null());
    assert!(star(body, "FooBot").is_null());
    assert!(star("User-agent: x\nDisallow: /", "AdsBot-Google").is_null());
    let named = "User-agent: AdsBot-Google\nDisallow: /x\n\nUser-agent: *\nDisallow: /\n";
    assert!(star(named, "AdsBot-Google").is_null());
}

#[test]
fn a_name_that_googles_parsers_cannot_meet_is_noted() {
    let body = "User-agent: MJ12bot\nDisallow: /\n";
    let said = verger_on(body, "check -r - -d google -a MJ12bot /p");
    let note = "note: no user-agent line can name `MJ12bot` in `google`: names have only letters, `-` and `_` there\n";
    assert_eq!((said.stderr.as_str(), said.code), (note, 0));
    verger_on(body, "check -r - -a MJ12bot /p").quietly(1);
    let url = "https://h.example/p\n";
    let robots = file("mj12.txt", body);
    let mut filter = command();
    let filter = filter
        .args(["filter", "-d", "google", "-a", "MJ12bot", "-r"])
        .arg(robots);
    assert_eq!(run(filter, url).stderr, note);
}
