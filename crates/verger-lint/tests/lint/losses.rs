//! Findings that say who loses what, and mistakes of owners.

use verger_lint::{Finding, Fixing, Linted, Served, Severity, fixed};

fn findings(body: &str) -> Vec<(Vec<u32>, Finding)> {
    let file = Linted::new(body, &Served::default());
    let lines = |it: &Finding| {
        let places = it.places().map(|it| file.position(it.span.start).line);
        places.map(verger::LineNumber::get).collect()
    };
    let found = file.findings().iter();
    found.map(|it| (lines(it), it.clone())).collect()
}

/// Returns the body with all fixes.
fn all_fixed(body: &str) -> String {
    let result = fixed(body.as_bytes(), &Served::default(), Fixing::All, |_| true);
    String::from_utf8(result.body).unwrap()
}

/// Returns the lines and messages of findings of a lint.
fn found(code: &str, body: &str) -> Vec<(Vec<u32>, String)> {
    let all = findings(body).into_iter();
    let of_code = all.filter(|(_, it)| it.code == code);
    of_code.map(|(lines, it)| (lines, it.message)).collect()
}

#[test]
fn useful_files_that_are_disallowed_are_one_note_for_each_loss() {
    for (rules, lines, words) in [
        (
            "Disallow: /*.png$\nDisallow: /*.jpg\nDisallow: *.gif",
            vec![2, 3, 4],
            "Google Images",
        ),
        ("Disallow: /images/", vec![2], "Google Images"),
        ("Disallow: /wp-content/uploads/", vec![2], "on X"),
        (
            "Disallow: /bitrix/\nDisallow: /upload/",
            vec![3],
            "Google Images",
        ),
        ("Disallow: /favicon.ico", vec![2], "icon"),
        ("Disallow: /*.ico$", vec![2], "icon"),
        ("Disallow: /cdn-cgi/", vec![2], "Cloudflare"),
        ("Disallow: /api/og", vec![2], "on X"),
        ("Disallow: /ads", vec![2], "`/ads.txt`"),
        (
            "Disallow: /ads.txt\nDisallow: /app-ads.txt",
            vec![2, 3],
            "`/ads.txt`",
        ),
        (
            "Disallow: /*.txt$",
            vec![2],
            "`/llms.txt` and `/.well-known/security.txt`",
        ),
        ("Disallow: /.well-known/", vec![2], "security.txt"),
    ] {
        let found = found(
            "useful-files-disallowed",
            &format!("User-agent: *\n{rules}\n"),
        );
        assert_eq!(found.len(), 1, "{rules}: {found:?}");
        assert_eq!(found[0].0, lines, "{rules}");
        assert!(found[0].1.contains(words), "{rules}: {}", found[0].1);
    }
}

#[test]
fn files_that_may_be_fetched_or_that_nobody_needs_are_no_loss() {
    for body in [
        "User-agent: *\nDisallow: /*.pdf$\nDisallow: /images/private/\nDisallow: /upload/\n",
        "User-agent: *\nDisallow: /cdn-cgi/\nAllow: /cdn-cgi/image/\n",
        "User-agent: *\nDisallow: /images/\nAllow: /images/*.jpg\n",
        "User-agent: *\nDisallow: /ads/\nDisallow: /README.txt\n",
        "User-agent: *\nDisallow: /\n",
        "User-agent: FooBot\nDisallow: /images/\n",
        "User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n",
    ] {
        assert_eq!(found("useful-files-disallowed", body), [], "{body}");
    }
}

#[test]
fn a_useful_crawler_that_may_fetch_nothing_is_a_note_for_each_kind() {
    let body = "User-agent: GPTBot\nUser-agent: Applebot\nUser-agent: OAI-SearchBot\n\
                User-agent: AdsBot-Google\nUser-agent: SeznamBot\nUser-agent: Yeti\n\
                User-agent: facebookexternalhit\nUser-agent: SomeBot\nDisallow: /\n";
    let found = found("useful-crawler-disallowed", body);
    let lines: Vec<_> = found.iter().map(|(lines, _)| lines.as_slice()).collect();
    assert_eq!(lines, [&[2, 3][..], &[4], &[5, 6], &[7]]);
    for (message, words) in found.iter().map(|it| &it.1).zip([
        "list of AI crawlers",
        "refuse ads",
        "other countries",
        "Facebook",
    ]) {
        assert!(message.contains(words), "{message}");
    }
    // Crawlers have one order in all lists.
    let closed = "User-agent: *\nDisallow: /\n";
    let [(_, message)] = &self::found("everything-disallowed-for-search", closed)[..] else {
        panic!("all are in one finding");
    };
    let start = "search engines may fetch nothing: Googlebot, bingbot, ";
    assert!(message.starts_with(start), "{message}");
}

