//! What owners ask about: who is closed out, and what to write instead.

use verger_lint::{Linted, Served, Severity};

/// Returns line, code, severity, and message and help of each finding.
fn found(body: &str, origin: Option<&str>) -> Vec<(u32, &'static str, Severity, String)> {
    let served = Served {
        origin: origin.map(str::to_owned),
        ..Served::default()
    };
    let file = Linted::new(body, &served);
    let findings = file.findings().iter();
    let shown = findings.map(|it| {
        let text = format!("{}; {}", it.message, it.help.as_deref().unwrap_or(""));
        let line = file.position(it.span().start).line.get();
        (line, it.code, it.severity, text)
    });
    shown.collect()
}

/// Checks that a body has a finding whose text contains a part.
fn assert_found(body: &str, finding: (u32, &str, Severity), part: &str) {
    let all = found(body, None);
    let mut found = all.iter().filter(|it| (it.0, it.1, it.2) == finding);
    assert!(found.any(|it| it.3.contains(part)), "{body}: {all:?}");
}

/// Bodies after `User-agent: *`, each with a finding and a part of its text.
const RULES: [(&str, u32, &str, Severity, &str); 24] = [
    (
        "Disallow: /a\nDisallow: https://beta.h.example/\n",
        3,
        "url-as-path",
        Severity::Error,
        "remove the line",
    ),
    (
        "Disallow: /a\nDisallow: beta.h.example\n",
        3,
        "url-as-path",
        Severity::Error,
        "remove the line",
    ),
    (
        "Disallow: /a\nDisallow: *.w.h.example\n",
        3,
        "url-as-path",
        Severity::Error,
        "remove the line",
    ),
    (
        "Disallow: /a\nDisallow: elsewhere.de/x\n",
        3,
        "url-as-path",
        Severity::Error,
        "remove the line",
    ),
    (
        "Disallow: https://beta.h.example/\n",
        2,
        "url-as-path",
        Severity::Error,
        "write `Disallow:` instead",
    ),
    (
        "Disallow: ./admin\n",
        2,
        "missing-leading-slash",
        Severity::Error,
        "start it with a slash",
    ),
    (
        "Disallow: \n Disallow: /x\n",
        2,
        "empty-disallow-beside-rules",
        Severity::Note,
        "remove it: nothing changes",
    ),
    (
        "Disallow: /x\nAllow:\n",
        3,
        "empty-allow",
        Severity::Warning,
        "remove it",
    ),
    (
        "Allow:\n",
        2,
        "empty-allow",
        Severity::Warning,
        "no other rule",
    ),
    (
        "Disallow: /*.php$*\n",
        2,
        "inner-dollar",
        Severity::Warning,
        "remove the text after `$`",
    ),
    (
        "Disallow: /100%-off\n",
        2,
        "bad-escape",
        Severity::Warning,
        "add the same line",
    ),
    (
        "Disallow /x\nAllow: /\n",
        2,
        "missing-colon",
        Severity::Warning,
        "Google reads it, other crawlers ignore it",
    ),
    (
        "Disallow /x y\nAllow: /\n",
        2,
        "missing-colon",
        Severity::Warning,
        "crawlers ignore it",
    ),
    (
        "Dissallow: /x\n",
        2,
        "misspelt-key",
        Severity::Warning,
        "Google reads `Dissallow` as `Disallow`",
    ),
    (
        "Disallow: /\nAllow: /$\n",
        2,
        "everything-disallowed-for-search",
        Severity::Note,
        "the home page and nothing else",
    ),
    (
        "Disallow: /\nAllow: /$\nAllow: /blog/\n",
        2,
        "page-resources-disallowed",
        Severity::Warning,
        "may not fetch style sheets and scripts: ",
    ),
    (
        "Disallow: /\nAllow: /blog/\n",
        2,
        "page-resources-disallowed",
        Severity::Warning,
        "scripts, nor the home page",
    ),
    (
        "Disallow: /\nAllow: /$\nAllow: /blog/\nSitemap: https://h.example/sitemap.xml\n",
        2,
        "page-resources-disallowed",
        Severity::Warning,
        "scripts, nor the sitemap",
    ),
    (
        "Disallow: /\nDisallow: /*?\nAllow: /$\nAllow: /app/\n",
        2,
        "page-resources-disallowed",
        Severity::Warning,
        "style sheets",
    ),
    (
        "Allow: /\nDisallow: /$\n",
        3,
        "home-page-disallowed",
        Severity::Warning,
        "remove it",
    ),
    (
        "Disallow: /\nAllow: /a\n",
        2,
        "home-page-disallowed",
        Severity::Warning,
        "`Allow: /$`",
    ),
    (
        "Disallow: /shop/*\nAllow: /shop/\n",
        3,
        "rule-never-decides",
        Severity::Warning,
        "all that it matches is disallowed by line 2",
    ),
    (
        "Disallow: /robots.txt\n",
        2,
        "robots-txt-disallowed",
        Severity::Note,
        "",
    ),
    (
        "Disallow: /a\n\nUser\u{2011}agent: GPTBot\nDisallow: /\n",
        4,
        "invisible-character",
        Severity::Error,
        "a look-alike of a hyphen (U+2011)",
    ),
];

