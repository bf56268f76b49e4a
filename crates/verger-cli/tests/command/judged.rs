//! Known crawlers are judged as their operator reads, unless a dialect is stated.

use crate::verger::{file, json_lines, verger_on};

/// Google's library needs each of these lines: it does not read `%2B` as `+`. RFC 9309 does.
const SPELLED_THRICE: &str = "User-agent: *\nDisallow: /c/*+*\nDisallow: /c/*%2B*\n";
const SPELLED_ONCE: &str = "User-agent: *\nDisallow: /c/*+*\n";

#[test]
fn a_change_that_google_sees_is_not_called_proven_absent() {
    let old = file("judged-old.txt", SPELLED_THRICE).display().to_string();
    let diff = |more: &str| verger_on(SPELLED_ONCE, &format!("diff {old} - {more}"));
    assert_eq!(diff("-a googlebot").code, 1);
    assert_eq!(diff("-a googlebot -d google").code, 1);
    let said = diff("-a googlebot -d rfc9309").quietly(0);
    assert_eq!(said, "no change in meaning, for any of 1 crawler: proven\n");
    let said = diff("-a duckduckbot").quietly(0);
    assert_eq!(said, "no change in meaning, for any of 1 crawler: proven\n");
    let changed = json_lines(&diff("-a bingbot -a googlebot --json").stdout);
    assert_eq!(changed[0]["crawlers"], serde_json::json!(["googlebot"]));
    assert_eq!(changed[0]["dialect"], "google");
    assert_eq!(changed[1]["unchanged"], 1);
}

#[test]
fn each_command_answers_for_google_as_its_library_does() {
    let robots = file("judged.txt", SPELLED_ONCE).display().to_string();
    let (asked, plain) = ("/c/%2B", "-a googlebot -a bingbot -a ExampleBot");
    let check = verger_on(
        "",
        &format!("check --robots {robots} {plain} {asked} --json"),
    );
    let answers = json_lines(&check.stdout);
    let told = |key: &str| answers.iter().map(|it| it[key].clone()).collect::<Vec<_>>();
    assert_eq!(told("allowed"), [true, false, false]);
    assert_eq!(told("dialect"), ["google", "rfc9309", "rfc9309"]);
    let stated = verger_on(
        "",
        &format!("check --robots {robots} {plain} -d google {asked} --json"),
    );
    let allowed = json_lines(&stated.stdout);
    assert!(
        allowed.iter().all(|it| it["allowed"] == true),
        "{allowed:?}"
    );
    let token = verger_on(
        "",
        &format!("check --robots {robots} --token Googlebot {asked}"),
    );
    assert_eq!(token.code, 1, "a bare product token is judged by RFC 9309");
    let url = format!("https://h.example{asked}\n");
    let filtered = verger_on(
        &url,
        &format!("filter --robots {robots} {plain} --annotate"),
    );
    let words = filtered
        .stdout
        .lines()
        .map(|line| line.split('\t').next().unwrap());
    assert_eq!(
        words.collect::<Vec<_>>(),
        ["allowed", "disallowed", "disallowed"]
    );
    let rows = verger_on("", &format!("who {robots} -a googlebot -a bingbot --json"));
    let rows = json_lines(&rows.stdout);
    assert_eq!(
        (&rows[0]["dialect"], &rows[1]["dialect"]),
        (&"google".into(), &"rfc9309".into())
    );
    let claim = format!(
        "robots = \"judged.txt\"\n[[claim]]\ncrawlers = [\"googlebot\"]\nallowed = [\"{asked}\"]\n"
    );
    let claims = file("judged.test.toml", &claim).display().to_string();
    assert_eq!(verger_on("", &format!("test {claims}")).code, 0);
    assert_eq!(verger_on("", &format!("test {claims} -d rfc9309")).code, 1);
}
