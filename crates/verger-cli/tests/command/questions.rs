//! URLs and crawlers as they are asked for, and what cannot be asked.

use crate::verger::{file, verger, verger_on};

const BODY: &str = "User-agent: Googlebot\nDisallow: /g\n\nUser-agent: *\nDisallow: /p\n";

#[test]
fn a_name_of_the_registry_says_which_tokens_it_stands_for() {
    let said = verger_on(BODY, "check -r - -a Googlebot-News /g");
    assert_eq!(
        said.stderr,
        "Googlebot-News → Googlebot-News, Googlebot, *\n"
    );
    assert_eq!(
        said.stdout,
        "disallowed  /g   line 2: Disallow: /g   (group at line 1, Googlebot)\n"
    );
    let said = verger_on(BODY, "check -r - -a adsbot-google /p");
    assert_eq!(said.stderr, "adsbot-google → AdsBot-Google\n");
    assert_eq!(
        said.stdout,
        "allowed     /p   no group applies to this crawler\n"
    );
    assert_eq!(verger_on(BODY, "check -r - -a googlebot /p").stderr, "");
}

#[test]
fn a_token_is_taken_as_it_is() {
    let said = verger_on(BODY, "check -r - --token Googlebot-News /g /p").quietly(1);
    assert_eq!(
        said,
        "\
allowed     /g   no rule matches   (group at line 4, *)
disallowed  /p   line 5: Disallow: /p   (group at line 4, *)
"
    );
    let said = verger_on(BODY, "check -r - --token adsbot-google --json /p").quietly(1);
    assert!(
        said.contains(
            r#""crawler":{"registry_name":null,"tokens":["adsbot-google"],"star":"honoured"}"#
        ),
        "{said}"
    );
    assert_eq!(
        verger_on(BODY, "check -r - --token Foo/1 /g").refused(),
        "error: `Foo/1` is not a product token; `Foo` is; a full header goes to `--user-agent`\n"
    );
    let body = "User-agent: msnbot\nCrawl-delay: 5\n";
    assert!(
        verger_on(body, "parse - -a adidxbot")
            .stdout
            .contains("adidxbot")
    );
    let said = verger_on(body, "parse - --token adidxbot").quietly(0);
    assert!(said.ends_with("for adidxbot\n        nothing beside the rules\n"));
}

#[test]
fn crawlers_are_asked_in_the_order_given() {
    let arguments = "check -r - --json --token c -a d --user-agent GPTBot/1.0 --token=b -a a /x";
    let said = verger_on(BODY, arguments).quietly(0);
    let agents: Vec<_> = said
        .lines()
        .map(|line| line.split('"').nth(7).unwrap())
        .collect();
    assert_eq!(agents, ["c", "d", "GPTBot/1.0", "b", "a"]);
}

#[test]
fn a_long_header_is_not_repeated_whole() {
    let header = "x".repeat(50_000);
    let said = verger(["check", "-r", "-", "--user-agent", &header, "/g"], BODY).refused();
    assert!(said.len() < 1000, "{}", said.len());
}

#[test]
fn what_is_no_token_names_the_likely_one() {
    assert_eq!(
        verger_on(BODY, "check -r - -a Googlebot/2.1 /g").refused(),
        "error: `Googlebot/2.1` is not a product token; `Googlebot` is; \
         a full header goes to `--user-agent`\n"
    );
    let google = verger_on(BODY, "check -r - -d google -a Googlebot/2.1 /g");
    assert_eq!(
        google.quietly(0),
        "allowed     /g   no rule matches   (group at line 4, *)\n"
    );
}

#[test]
fn a_header_is_searched_for_a_known_crawler() {
    let header = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
    let said = verger(["check", "-r", "-", "--user-agent", header, "/g"], BODY);
    assert_eq!(said.code, 1);
    assert_eq!(said.stderr, "the header names googlebot → Googlebot, *\n");
    let unknown = "Mozilla/5.0 (compatible; ExampleBot/0.1; +https://example.com/bot)";
    let said = verger(["check", "-r", "-", "--user-agent", unknown, "/g"], BODY);
    assert_eq!(
        said.refused(),
        format!(
            "error: no known crawler is named in the header `{unknown}`; \
             its token is probably `ExampleBot`: `-a ExampleBot`\n"
        )
    );
}

