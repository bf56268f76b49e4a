//! `verger filter`: the URLs that a crawler may fetch.

use crate::verger::{Said, command, file, output, verger, verger_on};

const BODY: &str = "User-agent: *\nDisallow: /private\n";

/// Returns its output in bytes, and its exit code.
fn filter_bytes(arguments: &str, input: &[u8]) -> (Vec<u8>, String, i32) {
    let arguments = arguments.split_whitespace();
    let output = output(command().arg("filter").args(arguments), input);
    let stderr = String::from_utf8(output.stderr).unwrap();
    (output.stdout, stderr, output.status.code().unwrap())
}

#[test]
fn no_urls_are_no_error() {
    file("filter-empty.txt", BODY);
    for input in ["", "\n", "\r\n\n", "\u{feff}"] {
        let said = verger_on(input, "filter -r filter-empty.txt");
        assert_eq!(said.quietly(0), "", "{input:?}");
    }
    let said = verger_on("", "filter -r filter-empty.txt --summary");
    let summary = "0 URLs: 0 allowed, 0 disallowed, 0 without a robots.txt, 0 not answerable; ";
    assert!(said.stderr.starts_with(summary), "{said:?}");
}

#[test]
fn what_cannot_be_asked_is_named_with_its_line_and_the_rest_goes_on() {
    file("filter-bad.txt", BODY);
    let long = "a".repeat(256 << 10);
    let input = format!("/a\n\nx\n/{long}\n/b\nhttps://\n/c");
    let said = verger_on(&input, "filter -r filter-bad.txt");
    let expected = "\
error: standard input, line 3: `x` is neither an absolute URL (https://host/path) nor a path that starts with `/`
error: standard input, line 4: the line is longer than 262144 bytes
error: standard input, line 6: `https://` has no host
";
    assert_eq!(
        said,
        Said {
            stdout: "/a\n/b\n/c\n".to_owned(),
            stderr: expected.to_owned(),
            code: 2,
        }
    );
}

const LIST: &str = include_str!("../../../verger-inputs/tests/fixtures/bodies.jsonl");

#[test]
fn a_list_may_come_from_a_pipe_and_bodies_that_are_read_again_are_noted() {
    file("filter-list.jsonl", LIST);
    let input = "https://text.example/text\nhttps://twice.example/\nhttps://text.example/text\n";
    let uncached = "filter --bodies filter-list.jsonl --invert --cache 0 --threads 1";
    let said = verger_on(input, uncached);
    let note =
        "note: robots.txt files read again: 1\nhelp: sort the URLs by host, or raise `--cache`\n";
    assert_eq!((said.code, &*said.stdout, &*said.stderr), (0, input, note));
    assert_eq!(
        verger_on(input, &format!("{uncached} --quiet")).quietly(0),
        input
    );
    // A pipe cannot be read twice.
    file("filter-list-urls.txt", input);
    let said = verger_on(LIST, "filter --bodies - -u filter-list-urls.txt --invert");
    assert_eq!(said.quietly(0), input);
    assert_eq!(
        verger_on("", "filter --bodies -").refused(),
        "error: the URLs and their rules both come from standard input\nhelp: give one of them as a file\n"
    );
}

/// Standard error stays short, even in a long run.
#[test]
fn notices_are_grouped_by_kind() {
    let line = |nth| {
        format!(
            "{{\"authority\":\"https://h{nth}.example\",\"robots\":\"nonsense\\n\"}}\n[{nth}]\n"
        )
    };
    let bodies: Vec<String> = (0..20).map(line).collect();
    file("filter-groups.jsonl", bodies.concat());
    let line = |nth| format!("https://h{nth}.example/a\nhttp://[{nth}\n");
    let urls: Vec<String> = (0..20).map(line).collect();
    let urls = urls.concat();
    let said = verger_on(
        &urls,
        "filter --bodies filter-groups.jsonl --summary --threads 2",
    );
    assert_eq!(
        (said.stdout.lines().count(), said.code),
        (20, 2),
        "{said:?}"
    );
    for (part, count) in [
        (": not a JSON object", 5),
        (
            "error: 15 more lines cannot be used (--bodies): the first 5 are above\n",
            1,
        ),
        (": line 1 is invalid and ignored\n", 5),
        (
            "warning: 15 more files have a warning (invalid-lines): the first 5 are above\n",
            1,
        ),
        ("error: standard input, line ", 5),
        (
            "error: 15 more lines were not answered (not-a-url): the first 5 are above\n",
            1,
        ),
    ] {
        assert_eq!(said.stderr.matches(part).count(), count, "{part}: {said:?}");
    }
    assert_eq!(said.stderr.lines().count(), 19, "{said:?}");
}

