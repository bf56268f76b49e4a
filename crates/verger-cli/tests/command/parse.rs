//! Listing, report and their JSON.

#[cfg(target_os = "linux")]
use crate::verger::succeeds_within;
use crate::verger::{file, json_lines, verger_on};

const BODY: &[u8] = b"\
Disallow: /outside
User-agent: FooBot
User-agent: Bar/1 # comment
Crawl-delay: 5
Disallow: /caf\xe9
Sitemap: https://h.example/s.xml

Useragent: Late
Allow x
Clean-param: sid
Nonsense
";

#[test]
fn a_listing_has_groups_values_and_what_was_ignored() {
    let expected = "\
standard input, read as rfc9309: 11 lines, 181 bytes, 1 group

group at line 2
     2  User-agent: FooBot
     3  User-agent: Bar/1
     4  Crawl-delay: 5
     5  Disallow: /caf\u{fffd}
     8  Useragent: Late

for the whole file
     6  Sitemap: https://h.example/s.xml
    10  Clean-param: sid

outside any group
     1  Disallow: /outside

ignored, cut, or read otherwise
    1:11  the rule belongs to no group and is ignored (RFC 9309, 2.2.2)
    3:13  the rest of the line after `Bar` is ignored (Verger's choice 7)
    5:15  some bytes from here on are not UTF-8 and are compared one by one (RFC 9309, 2.3)
     8:1  the key is unknown, so the line is ignored. Google reads it as `user-agent` (Verger's choice 16)
     9:1  the line has no colon and is ignored (RFC 9309, 2.3.1.5)
    11:1  the line has no colon and is ignored (RFC 9309, 2.3.1.5)
";
    assert_eq!(verger_on(BODY, "parse -").quietly(0), expected);
}

#[test]
fn a_group_without_a_rule_is_no_record_in_1996() {
    let said = verger_on("User-agent: a\n", "parse - -d koster1996").quietly(0);
    assert!(
        said.contains("group at line 1  no record, since it has no rule\n"),
        "{said}"
    );
}

#[test]
fn a_crawler_is_told_more_than_rules() {
    let body = "User-agent: msnbot\nCrawl-delay: 0.50\nVisit-time: 0600-0845\n\
                Content-Signal: ai-train=no, search=yes\nDisallow:\n";
    let said = verger_on(body, "parse - -a bingbot");
    assert_eq!(said.stderr, "note: bingbot → bingbot, msnbot, *\n");
    let expected = "
for bingbot
     2  crawl-delay: 0.5
     3  visit-time: 0600-0845
        content-signal: ai-train=no, search=yes
";
    assert!(said.stdout.ends_with(expected), "{}", said.stdout);
    let said = verger_on(body, "parse - -a FooBot").quietly(0);
    assert!(said.ends_with("\nfor FooBot\n        nothing beside the rules\n"));
}

#[test]
fn a_report_has_a_line_for_each_line_as_google_tells_them() {
    let expected = "  line  tag         flags
     1  Disallow    directive
     2  User-agent  directive
     3  User-agent  directive, with comment
     4  Unused      directive
     5  Disallow    directive
     6  Sitemap     directive
     7  Unknown     empty
     8  User-agent  directive, typo
     9  Allow       directive, missing colon
    10  Unused      directive
    11  Unknown
    12  Unknown     empty

valid directives:  7
unused directives: 2
";
    assert_eq!(verger_on(BODY, "parse - --report").quietly(0), expected);
    let said = verger_on("noarchive: x\n# c", "parse - --report --json").quietly(0);
    let expected = r#"{"schema":"verger.report/1","file":"-","dialect":"google","valid_directives":0,"unused_directives":1,"lines":[{"line":1,"tag":"Unused","is_empty":false,"has_comment":false,"is_comment":false,"has_directive":true,"is_acceptable_typo":false,"is_line_too_long":false,"is_missing_colon_separator":false},{"line":2,"tag":"Unknown","is_empty":false,"has_comment":true,"is_comment":true,"has_directive":false,"is_acceptable_typo":false,"is_line_too_long":false,"is_missing_colon_separator":false}]}
"#;
    assert_eq!(said, expected);
}

#[test]
fn an_empty_file_is_a_file() {
    let said = verger_on("", "parse -").quietly(0);
    assert_eq!(
        said,
        "standard input, read as rfc9309: 0 lines, 0 bytes, 0 groups\n"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_document_takes_little_memory_beside_the_file() {
    const MIB: u32 = 1 << 10;
    file("parse-nothing.txt", "");
    let starts_within = |mib: &u32| {
        let arguments = "parse --json -d google parse-nothing.txt";
        succeeds_within(mib * MIB, arguments)
    };
    let least = (1..128).map(|step| step * 4).find(starts_within).unwrap();
    for (name, part) in [
        (
            "parse-rules.txt",
            "User-agent: *\nDisallow: /a\nAllow: /b\n",
        ),
        ("parse-invalid.txt", "no colon\n\nDissalow: /x\n"),
        ("parse-sitemaps.txt", "sitemap: x\n"),
    ] {
        let body = part.repeat((1 << 20) / part.len());
        file(name, body);
        for arguments in ["parse --json", "parse --report --json"] {
            let arguments = format!("{arguments} -d google {name}");
            // Six times the body: buffers that grow, the body and its records.
            assert!(
                succeeds_within((least + 6) * MIB, &arguments),
                "{arguments}"
            );
        }
    }
}

const MERGED: &str = "\
User-agent: *
Disallow: /

User-agent: GPTBot
User-agent: FooBot
Disallow: /a # first
Crawl-delay: 5

Sitemap: https://h.example/s.xml
User-agent: gptbot
Allow: /a/b
nonsense
";

#[test]
fn a_crawler_has_the_one_group_that_is_merged_of_all_that_apply_to_it() {
    let expected = "\
standard input, read as rfc9309: 12 lines, 175 bytes, 3 groups

group for GPTBot, at lines 4 and 10 (GPTBot)
     4  User-agent: GPTBot
     5  User-agent: FooBot
     6  Disallow: /a
     7  Crawl-delay: 5
    10  User-agent: gptbot
    11  Allow: /a/b

for GPTBot
     7  crawl-delay: 5

ignored, cut, or read otherwise
    12:1  the line has no colon and is ignored (RFC 9309, 2.3.1.5)
";
    let said = verger_on(MERGED, "parse - --token GPTBot").quietly(0);
    assert_eq!(said, expected);
    let said = verger_on(MERGED, "parse - --token other").quietly(0);
    let group = "\ngroup for other, at line 1 (*)\n     1  User-agent: *\n     2  Disallow: /\n\n";
    assert!(said.contains(group), "{said}");
    let said = verger_on("User-agent: a\nDisallow: /", "parse - --token b").quietly(0);
    let none = "\nno group applies to b: it may fetch everything\n";
    assert!(said.contains(none), "{said}");
    let said = verger_on(MERGED, "parse - --token GPTBot --json").quietly(0);
    let group = r#""merged_group":{"line":4,"named":true,"groups":[1,2],"user_agents":[{"line":4,"value":"GPTBot"},{"line":5,"value":"FooBot"},{"line":10,"value":"gptbot"}],"rules":[{"line":6,"effect":"disallow","pattern":"/a"},{"line":11,"effect":"allow","pattern":"/a/b"}]}"#;
    assert!(said.contains(group), "{said}");
}

#[test]
fn several_files_are_shown_one_after_the_other() {
    file("parse-one.txt", "User-agent: *\nDisallow: /a\n");
    file("parse-two.txt", "nonsense\n");
    let files = "parse-one.txt nowhere.txt - parse-two.txt";
    let said = verger_on("", &format!("parse {files}"));
    let heads: Vec<_> = said
        .stdout
        .lines()
        .filter(|line| line.contains(" read as "))
        .collect();
    let expected = [
        "`parse-one.txt`, read as rfc9309: 2 lines, 27 bytes, 1 group",
        "standard input, read as rfc9309: 0 lines, 0 bytes, 0 groups",
        "`parse-two.txt`, read as rfc9309: 1 line, 9 bytes, 0 groups",
    ];
    assert_eq!(heads, expected);
    let missing = "error: cannot read `nowhere.txt`: there is no such file\n";
    assert_eq!((said.stderr.as_str(), said.code), (missing, 2));
    for option in ["--json", "--json --report"] {
        let said = verger_on("", &format!("parse {option} {files}"));
        let lines = json_lines(&said.stdout).into_iter();
        let names = lines.map(|line| line["file"].as_str().unwrap().to_owned());
        assert_eq!(
            names.collect::<Vec<_>>(),
            ["parse-one.txt", "-", "parse-two.txt"]
        );
        assert_eq!(said.code, 2);
    }
    let said = verger_on("", "parse --report parse-one.txt parse-two.txt").quietly(0);
    assert!(said.contains("\n\n`parse-two.txt`\n  line  tag"), "{said}");
    let twice = verger_on("", "parse - -").refused();
    assert_eq!(
        twice,
        "error: `-` is given more than once: standard input can be read only once\n\
         help: give one of the files by its name\n"
    );
}

#[test]
fn a_check_prints_warnings_alone_and_its_exit_code_says_whether_there_are_any() {
    file("parse-clean.txt", "User-agent: *\nDisallow: /a\n");
    file(
        "parse-warned.txt",
        "<html>\nUser-agent: *\nDisallow: /\nx\n",
    );
    assert_eq!(
        verger_on("", "parse --check parse-clean.txt").quietly(0),
        ""
    );
    let said = verger_on("", "parse --check parse-clean.txt parse-warned.txt").quietly(1);
    let places: Vec<_> = said
        .lines()
        .map(|line| line.split(": ").next().unwrap())
        .collect();
    assert_eq!(
        places,
        [
            "parse-warned.txt",
            "parse-warned.txt:1:1",
            "parse-warned.txt:4:1"
        ]
    );
    let last = "parse-warned.txt:4:1: the line has no colon and is ignored (RFC 9309, 2.3.1.5)\n";
    assert!(said.ends_with(last), "{said}");
    let said = verger_on("", "parse --check parse-warned.txt nowhere.txt");
    assert_eq!((said.stdout.lines().count(), said.code), (3, 2));
    assert_eq!(verger_on("x\n", "parse --check --json -").code, 1);
    assert_eq!(verger_on("", "parse --check --json -").code, 0);
}
