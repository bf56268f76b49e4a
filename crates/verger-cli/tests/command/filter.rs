//! `verger filter`: of many URLs those that a crawler may fetch.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::verger::{Said, command, file, output, verger, verger_on};

const BODY: &str = "\
User-agent: *
Disallow: /private
Allow: /private/open
Disallow: /*.pdf$
Disallow:\t/a\tb

User-agent: ExampleBot
Disallow: /
";

/// What it said in octets, and its exit code.
fn filter_octets(arguments: &str, input: &[u8]) -> (Vec<u8>, String, i32) {
    let arguments = arguments.split_whitespace();
    let output = output(command().arg("filter").args(arguments), input);
    let stderr = String::from_utf8(output.stderr).unwrap();
    (output.stdout, stderr, output.status.code().unwrap())
}

/// So many URLs in a fixed disorder.
fn urls(count: u64) -> String {
    let mut urls = String::new();
    let mut state = 1_u64;
    for number in 0..count {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let path = match (state >> 33) % 7 {
            0 => "private/",
            1 => "private/open/",
            2 => "docs/x.pdf?",
            3 => "%7Euser/",
            _ => "",
        };
        let end = if (state >> 40).is_multiple_of(3) {
            ".pdf"
        } else {
            ""
        };
        writeln!(urls, "https://h{}.example/{path}{number}{end}", state >> 60).unwrap();
    }
    urls
}

#[test]
fn allowed_lines_go_out_as_they_came() {
    file("filter-lines.txt", BODY);
    let input = b"\xEF\xBB\xBF/caf\xe9\r\n\r\n\n/private/x\r\n/private/open\n/x.pdf\n/\tb \n/last";
    let (stdout, stderr, code) = filter_octets("-r filter-lines.txt", input);
    assert_eq!(stdout, b"/caf\xe9\r\n/private/open\n/\tb \n/last\n");
    assert_eq!((stderr.as_str(), code), ("", 0));
    let (stdout, _, code) = filter_octets("-r filter-lines.txt --invert", input);
    assert_eq!(
        (stdout.as_slice(), code),
        (&b"/private/x\r\n/x.pdf\n"[..], 0)
    );
    let (stdout, ..) = filter_octets("-r filter-lines.txt -a ExampleBot", b"/robots.txt\n/\n");
    assert_eq!(stdout, b"/robots.txt\n");
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
fn an_annotated_line_says_why() {
    file("filter-annotate.txt", BODY);
    let arguments = "filter -r filter-annotate.txt --annotate";
    let said = verger_on(
        "/robots.txt\n/private\r\n/private/open\n/x.pdf\nx\n/a%09b\n/a\tb",
        arguments,
    );
    let expected = "\
allowed\t-\trobots-txt\t/robots.txt
disallowed\t2\tDisallow: /private\t/private
allowed\t3\tAllow: /private/open\t/private/open
disallowed\t4\tDisallow: /*.pdf$\t/x.pdf
unknown\t-\tnot-a-url\tx
disallowed\t5\tDisallow: /a b\t/a%09b
disallowed\t5\tDisallow: /a b\t/a\tb
";
    assert_eq!((said.stdout.as_str(), said.code), (expected, 2));
    file("filter-annotate-none.txt", "User-agent: a\nDisallow: /x\n");
    let none = |arguments: &str| {
        let arguments = format!("filter -r filter-annotate-none.txt --annotate {arguments}");
        verger_on("/\n", &arguments).quietly(0)
    };
    assert_eq!(none(""), "allowed\t-\tno-group\t/\n");
    assert_eq!(none("-a a"), "allowed\t-\tno-rule\t/\n");
}

#[test]
fn order_is_kept_whatever_the_threads_and_answers_are_those_of_check() {
    file("filter-order.txt", BODY);
    let urls = urls(200_000);
    file("filter-order-urls.txt", &urls);
    let filter = |arguments: &str| {
        let arguments = format!("filter -r filter-order.txt -u filter-order-urls.txt {arguments}");
        verger_on("", &arguments).quietly(0)
    };
    let annotated = filter("--annotate --threads 1");
    assert!(filter("--annotate") == annotated);
    assert!(filter("--annotate --threads 7") == annotated);
    assert!(verger_on(&urls, "filter -r filter-order.txt --annotate").quietly(0) == annotated);

    let printed = |word: &str| -> String {
        let lines = annotated.lines().filter(|line| line.starts_with(word));
        let urls = lines.map(|line| line.rsplit_once('\t').unwrap().1);
        urls.flat_map(|url| [url, "\n"]).collect()
    };
    assert!(filter("--threads 5") == printed("allowed"));
    assert!(filter("--threads 5 --invert") == printed("disallowed"));

    let sample: String = urls
        .lines()
        .step_by(97)
        .flat_map(|url| [url, "\n"])
        .collect();
    let said = verger_on(sample, "check -r filter-order.txt --json --urls -");
    let annotated = annotated.lines().step_by(97);
    for (answer, annotated) in said.stdout.lines().zip(annotated) {
        let answer: serde_json::Value = serde_json::from_str(answer).unwrap();
        let columns: Vec<_> = annotated.split('\t').collect();
        assert_eq!(columns[0] == "allowed", answer["allowed"], "{annotated}");
        assert_eq!(columns[3], answer["url"]);
        match answer["line"].as_u64() {
            Some(line) => assert_eq!(columns[1], line.to_string()),
            None => assert_eq!(
                (columns[1], columns[2]),
                ("-", answer["reason"].as_str().unwrap())
            ),
        }
    }
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
    let said = verger_on(&input, "filter -r filter-bad.txt --annotate");
    assert_eq!(
        said.stdout.lines().nth(2),
        Some("unknown\t-\tline-too-long\t")
    );
    // To Google's library any octets are a path; a client requests none of these.
    let said = verger_on("x\n", "filter -r filter-bad.txt -d google");
    assert_eq!((said.stdout.as_str(), said.code), ("", 2));
}

#[test]
fn a_directory_has_a_body_for_each_authority() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("filter-bodies");
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(directory.join("unreadable.example")).unwrap();
    for (name, path) in [
        ("plain.example", "/plain"),
        ("text.example.txt", "/text"),
        ("https%3A%2F%2Ffull.example%3A8443", "/full"),
        ("http%3A%2F%2Fplain.example", "/http"),
    ] {
        fs::write(
            directory.join(name),
            format!("User-agent: *\nDisallow: {path}\n"),
        )
        .unwrap();
    }
    let input = "\
https://plain.example/plain
HTTPS://user@Plain.EXAMPLE:443/plain
https://plain.example/http
http://plain.example/plain
http://PLAIN.example:80/http
https://text.example?/text
https://TEXT.example/text
https://full.example:8443/full
https://FULL.example:08443/
";
    let disallowed = "\
https://plain.example/plain
HTTPS://user@Plain.EXAMPLE:443/plain
http://PLAIN.example:80/http
https://TEXT.example/text
https://full.example:8443/full
";
    let said = verger_on(input, "filter --robots-dir filter-bodies --invert");
    assert_eq!(said.quietly(0), disallowed);
    for url in [
        "https://full.example/full",
        "http://full.example:8443/full",
        "https://plain.example:8443/",
        "ftp://plain.example/",
        "https://../plain.example/",
        "https://./",
    ] {
        let said = verger_on(url, "filter --robots-dir filter-bodies --annotate");
        assert_eq!(said.stdout, format!("unknown\t-\tno-body\t{url}\n"));
    }
    // What cannot be read is not absent.
    let url = "https://unreadable.example/";
    let said = verger_on(
        url,
        "filter --robots-dir filter-bodies --missing allow --annotate",
    );
    assert_eq!(said.stdout, format!("unknown\t-\tunreadable-body\t{url}\n"));
    assert!(
        said.stderr.contains("line 1: cannot read `filter-bodies"),
        "{said:?}"
    );
    assert_eq!(said.code, 2);
    let said = verger_on(
        "/plain",
        "filter --robots-dir filter-bodies --missing allow",
    )
    .refused();
    assert_eq!(
        said,
        "error: standard input, line 1: `/plain` is not an absolute URL (https://host/path), so \
         nothing says whose rules apply\n"
    );
    assert_eq!(
        verger_on("", "filter --robots-dir no-such-directory").refused(),
        "error: cannot read `no-such-directory`: there is no such file\n"
    );
}

const LIST: &str = r#"{"authority":"https://text.example","robots":"User-agent: *\nDisallow: /text\n"}

{"authority":"HTTP://User@Octets.example:80/","robots_base64":"VXNlci1hZ2VudDogKgpEaXNhbGxvdzogL2NhZukK","more":[1]}
{"authority":"https://twice.example","robots":""}
{"authority":"https://twice.example/robots.txt","robots":"User-agent: *\nDisallow: /\n"}
{"authority":"https://port.example:8443","robots":"User-agent: *\nDisallow: /"}"#;

#[test]
fn a_list_has_a_body_for_each_authority() {
    file("filter-list.jsonl", LIST);
    let input =
        b"https://TEXT.example/text\nhttps://text.example/\nhttp://octets.example/caf\xe9\n\
        https://twice.example/\nhttps://port.example:8443/\nhttps://text.example:443/text\n";
    let expected: &[u8] = b"https://TEXT.example/text\nhttp://octets.example/caf\xe9\n\
        https://twice.example/\nhttps://port.example:8443/\nhttps://text.example:443/text\n";
    let said = filter_octets("--bodies filter-list.jsonl --invert", input);
    assert_eq!(said, (expected.to_vec(), String::new(), 0));
    // Nothing is kept, and the answers are the same; two of the six lookups read what was read.
    let uncached = "--bodies filter-list.jsonl --invert --cache 0 --threads 1";
    let said = filter_octets(uncached, input);
    let note = "bodies read again: 2; sort the URLs by host, or raise --cache\n";
    assert_eq!(said, (expected.to_vec(), note.to_owned(), 0));
    let said = filter_octets(&format!("{uncached} --quiet"), input);
    assert_eq!(said, (expected.to_vec(), String::new(), 0));
    // A pipe cannot be read twice.
    file("filter-list-urls.txt", input);
    let arguments = "--bodies - -u filter-list-urls.txt --invert";
    let said = filter_octets(arguments, LIST.as_bytes());
    assert_eq!(said, (expected.to_vec(), String::new(), 0));
    assert_eq!(
        verger_on("", "filter --bodies -").refused(),
        "error: the URLs and their rules both come from standard input; give one as a file\n"
    );
}

#[test]
fn a_line_without_a_usable_body_still_applies_to_its_authority() {
    let list = r#"[1]
{"authority":"https://both.example","robots":"","robots_base64":""}
{"authority":"https://gone.example","robots_path":"no-such-body.txt"}
{"authority":"example.com","robots":""}
{"authority":"https://example.com/a","robots":""}
{"robots":""}
"#;
    file("filter-bad-list.jsonl", list);
    let input = "https://both.example/\nhttps://gone.example/\nhttps://other.example/\n";
    let said = verger_on(
        input,
        "filter --bodies filter-bad-list.jsonl --missing allow --annotate",
    );
    let stdout = "\
unknown\t-\tunreadable-body\thttps://both.example/
unknown\t-\tunreadable-body\thttps://gone.example/
allowed\t-\tno-body\thttps://other.example/
";
    let stderr = "\
error: `filter-bad-list.jsonl`, line 1: not a JSON object
error: `filter-bad-list.jsonl`, line 2: several bodies: give only one of robots, robots_base64, robots_path
error: `filter-bad-list.jsonl`, line 4: `example.com` is not an absolute URL (https://host/path), so nothing says whose rules apply
error: `filter-bad-list.jsonl`, line 5: `https://example.com/a` is more than an authority, as https://example.com is one
error: `filter-bad-list.jsonl`, line 6: no authority: give one, as https://example.com
error: standard input, line 1: `filter-bad-list.jsonl`: several bodies: give only one of robots, robots_base64, robots_path
error: standard input, line 2: cannot read `no-such-body.txt`: there is no such file
";
    assert_eq!(said.stdout, stdout);
    assert_eq!(said.stderr, stderr);
    assert_eq!(said.code, 2);
}

/// Standard error stays short, however long the run is.
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
            "error: 15 more lines cannot be used (--bodies); the first 5 are named above\n",
            1,
        ),
        (": line 1 is invalid and ignored\n", 5),
        (
            "warning: 15 more files have a warning (invalid-lines); the first 5 are named above\n",
            1,
        ),
        ("error: standard input, line ", 5),
        (
            "error: 15 more lines cannot be answered (not-a-url); the first 5 are named above\n",
            1,
        ),
    ] {
        assert_eq!(said.stderr.matches(part).count(), count, "{part}: {said:?}");
    }
    assert_eq!(said.stderr.lines().count(), 19, "{said:?}");
}

#[test]
fn every_spelling_of_a_host_has_the_rules_of_that_host() {
    let list = r#"{"authority":"https://xn--exmple-cua.com","robots":"User-agent: *\nDisallow: /secret"}
{"authority":"https://bücher.example/robots.txt","robots":"User-agent: *\nDisallow: /secret"}
{"authority":"http://127.0.0.1:8080","robots":"User-agent: *\nDisallow: /secret"}
"#;
    file("filter-spellings.jsonl", list);
    let urls = "\
https://exämple.com/secret
https://EXÄMPLE.com/secret
https://xn--exmple-cua.com/secret
https://ex%C3%A4mple.com/secret
https://xn--bcher-kva.example/secret
http://0x7f.1:8080/secret
http://2130706433:8080/secret
";
    let arguments = "filter --bodies filter-spellings.jsonl --missing allow";
    assert_eq!(verger_on(urls, arguments).quietly(0), "");
}

#[test]
fn an_authority_without_a_body_is_never_silently_allowed() {
    file("filter-missing.jsonl", LIST);
    let input = "https://text.example/a\nhttps://none.example/a\nhttp://text.example/b\n";
    let filter = |arguments: &str| {
        let arguments = format!("filter --bodies filter-missing.jsonl {arguments}");
        verger_on(input, &arguments)
    };
    let stderr = "error: no robots.txt was given for 2 URLs; the first is on line 2, of \
                  https://none.example (see --missing)\n";
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
    for (missing, counts) in [
        (
            "allow",
            "1 allowed, 0 disallowed, 2 without a robots.txt (allowed), ",
        ),
        (
            "disallow",
            "1 allowed, 0 disallowed, 2 without a robots.txt (disallowed), ",
        ),
        (
            "report",
            "1 allowed, 0 disallowed, 2 without a robots.txt, ",
        ),
    ] {
        let said = filter(&format!("--missing {missing} --summary")).stderr;
        assert!(said.contains(counts), "{said}");
    }
    let said = filter("--missing disallow --annotate").quietly(0);
    let second = said.lines().nth(1);
    assert_eq!(
        second,
        Some("disallowed\t-\tno-body\thttps://none.example/a")
    );
}

#[test]
fn the_arguments_say_whose_rules_and_for_whom() {
    let said = verger_on("", "filter").refused();
    assert!(
        said.contains("--robots <FILE>|--robots-dir <DIR>|--bodies <FILE>"),
        "{said}"
    );
    file("filter-who.txt", BODY);
    let said = verger_on("/\n", "filter -r filter-who.txt -a googlebot-news");
    assert_eq!(
        said.stderr,
        "googlebot-news → Googlebot-News, Googlebot, *\n"
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
fn of_several_crawlers_all_may_fetch_what_is_printed() {
    file("filter-several.txt", SEVERAL);
    let urls = "/a\n/b\n/c\nhttps://\n";
    let filter =
        |arguments: &str| verger_on(urls, &format!("filter -r filter-several.txt {arguments}"));
    let several = "--token a --token b --token c";
    assert_eq!(filter(several).stdout, "/c\n");
    assert_eq!(filter(&format!("{several} --invert")).stdout, "/a\n/b\n");
    assert_eq!(filter("--token a --token c").stdout, "/b\n/c\n");
    let said = filter(&format!("{several} --summary")).stderr;
    assert!(said.contains("4 URLs: 1 allowed, 2 disallowed, "), "{said}");
    let expected = "\
disallowed\t2\tDisallow: /a\ta\t/a
allowed\t-\tno-rule\tb\t/a
allowed\t-\tno-group\tc\t/a
allowed\t-\tno-rule\ta\t/b
disallowed\t5\tDisallow: /b\tb\t/b
allowed\t-\tno-group\tc\t/b
allowed\t-\tno-rule\ta\t/c
allowed\t-\tno-rule\tb\t/c
allowed\t-\tno-group\tc\t/c
unknown\t-\tnot-a-url\ta\thttps://
unknown\t-\tnot-a-url\tb\thttps://
unknown\t-\tnot-a-url\tc\thttps://
";
    let said = filter(&format!("{several} --annotate"));
    assert_eq!((said.stdout.as_str(), said.code), (expected, 2));
    assert_eq!(said.stderr.lines().count(), 1, "{said:?}");
    // Of a purpose there are many.
    let said = verger_on(
        "/\n",
        "filter -r filter-several.txt -a @ai-train --annotate",
    );
    assert!(said.stdout.lines().count() > 10, "{said:?}");
    assert!(said.stdout.contains("\tgptbot\t/\n"), "{said:?}");
}

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
    let said = filter_octets(
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
    assert_eq!((stderr.lines().count(), code), (2, 2), "{stderr}");
}
