//! `who`: how much of a site each crawler may fetch.

use serde_json::Value;
use verger::{Dialect, RobotsTxt};
use verger_answer::ResolvedCrawler;
use verger_compare::{Budget, EXAMPLE_SITE};
use verger_crawlers::Registry;
use verger_owner::{FileQuestion, WhoLine, crawlers_of, who, write_who_csv};

const FILE: &str = include_str!("../fixtures/who.txt");

fn rows(body: &str, dialect: Dialect) -> Vec<Value> {
    let robots = RobotsTxt::parse(body, dialect);
    let crawlers = crawlers_of([&robots], (*robots.reading()).into());
    let rows = who(robots, &crawlers, Budget::default());
    let lines = rows.iter().map(|row| WhoLine::new(row, EXAMPLE_SITE));
    lines
        .map(|line| serde_json::to_value(line).unwrap())
        .collect()
}

fn row(body: &str, dialect: Dialect, crawler: &str) -> Value {
    let mut rows = rows(body, dialect).into_iter();
    rows.find(|row| row["crawler"] == crawler).unwrap()
}

#[test]
fn everything_and_nothing_are_what_no_url_contradicts() {
    for (crawler, disallowed, line, allowed_url) in [
        ("gptbot", "everything", 1, Value::Null),
        ("ccbot", "everything", 2, Value::Null),
        ("googlebot", "everything", 5, Value::Null),
        ("*", "everything", 5, Value::Null),
        ("bingbot", "some", 8, "https://example.com/".into()),
        ("Homegrown", "nothing", 12, "https://example.com/".into()),
    ] {
        let row = row(FILE, Dialect::Rfc9309, crawler);
        assert_eq!(row["disallowed"], disallowed, "{row}");
        assert_eq!(row["group"]["line"], line, "{row}");
        assert_eq!(row["allowed_url"], allowed_url, "{row}");
        assert_eq!(row["states"], Value::Null, "{row}");
    }
    // To Google's library, robots.txt is a path like any other.
    assert_eq!(
        row(FILE, Dialect::Google, "Homegrown")["disallowed"],
        "some"
    );
    assert_eq!(
        row(FILE, Dialect::Koster1996, "bingbot")["disallowed"],
        "everything"
    );
}

#[test]
fn a_crawler_without_a_group_says_so_and_one_may_fall_back() {
    let body = "User-agent: googlebot\nDisallow: /x\n";
    let news = row(body, Dialect::Rfc9309, "googlebot-news");
    assert_eq!(news["group"]["token"], "Googlebot");
    assert_eq!(news["group"]["own"], false);
    assert_eq!(news["rule_line"], 2);
    let other = row(body, Dialect::Rfc9309, "bingbot");
    assert_eq!(
        (&other["group"], &other["disallowed"]),
        (&Value::Null, &"nothing".into())
    );
}

#[test]
fn names_that_a_dialect_cuts_block_whom_it_reads() {
    let body = "User-agent: *\nDisallow:\n\nUser-agent: AI2Bot\nUser-agent: Foo Bar\nDisallow: /\n";
    let blocked = |dialect| {
        let rows = rows(body, dialect).into_iter();
        let blocked = rows.filter(|row| row["disallowed"] == "everything");
        let names = blocked.map(|row| row["crawler"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    // By RFC 9309 the line also names a crawler `AI`, because tokens have only letters, `-` and
    // `_`. But nobody wrote that name.
    assert_eq!(blocked(Dialect::Rfc9309), ["ai2bot", "Foo"]);
    // Google's library reads letters, `-` and `_`.
    assert_eq!(blocked(Dialect::Google), ["AI", "Foo"]);
}

#[test]
fn a_list_of_all_known_tokens_blocks_each_of_them_in_each_dialect() {
    let in_use = Registry::bundled().iter().filter(|it| !it.is_retired());
    let names: Vec<&str> = in_use.map(|it| it.own_token().as_str()).collect();
    assert!(names.len() > 200);
    let agents = names.join("\nUser-agent: ");
    let body = format!("User-agent: *\nDisallow:\n\nUser-agent: {agents}\nDisallow: /\n");
    for &dialect in Dialect::ALL {
        let rows = rows(&body, dialect);
        let open: Vec<&str> = rows
            .iter()
            .filter(|row| row["disallowed"] == "nothing" && row["tokens"][0].is_string())
            .map(|row| row["tokens"][0].as_str().unwrap())
            .collect();
        // In Google's library, no line names a token with a digit or a dot.
        let cannot_be_named = |name: &&str| {
            dialect == Dialect::Google
                && name.contains(|letter: char| {
                    !letter.is_ascii_alphabetic() && !"-_".contains(letter)
                })
        };
        let expected: Vec<&str> = names.iter().copied().filter(cannot_be_named).collect();
        assert_eq!(open, expected, "{dialect}");
    }
}

#[test]
fn a_table_for_other_programs_has_a_line_for_each_crawler() {
    let robots = RobotsTxt::parse(FILE, Dialect::Rfc9309);
    let names = ["gptbot", "Homegrown"];
    let crawlers = names.map(|name| ResolvedCrawler::from_name(name, *robots.reading()).unwrap());
    let rows = who(robots, &crawlers, Budget::default());
    let mut table = Vec::new();
    write_who_csv(&mut table, &rows, EXAMPLE_SITE).unwrap();
    assert_eq!(
        String::from_utf8(table).unwrap(),
        "crawler,operator,purposes,disallowed,token,group_line,rule_line,allowed_url,disallowed_url\r\n\
         gptbot,OpenAI,ai-train,everything,GPTBot,1,3,,https://example.com/\r\n\
         Homegrown,,,nothing,Homegrown,12,,https://example.com/,\r\n"
    );
}

/// One order for all lists.
#[test]
fn crawlers_that_owners_look_for_come_first() {
    let closed = "User-agent: *\nDisallow: /\n";
    let rows = rows(closed, Dialect::Rfc9309);
    let names: Vec<_> = rows[..4].iter().map(|row| &row["crawler"]).collect();
    assert_eq!(names, ["*", "googlebot", "bingbot", "gptbot"]);
    let open = "User-agent: *\nDisallow: /x\n";
    let changes = FileQuestion::default().diff_json(open, closed).unwrap();
    let first = r#"{"schema":"verger.diff/1","crawlers":["*","bingbot","gptbot","oai-searchbot","chatgpt-user","#;
    assert!(changes.starts_with(first), "{changes}");
}
