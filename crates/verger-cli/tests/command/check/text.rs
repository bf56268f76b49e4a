//! Answers for readers, and as JSON.

use crate::verger::{verger, verger_on};

const BODY: &str = "\
# comment
User-agent: FooBot
Disallow: /a   # why
Allow: /a/b

User-agent: *
Disallow: /private
Disallow: /p
";

#[test]
fn every_reason_is_told() {
    let said = verger_on(
        BODY,
        "check --robots - -a FooBot https://h/a/c https://h/a/b/c https://h/x /robots.txt",
    );
    let expected = "\
disallowed  https://h/a/c     line 3: Disallow: /a   (group at line 2, FooBot)
allowed     https://h/a/b/c   line 4: Allow: /a/b   (group at line 2, FooBot)
allowed     https://h/x       no rule matches   (group at line 2, FooBot)
allowed     /robots.txt       /robots.txt itself
";
    assert_eq!(said.quietly(1), expected);
    let said = verger_on("User-agent: a\nDisallow: /\n", "check -r - -a FooBot /x");
    assert_eq!(
        said.quietly(0),
        "allowed     /x   no group applies to this crawler\n"
    );
}

#[test]
fn without_a_name_a_crawler_is_meant_that_no_group_names() {
    let said = verger_on(BODY, "check -r - /p");
    assert_eq!(
        said.quietly(1),
        "disallowed  /p   line 8: Disallow: /p   (group at line 6, *)\n"
    );
}

#[test]
fn several_crawlers_are_asked_in_turn() {
    let said = verger_on(BODY, "check -r - -a FooBot -a ZetaBotte /a /p");
    let expected = "\
disallowed  FooBot     /a   line 3: Disallow: /a   (group at line 2, FooBot)
allowed     ZetaBotte  /a   no rule matches   (group at line 6, *)
allowed     FooBot     /p   no rule matches   (group at line 2, FooBot)
disallowed  ZetaBotte  /p   line 8: Disallow: /p   (group at line 6, *)
";
    assert_eq!(said.quietly(1), expected);
}

#[test]
fn a_body_cannot_write_escape_sequences_to_a_terminal() {
    let body = "User-agent: *\nDisallow: /\u{9b}31m\u{202e}x\n";
    let said = verger(["check", "-r", "-", "/\u{9b}31m\u{202e}x"], body);
    let expected = "disallowed  /\\u{9b}31m\\u{202e}x   \
                    line 2: Disallow: /\\u{9b}31m\\u{202e}x   (group at line 1, *)\n";
    assert_eq!(said.quietly(1), expected);
}

#[test]
fn json_has_the_keys_of_a_batch_and_says_who_was_meant() {
    let said = verger_on(BODY, "check -r - --json -a googlebot-news -a FooBot /p");
    let expected = r#"{"schema":"verger.check/1","agent":"googlebot-news","crawler":{"registry_name":"googlebot-news","tokens":["Googlebot-News","Googlebot"],"star":"honoured","obeys":"yes"},"url":"/p","sent_as":null,"ignored_star":null,"body_limit":null,"warnings":[],"allowed":false,"reason":"rule","line":8,"rule":"Disallow: /p","group":{"line":6,"named":false},"dialect":"google"}
{"schema":"verger.check/1","agent":"FooBot","crawler":{"registry_name":null,"tokens":["FooBot"],"star":"honoured","obeys":null},"url":"/p","sent_as":null,"ignored_star":null,"body_limit":null,"warnings":[],"allowed":true,"reason":"no-rule","line":null,"rule":null,"group":{"line":2,"named":true},"dialect":"rfc9309"}
"#;
    assert_eq!(said.quietly(1), expected);
}

#[test]
fn the_options_of_reading_change_what_is_read() {
    let body = "User-agent: a, b\nDisallow: /x\nAllow: /x/y\n";
    let checked = |arguments: &str| verger_on(body, arguments).code;
    assert_eq!(checked("check -r - -a b /x"), 0);
    assert_eq!(checked("check -r - -a b /x --reading comma-agents"), 1);
    assert_eq!(checked("check -r - -a a /x/y"), 0);
    assert_eq!(checked("check -r - -a a /x/y --reading ignore-allow"), 1);
    assert_eq!(checked("check -r - -a a /x/y --dialect koster1996"), 0);
    let latin1 = b"User-agent: a\nDisallow: /\xe9\n";
    let bridged = |arguments: &str| verger_on(latin1, arguments).code;
    assert_eq!(bridged("check -r - -a a /%C3%A9"), 0);
    assert_eq!(
        bridged("check -r - -a a /%C3%A9 --reading bridge-encodings"),
        1
    );
}

#[test]
fn colour_is_for_those_who_ask_for_it() {
    let said = crate::verger::command()
        .args(["check", "-r", "-", "/"])
        .env("CLICOLOR_FORCE", "1")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert!(said.stdout.starts_with(b"\x1b[32mallowed"));
}

/// The delay of the crawler, within the limits that the caller sets.
#[test]
fn a_delay_is_shown_with_the_answer() {
    let body =
        "User-agent: a\nCrawl-delay: 3600\n\nUser-agent: *\nCrawl-delay: 0.2\nDisallow: /x\n";
    for (arguments, expected) in [
        (
            "-a a",
            "allowed     /   no rule matches   (group at line 1, a; 3600 s between requests)\n",
        ),
        (
            "",
            "allowed     /   no rule matches   (group at line 1, *; 0.2 s between requests)\n",
        ),
        (
            "--min-delay 1s --max-delay 5m",
            "allowed     /   no rule matches   \
             (group at line 1, *; 1 s between requests instead of 0.2 s)\n",
        ),
        (
            "--min-delay 1s --max-delay 5m -a a",
            "allowed     /   no rule matches   \
             (group at line 1, a; 300 s between requests instead of 3600 s)\n",
        ),
    ] {
        let said = verger_on(body, &format!("check -r - {arguments} /"));
        assert_eq!(said.quietly(0), expected);
    }
    for unfit in ["--min-delay 1", "--max-delay -1s"] {
        assert_eq!(verger_on(body, &format!("check -r - {unfit} /")).code, 2);
    }
    let said = verger_on("", "check -r - --min-delay 1s /").quietly(0);
    let expected = "allowed     /   no group applies to this crawler   (1 s between requests)\n";
    assert_eq!(said, expected);
    let said = verger_on(body, "check -r - -a a --explain --max-delay 5m /").quietly(0);
    assert!(
        said.contains("; 300 s between requests instead of 3600 s)"),
        "{said}"
    );
}