#[test]
fn a_finding_says_what_is_lost_and_what_to_write() {
    for (rules, line, code, severity, part) in RULES {
        assert_found(
            &format!("User-agent: *\n{rules}"),
            (line, code, severity),
            part,
        );
    }
}

/// Whole files, each with what a finding at a line says.
const FILES: [(&str, u32, &str, Severity, &str); 8] = [
    (
        "User-agent:: Googlebot\nDisallow: /x\n",
        1,
        "agent-names-no-crawler",
        Severity::Warning,
        "one colon too many",
    ),
    (
        "User-agent:\nDisallow: /x\n",
        1,
        "agent-names-no-crawler",
        Severity::Warning,
        "no name",
    ),
    (
        "User-agent: Yahoo! Slurp\nDisallow: /\n",
        1,
        "agent-with-words",
        Severity::Warning,
        "write `Slurp`",
    ),
    (
        "User-agent: Google-Extendeded\nDisallow: /\n",
        1,
        "misspelt-crawler",
        Severity::Warning,
        "write `Google-Extended`",
    ),
    (
        "User-agent: googleboot\nDisallow:\n\nUser-agent: *\nDisallow: /\n",
        1,
        "misspelt-crawler",
        Severity::Error,
        "line 5 closes the site to it",
    ),
    (
        "User-agent: *\nDisallow: /a\n\nUser-agent: GPTBot\nCrawl-delay: 5\n",
        4,
        "group-without-rules",
        Severity::Note,
        "",
    ),
    (
        "User-agent: *\nDisallow: /a\n\nUser-agent: bingbot\nDisallow: /b\n",
        4,
        "star-rules-not-inherited",
        Severity::Warning,
        "which line 2 closes to others",
    ),
    (
        "User-agent: *\nDisallow: /a\n\nUser-agent: Twitterbot\nDisallow: /b\n",
        4,
        "star-rules-not-inherited",
        Severity::Note,
        "",
    ),
];

#[test]
fn a_finding_about_a_name_says_who_is_meant() {
    for (body, line, code, severity, part) in FILES {
        assert_found(body, (line, code, severity), part);
    }
}

#[test]
fn a_line_that_does_what_it_says_has_no_alarm() {
    for rules in [
        // Google's library needs all three.
        "Disallow: /c/*+*\nDisallow: /c/*%2B*\nDisallow: /c/*%2b*\n",
        "Disallow: /*docs*$edit\n",
        "Disallow: /itm/*/%\nDisallow: /*x%*\n",
        "Disallow: /robots.txt\n",
        "Disallow: /a\nAllow: /a/b\n",
        "Disallow: /index.php\nDisallow: /*.php\nDisallow: /a.b/\n",
    ] {
        let all = found(&format!("User-agent: *\n{rules}"), None);
        let alarms = all
            .iter()
            .filter(|(.., severity, _)| *severity > Severity::Note);
        assert_eq!(alarms.count(), 0, "{rules}: {all:?}");
        let superfluous = all.iter().any(|(_, code, ..)| *code == "duplicate-rule");
        assert!(!superfluous, "{rules}: {all:?}");
    }
}

