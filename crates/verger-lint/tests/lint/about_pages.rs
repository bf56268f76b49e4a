//! Lints about pages find something in their bad example and nothing in their good one, and their texts are read here as
//! an owner reads them.
#![cfg(feature = "report")]

use verger::{Dialect, Reading, TargetPath};
use verger_access::Timestamp;
use verger_answer::{
    CheckedFile, CrawlerQuery, Explaining, PageFacts, PageFinding, ReadAs, Readings, ResponseHead,
};
use verger_lint::{PageSubject, all, lint_page};
use verger_testkit::page_oracle::{Fetched, RobotsAnswer, generated_page};

const URL: &str = "https://example.com/private/page";

/// Lints a page for a crawler, at the end of November 2026.
fn lint(robots: &str, crawler: &str, facts: &PageFacts, sitemap: Option<&str>) -> Vec<PageFinding> {
    let read_as = ReadAs::default();
    let query = CrawlerQuery::Name(crawler.to_owned());
    let crawler = query.resolve(read_as).unwrap().remove(0);
    let reading = crawler.reading(Reading::new(Dialect::Rfc9309));
    let readings = Readings::new(reading, Explaining::No);
    let file = CheckedFile::new(robots.into(), &readings, &[crawler]);
    let target = TargetPath::new(URL, reading).unwrap();
    let at = Timestamp::from_unix_seconds(1_795_996_800);
    let answer = file.answer(0, URL.as_bytes(), &target).with_page(facts, at);
    lint_page(&PageSubject {
        answer: &answer,
        facts,
        at,
        sitemap,
    })
}

fn facts(head: &str) -> PageFacts {
    let head = format!("HTTP/1.1 200 OK\n{head}\n");
    PageFacts::of_response(ResponseHead::parse(head.as_bytes()).unwrap().0)
}

fn codes(found: &[PageFinding]) -> Vec<&str> {
    found.iter().map(|it| it.code).collect()
}

/// The examples as they are shown, so the pages of the lints are what is tested.
fn codes_of_example(shown: &str) -> Vec<&'static str> {
    let block = |name: &str| {
        let start = shown
            .split_once(&format!("```{name}\n"))
            .map(|(_, rest)| rest);
        start.map_or("", |rest| rest.split_once("```").unwrap().0)
    };
    let (response, html) = (block("text"), block("html"));
    let sitemap = response
        .lines()
        .find_map(|line| line.split_once(" lists ").map(|(sitemap, _)| sitemap));
    let fields = response
        .lines()
        .filter(|line| !line.contains(" lists ") && !line.starts_with("GET "));
    let mut facts = facts(&fields.flat_map(|line| [line, "\n"]).collect::<String>());
    let mut is_in_head = false;
    for (line, number) in html.lines().zip(1..) {
        let words: Vec<&str> = line.split('"').collect();
        match words[..] {
            ["<meta name=", name, " content=", content, ">"] => {
                facts.add_meta(name, content, number, is_in_head);
            }
            ["<link rel=", rel, " href=", href, ">"] => {
                facts.add_link(rel, href, number, is_in_head);
            }
            _ => is_in_head = line == "<head>" || (is_in_head && line != "</head>"),
        }
    }
    let found = lint(block("robots"), "googlebot", &facts, sitemap);
    found.iter().map(|it| it.code).collect()
}

#[test]
fn a_wrong_example_is_found_and_a_right_one_is_not() {
    let mut lints = 0;
    for lint in all().iter().filter(|lint| lint.is_about_pages()) {
        let wrong = codes_of_example(&lint.wrong_example().to_string());
        assert_eq!(
            wrong,
            [lint.code()],
            "the bad example has this mistake alone"
        );
        let right = codes_of_example(&lint.right_example().to_string());
        assert!(right.is_empty(), "{}: {right:?}", lint.code());
        lints += 1;
    }
    assert_eq!(lints, 9);
}

