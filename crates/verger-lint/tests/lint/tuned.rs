//! Lints as tuned on real files (`docs/census.md`): what is a warning, a note, and not reported.

use verger_lint::{Linted, Served, Severity};

/// Returns the highest severity of a lint's findings.
fn severity(body: &str, code: &str) -> Option<Severity> {
    let file = Linted::new(body, &Served::default());
    let findings = file.findings().iter().filter(|it| it.code == code);
    findings.map(|it| it.severity).max()
}

const WARNING: Option<Severity> = Some(Severity::Warning);
const NOTE: Option<Severity> = Some(Severity::Note);

#[test]
fn a_crawler_disallowed_by_name_is_reported_if_it_is_well_known() {
    let everything = "everything-disallowed-for-search";
    for (body, expected) in [
        ("User-agent: *\nDisallow: /\n", WARNING),
        ("User-agent: Googlebot\nDisallow: /\n", NOTE),
        ("User-agent: PerplexityBot\nDisallow: /\n", None),
        (
            "User-agent: Googlebot\nDisallow:\n\nUser-agent: *\nDisallow: /\n",
            NOTE,
        ),
    ] {
        assert_eq!(severity(body, everything), expected, "{body}");
    }
    let home = "home-page-disallowed";
    for (body, expected) in [
        ("User-agent: *\nDisallow: /\nAllow: /a\n", WARNING),
        ("User-agent: bingbot\nDisallow: /\nAllow: /a\n", WARNING),
        ("User-agent: Bytespider\nDisallow: /\nAllow: /a\n", None),
    ] {
        assert_eq!(severity(body, home), expected, "{body}");
    }
}

#[test]
fn resources_of_a_page_are_more_than_one_file() {
    for (rules, expected) in [
        ("Disallow: /*.js$", WARNING),
        ("Disallow: *.css", WARNING),
        ("Disallow: /cdn/*.js", NOTE),
        ("Disallow: /cdn/track.js", None),
        ("Disallow: /media/", None),
        ("Disallow: /media/\nDisallow: /administrator/", WARNING),
        ("Disallow: /wp-includes/", WARNING),
        ("Disallow: /*_jsonp.js", None),
        ("Disallow: /*/plugins/", None),
        ("Disallow: /s", None),
        ("Disallow: /static/", WARNING),
        ("Disallow: /static/\nDisallow: /config", None),
        ("Disallow: *?\nDisallow: /wp-admin/", WARNING),
        ("Disallow: *?", NOTE),
        ("Disallow: /*?\nAllow: /*.css?\nAllow: /*.js?", None),
        ("Disallow: /*?sort=", None),
    ] {
        let body = format!("User-agent: *\n{rules}\n");
        assert_eq!(
            severity(&body, "page-resources-disallowed"),
            expected,
            "{rules}"
        );
    }
}

#[test]
fn names_of_other_programs_are_not_misspelt() {
    for (name, expected) in [
        ("Gogglebot", WARNING),
        ("TunitinBot", WARNING),
        ("WebZip", None),
        ("semrushbot-sa", None),
    ] {
        let body = format!("User-agent: {name}\nDisallow: /\n");
        assert_eq!(severity(&body, "misspelt-crawler"), expected, "{name}");
    }
    for (name, expected) in [("MJ12bot", None), ("AI2Bot", None), ("Foo2Bot", NOTE)] {
        let body = format!("User-agent: {name}\nDisallow: /\n");
        assert_eq!(severity(&body, "agent-with-digits"), expected, "{name}");
    }
    for (name, expected) in [
        ("ChatGPT User", WARNING),
        ("Googlebot News", WARNING),
        ("Offline Explorer", NOTE),
    ] {
        let body = format!("User-agent: {name}\nDisallow: /\n");
        assert_eq!(severity(&body, "agent-with-words"), expected, "{name}");
    }
}

#[test]
fn a_group_without_rules_matters_if_the_star_group_disallows_something() {
    for (body, expected) in [
        (
            "User-agent: *\nDisallow: /a\n\nUser-agent: GPTBot\n",
            WARNING,
        ),
        (
            "User-agent: *\nDisallow: /a\n\nUser-agent: NoSuchRobot\n",
            NOTE,
        ),
        ("User-agent: *\nDisallow:\n\nUser-agent: GPTBot\n", NOTE),
        ("User-agent: *\nCrawl-delay: 5\n", NOTE),
    ] {
        assert_eq!(severity(body, "group-without-rules"), expected, "{body}");
    }
    for (name, expected) in [
        ("bingbot", WARNING),
        ("msnbot", NOTE),
        ("NoSuchRobot", NOTE),
    ] {
        let body = format!("User-agent: *\nDisallow: /a\n\nUser-agent: {name}\nDisallow: /b\n");
        assert_eq!(
            severity(&body, "star-rules-not-inherited"),
            expected,
            "{name}"
        );
    }
}