#[test]
fn a_host_in_a_path_is_this_site_s_or_another_s() {
    let site = Some("https://www.h.example");
    for (path, expected) in [
        ("https://h.example/a/", Some("write only the path")),
        ("https://h.example/", Some("remove the line")),
        ("https://h.example", Some("remove the line")),
        ("http://other.example/a/", Some("remove the line")),
        ("h.example/a/", Some("write only the path")),
        ("beta.h.example/a/", Some("remove the line")),
        ("/h.example/wp-admin/", Some("write only the path")),
        ("/www.h.example/wp-admin/", Some("write only the path")),
        ("/h.example", Some("remove the line")),
        ("/beta.h.example/", Some("if so, each host")),
        ("/other.example/", None),
        ("/a/h.example/", None),
        ("index.php", None),
        ("archive.tar.gz", None),
    ] {
        let body = format!("User-agent: *\nDisallow: /x\nDisallow: {path}\n");
        let found = found(&body, site);
        let help = found.iter().find(|it| it.1 == "url-as-path");
        assert_eq!(help.is_some(), expected.is_some(), "{path}: {found:?}");
        let text = help.map_or("", |it| &it.3);
        assert!(text.contains(expected.unwrap_or("")), "{path}: {text}");
    }
}

#[test]
fn a_directory_may_have_the_name_of_a_host() {
    for (path, expected) in [
        ("/beta.h.example/", Some(Severity::Note)),
        ("/h.example/a", Some(Severity::Note)),
        ("//www.elsewhere.example/", Some(Severity::Note)),
        ("/other.example/", None),
        ("beta.h.example/", Some(Severity::Error)),
    ] {
        let body = format!("User-agent: *\nDisallow: {path}\nSitemap: https://h.example/s.xml\n");
        let found = found(&body, None);
        let found = found.iter().find(|it| it.1 == "url-as-path");
        assert_eq!(found.map(|it| it.2), expected, "{path}");
        let is_removed = found.is_some_and(|it| it.3.contains("`Disallow:`"));
        assert_eq!(is_removed, expected == Some(Severity::Error), "{path}");
    }
}

#[test]
fn a_header_with_several_names_is_not_given_to_a_search_engine() {
    for (header, expected) in [
        (
            "mozilla/5.0 (compatible; googlebot/2.1; startmebot/1.0; +https://start.me/bot)",
            "write `startmebot`",
        ),
        (
            "Mozilla/5.0 (compatible; FooBot/1.0; BarBot/2; +https://foobot.example)",
            "write `FooBot`",
        ),
        (
            "Mozilla/5.0 (compatible; Googlebot/2.1; GPTBot/1.3)",
            "write `GPTBot`",
        ),
        (
            "Mozilla/5.0 (compatible; Googlebot/2.1; bingbot/2.0)",
            "write the name of the crawler",
        ),
        (
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/1.2 Safari/537.36",
            "write `Googlebot`",
        ),
    ] {
        let found = found(&format!("User-agent: {header}\nDisallow: /\n"), None);
        let of_header = found.iter().find(|it| it.1 == "agent-is-header").unwrap();
        let text = &of_header.3;
        assert!(text.ends_with(&format!("; {expected}")), "{text}");
    }
}

#[test]
fn words_that_are_no_rule_get_no_user_agent_line() {
    let body = "robots: *\nallow: noindex, follow\nUser-agent: *\nAllow: /x\n";
    let file = Linted::new(body, &Served::default());
    let findings = file.findings();
    assert!(findings.iter().all(|it| it.fix.is_none()), "{findings:?}");
}

