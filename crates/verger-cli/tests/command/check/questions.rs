//! URLs and crawlers as they are asked for, and what cannot be asked.

use crate::verger::{file, verger, verger_on};

const BODY: &str = "User-agent: Googlebot\nDisallow: /g\n\nUser-agent: *\nDisallow: /p\n";

#[test]
fn a_name_of_the_registry_says_which_tokens_it_stands_for() {
    let said = verger_on(BODY, "check -r - -a Googlebot-News /g");
    assert_eq!(
        said.stderr,
        "note: Googlebot-News → Googlebot-News, Googlebot, *\n"
    );
    assert_eq!(
        said.stdout,
        "disallowed  /g   line 2: Disallow: /g   (group at line 1, Googlebot; as Google reads it)\n"
    );
    let said = verger_on(BODY, "check -r - -a adsbot-google /p");
    assert_eq!(said.stderr, "note: adsbot-google → AdsBot-Google\n");
    assert_eq!(
        said.stdout,
        "allowed     /p   no group applies to this crawler   (as Google reads it; it ignores the * group at line 4)\n"
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
            r#""crawler":{"registry_name":null,"tokens":["adsbot-google"],"star":"honoured","obeys":null}"#
        ),
        "{said}"
    );
    assert_eq!(
        verger_on(BODY, "check -r - --token Foo/1 /g").refused(),
        "error: `Foo/1` is not a product token: it takes letters, digits, `_`, `-` and `.`\n\
         help: use the token, `-a Foo`; a whole header goes to `--user-agent`\n"
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
        "error: `Googlebot/2.1` is not a product token: it takes letters, digits, `_`, `-` and `.`\n\
         help: use the token, `-a Googlebot`; a whole header goes to `--user-agent`\n"
    );
    let google = verger_on(BODY, "check -r - -d google -a Googlebot/2.1 /g");
    assert_eq!(
        (google.stdout.as_str(), google.code),
        (
            "allowed     /g   no rule matches   (group at line 4, *)\n",
            0
        )
    );
    assert!(google.stderr.contains("no user-agent line can name"));
}

