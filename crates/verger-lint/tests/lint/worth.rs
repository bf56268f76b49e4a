//! What readers of findings in real files called false, harmful, or not worth a minute.

use verger_lint::{Finding, Linted, Served, Severity};

use Severity::{Error, Note, Warning};

/// Returns the findings of one lint.
fn found(body: impl AsRef<[u8]>, code: &str) -> Vec<Finding> {
    let file = Linted::new(body.as_ref(), &Served::default());
    let findings = file.findings().iter();
    findings.filter(|it| it.code == code).cloned().collect()
}

/// Returns the only finding of a lint, and the body after its fix.
fn one(body: impl AsRef<[u8]>, code: &str) -> (Finding, Option<Vec<u8>>) {
    let mut findings = found(body.as_ref(), code);
    assert_eq!(findings.len(), 1, "{code}: {findings:?}");
    let finding = findings.remove(0);
    let fixed = finding.fix.as_ref().map(|fix| {
        let mut fixed = body.as_ref().to_vec();
        for edit in fix.edits.iter().rev() {
            let range = edit.span.start as usize..edit.span.end as usize;
            fixed.splice(range, edit.text.iter().copied());
        }
        fixed
    });
    (finding, fixed)
}

/// Bodies, each with a lint, the severity of its only finding, and a part of message and help. An
/// empty text means that there is no finding.
const BODIES: [(&str, &str, Severity, &str); 91] = [
    (
        "User-agent: Slurp\nCrawl-delay: 5\n\nUser-agent: Pipl\nDisallow: /\n",
        "group-swallows-group",
        Error,
        "`Disallow:` allows everything",
    ),
    (
        "User-agent: *\nCrawl-delay: 5\n\nUser-agent: GPTBot\nDisallow: /\n",
        "group-swallows-group",
        Error,
        "`Disallow:` allows everything",
    ),
    // The rules are meant for all.
    (
        "User-agent: *\nCrawl-delay: 5\n\nUser-agent: CriteoBot\nDisallow: /admin/\nDisallow: /user/\n",
        "group-swallows-group",
        Warning,
        "give this crawler a group of its own",
    ),
    // Slurp should not be allowed what `*` closes.
    (
        "User-agent: Slurp\nCrawl-delay: 5\n\nUser-agent: Pipl\nDisallow: /\n\nUser-agent: *\nDisallow: /admin/\n",
        "group-swallows-group",
        Error,
        "such as those of the `*` group",
    ),
    (
        "User-agent: Frog SEO Spider/2,01\nDisallow: /\n",
        "agent-list",
        Warning,
        "",
    ),
    (
        "User-agent: Foo Bar, Baz\nDisallow: /\n",
        "agent-list",
        Warning,
        "on its own line",
    ),
    (
        "User-agent: *</br>\nDisallow: /a\n",
        "agent-with-wildcard",
        Warning,
        "write `*` alone",
    ),
    (
        "User-agent: *bot\nDisallow: /a\n",
        "agent-with-wildcard",
        Warning,
        "without `*`",
    ),
    (
        "User-agent: \"Foo\"\nDisallow: /a\n",
        "agent-names-no-crawler",
        Warning,
        "hyphens and underscores",
    ),
    // The Disallow line is for others as well.
    (
        "User-agent: *\nUser-agent: Applebot\nDisallow: /a\n\nUser-agent: Applebot\nAllow: /a\n",
        "contradictory-rules",
        Note,
        "no effect for `Applebot`",
    ),
    (
        "User-agent: Applebot\nDisallow: /a\nDisallow: /b\nAllow: /a\n",
        "contradictory-rules",
        Warning,
        "has no effect",
    ),
    (
        "User-agent: Elsewhere\nDisallow: /a\nDisallow: /b\nAllow: /a\n",
        "contradictory-rules",
        Note,
        "has no effect",
    ),
    (
        "User-agent: *\nDisallow: /a\0b\n",
        "control-character",
        Warning,
        "Google reads the line up to",
    ),
    (
        "User-agent: *\nDisallow: /a\u{1}b\n",
        "control-character",
        Warning,
        "the line is ignored",
    ),
    (
        "<<<<<<< HEAD\nUser-agent: *\nDisallow: /a\n=======\n",
        "html-page",
        Warning,
        "conflict markers of a merge",
    ),
    (
        "User-agent: SemrushBot-CT\nDisallow: /\n",
        "misspelt-crawler",
        Warning,
        "",
    ),
    (
        "User-agent: Google-Extendeded\nDisallow: /\n",
        "misspelt-crawler",
        Warning,
        "write `Google-Extended`",
    ),
    // The right name is there as well.
    (
        "User-agent: Googlebot\nUser-agent: Gogglebot\nDisallow: /a\n",
        "misspelt-crawler",
        Warning,
        "",
    ),
    (
        "User-agent: *\nDisallow: /a#\n",
        "number-sign-in-path",
        Note,
        "remove the `#`",
    ),
    (
        "User-agent: *\nDisallow: /a#b\n",
        "number-sign-in-path",
        Warning,
        "and the text after it",
    ),
    (
        "User-agent: *\nDisallow: /http://h.example/a#b\n",
        "number-sign-in-path",
        Warning,
        "",
    ),
    ("Allow: /\nAllow: /a\n", "rule-before-group", Note, ""),
    (
        "Allow: /\nDisallow: /a\n",
        "rule-before-group",
        Error,
        "put a user-agent line before",
    ),
    (
        "User-agent: *\nRequest-rate: 10\nDisallow: /a\n",
        "invalid-request-rate",
        Note,
        "",
    ),
    // Another rule closes the same.
    (
        "User-agent: *\nDisallow: /site\nDisallow: /site files/\n",
        "space-in-path",
        Note,
        "%20",
    ),
    (
        "User-agent: *\nDisallow: /site files/\n",
        "space-in-path",
        Warning,
        "%20",
    ),
    (
        "User-agent: *\nDisallow: /a/\nAllow: /a/b c\n",
        "space-in-path",
        Warning,
        "%20",
    ),
    // The path is still dead with `%20`.
    (
        "User-agent: *\nDisallow: /caf\u{c3}\u{a9} bar/\n",
        "space-in-path",
        Note,
        "its letters were encoded twice",
    ),
    // Bing reads a space as `%20`.
    (
        "User-agent: bingbot\nDisallow: /site files/\n",
        "space-in-path",
        Note,
        "%20",
    ),
    (
        "User-agent: *\nDisallow: //\n\nUser-agent: bingbot\nDisallow: /b\n",
        "star-rules-not-inherited",
        Warning,
        "",
    ),
    (
        "User-agent: *\nDisallow: /*?s=\n\nUser-agent: bingbot\nDisallow: /b\n",
        "star-rules-not-inherited",
        Note,
        "`/?s=`",
    ),
    (
        "User-agent: *\nDisallow: /*/a-long-name\nDisallow: /c\n\nUser-agent: bingbot\nDisallow: /b\n",
        "star-rules-not-inherited",
        Warning,
        "`/c`",
    ),
    // Whose host it is cannot be known.
    (
        "User-agent: *\nDisallow: /x\nDisallow: https://h.example/a\n",
        "url-as-path",
        Error,
        "if the host is that of this site, write only the path, otherwise remove the line",
    ),
    (
        "User-agent: *\nDisallow: h.example/a\nSitemap: https://h.example/s\nSitemap: https://i.example/s\n",
        "url-as-path",
        Error,
        "if the host is that of this site",
    ),
    (
        "User-agent: *\nDisallow: h.example/a\nSitemap: https://www.h.example/s\n",
        "url-as-path",
        Error,
        "write only the path",
    ),
    (
        "User-agent: *\nDisallow: -a1-1*\n",
        "missing-leading-slash",
        Error,
        "put `/*` before it",
    ),
    (
        "User-agent: *\nDisallow: /*?\nAllow: /css/\n",
        "page-resources-disallowed",
        Warning,
        "",
    ),
    (
        "User-agent: *\nDisallow: /*?\nAllow: /blog/\n",
        "page-resources-disallowed",
        Note,
        "`Allow: /*.css?`",
    ),
    (
        "User-agent: *\nDisallow_ /a\n",
        "missing-colon",
        Warning,
        "Google reads it",
    ),
    (
        "User-agent: *\nDisallowed /a\n",
        "unreadable-line",
        Warning,
        "write the key as in",
    ),
    // No crawler of Google obeys this group.
    (
        "User-agent: FooBot\nDisallow: /a/\nAllow: /a/index.html\n",
        "dialects-disagree",
        Warning,
        "",
    ),
    // Google's crawler has a group of its own, but others of Google obey `*`.
    (
        "User-agent: Googlebot\nDisallow: /c\n\nUser-agent: *\nDisallow: /a/\nAllow: /a/index.html\n",
        "dialects-disagree",
        Warning,
        "Google allows",
    ),
    (
        "User-agent: *\nCrawl-delay: 5\n\nUser-agent: GPTBot\nDisallow: /*\nDisallow: /x\n",
        "group-swallows-group",
        Error,
        "`Disallow:` allows everything",
    ),
    (
        "User-agent: *<Googlebot>\nDisallow: /a\n",
        "agent-with-wildcard",
        Warning,
        "without `*`",
    ),
    (
        "User-agent: * <br>\nDisallow: /a\n",
        "agent-with-wildcard",
        Warning,
        "only Google reads",
    ),
    (
        "User-agent: Elsewhere\nUser-agent: Googlebot\nDisallow: /a\nDisallow: /b\nAllow: /a\n",
        "contradictory-rules",
        Warning,
        "has no effect",
    ),
    (
        "User-agent: *\nDisallow: /\u{1}x\0\n",
        "control-character",
        Warning,
        "Google reads the line up to",
    ),
    (
        "User-agent: *\nDisallow: /go?url=http://a.example/#x\n",
        "number-sign-in-path",
        Warning,
        "and the text after it",
    ),
    (
        "User-agent: Googlebot-Newz\nDisallow: /\n",
        "misspelt-crawler",
        Warning,
        "write `Googlebot-News`",
    ),
    (
        "User-agent: SemrushBot-COUB\nDisallow: /\n",
        "misspelt-crawler",
        Warning,
        "",
    ),
    // The sitemap may be on another host than the site.
    (
        "User-agent: *\nDisallow: https://h.example/a\nSitemap: https://cdn.example/s\n",
        "url-as-path",
        Error,
        "if the host is that of this site",
    ),
    (
        "User-agent: *\nAllow: https://h.example/a\n",
        "url-as-path",
        Note,
        "",
    ),
    (
        "User-agent: *\nAllow: a/b\n",
        "missing-leading-slash",
        Note,
        "start it with a slash",
    ),
    (
        "User-agent: *\nDisallow: ne\n",
        "missing-leading-slash",
        Error,
        "end it with `/` for a directory",
    ),
    (
        "User-agent: *\nDisallow: offset=\n",
        "missing-leading-slash",
        Error,
        "put `/*` before it",
    ),
    // Without a path of WordPress, versions in names of files are a guess.
    (
        "User-agent: *\nDisallow: /*?\nDisallow: /wp-admin/\nAllow: /jsbach/\n",
        "page-resources-disallowed",
        Warning,
        "`Allow: /*.css?`",
    ),
    (
        "User-agent: Yandex\nDisallow: /*.js\n",
        "page-resources-disallowed",
        Note,
        "",
    ),
    (
        "User-agent: *\nDisallow: /\nAllow: /$\n",
        "everything-disallowed-for-search",
        Note,
        "the home page and nothing else",
    ),
    (
        "User-agent: bingbot\nDisallow:\n\nUser-agent: *\nDisallow: /\n",
        "everything-disallowed-for-search",
        Note,
        "may fetch nothing",
    ),
    (
        "User-agent: *\nContent-Signal: search=no\nDisallow: /\n",
        "everything-disallowed-for-search",
        Note,
        "may fetch nothing",
    ),
    (
        "User-agent: Googlebot\nUser-agent: bingbot\nUser-agent: DuckDuckBot\nDisallow: /a\n\nUser-agent: *\nDisallow: /\nAllow: /b\n",
        "home-page-disallowed",
        Note,
        "",
    ),
    (
        "User-agent: *\nDisallow: /a\nNoindex: /a/b\n",
        "noindex-in-robots-txt",
        Note,
        "remove it: other lines already keep",
    ),
    // Its group has no rule.
    (
        "User-agent: *\nDisallow: /a\n\nUser-agent: Mozilla/5.0 (compatible; GPTBot/1.3)\nCrawl-delay: 5\n",
        "agent-is-header",
        Warning,
        "repeat the rules of the `*` group",
    ),
    (
        "User-agent: Mozilla/5.0 (compatible; GPTBot/1.3)\nUser-agent: GPTBot\nDisallow: /a\n",
        "agent-is-header",
        Note,
        "write `GPTBot`",
    ),
    (
        "User-agent: ChatGPT User\nDisallow: /a\n\nUser-agent: ChatGPT-User\nDisallow: /a\n",
        "agent-with-words",
        Note,
        "write `ChatGPT-User`",
    ),
    (
        "Crawl-delay: 5\nUser-agent: Googlebot\nAllow: /\n",
        "value-outside-group",
        Warning,
        "move it below",
    ),
    (
        "User-agent: *\nDisallow: /a\n\nUser-agent: bingbot\nAllow: /\nDisallow: /b\n",
        "star-rules-not-inherited",
        Note,
        "",
    ),
    (
        "User-agent: *\nDisallow: /a\n\nUser-agent: YandexImages\nDisallow: /b\n",
        "star-rules-not-inherited",
        Note,
        "",
    ),
    (
        "User-agent: *\nVisit-time: 6:00\nDisallow: /a\n",
        "invalid-visit-time",
        Note,
        "",
    ),
    (
        "User-agent: *\nDisallow: /a\n\nSitemap\n",
        "missing-colon",
        Warning,
        "",
    ),
    // The group is also for `*`, or nothing is closed.
    (
        "User-agent: *\nUser-agent: Gogglebot\nDisallow: /a\n",
        "misspelt-crawler",
        Note,
        "write `Googlebot`",
    ),
    (
        "User-agent: Gogglebot\nDisallow:\n",
        "misspelt-crawler",
        Note,
        "write `Googlebot`",
    ),
    (
        "User-agent: Gogglebot\nDisallow:\n\nUser-agent: *\nDisallow: /a\n",
        "misspelt-crawler",
        Warning,
        "write `Googlebot`",
    ),
    (
        "User-agent: *\nDisalow:\n",
        "misspelt-key",
        Note,
        "other crawlers ignore the line",
    ),
    (
        "User-agent: *\nDisallow: /a%%b\n",
        "bad-escape",
        Note,
        "two hexadecimal digits",
    ),
    (
        "User-agent: *\nAllow:\n\nUser-agent: *\nDisallow: /a\n",
        "repeated-group",
        Note,
        "another group",
    ),
    (
        "User-agent: *\nAllow: /\n\nUser-agent: *\nDisallow: /a\n",
        "repeated-group",
        Warning,
        "another group",
    ),
    (
        "User-agent: *\nDisallow: /a\n\n# START YOAST BLOCK\nUser-agent: GPTBot\nDisallow: /b\n# END YOAST BLOCK\n",
        "star-rules-not-inherited",
        Note,
        "Yoast",
    ),
    (
        "User-agent: *\nDisallow: /sites/\n",
        "page-resources-disallowed",
        Warning,
        "",
    ),
    (
        "User-agent: *\nDisallow: /sites/\nDisallow: /node/add/\n",
        "page-resources-disallowed",
        Warning,
        "style.css",
    ),
    // The path is open anyway.
    (
        "User-agent: *\nDisallow: /a\nAllow: https://h.example/b\n",
        "url-as-path",
        Note,
        "has no effect",
    ),
    (
        "User-agent: *\nDisallow: /b\nAllow: https://h.example/b\n",
        "url-as-path",
        Error,
        "has no effect",
    ),
    // The end of a path, not a path of its own, which would close the site.
    (
        "User-agent: *\nDisallow: /a/b /\n",
        "space-in-path",
        Warning,
        "delete it if it is a slip",
    ),
    (
        "User-agent: *\nDisallow: /a/b /index.html\n",
        "space-in-path",
        Warning,
        "%20",
    ),
    (
        "User-agent: *\nDisallow: /a /b\n",
        "space-in-path",
        Warning,
        "a rule for each path",
    ),
    // The rules below are for another crawler.
    (
        "User-agent: yahoo\nCrawl-delay: 10\n\nUser-agent: Frog\nDisallow: /\n",
        "misspelt-crawler",
        Warning,
        "rules of its own",
    ),
    (
        "User-agent: *\nDisallow: /b\nDisallow: www2.h.example*\n",
        "url-as-path",
        Error,
        "remove the line",
    ),
    (
        "User-agent: *\nDisallow: .aspx\n",
        "missing-leading-slash",
        Error,
        "remove the line, or",
    ),
    // Not the extension `do`.
    (
        "User-agent: *\nDisallow: .downloads\n",
        "missing-leading-slash",
        Error,
        "anywhere in a path",
    ),
    (
        "User-agent: *\nDisallow: PHPSESSID\n",
        "missing-leading-slash",
        Error,
        "anywhere in a path",
    ),
    // An empty Disallow line says that the site is open.
    (
        "User-agent: *\nDisallow: /a\n\nUser-agent: Googlebot\nDisallow:\nDisallow: /b\n",
        "star-rules-not-inherited",
        Note,
        "obeys only",
    ),
];

