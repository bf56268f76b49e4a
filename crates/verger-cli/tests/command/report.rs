//! The page about a robots.txt.

use std::fs;

use verger_crawlers::{Purpose, Registry};

use crate::narrow::assert_fits_narrow_screens;
use crate::past::{Past, day};
use crate::server::{Server, new_store, on_store, on_web, reply, robots};
use crate::verger::{file, verger, verger_on};

/// The elements that a page may have, each with its attributes.
const ELEMENTS: [(&str, &[&str]); 38] = [
    ("html", &["lang"]),
    ("head", &[]),
    ("meta", &["charset", "http-equiv", "content", "name"]),
    ("title", &[]),
    ("style", &[]),
    ("body", &[]),
    ("header", &[]),
    ("footer", &[]),
    ("main", &[]),
    ("strong", &[]),
    ("i", &[]),
    ("ul", &["class"]),
    ("li", &[]),
    ("details", &[]),
    ("summary", &[]),
    ("nav", &["aria-label"]),
    ("section", &["id", "aria-labelledby"]),
    ("h1", &[]),
    ("h2", &["id"]),
    ("h3", &[]),
    ("p", &["class"]),
    ("a", &["href", "class"]),
    ("table", &["class"]),
    ("thead", &[]),
    ("tbody", &[]),
    ("tr", &["id", "class"]),
    ("th", &["scope", "rowspan", "class"]),
    ("td", &["class", "data-label"]),
    ("div", &["class"]),
    ("span", &["class"]),
    ("code", &[]),
    ("pre", &[]),
    ("dl", &[]),
    ("dt", &[]),
    ("dd", &[]),
    (
        "svg",
        &["class", "viewBox", "preserveAspectRatio", "aria-hidden"],
    ),
    (
        "rect",
        &["class", "x", "y", "width", "height", "rx", "fill"],
    ),
    (
        "path",
        &[
            "d",
            "fill",
            "stroke",
            "stroke-width",
            "stroke-linecap",
            "stroke-linejoin",
        ],
    ),
];

/// Links that leave the page are only those in its footer.
const LICENCES: &str = "https://spdx.org/licenses/";

/// Fails if a page has a foreign element or attribute, if elements are not closed in order, or if a character could
/// harm a reader.
#[track_caller]
fn assert_safe(page: &str) {
    let rest = page.strip_prefix("<!DOCTYPE html>\n").unwrap();
    let style = rest.find("<style>").unwrap()..rest.find("</style>").unwrap();
    let footer = rest.find("<footer>").unwrap();
    let mut open = Vec::new();
    for (at, _) in rest.match_indices('<') {
        assert!(!style.contains(&at) || at == style.start, "in the style");
        let tag = &rest[at + 1..at + rest[at..].find('>').unwrap()];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "closed at {at}");
            continue;
        }
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let known = ELEMENTS.iter().find(|(known, _)| *known == name);
        let (_, known) = known.unwrap_or_else(|| panic!("<{tag}>"));
        // Between quotes are the values.
        let parts: Vec<&str> = attributes.split('"').collect();
        for pair in parts.chunks(2).filter(|pair| pair.len() == 2) {
            let name = pair[0].trim().strip_suffix('=').unwrap();
            assert!(known.contains(&name), "<{tag}>");
            let is_own = pair[1].starts_with('#') || at > footer && pair[1].starts_with(LICENCES);
            assert!(name != "href" || is_own, "<{tag}>");
        }
        if name != "meta" && !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert_eq!(open, [""; 0]);
    let acts = |character: &char| {
        (character.is_control() && !matches!(character, '\n' | '\t'))
            || matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}')
            || matches!(
                character,
                '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
            )
    };
    assert_eq!(page.chars().find(acts), None);
}

/// Returns the page about a body on standard input.
fn page_of(body: impl AsRef<[u8]>, arguments: &str) -> String {
    let arguments = format!("report - -o - {arguments}");
    let page = verger_on(body, &arguments).quietly(0);
    assert_safe(&page);
    page
}

const BODY: &str = "\
# for all
User-agent: *
Disallow: /private/
Allow: /private/press/

User-agent: GPTBot
Disallow: /

User-agent: AhrefsBot
Disallow:

Dissalow: /a
no colon
Sitemap: https://h.example/s.xml
";

