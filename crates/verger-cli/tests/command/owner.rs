//! `who`, `diff` and `add`: what a file means for each crawler, and what a change of it means.

use crate::past::{Past, day};
use crate::server::{Server, new_store, on_store, on_web, reply, robots};
use crate::verger::{file, json_lines, verger_on};

const FILE: &str = include_str!("../../../verger-owner/tests/fixtures/who.txt");

#[test]
fn a_crawler_may_fall_back_to_another_token() {
    let body = "User-agent: googlebot\nDisallow: /x\n";
    let said = verger_on(body, "who -a googlebot-news -");
    assert_eq!(
        said.stdout,
        "search engines (@search)\n  partly  group of line 1, by line 2: Googlebot-News (as Googlebot)\n"
    );
}

#[test]
fn each_purpose_has_its_crawlers_together() {
    let said = verger_on(FILE, "who --all -").quietly(0);
    let train = said.split("AI training (@ai-train)\n").nth(1).unwrap();
    let first = train.lines().next().unwrap();
    assert_eq!(first, "  closed  group of line 1, by line 3: GPTBot, CCBot");
    let (head, last) = said.split_once("not in the registry\n").unwrap();
    assert!(head.starts_with("any other crawler\n"), "{said}");
    assert_eq!(last, "  open    group of line 12: Homegrown\n");
    let of_purpose = verger_on(FILE, "who --purpose ai-train -").quietly(0);
    assert!(train.starts_with(of_purpose.split_once('\n').unwrap().1));
    let rows = json_lines(&verger_on(FILE, "who --purpose ai-train --json -").quietly(0));
    let is_train = |row: &serde_json::Value| row["purposes"].to_string().contains("ai-train");
    assert!(rows.len() > 20 && rows.iter().all(is_train));
}

/// The names of a long list of AI crawlers, some of which only part of a line can match.
const LIST: &str = "\
User-agent: *
Disallow: /?s=
Disallow: /wp-admin/
Allow: /wp-admin/admin-ajax.php

User-agent: GPTBot
User-agent: ClaudeBot
User-agent: AI2Bot
User-agent: img2dataset
User-agent: Channel3Bot
User-agent: Crawl4AI
User-agent: bigsur.ai
User-agent: Poseidon Research Crawler
Disallow: /

Sitemap: https://shop.example/sitemap.xml
";

#[test]
fn all_crawlers_are_summed_up_on_one_screen() {
    let said = verger_on(LIST, "who -").quietly(0);
    assert!(said.lines().count() <= 25, "{said}");
    let line = |title: &str| said.lines().find(|it| it.starts_with(title)).unwrap();
    assert_eq!(
        line("any other crawler"),
        "any other crawler      partly, by 2 rules, as line 2 (https://shop.example/?s=)"
    );
    let train = line("AI training ");
    assert!(
        train.contains("closed 4: GPTBot, ClaudeBot, AI2Bot"),
        "{train}"
    );
    for title in ["search engines ", "AI search ", "AI answers for people "] {
        assert!(line(title).contains("partly "), "{said}");
    }
    assert_eq!(
        line("not in the registry"),
        "not in the registry    closed 4: Channel3Bot, Crawl4AI, bigsur.ai"
    );
    assert!(!said.contains("ai-input"), "{said}");
    let all = verger_on(LIST, "who --all -").quietly(0);
    let (_, unknown) = all.split_once("not in the registry\n").unwrap();
    let names = ": Channel3Bot, Crawl4AI, bigsur.ai, Poseidon Research Crawler\n";
    assert!(unknown.contains(names), "{all}");
    for format in ["who --json -", "who --format csv -"] {
        let said = verger_on(LIST, format).quietly(0);
        for part in ["AI", "img", "Channel", "Crawl", "bigsur"] {
            assert!(!said.contains(&format!("\"{part}\"")), "{part}");
            assert!(!said.contains(&format!("\n{part},")), "{part}");
        }
    }
}