#[test]
fn urls_come_from_a_list_too_and_bad_ones_are_named_by_line() {
    let list = file(
        "urls.txt",
        "\u{feff}https://h/g\r\n\r\nnonsense\n/x\nhttp:///\n/p",
    );
    let list = list.to_str().unwrap();
    let said = verger(["check", "-r", "-", "--urls", list, "/first", "bad"], BODY);
    assert_eq!(
        said.stdout,
        "\
allowed     /first   no rule matches   (group at line 4, *)
allowed     https://h/g   no rule matches   (group at line 4, *)
allowed     /x            no rule matches   (group at line 4, *)
disallowed  /p            line 5: Disallow: /p   (group at line 4, *)
"
    );
    let not_a_url =
        "is neither an absolute URL (https://host/path) nor a path that starts with `/`";
    assert_eq!(
        said.stderr,
        format!(
            "error: `bad` {not_a_url}\n\
             error: `{list}`, line 3: `nonsense` {not_a_url}\n\
             error: `{list}`, line 5: `http:///` has no host\n"
        )
    );
    assert_eq!(said.code, 2);
}

#[test]
fn a_list_comes_from_standard_input_where_the_body_does_not() {
    let body = file("list-body.txt", BODY);
    let body = body.to_str().unwrap();
    let said = verger(["check", "-r", body, "--urls", "-"], "/p\n/x\n");
    assert_eq!(said.quietly(1).lines().count(), 2);
    assert_eq!(
        verger(["check", "-r", "-", "--urls", "-"], "").refused(),
        "error: `--robots -` and `--urls -` both read standard input; give one of them as a file\n"
    );
}

#[test]
fn what_cannot_be_read_is_named() {
    assert_eq!(
        verger(["check", "-r", "nowhere.txt", "/"], "").refused(),
        "error: cannot read `nowhere.txt`: there is no such file\n"
    );
    assert_eq!(
        verger(["check", "-r", ".", "/"], "").refused(),
        "error: cannot read `.`: it is a directory\n"
    );
    assert_eq!(
        verger(["check", "-r", "-", "--urls", "no.txt"], "").refused(),
        "error: cannot read `no.txt`: there is no such file\n"
    );
    assert_eq!(
        verger(["check", "--batch", "no.jsonl"], "").refused(),
        "error: cannot read `no.jsonl`: there is no such file\n"
    );
}

#[test]
fn what_is_missing_or_does_not_go_together_is_usage() {
    for arguments in [
        "check -r -",
        "check /",
        "check",
        "check --batch - -r x",
        "check --batch - --json",
        "check --batch - --token a",
        "check --batch - -u x",
        "parse - -a x --token y",
        "check -r - / --dialect google2",
        "check -r - / --nonsense",
        "parse",
        "completions",
        "nonsense",
        "",
    ] {
        let said = verger_on("", arguments);
        assert_eq!((said.stdout.as_str(), said.code), ("", 2), "{arguments}");
    }
    for arguments in ["check", "check --batch x -r y"] {
        let said = verger_on("", arguments).refused();
        for usage in [
            "check --robots FILE ",
            "--urls FILE ",
            "check --batch FILE ",
        ] {
            assert!(said.contains(usage), "{said}");
        }
    }
    let said = verger_on("", "check").refused();
    assert!(
        said.contains("<URL|--urls <FILE>|--batch <FILE>>"),
        "{said}"
    );
    let said = verger_on("", "check -r - / --dialect nonsense").refused();
    assert!(
        said.contains("rfc9309, google, draft2019, koster1996"),
        "{said}"
    );
}

#[cfg(unix)]
#[test]
fn octets_that_are_not_utf8_are_asked_as_they_are() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let body = b"User-agent: *\nDisallow: /\xe9\n";
    let [check, robots, stdin, json] = ["check", "-r", "-", "--json"].map(OsStr::new);
    let url = OsStr::from_bytes(b"/\xe9");
    let said = verger([check, robots, stdin, json, url], body).quietly(1);
    assert!(
        said.contains(r#""url_base64":"L+k=","allowed":false"#),
        "{said}"
    );
}
