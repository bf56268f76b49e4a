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