#[test]
fn names_that_a_dialect_cuts_are_shown() {
    let body = "User-agent: *\nDisallow:\n\nUser-agent: AI2Bot\nUser-agent: Foo Bar\nDisallow: /\n";
    let said = verger_on(body, "who --all -d google -").quietly(0);
    let (_, cut) = said
        .split_once("lines that name no crawler, or a different one than they seem to\n")
        .unwrap();
    assert_eq!(
        cut,
        "  line 4: the rest of the line after `AI` is ignored (Verger's choice 7)\n  \
         line 5: the rest of the line after `Foo` is ignored (Verger's choice 7)\n"
    );
}

#[test]
fn each_format_is_for_other_programs() {
    let of =
        |format: &str| verger_on(FILE, &format!("who --format {format} -a gptbot -")).quietly(0);
    assert!(
        of("csv").ends_with(
            "\r\ngptbot,OpenAI,ai-train,everything,GPTBot,1,3,,https://example.com/\r\n"
        )
    );
    for (format, start) in [
        ("nginx", "\n    \"~*("),
        ("caddy", "\n    \"~(?i)("),
        ("haproxy", "\n("),
    ] {
        let map = of(format);
        let made = format!("(who --format {format}) of standard input,\n# SHA-256 ");
        assert!(map.contains(&made) && map.contains(start), "{map}");
    }
}

#[test]
fn what_is_not_decided_is_said_and_is_no_answer() {
    let old = file(
        "diff-undecided-old.txt",
        "User-agent: *\nDisallow: /*a*b*c\nAllow: /*b\n",
    );
    let new = "User-agent: *\nDisallow: /*a*b*c*\nAllow: /*b\nDisallow: /*a*b*cc\n";
    let arguments = format!("diff --max-states 1 {} - --token a", old.display());
    let said = verger_on(new, &arguments);
    assert_eq!(said.code, 2);
    assert!(
        said.stdout.contains("not decided within 1 states"),
        "{}",
        said.stdout
    );
    assert!(!said.stdout.contains("proven"), "{}", said.stdout);
    let body = "User-agent: *\nDisallow: /\nAllow: /$\n";
    let said = verger_on(body, "who --max-states 1 --json --token a -");
    assert_eq!((said.code, said.stderr.as_str()), (2, ""));
    assert!(
        said.stdout.contains("\"disallowed\":null"),
        "{}",
        said.stdout
    );
}

#[test]
fn one_list_of_urls_is_read_alike_by_all() {
    let list = "\u{feff}  https://h.example/a \t\r\nhttps://h.example/b\rc\n \t\r\n\u{feff}https://h.example/d\n";
    let list = file("read-alike.txt", list);
    let robots = file("read-alike-robots.txt", "User-agent: *\nDisallow: /b\n");
    let claims = file(
        "read-alike.toml",
        "robots = 'read-alike-robots.txt'\n[[claim]]\nallowed_sitemaps = ['read-alike.txt']\n",
    );
    let (list, robots, claims) = (list.display(), robots.display(), claims.display());
    let said = verger_on("", &format!("filter -r {robots} --urls {list}"));
    // As it came.
    assert_eq!(
        (said.code, &*said.stdout),
        (2, "  https://h.example/a \t\r\n")
    );
    let said = verger_on("", &format!("filter -r {robots} --json --urls {list}"));
    let rows = json_lines(&said.stdout);
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[0]["url"], "https://h.example/a");
    let said = verger_on("", &format!("check -r {robots} --urls {list}"));
    let counts = (said.stdout.lines().count(), said.stderr.lines().count());
    assert_eq!(counts, (1, 2), "{said:?}");
    let said = verger_on("", &format!("bulk check --quiet -r {robots} {list}"));
    assert_eq!(said.stdout.lines().count(), 3, "{said:?}");
    assert_eq!(said.stdout.matches("\"reason\":\"not-a-url\"").count(), 2);
    let said = verger_on("", &format!("diff --json --urls {list} {robots} {robots}"));
    assert!(said.stdout.contains("\"urls\":1,"), "{said:?}");
    let said = verger_on("", &format!("test --site https://h.example {claims}"));
    assert_eq!(said.code, 1, "{said:?}");
    assert_eq!(
        said.stdout.matches("is not an http or https URL").count(),
        2,
        "{said:?}"
    );
}