#[test]
fn a_finding_is_true_and_as_severe_as_it_is_worth() {
    let mut wrong = Vec::new();
    for (body, code, severity, part) in BODIES {
        let findings = found(body, code);
        let is_right = |it: &Finding| {
            let help = it.help.as_deref().unwrap_or_default();
            it.severity == severity && format!("{}; {help}", it.message).contains(part)
        };
        // An empty part is a finding only if it is a note.
        let is_expected = !part.is_empty() || severity == Note;
        if findings.is_empty() == is_expected || !findings.iter().all(is_right) {
            wrong.push((code, body, findings));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_fix_writes_what_was_meant() {
    for (body, code, expected) in [
        (
            &b"User-agent: *\xA0\nDisallow: /a\n"[..],
            "agent-with-wildcard",
            &b"User-agent: *\nDisallow: /a\n"[..],
        ),
        // A full-width colon of GBK, before the colon of the URL.
        (
            b"User-agent: *\nDisallow: /a\nSitemap\xA3\xBAhttp://h.example/s\n",
            "misspelt-key",
            b"User-agent: *\nDisallow: /a\nSitemap: http://h.example/s\n",
        ),
        (
            b"User-agent: *\nDisallow_ /a\n",
            "missing-colon",
            b"User-agent: *\nDisallow: /a\n",
        ),
    ] {
        let (finding, fixed) = one(body, code);
        assert_eq!(fixed.as_deref(), Some(expected), "{finding:?}");
    }
}

#[test]
fn an_encoding_of_pairs_is_not_called_latin() {
    let (finding, _) = one(b"User-agent: *\nDisallow: /\xC6\xC7\xB7\xCA\n", "not-utf8");
    assert!(finding.message.contains("East Asian"), "{finding:?}");
}

#[test]
fn lines_of_one_cause_are_one_finding() {
    let wrapped = "User-agent: a User-agent: b\nUser-agent: c User-agent: d\nDisallow: /\n";
    assert_eq!(one(wrapped, "two-records-on-one-line").0.further.len(), 1);
}

#[test]
fn a_space_between_words_is_part_of_a_name() {
    for (path, is_fixed) in [
        ("/my files/", true),
        ("/my files*", true),
        ("/?a= b", false),
        ("/ a", false),
        ("/a *", false),
        ("/* a", false),
    ] {
        let (_, fixed) = one(
            format!("User-agent: *\nDisallow: {path}\n"),
            "space-in-path",
        );
        assert_eq!(fixed.is_some(), is_fixed, "{path}");
    }
}