#[test]
fn a_header_is_searched_for_a_known_crawler() {
    let header = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
    let said = verger(["check", "-r", "-", "--user-agent", header, "/g"], BODY);
    assert_eq!(said.code, 1);
    assert_eq!(
        said.stderr,
        "note: the header names googlebot → Googlebot, *\n"
    );
    let unknown = "Mozilla/5.0 (compatible; ExampleBot/0.1; +https://example.com/bot)";
    let said = verger(["check", "-r", "-", "--user-agent", unknown, "/g"], BODY);
    assert_eq!(
        said.refused(),
        format!(
            "error: no known crawler is named in the header `{unknown}`\n\
             help: give its product token, probably `-a ExampleBot`\n"
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
        "error: `--robots -` and `--urls -` both read standard input\nhelp: give one of them as a file\n"
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
    let said = verger_on("", "check --batch x -r y").refused();
    let conflict = "error: `--batch <FILE>` cannot be used with `--robots <FILE>`\n";
    assert!(said.starts_with(conflict), "{said}");
    let said = verger_on("", "check").refused();
    let missing = "error: missing argument: URL or --urls <FILE> or --batch <FILE>\n";
    assert!(said.starts_with(missing), "{said}");
    let said = verger_on("", "check -r - / --dialect nonsense").refused();
    assert!(
        said.contains("rfc9309, google, draft2019, koster1996"),
        "{said}"
    );
}

#[cfg(unix)]
#[test]
fn bytes_that_are_not_utf8_are_asked_as_they_are() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let body = b"User-agent: *\nDisallow: /\xe9\n";
    let [check, robots, stdin, json] = ["check", "-r", "-", "--json"].map(OsStr::new);
    let url = OsStr::from_bytes(b"/\xe9");
    let said = verger([check, robots, stdin, json, url], body).quietly(1);
    assert!(
        said.contains(r#""url_base64":"L+k=","sent_as":null,"ignored_star":null"#),
        "{said}"
    );
}

#[test]
fn a_purpose_and_an_operator_stand_for_their_crawlers() {
    let body = "User-agent: GPTBot\nDisallow: /\n";
    let said = verger_on(body, "check -r - -a @ai-train /x");
    assert_eq!(
        said.stderr.lines().next(),
        Some(
            "note: @ai-train stands for the crawlers in use that `verger crawlers --purpose ai-train` lists"
        )
    );
    let listed = verger_on("", "crawlers --purpose ai-train --json").quietly(0);
    let in_use = listed
        .lines()
        .filter(|line| line.contains(r#""retired":false"#));
    assert_eq!(said.stdout.lines().count(), in_use.count());
    assert_eq!(said.code, 1);
    let disallowed = said
        .stdout
        .lines()
        .filter(|line| line.starts_with("disallowed"));
    assert!(disallowed.eq(said.stdout.lines().filter(|line| line.contains(" gptbot "))));

    // A crawler that several of them name is asked once, in the order of the question.
    let twice = verger_on(
        body,
        "check -r - -a GPTBot -a @ai-train -a @OpenAI -a @ai-train /x",
    );
    let lines = twice.stdout.lines();
    let agents: Vec<_> = lines
        .filter_map(|it| it.split_whitespace().nth(1))
        .collect();
    assert_eq!(agents[0], "GPTBot");
    assert!(!agents.contains(&"gptbot"), "{agents:?}");
    let once: std::collections::BTreeSet<_> = agents.iter().collect();
    assert_eq!(once.len(), agents.len());
    // A name without `@` is that of one crawler.
    let single = verger_on(body, "check -r - -a OpenAI /x");
    assert_eq!(single.stdout.lines().count(), 1);
    let said = "warning: unknown crawler `OpenAI`\nhelp: did you mean `@OpenAI`";
    assert!(single.stderr.starts_with(said), "{}", single.stderr);
    let literally = verger_on(body, "check -r - --token OpenAI /x").quietly(0);
    assert_eq!(literally, single.stdout);
}

#[test]
fn what_names_no_crawler_or_too_many_is_refused_with_what_there_is() {
    let purpose = verger_on(BODY, "check -r - -a @training /x").refused();
    assert!(
        purpose.contains(
            "`@training` is neither a purpose nor an operator: the purposes are ads, ai-input, "
        ),
        "{purpose}"
    );
    let operator = verger(["check", "-r", "-", "-a", "Mistral A", "/x"], BODY).refused();
    assert!(
        operator.ends_with("\nhelp: operators with a similar name: Mistral AI\n"),
        "{operator}"
    );
    let said = verger_on(BODY, "parse - -a @search").refused();
    assert!(
        said.starts_with("error: `@search` names ")
            && said.ends_with(
                " crawlers, but one is needed here\nhelp: choose one that `verger crawlers` lists\n"
            ),
        "{said}"
    );
}

/// G-1-2.
#[test]
fn a_crawler_that_robots_txt_does_not_bind_is_named() {
    let said = verger_on(BODY, "check -r - -a feedfetcher-google -a Googlebot /g");
    let note = "note: feedfetcher-google does not obey robots.txt, according to Google";
    assert!(
        said.stderr.lines().any(|line| line == note),
        "{}",
        said.stderr
    );
    assert_eq!(said.stderr.matches("does not obey robots.txt").count(), 1);
    let json = verger_on(BODY, "check -r - --json -a feedfetcher-google /g").quietly(0);
    assert!(json.contains(r#""star":"ignored","obeys":"no"}"#), "{json}");
}

/// V-40: `check` and `filter` ask about a URL as it is sent, `robots` and batches as it is written.
#[test]
fn a_url_is_asked_about_in_google_as_it_is_sent() {
    let body = "User-agent: *\nDisallow: /\u{e9}\n";
    let robots = file("as-sent.txt", body);
    let robots = robots.to_str().unwrap();
    let url = "https://h.example/\u{e9}";
    let check = |more: &[&str]| {
        let arguments = ["check", "-d", "google", "-r", robots, url];
        verger(arguments.iter().chain(more), "")
    };
    assert_eq!(
        check(&[]).quietly(1),
        "disallowed  https://h.example/\u{e9}   line 2: Disallow: /\u{e9}   (group at line 1, *; sent \
         as /%C3%A9)\n"
    );
    let json = check(&["--json"]).quietly(1);
    assert!(
        json.contains(r#""sent_as":"/%C3%A9","ignored_star":null"#),
        "{json}"
    );
    let filter = ["filter", "--quiet", "-d", "google", "-r", robots];
    assert_eq!(verger(filter, format!("{url}\n")).quietly(0), "");

    let library = verger(["robots", robots, "FooBot", url], "");
    assert_eq!(library.code, 0, "{library:?}");
    let question = serde_json::json!({"robots": body, "agent": "FooBot", "url": url});
    let batch = verger_on(question.to_string(), "check --batch - -d google").quietly(0);
    assert!(batch.contains(r#""allowed":true"#), "{batch}");

    // Where Google's reading is one of the others, it is asked about as it is sent, too.
    let explained = verger(["check", "--explain", "-r", robots, url], "").quietly(1);
    assert!(!explained.contains("google"), "{explained}");
}