#[test]
fn a_site_is_fetched_and_its_past_is_in_the_store() {
    let (server, store) = (
        Server::saying(robots("User-agent: *\nDisallow: /new\n")),
        new_store("diff"),
    );
    let url = server.url("/");
    let mut past = Past::of(&url, &store);
    past.body(day(0), "User-agent: *\nDisallow: /old\n");
    drop(past);
    let said = on_web(
        &store,
        &format!("diff --old-at 2026-09-22 {url} {url} --token a"),
    );
    let said = said.quietly(1);
    let disallowed = format!("newly disallowed: {}\n", server.url("/new"));
    assert!(said.contains(&disallowed), "{said}");
    let allowed = format!("newly allowed: {}\n", server.url("/old"));
    assert!(said.contains(&allowed), "{said}");
    assert_eq!(server.requests().len(), 1);
    let then = on_store(
        &store,
        &format!("who --at 2026-09-22 --token a --format json {url}"),
    );
    let disallowed = &json_lines(&then.quietly(0))[0]["disallowed_url"];
    assert_eq!(*disallowed, server.url("/old"));
    let before = on_store(&store, &format!("who --at 2026-09-20 {url}")).refused();
    assert!(
        before.contains("the store has nothing about it"),
        "{before}"
    );
}

#[test]
fn a_site_without_rules_is_open_or_no_answer() {
    let (none, failing) = (
        Server::saying(reply("404 Not Found", "", "")),
        Server::saying(reply("503 Service Unavailable", "", "")),
    );
    let store = new_store("who-open");
    let open = on_web(
        &store,
        &format!("who --token a --format json {}", none.url("/")),
    );
    assert_eq!(
        (open.code, &json_lines(&open.stdout)[0]["disallowed"]),
        (0, &"nothing".into())
    );
    assert!(
        open.stderr.contains("everything is allowed"),
        "{}",
        open.stderr
    );
    let closed = on_web(&store, &format!("who --token a {}", failing.url("/"))).refused();
    assert!(closed.contains("everything is disallowed"), "{closed}");
}

#[test]
fn rules_are_added_for_some_and_nothing_changes_for_others() {
    let body = "User-agent: *\nDisallow: /cart\n";
    let said = verger_on(body, "add -a gptbot -a homegrown --disallow / -").quietly(0);
    assert_eq!(
        said,
        format!("{body}\nUser-agent: GPTBot\nUser-agent: homegrown\nDisallow: /\n")
    );
    let path = file("add.txt", body);
    let arguments = format!(
        "add -a bingbot --disallow /x --allow /x/y --write {}",
        path.display()
    );
    let said = verger_on("", &arguments);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(
        said.stdout
            .contains("newly disallowed: https://example.com/x\n"),
        "{}",
        said.stdout
    );
    let written = std::fs::read_to_string(&path).unwrap();
    // Asked twice it writes nothing.
    let again = verger_on("", &arguments);
    assert_eq!((again.code, again.stdout.as_str()), (0, ""));
    assert!(again.stderr.contains("nothing added"), "{}", again.stderr);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), written);
    assert_eq!(
        written,
        format!("{body}\nUser-agent: bingbot\nDisallow: /cart\nAllow: /x/y\nDisallow: /x\n")
    );
}