#[test]
fn only_differences_from_google_are_reported_where_a_crawler_of_google_reads() {
    for (agent, rules, expected) in [
        ("*", "Disallow: /*?sort=", None),
        ("*", "Disallow: *", None),
        ("*", "Disallow: /a\nAllow: /a/b", None),
        ("*", "Disallow: /robots.txt", None),
        ("*", "Disallow: /a/\nAllow: /a/index.html", WARNING),
        ("Googlebot", "Disallow: /a/\nAllow: /a/index.html", WARNING),
        ("bingbot", "Disallow: /a/\nAllow: /a/index.html", None),
    ] {
        let body = format!("User-agent: {agent}\n{rules}\n");
        assert_eq!(severity(&body, "dialects-disagree"), expected, "{rules}");
    }
}

#[test]
fn an_allow_list_and_crawlers_that_ignore_star_inherit_no_rules_on_purpose() {
    let code = "star-rules-not-inherited";
    for (body, expected) in [
        (
            "User-agent: bingbot\nDisallow: /b\n\nUser-agent: *\nDisallow: /\n",
            None,
        ),
        (
            "User-agent: AdsBot-Google\nDisallow: /b\n\nUser-agent: *\nDisallow: /a\n",
            None,
        ),
        (
            "User-agent: AdsBot-Google\nUser-agent: bingbot\nDisallow: /b\n\nUser-agent: *\nDisallow: /a\n",
            WARNING,
        ),
        (
            "User-agent: Google-Extended\nDisallow: /b\n\nUser-agent: *\nDisallow: /a\n",
            NOTE,
        ),
        (
            "User-agent: Googlebot-Image\nDisallow: /b\n\nUser-agent: *\nDisallow: /a\n",
            NOTE,
        ),
        (
            "User-agent: Googlebot-News\nDisallow: /b\n\nUser-agent: *\nDisallow: /a\n",
            NOTE,
        ),
        (
            "User-agent: archive.org_bot\nDisallow: /b\n\nUser-agent: *\nDisallow: /a\n",
            NOTE,
        ),
        (
            "User-agent: bingbot\nDisallow: /b\nDisallow: /a\n\nUser-agent: *\nDisallow: /a\nDisallow: /c\n",
            NOTE,
        ),
        (
            "User-agent: Googlebot-News\nAllow: /a/news\nDisallow: /*\n\nUser-agent: *\nDisallow: /a\n",
            None,
        ),
    ] {
        assert_eq!(severity(body, code), expected, "{body}");
    }
}

#[test]
fn a_group_is_swallowed_if_an_answer_changes() {
    let code = "group-swallows-group";
    let error = Some(Severity::Error);
    for (body, expected) in [
        // The default file of a shop system ends with groups that have only a Crawl-delay.
        (
            "User-agent: MJ12bot\nCrawl-delay: 10\n\nUser-agent: Pinterest\nCrawl-delay: 1\n",
            None,
        ),
        (
            "User-agent: *\nCrawl-delay: 10\n\nUser-agent: GPTBot\nDisallow:\n",
            None,
        ),
        (
            "User-agent: *\nCrawl-delay: 10\n\nUser-agent: *\nDisallow: /a\n",
            None,
        ),
        (
            "User-agent: *\nDissallow: /a\nUser-agent: GPTBot\nDisallow: /\n",
            None,
        ),
        (
            "User-agent: *\nCrawl-delay: 10\n\nUser-agent: GPTBot\nDisallow: /\n",
            error,
        ),
        (
            "User-agent: bingbot\nCrawl-delay: 10\n\nUser-agent: *\nDisallow: /a\n",
            NOTE,
        ),
    ] {
        assert_eq!(severity(body, code), expected, "{body}");
    }
}

#[test]
fn one_mistake_is_one_finding() {
    for (body, codes) in [
        ("User-agent: *\nDissallow: /a\n", &["misspelt-key"][..]),
        ("User agent: *\nDisallow: /a\n", &["misspelt-key"]),
        ("User-agent *\nDisallow: /a\n", &["missing-colon"]),
        ("User-agent: *\nDisallow: /my files/\n", &["space-in-path"]),
        (
            "User-agent: *\nDisallow: my files/100%\n",
            &["missing-leading-slash"],
        ),
        (
            "User-agent: GPTBot Disallow: /\n",
            &["two-records-on-one-line"],
        ),
        ("<html>\nAllow: /\nHost: x y\n", &["html-page"]),
        (
            "User-agent\u{a0}: foo\nDisallow: /a\n",
            &["invisible-character"],
        ),
        (
            "\u{feff}\u{feff}User-agent: *\nDisallow: /a\n",
            &["byte-order-mark", "invisible-character"],
        ),
        (
            "User-agent: G\u{200b}ooglebot\nDisallow: /a\n",
            &["invisible-character"],
        ),
        (
            "User-agent: Google-Extend\nDisallow: /a\n",
            &["misspelt-crawler"],
        ),
        (
            "User-agent: Gogglebot\nUser-agent: NoSuchRobot\nDisallow: /a\n",
            &["misspelt-crawler", "unknown-crawler"],
        ),
        ("a: b\n", &["empty-file"]),
        ("Page not found\n", &["unreadable-line", "empty-file"]),
        ("Disalow: /a\n", &["misspelt-key"]),
    ] {
        let file = Linted::new(body, &Served::default());
        let found: Vec<&str> = file.findings().iter().map(|it| it.code).collect();
        assert_eq!(found, codes, "{body}");
    }
}