#[test]
fn a_crawler_that_may_fetch_something_or_is_named_alone_is_no_loss() {
    for body in [
        "User-agent: SeznamBot\nDisallow: /private/\n",
        "User-agent: SeznamBot\nDisallow: /\nAllow: /$\n",
        "User-agent: *\nDisallow: /\n",
        "User-agent: Applebot\nDisallow: /\n",
        "User-agent: GPTBot\nUser-agent: CCBot\nUser-agent: ChatGPT-User\nDisallow: /\n",
    ] {
        assert_eq!(found("useful-crawler-disallowed", body), [], "{body}");
    }
}

#[test]
fn who_disallows_only_the_crawler_for_answers_is_told_which_one_trains() {
    let of_openai = "User-agent: ChatGPT-User\nDisallow: /\n";
    let found_in = |body: &str| found("useful-crawler-disallowed", body);
    assert!(found_in(of_openai)[0].1.contains("trains with `GPTBot`"));
    let of_anthropic =
        "User-agent: Claude-User\nDisallow: /\n\nUser-agent: ClaudeBot\nDisallow: /a\n";
    assert!(
        found_in(of_anthropic)[0]
            .1
            .contains("trains with `ClaudeBot`")
    );
    assert_eq!(
        found_in(&format!("{of_openai}\nUser-agent: GPTBot\nDisallow: /\n")),
        []
    );
    assert_eq!(
        found_in(&format!("{of_openai}\nUser-agent: *\nDisallow: /\n")),
        []
    );
}

#[test]
fn a_rule_with_several_paths_becomes_a_line_for_each() {
    for (line, lines) in [
        ("Disallow: /a,/b", "Disallow: /a\nDisallow: /b"),
        ("allow:/a, /b/c ,/d*", "allow:/a\nallow: /b/c \nallow: /d*"),
    ] {
        let body = format!("User-agent: *\n{line} # both\n");
        let found = findings(&body);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(
            (found[0].1.code, found[0].1.severity),
            ("path-list", Severity::Error)
        );
        let expected = format!("User-agent: *\n{lines} # both\n");
        assert_eq!(all_fixed(&body), expected);
    }
    for path in ["/a,b", "/,/a", "/ceny,*.html", "/\\,/", "/a;/b", "/a,"] {
        let body = format!("User-agent: *\nDisallow: {path}\n");
        assert_eq!(found("path-list", &body), [], "{path}");
    }
}

#[test]
fn a_rule_misses_a_parameter_that_is_not_the_first() {
    for (rules, lines) in [
        ("Disallow: /*?utm_", vec![2]),
        ("Disallow: /*?add-to-cart=\nDisallow: *?sort", vec![2, 3]),
        ("Disallow: /*?filter[color]=*", vec![2]),
        ("Disallow: /nocrawl=1", vec![2]),
        ("Disallow: /utm_source=", vec![2]),
        ("Disallow: /word=*", vec![2]),
    ] {
        let found = found("parameter-missed", &format!("User-agent: *\n{rules}\n"));
        assert_eq!(found.len(), 1, "{rules}: {found:?}");
        assert_eq!(found[0].0, lines, "{rules}");
    }
    for rules in [
        "Disallow: /*?utm_\nDisallow: /*&utm_",
        "Disallow: /*?author=*\nDisallow: /*&author=*",
        "Disallow: /*utm_",
        "Disallow: /*?*utm_",
        "Disallow: /*?",
        "Disallow: /?s=",
        "Disallow: /*?a=1&b=2",
        "Disallow: /*?page=1$",
        "Disallow: /a=1/b",
        "Disallow: /*?utm_\nDisallow: /",
        "Allow: /*?page=",
        "Disallow: /shop?sort=",
    ] {
        let body = format!("User-agent: *\n{rules}\n");
        assert_eq!(found("parameter-missed", &body), [], "{rules}");
    }
}

