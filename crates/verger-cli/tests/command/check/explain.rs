//! `--explain`: the group, the rules that lost, the dialects that answer otherwise.

use std::fmt::Write;

use crate::verger::verger_on;

const BODY: &str = "\
User-agent: bingbot
Crawl-delay: 5

User-agent: *
Disallow: /private   # all of it
Allow: /private/press
Disallow: /*.bak$
";

/// The lines under `other answers in`, or none where the others answer alike.
fn others(body: &str, arguments: &str) -> Vec<String> {
    let said = verger_on(body, &format!("check --robots - --explain {arguments}"));
    assert_ne!(said.code, 2, "{}", said.stderr);
    let answers = said.stdout.split("other answers in\n").nth(1);
    let lines = answers.unwrap_or_default().lines();
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    lines.filter(|line| !line.is_empty()).map(words).collect()
}

#[test]
fn the_group_stands_as_written_and_the_loser_says_why() {
    let said = verger_on(BODY, "check -r - -a FooBot --explain /private/press/a.bak");
    let expected = "\
allowed     /private/press/a.bak   line 6: Allow: /private/press   (group at line 1, *)

  group at line 1 (*)
       1  User-agent: bingbot
       2  Crawl-delay: 5
       3
       4  User-agent: *
       5  Disallow: /private   # all of it
>      6  Allow: /private/press   14 bytes: decides
       7  Disallow: /*.bak$

  other rules that match
       5  Disallow: /private   8 bytes: line 6 is more specific
       7  Disallow: /*.bak$    7 bytes: line 6 is more specific

  other answers in
  koster1996  disallowed, line 5   line 5 is the first rule that matches (Koster 1996, 3.2.2)

";
    assert_eq!(said.quietly(0), expected);
}

#[test]
fn of_equally_specific_rules_allow_goes_first_and_then_the_first_line() {
    let body = "User-agent: *\nDisallow: /ab\nAllow: /ab\nAllow: /ab\n";
    let said = verger_on(body, "check -r - --explain /ab").quietly(0);
    assert!(said.contains("3 bytes: line 3 has the same effect and comes first"));
    assert!(said.contains("3 bytes: line 3 is as specific, and allow takes precedence"));
}

#[test]
fn of_a_long_group_only_what_matters_is_shown() {
    let mut body = "User-agent: *\n".to_owned();
    for number in 0..200 {
        writeln!(body, "Disallow: /{number}/").unwrap();
    }
    let said = verger_on(&body, "check -r - --explain /100/").quietly(1);
    let expected = "  group at line 1 (*)
       1  User-agent: *
       2  Disallow: /0/
       3  Disallow: /1/
       …  96 lines
     100  Disallow: /98/
     101  Disallow: /99/
>    102  Disallow: /100/   5 bytes: decides
     103  Disallow: /101/
     104  Disallow: /102/
       …  97 lines
";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn each_group_of_a_crawler_is_shown_with_what_matters_in_it() {
    let mut body = String::new();
    for matching in ["/a", "/a/b", "/x"] {
        body += "# between\nUser-agent: FooBot\n";
        for number in 0..60 {
            let path = if number == 30 { matching } else { "/z" };
            writeln!(body, "Disallow: {path}").unwrap();
        }
    }
    let said = verger_on(body, "check -r - -a FooBot --explain /a/b").quietly(1);
    let shown = said.split("\n  other rules that match\n").next().unwrap();
    let lines = shown.lines().map(str::trim_end).collect::<Vec<_>>();
    let group = |line: u32, middle: &[&str], between: [u32; 2]| {
        let mut shown = vec![
            format!("  group at line {line} (FooBot)"),
            format!("  {line:>6}  User-agent: FooBot"),
            format!("  {:>6}  Disallow: /z", line + 1),
            format!("  {:>6}  Disallow: /z", line + 2),
            format!("       …  {} lines", between[0]),
        ];
        shown.extend(middle.iter().map(|&line| line.to_owned()));
        if between[1] > 0 {
            shown.push(format!("       …  {} lines", between[1]));
        }
        shown.push(String::new());
        shown
    };
    let z = |line: u32| format!("  {line:>6}  Disallow: /z");
    let first = [
        z(31),
        z(32),
        "      33  Disallow: /a".to_owned(),
        z(34),
        z(35),
    ];
    let deciding = ">     95  Disallow: /a/b   4 bytes: decides".to_owned();
    let second = [z(93), z(94), deciding, z(96), z(97)];
    let first: Vec<_> = first.iter().map(String::as_str).collect();
    let second: Vec<_> = second.iter().map(String::as_str).collect();
    let mut expected = group(2, &first, [26, 27]);
    expected.extend(group(64, &second, [26, 27]));
    expected.extend(group(126, &[], [58, 0]));
    expected.pop();
    assert_eq!(lines[2..], expected);
}

#[test]
fn the_target_may_make_the_difference() {
    let body = "User-agent: *\nDisallow: /\n";
    assert_eq!(
        others(body, "/robots.txt"),
        [
            "google disallowed, line 2 `/robots.txt` is an ordinary path (google/robotstxt, precedence)"
        ]
    );
    assert_eq!(
        others(body, "--dialect google /robots.txt").len(),
        3,
        "the other three exempt it"
    );
    assert_eq!(
        others(body, "--dialect google /robots.txt")[2],
        "koster1996 allowed, /robots.txt itself `/robots.txt` is always allowed \
         (Verger's choice 39)"
    );
    assert_eq!(
        others("User-agent: *\nDisallow: //a\n", "//a/b"),
        ["google allowed, no rule matches compares `/b` (google/robotstxt, path of a URL)"]
    );
    let cannot = others(body, "--dialect google -a Foo/1 /a");
    assert_eq!(
        cannot[0],
        "rfc9309 - the question is invalid: `Foo/1` is not a product token: use `Foo`"
    );
}

#[test]
fn the_lines_that_were_read_may_make_the_difference() {
    assert_eq!(
        others("User-agent: *\nDissallow: /a\n", "/a"),
        [
            "google disallowed, line 2 line 2 is read as `disallow`, not as an unknown `Dissallow` \
             (google/robotstxt, keys)"
        ]
    );
    assert_eq!(
        others("User-agent *\nDisallow: /a\n", "/a"),
        [
            "google disallowed, line 2 line 1 is read as `user-agent`, not as nothing \
             (google/robotstxt, keys)"
        ]
    );
}

#[test]
fn a_line_before_the_rule_may_make_the_difference() {
    let misspelt = "User-agent: *\nAllow: /b\nUseragent: x\nDisallow: /a\n";
    assert_eq!(
        others(misspelt, "/a"),
        [
            "google allowed, no rule matches line 3 is read as `user-agent`, not as an unknown \
             `Useragent` (google/robotstxt, keys)"
        ]
    );
    let read = "line 3 is read as an unknown `Useragent`, not as `user-agent` \
                (google/robotstxt, keys)";
    for (other, dialect) in
        others(misspelt, "-d google /a")
            .iter()
            .zip(["rfc9309", "draft2019", "koster1996"])
    {
        assert_eq!(*other, format!("{dialect} disallowed, line 4 {read}"));
    }
    // A rule that only one of them reads parts user-agent lines from each other.
    assert_eq!(
        others(
            "User-agent: a\nDisalow: /x\nUser-agent: b\nDisallow: /",
            "-a a /y"
        ),
        [
            "google allowed, no rule matches line 2 is read as `disallow`, not as an unknown \
             `Disalow` (google/robotstxt, keys)"
        ]
    );
}

#[test]
fn a_blank_line_is_claimed_only_where_it_makes_the_difference() {
    let body = "User-agent: a\n\nUser-agent: *\nAllow: /b\n \t\nDisallow: /b/c\n";
    assert_eq!(
        others(body, "-a b /b/c"),
        ["koster1996 allowed, line 4 line 5 is blank and ends the record (Koster 1996, 3.2)"]
    );
    assert_eq!(
        others(body, "-d koster1996 -a b /b/c")[0],
        "rfc9309 disallowed, line 6 line 5 is blank and does not end the record (Koster 1996, 3.2)"
    );
    assert_eq!(
        others("User-agent: a\n\nUser-agent: b\nDisallow: /\n", "-a a /b"),
        [
            "koster1996 allowed, no group applies to this crawler line 2 is blank and ends the record (Koster 1996, 3.2)"
        ],
    );
}

#[test]
fn the_group_may_make_the_difference() {
    let versioned = "User-agent: FooBot/2\nDisallow: /a\n";
    assert_eq!(
        others(versioned, "-a FooBot /a"),
        [
            "koster1996 allowed, no group applies to this crawler the group at line 1 does not apply to this crawler \
             (Koster 1996, 3.2.1)"
        ]
    );
    let two_stars = "User-agent: *\nDisallow: /a\nUser-agent: *\nDisallow: /b\n";
    assert_eq!(
        others(two_stars, "/b"),
        [
            "draft2019 allowed, no rule matches only the first of several groups applies \
             (draft-koster-rep-00, 2.2.1)",
            "koster1996 allowed, no rule matches only the first of several groups applies \
             (Verger's choice 9)",
        ]
    );
    let without_rules = "User-agent: *\nDisallow: /\n\nUser-agent: q\n";
    assert_eq!(
        others(without_rules, "-a q /a"),
        [
            "koster1996 disallowed, line 2 the group at line 4 has no rules and does not apply \
             (Koster 1996, 3.3)"
        ]
    );
    assert_eq!(
        others("User-agent: a\n\nDisallow: /\n", "-a a /x"),
        [
            "koster1996 allowed, no group applies to this crawler line 2 is blank and ends the record \
             (Koster 1996, 3.2)"
        ]
    );
}

#[test]
fn the_comparison_or_the_precedence_may_make_the_difference() {
    assert_eq!(
        others("User-agent: *\nDisallow: /*.gif\n", "/a.gif"),
        ["koster1996 allowed, no rule matches line 2 does not match (Koster 1996, 3.2.2)"]
    );
    assert_eq!(
        others("User-agent: *\nDisallow: /%7Eme\n", "/~me"),
        ["google allowed, no rule matches line 2 does not match (google/robotstxt, escaping)"]
    );
    assert_eq!(
        others("User-agent: *\nDisallow: /a\nAllow: /a/b\n", "/a/b"),
        [
            "koster1996 disallowed, line 2 line 2 is the first rule that matches \
             (Koster 1996, 3.2.2)"
        ]
    );
    assert_eq!(
        others(
            "User-agent: x\nAllow: /a:b\nDisallow: /*bcd\n",
            "-a x /a:bcd"
        ),
        [
            "google disallowed, line 3 line 3 has 5 bytes, line 2 has 4 (google/robotstxt, precedence)"
        ]
    );
}

#[test]
fn json_tells_the_same() {
    let said = verger_on(
        "User-agent: *\nDisallow: /a\nAllow: /a/b\n",
        "check -r - --json --explain /a/b",
    );
    let expected = r#""candidates":[{"line":3,"rule":"Allow: /a/b","effect":"allow","bytes":4,"decides":true,"why":"decides"},{"line":2,"rule":"Disallow: /a","effect":"disallow","bytes":2,"decides":false,"why":"line 3 is more specific"}],"other_dialects":[{"dialect":"koster1996","allowed":false,"reason":"rule","line":2,"rule":"Disallow: /a","group":{"line":1,"named":false},"why":"line 2 is the first rule that matches","clause":"K96-3.2.2-2"}]}"#;
    let said = said.quietly(0);
    assert!(said.trim_end().ends_with(expected), "{said}");
}
