//! `test`: a robots.txt against the expectations of its owner.

use std::fs;
use std::path::{Path, PathBuf};

use crate::server::{Server, new_store, on_web, robots};
use crate::verger::{Said, verger, verger_on};

const BODY: &str =
    "User-agent: *\nDisallow: /cart\nAllow: /cart/help\n\nUser-agent: GPTBot\nDisallow: /\n";

const CLAIMS: &str = include_str!("../../../verger-owner/tests/fixtures/claims.toml");

/// Makes a directory with a robots.txt and its claims.
fn directory(name: &str, body: &str, claims: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("robots.txt"), body).unwrap();
    fs::write(directory.join("robots.test.toml"), claims).unwrap();
    directory
}

fn test(directory: &Path, arguments: &str) -> Said {
    let claims = directory.join("robots.test.toml");
    let arguments = arguments.split_whitespace().map(str::to_owned);
    let claims = [claims.to_str().unwrap().to_owned()];
    verger(
        ["test".to_owned()]
            .into_iter()
            .chain(arguments)
            .chain(claims),
        "",
    )
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_no_text_is_not_written() {
    use std::os::unix::ffi::OsStrExt as _;
    let name = std::ffi::OsStr::from_bytes(b"claims-\xff.txt");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, BODY).unwrap();
    let said = verger(["test".into(), "--init".into(), path.into_os_string()], "");
    assert_eq!((said.code, said.stdout.as_str()), (2, ""));
    assert!(
        said.stderr.ends_with("its name is not UTF-8\n"),
        "{}",
        said.stderr
    );
    // Where an argument is to be text.
    let said = verger(["who".into(), "-a".into(), name.to_owned(), "-".into()], "");
    assert_eq!((said.code, said.stdout.as_str()), (2, ""));
    assert!(
        said.stderr
            .contains("an argument is not UTF-8: claims-�.txt"),
        "{}",
        said.stderr
    );
}

#[test]
fn claims_about_urls_and_about_sets_hold() {
    let directory = directory("claims-hold", BODY, CLAIMS);
    let robots = directory.join("robots.txt");
    let said = test(&directory, "").quietly(0);
    assert_eq!(said, format!("5 claims hold: {}\n", robots.display()));
}

#[test]
fn a_claim_that_fails_is_shown_with_a_path_and_the_line_that_decides() {
    let directory = directory("claims-fail", &BODY.replace("Allow:", "Alow:"), CLAIMS);
    let (robots, claims) = (
        directory.join("robots.txt"),
        directory.join("robots.test.toml"),
    );
    let (robots, claims) = (robots.display(), claims.display());
    assert_eq!(
        test(&directory, "").quietly(1),
        format!(
            "\
fails  *: https://example.com/cart/help?a=b is allowed
       https://example.com/cart/help?a=b is disallowed by line 2, Disallow: /cart
       because: help is found
       {claims}:4
fails  *: everything under /cart/help is allowed
       https://example.com/cart/help is disallowed by line 2, Disallow: /cart
       because: help is found
       {claims}:5
3 claims hold, 2 do not: {robots}
"
        )
    );
    let said = test(&directory, "--format github").quietly(1);
    let start = format!("::error file={robots},line=2,title=robots.txt::*: https://");
    assert!(said.starts_with(&start), "{said}");
    let said = test(&directory, "--format junit").quietly(1);
    assert!(said.starts_with("<?xml "), "{said}");
    let said = test(&directory, "--format json").quietly(1);
    assert_eq!(said.matches("\"schema\":\"verger.test/1\"").count(), 5);
}

#[test]
fn what_cannot_be_tested_is_no_success() {
    let wide = "[[claim]]\nallowed_under = [\"/*a*b*c\"]\n";
    let undecided = directory(
        "claims-undecided",
        "User-agent: *\nDisallow: /*b*a*c*d\n",
        wide,
    );
    let said = test(&undecided, "--max-states 3");
    assert_eq!(said.code, 2);
    assert!(said.stdout.starts_with("not decided  "), "{}", said.stdout);
    let broken = directory("claims-broken", "", "[[claim]]\nallow = []\n");
    let said = test(&broken, "").refused();
    assert!(
        said.contains("robots.test.toml: line 2: unknown key\nhelp: use one of `why`, "),
        "{said}"
    );
    fs::remove_file(undecided.join("robots.txt")).unwrap();
    let said = test(&undecided, "").refused();
    assert!(said.contains("there is no such file"), "{said}");
}

#[test]
fn options_without_an_effect_are_refused() {
    let directory = directory("claims-unused", BODY, CLAIMS);
    for (arguments, why) in [
        (
            "--timeout 5s",
            "`--timeout` has no effect on a file: nothing is fetched",
        ),
        ("--site https://h.example", "`--site` has no effect"),
        ("--site https://h.example --init -", "`--init <FILE|URL>`"),
    ] {
        let said = test(&directory, arguments).refused();
        assert!(said.contains(why), "{said}");
    }
    test(&directory, "--profile google").quietly(0);
}

#[test]
fn what_is_served_is_held_to_the_claims_and_to_the_file() {
    let directory = directory("claims-live", BODY, CLAIMS);
    let (server, store) = (Server::saying(robots(BODY)), new_store("claims-live"));
    let claims = directory.join("robots.test.toml");
    let live = format!(
        "test --live {} --same-meaning {}",
        server.url("/"),
        claims.display()
    );
    let said = on_web(&store, &live).quietly(0);
    assert!(said.starts_with("6 claims hold: http://"), "{said}");
    server.say(robots(&format!("User-agent: CCBot\nDisallow: /\n\n{BODY}")));
    let said = on_web(&store, &live).quietly(1);
    assert!(said.contains("in the served file, http://"), "{said}");
    assert!(said.ends_with(&format!(
        "5 claims hold, 1 does not: {}\n",
        server.url("/robots.txt")
    )));
    let said = on_web(&store, &format!("{live} --format github")).quietly(1);
    let robots = directory.join("robots.txt");
    let start = format!(
        "::error file={},title=robots.txt::the served file",
        robots.display()
    );
    assert!(said.starts_with(&start), "{said}");
}

#[test]
fn what_a_file_does_today_is_claimed_of_it() {
    let claims = verger_on(BODY, "test --init -").quietly(0);
    let directory = directory("claims-init", BODY, &claims);
    let said = test(&directory, "").quietly(0);
    assert!(said.contains(" claims hold: "), "{said}");
    assert!(
        claims.contains("crawlers = [\"gptbot\"]\ndisallowed_under = [\"/\"]\n"),
        "{claims}"
    );
}