#[test]
fn a_template_has_one_finding() {
    for body in [
        "{% for g in groups %}\n{{ g.user_agent }}\n{% endfor %}\nAllow: /\n",
        "{%- comment -%}\nDisallow: admin\n",
        "<% if production %>\nUser-agent: *\nDisalow: /a\n<% end %>\n",
        "{{#each rules}}\nDisallow: {{this}}\n{{/each}}\n",
        "User-agent: *\n  {{ rules }}\nDisallow: admin\n",
        "<?php header('Content-Type: text/plain'); ?>\nUser-agent: *\nDisallow: admin\n",
    ] {
        let found = findings(body);
        assert_eq!(found.len(), 1, "{body}: {found:?}");
        assert_eq!(found[0].1.code, "unfilled-template", "{body}");
    }
}

#[test]
fn a_placeholder_in_a_value_does_not_hide_other_findings() {
    let body = "User-agent: *\nDisallow: 404.html\nDisallow: {{ path }}\nSITEMAP: {{ url }}\nSitemap: https://${HOST}/s.xml\n";
    let found = findings(body).into_iter();
    let found: Vec<_> = found.map(|(lines, it)| (it.code, lines)).collect();
    let expected = [
        ("missing-leading-slash", vec![2]),
        ("unfilled-template", vec![3, 4, 5]),
    ];
    assert_eq!(found, expected);
    for path in ["/*{{url}}", "*/{{option.Id}}", "/?ru={{ru}}"] {
        let body = format!("User-agent: *\nDisallow: {path}\n");
        assert_eq!(self::found("unfilled-template", &body), [], "{path}");
    }
}

#[test]
fn a_hyphen_of_a_word_processor_in_a_key_or_name_is_an_error_with_a_fix() {
    for hyphen in [
        '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2015}', '\u{2212}',
    ] {
        let body = format!(
            "User-agent: *\nDisallow: /a\n\nUser{hyphen}agent: Google{hyphen}Extended\nDisallow: /\n"
        );
        let found = found("invisible-character", &body);
        assert_eq!(found[0].0, [4], "{hyphen}");
        let expected = "User-agent: *\nDisallow: /a\n\nUser-agent: Google-Extended\nDisallow: /\n";
        assert_eq!(all_fixed(&body), expected, "{hyphen}");
    }
    for line in [
        "Disallow: /a\u{2013}b",
        "User-agent: Some Program \u{2013} 6.0\nDisallow: /",
        "# User\u{2011}agent: *",
        "Sitemap: https://h.example/a\u{2013}b.xml",
    ] {
        let body = format!("User-agent: *\nDisallow: /x\n\n{line}\n");
        assert_eq!(found("invisible-character", &body), [], "{line}");
    }
}

#[test]
fn the_name_of_a_company_is_not_its_crawler() {
    for (value, token) in [
        ("Google", "Googlebot"),
        ("Bing", "bingbot"),
        ("Yahoo", "Slurp"),
        ("Yahoo!", "Slurp"),
        ("OpenAI", "GPTBot"),
        ("facebook", "facebookexternalhit"),
        ("Seznam", "SeznamBot"),
    ] {
        let body = format!("User-agent: {value}\nDisallow: /private/\n");
        let codes: Vec<_> = findings(&body).iter().map(|(_, it)| it.code).collect();
        let others = ["dialects-disagree", "misspelt-crawler"];
        assert!(codes.contains(&others[1]), "{value}");
        assert!(
            codes.iter().all(|it| others.contains(it)),
            "{value}: {codes:?}"
        );
        let expected = format!("User-agent: {token}\nDisallow: /private/\n");
        assert_eq!(all_fixed(&body), expected);
    }
    for value in [
        "Yandex",
        "Ask",
        "Pinterest",
        "Yahoo Pipes 1.0",
        "X",
        "unknown",
        "naver",
    ] {
        let body = format!("User-agent: {value}\nDisallow: /private/\n");
        assert_eq!(found("misspelt-crawler", &body), [], "{value}");
    }
    let both = "User-agent: Google\nUser-agent: Googlebot\nDisallow: /private/\n";
    assert_eq!(found("misspelt-crawler", both), []);
}

#[test]
fn a_missing_line_end_before_a_sitemap_is_found() {
    for line in [
        "Disallow: /xSitemap: https://h.example/s.xml",
        "Crawl-delay: 10Sitemap: https://h.example/s.xml",
        "Disallow:Sitemap: https://h.example/s.xml",
        "Host: h.exampleSitemap: https://h.example/s.xml",
    ] {
        let body = format!("User-agent: *\nDisallow: /a\n{line}\n");
        let lines: Vec<_> = found("two-records-on-one-line", &body)
            .into_iter()
            .map(|it| it.0)
            .collect();
        assert_eq!(lines, [[3]], "{line}");
    }
}