#[test]
fn a_help_says_what_to_write() {
    for (directives, help) in [
        ("X-Robots-Tag: no-index", "write `noindex`"),
        ("X-Robots-Tag: noidnex", "write `noindex`"),
        (
            "X-Robots-Tag: noindex nofollow",
            "write `noindex, nofollow`",
        ),
        (
            "X-Robots-Tag: noindex; NoFollow",
            "write `noindex, nofollow`",
        ),
        ("X-Robots-Tag: \"noindex\"", "write `noindex`"),
        ("X-Robots-Tag: max-snipet: 20", "write `max-snippet: 20`"),
        ("Robots-Tag: no-index;nofollow", "write `*;noindex`"),
        (
            "X-Robots-Tag: noindex: yes",
            "write `noindex` without a value",
        ),
        (
            "X-Robots-Tag: max-snippet: long",
            "write a whole number, such as `max-snippet:50`, or `max-snippet:-1` for no limit",
        ),
        (
            "X-Robots-Tag: dofollow",
            "remove it, or write a documented directive, such as `noindex`, `nofollow` or `nosnippet`",
        ),
        (
            "Robots-Tag: noindex",
            "write a crawler or `*`, a semicolon and the rule, such as `Robots-Tag: *;noindex`",
        ),
    ] {
        let found = lint("", "bingbot", &facts(&format!("{directives}\n")), None);
        assert_eq!(
            found.first().map(|it| (it.code, &*it.help)),
            Some(("unknown-directive", help)),
            "{directives}: {found:#?}"
        );
    }
    let usual = "X-Robots-Tag: index, follow, max-snippet:-1, max-image-preview:large, max-video-preview:-1\n";
    assert_eq!(codes(&lint("", "bingbot", &facts(usual), None)), [""; 0]);
}

#[test]
fn a_directive_that_works_is_not_a_finding() {
    let of = |robots: &str, head: &str, meta: &str| {
        let mut facts = facts(head);
        facts.add_meta("GoogleBot", meta, 3, false);
        codes(&lint(robots, "bingbot", &facts, None)).join(" ")
    };
    let (closed, meta) = ("User-agent: googlebot-image\nDisallow: /\n", "none");
    // Google reads the body, so nothing is wrong.
    assert_eq!(of("", "", meta), "");
    // Google's crawlers do not read this name, so robots.txt is not the reason that it has no effect.
    assert_eq!(
        of(closed, "X-Robots-Tag: googlebot-image: noindex\n", meta),
        ""
    );
    let closed = closed.replace("-image", "");
    assert_eq!(
        of(&closed, "X-Robots-Tag: googlebot: noindex\n", ""),
        "directive-for-excluded-crawler"
    );

    let mut alike = facts("X-Robots-Tag: max-image-preview: NONE\n");
    alike.add_meta("robots", "max-image-preview:none", 3, true);
    assert!(lint("", "bingbot", &alike, None).is_empty());
}

/// Returns the lints that a field and a meta element of the same page have, for Googlebot.
fn codes_of_both(field: &str, meta: &str) -> String {
    let network = "CF-Ray: 1\nContent-Type: text/html\n";
    let mut facts = facts(&format!("{network}X-Robots-Tag: {field}\n"));
    facts.add_meta("robots", meta, 3, true);
    codes(&lint("", "googlebot", &facts, None)).join(" ")
}

#[test]
fn a_header_that_means_the_same_as_the_page_was_not_added() {
    for (field, meta) in [
        ("none", "noindex, nofollow"),
        ("noindex", "none"),
        ("nosnippet", "max-snippet:0"),
        ("max-snippet:0", "nosnippet"),
        ("max-snippet:20", "max-snippet: 020"),
        ("max-snippet:-1", "max-snippet:-1"),
    ] {
        assert_eq!(codes_of_both(field, meta), "", "{field} {meta}");
    }
    let added = "header-added-by-network";
    assert_eq!(codes_of_both("none", "noindex"), added);
    assert_eq!(codes_of_both("noindex", "nofollow"), added);
}

#[test]
fn limits_of_excerpts_are_compared_by_their_meaning() {
    for (field, meta) in [
        ("nosnippet", "max-snippet:-1"),
        ("nosnippet", "max-snippet:50"),
        ("max-snippet:50", "nosnippet"),
        ("max-snippet:20, nosnippet", "max-snippet:20"),
        ("max-snippet:20", "max-snippet:-1"),
    ] {
        let found = codes_of_both(field, meta);
        assert_eq!(found, "header-and-meta-disagree", "{field} {meta}");
    }
}

#[test]
fn a_crawler_that_reads_as_googlebot_misses_an_unseen_directive() {
    let facts = facts("X-Robots-Tag: noindex\n");
    let of = |crawler| {
        codes(&lint(
            "User-agent: *\nDisallow: /private\n",
            crawler,
            &facts,
            None,
        ))
        .join(" ")
    };
    assert_eq!(of("google-inspectiontool"), "directive-unseen");
    assert_eq!(of("googleother"), "");
}