#[test]
fn an_authority_without_a_body_is_never_silently_allowed() {
    file("filter-missing.jsonl", LIST);
    let input = "https://text.example/a\nhttps://none.example/a\nhttp://text.example/b\n";
    let filter = |arguments: &str| {
        let arguments = format!("filter --bodies filter-missing.jsonl {arguments}");
        verger_on(input, &arguments)
    };
    let stderr = "error: no robots.txt was given for 2 URLs: the first is on line 2, of https://none.example\n\
                  help: choose their verdict with `--missing allow` or `--missing disallow`\n";
    for (arguments, stdout) in [("", "https://text.example/a\n"), ("--invert", "")] {
        let said = filter(arguments);
        assert_eq!((said.stdout.as_str(), said.code), (stdout, 2));
        assert_eq!(said.stderr, stderr);
    }
    assert_eq!(filter("--missing allow").quietly(0), input);
    assert_eq!(
        filter("--missing disallow").quietly(0),
        "https://text.example/a\n"
    );
    let said = filter("--missing disallow --summary").stderr;
    let counts = "1 allowed, 0 disallowed, 2 without a robots.txt (disallowed), ";
    assert!(said.contains(counts), "{said}");
}

#[test]
fn the_arguments_say_whose_rules_and_for_whom() {
    let said = verger_on("", "filter").refused();
    assert!(
        said.contains("--robots <FILE> or --robots-dir <DIR> or --bodies <FILE>"),
        "{said}"
    );
    file("filter-who.txt", BODY);
    let said = verger_on("/\n", "filter -r filter-who.txt -a googlebot-news");
    assert_eq!(
        said.stderr,
        "note: googlebot-news → Googlebot-News, Googlebot, *\n"
    );
    let said = verger_on("/\n", "filter -r filter-who.txt -a googlebot-news --quiet");
    assert_eq!(said.quietly(0), "/\n");
    let header = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
    let arguments = [
        "filter",
        "-r",
        "filter-who.txt",
        "--quiet",
        "--user-agent",
        header,
    ];
    assert_eq!(verger(arguments, "/private\n/\n").quietly(0), "/\n");
    let said = verger_on("", "filter -r filter-who.txt -u no-such-urls.txt").refused();
    assert!(said.contains("cannot read `no-such-urls.txt`"), "{said}");
}

const SEVERAL: &str = "\
User-agent: a
Disallow: /a

User-agent: b
Disallow: /b
";

#[test]
fn json_has_the_keys_of_check() {
    let body = format!("{SEVERAL}\nUser-agent: a\nDisallow: /caf\u{e9}\n");
    file("filter-json.txt", body);
    let urls = "/a\n/b?c\n/robots.txt\n/caf\u{e9}\n";
    let crawlers = "-a a --token b -a gptbot";
    for dialect in ["rfc9309", "google"] {
        let options = format!("-r filter-json.txt --json -d {dialect} {crawlers} --urls -");
        let filtered = verger_on(urls, &format!("filter --quiet {options}"));
        let checked = verger_on(urls, &format!("check {options}"));
        let expected = checked.stdout.replace("verger.check/1", "verger.filter/1");
        // What is odd about a file, `filter` says once.
        let of_file = r#""ignored_star":null,"body_limit":null,"warnings":[],"#;
        let expected = expected.replace(of_file, "");
        assert_eq!(filtered.stdout.lines().count(), 12, "{filtered:?}");
        assert_eq!(filtered.stdout, expected);
        assert_eq!(filtered.code, 0);
    }
    file("filter-json.jsonl", LIST);
    let said = filter_bytes(
        "--bodies filter-json.jsonl --missing allow --json --token b",
        b"https://none.example/\nx\n/\xe9\n",
    );
    let (stdout, stderr, code) = said;
    let expected = concat!(
        r#"{"schema":"verger.filter/1","agent":"b","#,
        r#""crawler":{"registry_name":null,"tokens":["b"],"star":"honoured","obeys":null},"#,
        r#""url":"https://none.example/","sent_as":null,"allowed":true,"reason":"no-body","#,
        r#""line":null,"rule":null,"group":null,"dialect":"rfc9309"}"#,
        "\n",
    );
    let stdout = String::from_utf8(stdout).unwrap();
    assert!(stdout.starts_with(expected), "{stdout}");
    for keys in [
        r#""url":"x","sent_as":null,"allowed":null,"reason":"not-a-url","#,
        r#""url_base64":"L+k=","sent_as":null,"allowed":null,"reason":"not-a-url","#,
    ] {
        assert!(stdout.contains(keys), "{stdout}");
    }
    // Each error has a line of help.
    assert_eq!((stderr.lines().count(), code), (4, 2), "{stderr}");
}