#[test]
fn one_cause_is_one_finding() {
    let repeated = |line: &str| line.repeat(5);
    for (body, code, places) in [
        (repeated("Disallow: https://h.example/\n"), "url-as-path", 5),
        ("Disallow: /[a-f0-9]-x\nDisallow: /(a|b)\nDisallow: ^/c\n".to_owned(), "regular-expression", 3),
        ("Disallow: /a\n\nUser-agent: bingbot\nDisallow: /b\n\nUser-agent: GPTBot\nDisallow: /c\n".to_owned(), "star-rules-not-inherited", 2),
        ("Disallow: /a\n\nUser-agent: *\nDisallow: /b\n\nUser-agent: *\nDisallow: /c\n".to_owned(), "repeated-group", 2),
        ("Disallow: a b\nDisalow: /b\nDisallow: /c\nDisalow: /d\n".to_owned(), "misspelt-key", 2),
    ] {
        let file = Linted::new(format!("User-agent: *\n{body}"), &Served::default());
        let of_code: Vec<_> = file.findings().iter().filter(|it| it.code == code).collect();
        assert_eq!(of_code.len(), 1, "{body}");
        assert_eq!(of_code[0].places().count(), places, "{body}");
    }
}

#[test]
fn engines_that_may_not_load_resources_are_named_if_others_may() {
    let closed = "User-agent: *\nDisallow: /*.css$\n";
    let index = "User-agent: *\nDisallow: /\nAllow: /index.html\n";
    let own = |name: &str| format!("{closed}\nUser-agent: {name}\nDisallow: /x\n");
    for (body, expected) in [
        (closed.to_owned(), Some("search engines may not")),
        (own("Googlebot"), Some("bingbot, ")),
        (own("bingbot"), Some("Googlebot, ")),
        (
            index.to_owned(),
            Some("style sheets and scripts: this line"),
        ),
        (
            "User-agent: Googlebot-News\nDisallow: /*.css$\n".to_owned(),
            None,
        ),
        (
            "User-agent: *\nDisallow: /*?\nAllow: /*.css$\nAllow: /*.js$\n".to_owned(),
            None,
        ),
    ] {
        let found = found(&body, None);
        let found = found.iter().find(|it| it.1 == "page-resources-disallowed");
        let text = found.map(|it| &*it.3);
        assert_eq!(text.is_some(), expected.is_some(), "{body}");
        assert!(
            text.unwrap_or("").contains(expected.unwrap_or("")),
            "{text:?}"
        );
    }
}

#[test]
fn a_page_above_rules_is_to_be_removed() {
    let rules = "User-agent: *\nDisallow: /x\n";
    for (body, expected) in [
        (
            format!("<br />\n<b>Warning</b>: x\n{rules}"),
            "remove the lines above line 3",
        ),
        (
            format!("<<<<<<< HEAD\n{rules}=======\n>>>>>>> b\n"),
            "keep the lines of one version",
        ),
        (
            format!("<html>\n<pre>\n{rules}</pre>\n</html>\n"),
            "answer 404",
        ),
        ("<html>\nUser-agent: *\n".to_owned(), "answer 404"),
    ] {
        let found = found(&body, None);
        let text = found.iter().find(|it| it.1 == "html-page");
        assert!(
            text.is_some_and(|it| it.3.contains(expected)),
            "{body}: {found:?}"
        );
    }
}

#[test]
fn noindex_and_a_space_are_explained_in_plain_words() {
    for (rule, code, part) in [
        (
            "Noindex: /a",
            "noindex-in-robots-txt",
            "no other search engine reads it",
        ),
        (
            "Disallow: /my files",
            "space-in-path",
            "addresses have `%20`, not a space; write `%20` for a space, or delete",
        ),
        (
            "Disallow: /my\tfiles",
            "space-in-path",
            "addresses have `%09`, not a tab",
        ),
    ] {
        let found = found(&format!("User-agent: *\nDisallow: /x\n{rule}\n"), None);
        let text = &found.iter().find(|it| it.1 == code).unwrap().3;
        assert!(text.contains(part), "{text}");
    }
}