#[test]
fn directives_of_yandex_are_known() {
    let of = |field: &str| codes_of_both(field, field);
    assert_eq!(of("noyaca, Archive"), "");
    assert_eq!(of("noyaco"), "unknown-directive");
}

#[test]
fn a_canonical_address_is_resolved_against_the_base() {
    let of = |base: Option<&str>, href: &str| {
        let mut facts = facts("Link: <a>; rel=canonical\n");
        facts.add_link("canonical", href, 4, true);
        if let Some(base) = base {
            facts.set_base(base);
        }
        let robots = "User-agent: *\nDisallow: /print\nDisallow: /private/a$\n";
        let found = lint(robots, "googlebot", &facts, None);
        found
            .iter()
            .map(|it| it.source.unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(of(None, "/print"), ["header", "link"]);
    assert_eq!(of(Some("/print/"), "b"), ["header", "link"]);
    assert_eq!(of(Some("/"), "a"), ["header"]);
    assert_eq!(of(Some("https://other.example/"), "print"), ["header"]);
    assert_eq!(of(Some("https://["), "/print"), ["header", "link"]);
}

#[test]
fn a_hostile_page_has_few_findings_that_are_safe_to_show() {
    let mut facts =
        facts(&"X-Robots-Tag: evil\u{1b}[2J\u{202e}: x, \u{1b}]0;noindex\n".repeat(100));
    for nth in 0..3_000 {
        facts.add_meta(
            "robots",
            &format!("no\u{7}index{nth}, max-snippet:{}", "9".repeat(500)),
            nth,
            nth % 2 == 0,
        );
    }
    let found = lint(
        "User-agent: *\nDisallow: /\u{1b}[2J\n",
        "bingbot",
        &facts,
        Some("\u{1b}[2J"),
    );
    assert_eq!(found.len(), 50);
    for it in &found {
        let text = format!("{}{}", it.message, it.help);
        assert!(
            text.len() < 600 && !text.contains(|it: char| it.is_control() || it == '\u{202e}'),
            "{text:?}"
        );
    }
}

/// `VERGER_TEST_SHOW=50 cargo nextest run --no-capture` prints findings, for reading.
#[test]
fn findings_are_about_lines_of_the_page() {
    let show = std::env::var("VERGER_TEST_SHOW").map_or(0, |it| it.parse().unwrap());
    let mut seen = std::collections::BTreeMap::<_, u32>::new();
    for seed in 0..2_000 {
        let page = generated_page(seed);
        let Fetched::Status(status) = page.fetched else {
            continue;
        };
        let fields = page
            .headers
            .iter()
            .map(|(name, value, _)| (name.clone().into_bytes(), value.clone()));
        let fields = fields.chain([
            (b"CF-Ray".to_vec(), b"1".to_vec()),
            (b"Content-Type".to_vec(), b"text/html".to_vec()),
        ]);
        let mut facts = PageFacts::of_response(ResponseHead::new(status, fields));
        for (name, content, line, is_in_head) in &page.metas {
            facts.add_meta(name, content, u32::try_from(*line).unwrap(), *is_in_head);
        }
        facts.add_link("canonical", "/print?a", 9, true);
        let robots = match page.robots {
            RobotsAnswer::Disallowed => "User-agent: *\nDisallow: /private\n",
            _ => "User-agent: bingbot\nDisallow: /\n\nUser-agent: *\nDisallow: /print\n",
        };
        let sitemap = (seed % 3 == 0).then_some("https://example.com/sitemap.xml");
        let crawler = ["googlebot", "bingbot", "gptbot"][usize::try_from(seed % 3).unwrap()];
        for it in lint(robots, crawler, &facts, sitemap) {
            let count = seen
                .entry((
                    it.code,
                    it.message.split('`').step_by(2).collect::<String>(),
                ))
                .or_default();
            *count += 1;
            if *count <= 2 && seed < 40 * show {
                eprintln!(
                    "{} {} ({:?} {:?}): {}\n  help: {}",
                    it.severity, it.code, it.source, it.line, it.message, it.help
                );
            }
            let is_of_page = matches!(it.source, Some("meta" | "link"));
            let lines = if is_of_page {
                2..=9
            } else {
                2..=u32::try_from(page.headers.len()).unwrap() + 3
            };
            assert!(it.line.is_none_or(|line| lines.contains(&line)), "{it:?}");
        }
    }
    let codes: std::collections::BTreeSet<_> = seen.keys().map(|(code, _)| *code).collect();
    assert_eq!(codes.len(), 9, "{codes:?}");
}