#[test]
fn what_cannot_be_added_changes_nothing() {
    let path = file(
        "add-not.txt",
        "Disallow: /y\nUser-agent: a\nDisallow: /\nUser-agent: b\n",
    );
    let before = std::fs::read(&path).unwrap();
    for (arguments, said) in [
        (
            "-a gptbot --disallow /z",
            "the new lines would change something else for gptbot",
        ),
        ("-a gptbot --disallow z", "`z` is not a path-pattern"),
        ("--disallow /z", "no crawler is named to add rules for"),
        (
            "-a ai2bot -d google --disallow /z",
            "no user-agent line can name",
        ),
    ] {
        let refused = verger_on("", &format!("add {arguments} --write {}", path.display()));
        assert_eq!(
            (refused.code, refused.stdout.as_str()),
            (2, ""),
            "{arguments}"
        );
        assert!(refused.stderr.contains(said), "{}", refused.stderr);
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
    // What an older rule allows is not disallowed already.
    let body = "User-agent: GPTBot\nAllow: /x\n";
    let said = verger_on(body, "add -a GPTBot --disallow /x -");
    assert_eq!((said.code, said.stdout.as_str()), (2, body));
    let keeps = "`Allow: /x` on line 2 keeps https://example.com/x allowed";
    assert!(said.stderr.contains(keeps), "{}", said.stderr);
}

#[test]
fn options_about_fetching_go_with_sites_alone() {
    let path = file("owner-unfetched.txt", FILE);
    for (arguments, option) in [
        ("who --at 7d FILE", "--at"),
        ("who --timeout 5s FILE", "--timeout"),
        ("who --profile google --no-store FILE", "--no-store"),
        ("diff --old-at 7d FILE -", "--old-at"),
        ("diff --new-at 7d https://h.example FILE", "--new-at"),
        ("diff --timeout 5s FILE -", "--timeout"),
        ("test --timeout 5s --init FILE", "--timeout"),
    ] {
        let arguments = arguments.replace("FILE", path.to_str().unwrap());
        let said = verger_on(FILE, &arguments).refused();
        let expected = format!("error: `{option}` has no effect on a file: nothing is fetched\n");
        assert!(said.starts_with(&expected), "{arguments}: {said}");
    }
    for arguments in ["who", "diff -", "test --init"] {
        let arguments = format!("{arguments} {} --profile google", path.display());
        verger_on(FILE, &arguments).quietly(0);
    }
}

#[test]
fn what_has_expired_is_said_to_be_and_not_to_disallow_everything() {
    let store = new_store("owner-expired");
    let mut past = Past::of("http://h.example/", &store);
    past.body(day(1), "User-agent: *\nDisallow: /x\n");
    let path = file("owner-expired.txt", "");
    let (at, path) = (day(3), path.display());
    for arguments in [
        format!("who --at @{at} http://h.example/"),
        format!("diff --old-at @{at} http://h.example/ {path}"),
    ] {
        let said = on_store(&store, &arguments).refused();
        let expected = "error: http://h.example/robots.txt: successful (status 200) when last seen at 2026-09-22 \
                        14:13:20 UTC, valid until 2026-09-23 14:13:20 UTC: deferred by ";
        assert!(said.starts_with(expected), "{said}");
        assert!(
            said.ends_with("\nhelp: name a time before that, or no time, to fetch it\n"),
            "{said}"
        );
    }
}

#[test]
fn standard_input_is_read_once_and_not_written_to() {
    let said = verger_on("", "diff - -").refused();
    assert!(
        said.contains("standard input can be read only once"),
        "{said}"
    );
    let said = verger_on("", "add -a gptbot --disallow / --write -").refused();
    assert!(said.contains("`--write` needs a file"), "{said}");
}

#[test]
fn urls_of_a_list_are_counted_for_both_files() {
    let old = file(
        "urls-old.txt",
        "User-agent: *\nDisallow: /cart\nDisallow: /old\n",
    );
    let new = file(
        "urls-new.txt",
        "User-agent: *\nDisallow: /cart\nDisallow: /shop\n",
    );
    let files = format!(
        "diff {} {} -a googlebot -a adsbot-google",
        old.display(),
        new.display()
    );
    let list = "https://h.example/cart\n/shop/1\n/shop/2\n/shop/3\n/shop/4\n/old\n/\n";
    let said = verger_on(list, &format!("{files} --urls -"));
    let newly = |url: &str| {
        format!(
            "  {url}\n    before allowed: no rule matches\n    after  disallowed by line 3, Disallow: /shop\n"
        )
    };
    let expected = format!(
        "Googlebot, as Google reads it\n  2 URLs disallowed before, 5 after\n  newly disallowed: 4 URLs\n{}{}{}  \
         newly allowed: 1 URL\n  /old\n    before disallowed by line 3, Disallow: /old\n    after  \
         allowed: no rule matches\nAdsBot-Google, as Google reads it\n  0 URLs disallowed before, 0 after\n7 URLs counted\n",
        newly("/shop/1"),
        newly("/shop/2"),
        newly("/shop/3"),
    );
    assert_eq!((said.stdout, said.code), (expected, 1));
    let counted = verger_on(list, &format!("{files} --urls - --json")).stdout;
    let start = r#"{"schema":"verger.diff-urls/1","crawlers":["googlebot"],"#;
    assert!(counted.starts_with(start), "{counted}");
    let same = verger_on("/cart\n/\n", &format!("{files} --urls -"));
    assert_eq!(same.code, 0, "{}", same.stdout);
    let wrong = verger_on("/cart\ncart\n", &format!("{files} --urls -"));
    assert!(
        wrong
            .stdout
            .contains("1 URL counted, 1 entry not\n  line 2: "),
        "{}",
        wrong.stdout
    );
    assert_eq!(wrong.code, 2);
}

#[test]
fn urls_of_sitemaps_are_counted() {
    let old = file("urls-sitemap.txt", "User-agent: *\nDisallow: /a\n");
    let urls = ["/a", "/b"].map(|path| format!("<url><loc>https://h.example{path}</loc></url>"));
    file(
        "urls-beside.xml",
        format!("<urlset>{}</urlset>", urls.concat()),
    );
    let of = |name: &str| format!("<sitemap><loc>https://h.example/{name}</loc></sitemap>");
    let index = |listed: &str| format!("<sitemapindex>{listed}</sitemapindex>");
    let arguments = |list: &str| format!("diff {0} {0} -a googlebot --urls {list}", old.display());
    let whole = file("urls-index.xml", index(&of("urls-beside.xml")));
    let said = verger_on("", &arguments(&whole.display().to_string())).quietly(0);
    assert_eq!(
        said,
        "Googlebot, as Google reads it\n  1 URL disallowed before, 1 after\n2 URLs counted\n"
    );
    let outside = file("urls-outside.xml", index(&of("%2e%2e%2furls-beside.xml")));
    let arguments = format!(
        "{} --allow-address 127.0.0.0/8",
        arguments(&outside.display().to_string())
    );
    let said = verger_on("", &arguments);
    assert_eq!(said.code, 2, "{said:?}");
    // On the web too.
    let (server, store) = (
        Server::saying(reply("200 OK", "", "/a\n/b\n/a/b\n")),
        new_store("diff-urls"),
    );
    let said = on_web(
        &store,
        &format!(
            "diff {0} {0} -a googlebot --urls {1}",
            old.display(),
            server.url("/list.txt")
        ),
    );
    assert_eq!(
        said.quietly(0),
        "Googlebot, as Google reads it\n  2 URLs disallowed before, 2 after\n3 URLs counted\n"
    );
    let said = verger_on(
        "",
        &format!("diff {0} {0} --urls no-such.txt", old.display()),
    )
    .refused();
    assert!(said.contains("no-such.txt"), "{said}");
    let said = verger_on("", &format!("diff - {} --urls -", old.display())).refused();
    assert!(
        said.contains("standard input can be read only once"),
        "{said}"
    );
    let said = verger_on(
        "",
        &format!("diff {0} {0} --urls ftp://h.example/list", old.display()),
    )
    .refused();
    assert!(said.contains("http://"), "{said}");
}
