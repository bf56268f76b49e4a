//! Tables of URLs and crawlers.

use crate::verger::{command, file, run, verger, verger_on};

const BODY: &str = "\
User-agent: *
Disallow: /private

User-agent: GPTBot
Disallow: /
";

#[test]
fn urls_are_rows_where_there_are_as_many_as_crawlers() {
    file("matrix.txt", BODY);
    let said = verger_on(
        "/c\n",
        "check -r matrix.txt --matrix --token GPTBot --token x /a /private --urls -",
    );
    let expected = "\
may fetch: yes, no, ? (nothing is known)

GPTBot  x
no      yes  /a
no      no   /private
no      yes  /c
";
    assert_eq!(said.quietly(1), expected);
    let said = verger_on("", "check -r matrix.txt --matrix /a /private");
    let expected = "may fetch: yes, no, ? (nothing is known)\n\n*\nyes  /a\nno   /private\n";
    assert_eq!(said.quietly(1), expected);
}

#[test]
fn crawlers_are_rows_where_there_are_more() {
    file("matrix-crawlers.txt", BODY);
    let crawlers = "--token GPTBot --token x --token yy";
    let said = verger_on(
        "",
        &format!("check -r matrix-crawlers.txt --matrix {crawlers} /a /private/"),
    );
    let expected = "\
may fetch: yes, no, ? (nothing is known)

/a   /private/
no   no         GPTBot
yes  no         x
yes  no         yy
";
    assert_eq!(said.quietly(1), expected);
    // URLs that are too wide to be above columns have numbers.
    let wide = format!("https://example.com/{}", "a".repeat(60));
    let said = verger_on(
        "",
        &format!("check -r matrix-crawlers.txt --matrix {crawlers} {wide} /b"),
    );
    let expected = format!(
        "\
may fetch: yes, no, ? (nothing is known)

   1  {wide}
   2  /b

1   2
no  no   GPTBot
yes yes  x
yes yes  yy
"
    );
    assert_eq!(said.quietly(1), expected);
}

#[test]
fn columns_that_find_no_room_are_numbered_in_every_row() {
    file("matrix-wide.txt", BODY);
    let tokens = (0..18).map(|nth| format!("crawler-{}", char::from(b'a' + nth)));
    let tokens: Vec<_> = tokens.chain(["GPTBot".to_owned()]).collect();
    let arguments = tokens.iter().flat_map(|token| ["--token", token]);
    let urls: String = (0..20)
        .flat_map(|nth| ["/".to_owned(), nth.to_string(), "\n".to_owned()])
        .collect();
    let start = ["check", "-r", "matrix-wide.txt", "--matrix", "-u", "-"];
    let said = verger(start.into_iter().chain(arguments), urls).quietly(1);
    assert!(said.lines().all(|line| line.len() <= 80), "{said}");
    let legend = "\n   1  crawler-a\n   2  crawler-b\n";
    assert!(said.contains(legend), "{said}");
    let row = "\
/19
   1 yes   2 yes   3 yes   4 yes   5 yes   6 yes   7 yes   8 yes
   9 yes  10 yes  11 yes  12 yes  13 yes  14 yes  15 yes  16 yes
  17 yes  18 yes  19 no
";
    assert!(said.ends_with(row), "{said}");
}

#[test]
fn a_table_needs_no_colours() {
    file("matrix-colours.txt", BODY);
    let matrix = |colour: &str| {
        let arguments =
            format!("check -r matrix-colours.txt --matrix --color {colour} /a /private");
        run(command().args(arguments.split_whitespace()), "").quietly(1)
    };
    let coloured = matrix("always");
    assert!(
        coloured.contains("\x1b[32myes  \x1b[0m/a\n"),
        "{coloured:?}"
    );
    assert!(
        coloured.contains("\x1b[1m\x1b[31mno   \x1b[0m/private\n"),
        "{coloured:?}"
    );
    let plain = matrix("never");
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
}

#[test]
fn comma_separated_values_have_the_rules_and_are_safe_to_open() {
    file("matrix-csv.txt", "User-agent: *\nDisallow: /a,\"b\"\n");
    let said = verger(
        [
            "check",
            "-r",
            "matrix-csv.txt",
            "--format=csv",
            "-d",
            "google",
            "--token",
            "x",
            "--token",
            "=y",
            "/a,\"b\"?",
            "/robots.txt",
            "/\x07\x1b[1m",
        ],
        "",
    );
    let expected = concat!(
        "url,x,\"x, because\",'=y,\"'=y, because\"\n",
        "\"/a,\"\"b\"\"?\",disallowed,\"line 2: Disallow: /a,\"\"b\"\"\",",
        "disallowed,\"line 2: Disallow: /a,\"\"b\"\"\"\n",
        "/robots.txt,allowed,no rule matches,allowed,no rule matches\n",
        "/\\x07\\x1b[1m,allowed,no rule matches,allowed,no rule matches\n",
    );
    assert_eq!((said.stdout.as_str(), said.code), (expected, 1));
}

#[test]
fn what_cannot_be_asked_has_no_row_and_what_was_answered_is_printed() {
    file("matrix-bad.txt", BODY);
    let said = verger_on(
        "",
        "check -r matrix-bad.txt --matrix --token a --token b x /c",
    );
    let expected = "may fetch: yes, no, ? (nothing is known)\n\n/c\nyes  a\nyes  b\n";
    assert_eq!((said.stdout.as_str(), said.code), (expected, 2));
    assert!(said.stderr.contains("`x` is neither"), "{said:?}");
    let said = verger_on("", "check -r matrix-bad.txt --matrix -u .");
    assert_eq!((said.stdout.as_str(), said.code), ("", 2));
    for (options, other) in [("--matrix --json", "--json"), ("--matrix -e", "--explain")] {
        let said = verger_on("", &format!("check -r matrix-bad.txt {options} /")).refused();
        assert!(said.contains(other), "{said}");
    }
    let said = verger_on("", "check --batch - --matrix").refused();
    assert!(said.contains("cannot be used with"), "{said}");
    // Nothing is known: the store has nothing about it.
    let said = verger_on(
        "",
        "check --offline --store matrix-none.db --matrix --token a https://h.example/a https://h.example/robots.txt",
    );
    assert!(
        said.stdout
            .ends_with("\na\n?    https://h.example/a\nyes  https://h.example/robots.txt\n"),
        "{said:?}"
    );
    assert_eq!(said.code, 3);
}