/// Returns the rows of a table without markup, with a space between cells.
fn rows(page: &str, section: &str) -> Vec<String> {
    let start = page.find(&format!("<section id=\"{section}\"")).unwrap();
    let end = start + page[start..].find("</section>").unwrap();
    let rows = page[start..end].split("<tr").skip(1);
    let text = |row: &str| {
        let row = row.split("</tr>").next().unwrap();
        let row = format!("<tr{row}")
            .replace("</td>", " ")
            .replace("</th>", " ");
        let pieces = row.split('<').filter_map(|piece| piece.split_once('>'));
        let text: String = pieces.map(|(_, text)| text).collect();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    rows.map(text).collect()
}

#[test]
fn a_page_judges_known_crawlers_as_their_operators_read() {
    let body = "User-agent: *\nDisallow: /a b\nDisalow: /c\n";
    let arguments = "-a googlebot -a gptbot --url=/c";
    let page = page_of(body, arguments);
    assert_eq!(
        rows(&page, "verdicts")[1..],
        [
            "/c Googlebot (as Google reads it) disallowed line 3: disallow: /c",
            "GPTBot allowed no rule matches",
        ]
    );
    assert_eq!(
        rows(&page, "crawlers")[1..3],
        [
            "Googlebot (as Google reads it) some URLs *, line 1; disallowed by line 3 and 1 more",
            "GPTBot some URLs *, line 1; disallowed by line 2",
        ]
    );
    let stated = page_of(body, &format!("{arguments} -d rfc9309"));
    assert_eq!(
        rows(&stated, "verdicts")[1],
        "/c Googlebot, GPTBot allowed no rule matches"
    );
}

#[test]
fn a_page_says_what_each_crawler_may_fetch() {
    let page = page_of(BODY, "-a GPTBot -a AhrefsBot --token x");
    let rows = rows(&page, "crawlers");
    assert_eq!(
        rows[..4],
        [
            "Crawler May fetch Decided by",
            "GPTBot nothing GPTBot, line 6; disallowed by line 7",
            "AhrefsBot everything AhrefsBot, line 9",
            "x some URLs *, line 2; disallowed by line 3",
        ]
    );
    let of_training = rows.iter().position(|row| row.starts_with("AI training "));
    let row = &rows[of_training.unwrap()];
    assert!(row.contains(" 1 closedby nameGPTBot "), "{row}");
    assert!(page.contains("<a href=\"#L6\">GPTBot</a>"));
}

#[test]
fn a_page_starts_with_the_answer() {
    let answer = |body: &str, arguments: &str| {
        let page = page_of(body, arguments);
        let start = page.find("<p class=\"answer\">").unwrap();
        let end = start + page[start..].find("</p>").unwrap();
        let pieces = page[start..end]
            .split('<')
            .filter_map(|it| it.split_once('>'));
        let text: String = pieces.map(|(_, text)| text).collect();
        text.trim_end().to_owned()
    };
    assert_eq!(answer("", ""), "Every crawler may fetch everything.");
    assert_eq!(
        answer(&format!("{BODY}User-agent: Crawl9\nDisallow: /\n"), ""),
        "Googlebot, bingbot, ClaudeBot and * (any other crawler) may fetch some URLs, but not, \
         for example, /private/ (line 3). GPTBot may fetch nothing. 1 other crawler may fetch nothing."
    );
    assert_eq!(
        answer(BODY, "-a AhrefsBot"),
        "AhrefsBot may fetch everything. 1 other crawler may fetch nothing."
    );
    let urls = "-a GPTBot --token x --url /private/x --url /";
    assert_eq!(
        answer(BODY, urls),
        "x may fetch 1 of 2 URLs. GPTBot may fetch none of the 2 URLs."
    );
}

#[test]
fn a_footer_names_the_version_and_the_command() {
    let page = page_of(BODY, "-a GPTBot --url /?a=<b>");
    let version = env!("CARGO_PKG_VERSION");
    let footer = format!(
        "<footer><p>Made by Verger {version} with <code>verger report - -o - -a GPTBot --url \
         &#39;/?a=&lt;b&gt;&#39;</code>."
    );
    assert!(page.contains(&footer), "{page}");
    assert_eq!(page.matches("<svg class=\"logo\"").count(), 1);
}

#[test]
fn a_page_fits_the_screen_of_a_telephone() {
    let long = "x".repeat(300);
    let arguments = format!("-a GPTBot --token x --url /private/{long} --url /?{long}");
    let page = page_of(format!("{BODY}Disallow: /{long}\n{long}\n"), &arguments);
    assert_fits_narrow_screens("report", &page);
}

#[test]
fn a_page_lists_what_lints_find_the_most_severe_first() {
    let page = page_of(BODY, "");
    let found = rows(&page, "lint");
    assert_eq!(found[0], "Severity Where What Lint");
    let misspelt = found.iter().find(|row| row.ends_with("misspelt-key"));
    assert!(
        misspelt.unwrap().starts_with("▲ warning line 12 "),
        "{found:?}"
    );
    let severity = |row: &String| "✕▲◇".find(row.chars().next().unwrap());
    assert!(found[1..].iter().map(severity).is_sorted(), "{found:?}");
    let [badges, problems, file] = [
        "<p class=\"badges\">",
        "<section id=\"lint\"",
        "<section id=\"crawlers\"",
    ]
    .map(|part| page.find(part).unwrap());
    assert!(badges < problems && problems < file);
    assert!(page[badges..].contains("href=\"#lint\">▲ 1 warning</a>"));
    let clean = page_of("User-agent: *\nDisallow: /private\n", "");
    assert!(clean.contains("<span>✓ No problems found</span>"));
    assert!(!clean.contains("<section id=\"lint\""));
    // Messages repeat what a file says.
    let hostile = page_of("User-agent: *\nDisallow: <script>alert(1)</script>\n", "");
    assert!(hostile.contains("<code>missing-leading-slash</code>") && !hostile.contains("<script"));
    let groups = (0..400).map(|n| format!("User-agent: n{n}\nDisallow: /a\n"));
    let many = page_of(groups.collect::<String>().repeat(2), "");
    assert!(many.contains("more lint findings not listed</p>"));
    assert!(many.contains("<details><summary>290 more findings</summary>"));
}

#[test]
fn a_page_has_a_row_for_each_topic_with_a_legend() {
    let page = page_of(
        "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /a\n",
        "",
    );
    let legend = page.find("<ul class=\"legend\">").unwrap();
    assert!(legend < page.find("<table class=\"who\">").unwrap());
    for meaning in [
        "closed: everything is disallowed",
        "°: its operator",
        "†: it does not obey",
    ] {
        assert!(page[legend..].contains(meaning), "{meaning}");
    }
    let of_purpose = Registry::bundled().by_purpose(Purpose::AiTrain);
    let count = of_purpose.filter(|it| !it.is_retired()).count();
    let rows = rows(&page, "crawlers");
    let row = rows
        .iter()
        .find(|row| row.starts_with("AI training"))
        .unwrap();
    assert!(row.starts_with(&format!("AI training {count} ")), "{row}");
    // Each bar has its numbers as text.
    let numbers = |class: &str| {
        let words: Vec<_> = row.split_whitespace().collect();
        let of_class = words.windows(2).filter(|pair| pair[1].starts_with(class));
        of_class
            .filter_map(|pair| pair[0].parse::<usize>().ok())
            .sum::<usize>()
    };
    assert_eq!(numbers("closed"), 1, "{row}");
    let all = numbers("closed") + numbers("partly") + numbers("open");
    assert_eq!(all, count, "{row}");
    let long = "<details><summary>and ";
    assert!(page.contains(long), "many names are folded");
}

#[test]
fn a_page_shows_the_file_with_what_was_ignored_beside_its_line() {
    let page = page_of(BODY, "");
    assert!(page.contains(
        "<p>Ignored, cut or read differently: 1 misspelt-key-ignored, 1 no-separator.</p>"
    ));
    let lines = rows(&page, "file");
    assert_eq!(lines[1], "1 # for all");
    assert_eq!(lines[3], "3 1 Disallow: /private/");
    assert_eq!(lines[7], "7 2 Disallow: /");
    assert_eq!(
        lines[13],
        "13 no colon↳ the line has no colon and is ignored (RFC 9309, 2.3.1.5)"
    );
    // A sitemap is for all crawlers, in whatever group it is.
    assert_eq!(lines[14], "14 Sitemap: https://h.example/s.xml");
    assert!(page.contains(
        "<tr id=\"L3\" class=\"odd\"><th scope=\"row\" class=\"n\">3</th><td class=\"g\">1</td>\
         <td><span class=\"key\">Disallow</span>: <span class=\"rule\">/private/</span></td></tr>"
    ));
}

#[test]
fn verdicts_are_shown_for_urls() {
    let page = page_of(
        BODY,
        "-a GPTBot --token x --url /private/press/1 --url https://h.example/",
    );
    assert_eq!(
        rows(&page, "verdicts")[1..],
        [
            "/private/press/1 GPTBot disallowed line 7: disallow: /",
            "x allowed line 4: allow: /private/press/",
            "https://h.example/ GPTBot disallowed line 7: disallow: /",
            "x allowed no rule matches",
        ]
    );
}

#[test]
fn nothing_of_a_hostile_file_comes_through() {
    let markup = [
        "</td></tr></table><script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "<!--",
        "-->",
        "<![CDATA[",
        "</style><style>*{display:none}",
        "&lt;b&gt;&#60;",
        "]]>",
        "<svg/onload=alert(1)>",
        "javascript:alert(1)",
        "\u{202e}evil\u{2066}",
        "\u{200b}\u{feff}\u{2028}",
        "\u{1b}[2J\u{7}\u{8}\u{85}",
    ];
    let keys = [
        "User-agent: ",
        "Disallow: ",
        "Allow: /",
        "Sitemap: ",
        "Host: ",
        "# ",
        "",
        "Crawl-delay: ",
    ];
    let mut body = Vec::new();
    for start in ["", "\u{feff}"] {
        body.clear();
        body.extend_from_slice(start.as_bytes());
        for key in keys {
            for text in markup {
                body.extend_from_slice(key.as_bytes());
                body.extend_from_slice(text.as_bytes());
                body.extend_from_slice(b"\xff\xfe\0\x0b # ");
                body.extend_from_slice(text.as_bytes());
                body.extend_from_slice(b"\r\n");
            }
        }
        for dialect in ["rfc9309", "google", "draft2019", "koster1996"] {
            let page = page_of(&body, &format!("-d {dialect} --reading bridge-encodings"));
            let page = format!("{page}{}", page_of(&body, &format!("-d {dialect}")));
            for raw in ["<script", "<img", "<svg/", "<!--", "]]>"] {
                assert!(!page.contains(raw), "{raw}");
            }
            assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
        }
    }
}

#[test]
fn nothing_of_a_hostile_argument_comes_through() {
    let hostile = "</title><script>x</script>";
    let path = file("report-<b>.txt", "User-agent: *\nDisallow: /\n");
    let name = path.to_str().unwrap();
    let arguments = [
        "report",
        name,
        "-o",
        "-",
        "-d",
        "google",
        "--token",
        hostile,
        "--url",
        "/</title><script>x</script>",
        "--url",
        "/\u{202e}\"'<b>",
    ];
    let said = verger(arguments, "");
    assert_eq!(said.code, 0);
    assert!(said.stderr.starts_with("note: no user-agent line can name"));
    let page = said.stdout;
    assert_safe(&page);
    assert!(!page.contains("<b>") && !page.contains("<script"));
    assert!(page.contains("report-&lt;b&gt;.txt"));
}

#[test]
fn a_page_has_a_bound_and_says_what_it_leaves_out() {
    let page = page_of("no colon\n".repeat(5001), "");
    assert!(page.contains("<tr id=\"L5000\"") && !page.contains("<tr id=\"L5001\""));
    assert!(
        page.contains("<p class=\"cut\">1 line more not shown</p>"),
        "lines"
    );
    assert!(page.contains("<details><summary>4920 more lines</summary>"));
    let page = page_of("no colon\n".repeat(120), "");
    assert!(!page.contains("more lines</summary>"));
    assert!(!page.contains("class=\"cut\""));
    let page = page_of(format!("#{}\n", "é".repeat(1000)), "");
    assert!(page.contains("<span class=\"cut\"> … 1 more bytes</span>"));
    let page = page_of(format!("#{}\n", "e".repeat(1999)), "");
    assert!(!page.contains("class=\"cut\""));
    // A rule after the last line that is shown is named without a link.
    let body = format!("User-agent: *\n{}Disallow: /\n", "\n".repeat(5000));
    assert!(page_of(body, "-a GPTBot").contains("; disallowed by line 5002</td>"));
}

fn written(name: &str) -> std::path::PathBuf {
    let store = new_store(name);
    let mut past = Past::of("https://h.example/", &store);
    past.body(day(1), BODY);
    past.status(day(2), 503);
    past.status(day(3), 404);
    for number in 4..16 {
        past.body(
            day(number),
            format!("User-agent: *\nDisallow: /{number}<b>\n"),
        );
    }
    store
}

#[test]
fn the_page_of_a_site_has_its_access_and_its_history() {
    let store = written("report");
    let at = day(15) + 60;
    let said = on_store(&store, &format!("report h.example -o - --at @{at}"));
    let page = said.quietly(0);
    assert_safe(&page);
    for part in [
        "<dt>Request</dt><dd>https://h.example/robots.txt: status 200</dd>",
        "<dt>As of</dt><dd>2026-10-06 14:14:20 UTC</dd>",
        "<dt>Access result</dt><dd>successful (status 200) (RFC 9309, 2.3.1.1)</dd>",
        "<dt>Fetch again at</dt><dd>2026-10-07 14:13:20 UTC</dd>",
        "13 successful, 1 unavailable, 1 unreachable; the body changed 12 times",
        "<h1>robots.txt: https://h.example, 2026-10-06</h1>",
        "<span>successful: 13</span><svg class=\"bar\" ",
        "<h3>2026-10-06: +1 −1 lines</h3>\n<p class=\"soft\">2026-10-06 14:13:20 UTC, status 200.</p>",
        "<span class=\"removed\">-Disallow: /14&lt;b&gt;</span>\n\
         <span class=\"added\">+Disallow: /15&lt;b&gt;</span>\n",
        "<p class=\"cut\">2 earlier changes not shown</p>",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert_fits_narrow_screens("site", &page);
    assert_eq!(page.matches("<h3>").count(), 10);
    assert_eq!(page.matches("<rect class=\"change\"").count(), 12);
}

#[test]
fn a_stance_without_rules_is_said_of_all_crawlers_at_once() {
    let store = written("report-stance");
    for (time, verdict, told) in [
        (day(2), "disallowed", "Copy"),
        (
            day(3),
            "allowed",
            "Every crawler may fetch everything: no robots.txt applies.",
        ),
        (
            day(15) + 86_401,
            "disallowed",
            "No crawler may fetch anything for now",
        ),
    ] {
        let arguments = format!("report h.example -o - --url /private/x --at @{time}");
        let page = on_store(&store, &arguments).quietly(0);
        assert_safe(&page);
        let row = &rows(&page, "verdicts")[1];
        assert!(row.contains(&format!(" {verdict} ")), "{row}");
        if told == "Copy" {
            assert!(page.contains("<dt>Last good copy</dt><dd>2026-09-22 14:13:20 UTC</dd>"));
            assert!(rows(&page, "crawlers").len() > 10);
        } else {
            assert!(page.contains(told), "{told}");
            assert!(!page.contains("<section id=\"crawlers\""));
        }
    }
}

#[test]
fn a_site_is_fetched_where_that_is_due() {
    let (server, store) = (Server::saying(robots(BODY)), new_store("report-web"));
    let path = store.with_file_name("report.html");
    let arguments = format!("report {} -o {}", server.url("/x"), path.display());
    assert_eq!(on_web(&store, &arguments).quietly(0), "");
    let page = fs::read_to_string(&path).unwrap();
    assert_safe(&page);
    assert!(page.contains("1 successful; the body changed 0 times"));
    server.say(reply("404 Not Found", "", ""));
    assert_eq!(on_web(&store, &arguments).quietly(0), "");
    assert_eq!(server.requests().len(), 1);
    let refreshed = on_web(&store, &format!("{arguments} --refresh"));
    assert_eq!(refreshed.quietly(0), "");
    let page = fs::read_to_string(&path).unwrap();
    assert!(page.contains("1 successful, 1 unavailable"));
    assert!(page.contains("Every crawler may fetch everything: no robots.txt applies."));
}

#[test]
fn what_cannot_be_shown_is_refused() {
    let store = written("report-refused");
    let said = on_store(&store, "report other.example -o - --offline");
    let error = "error: the store has nothing about https://other.example\n\
                 help: leave out `--offline` and `--at` to fetch it\n";
    assert_eq!(
        (said.stdout.as_str(), said.stderr.as_str(), said.code),
        ("", error, 3)
    );
    let elsewhere = "report h.example -o - --at @1790700000 --url https://x.example/";
    let said = on_store(&store, elsewhere).refused();
    assert!(
        said.contains("does not belong to https://h.example"),
        "{said}"
    );
    for (arguments, why) in [
        (
            "report - -o - --profile google",
            "`--profile` has no effect on a file",
        ),
        ("report missing.txt -o -", "there is no such file"),
        (
            "report - -o nowhere/at/all.html",
            "cannot write `nowhere/at/all.html`",
        ),
        ("report - -o - --url h.example", "h.example"),
    ] {
        let said = verger_on("", arguments).refused();
        assert!(said.contains(why), "{said}");
    }
    assert!(verger_on("", "report -").refused().contains("--output"));
}
