//! The page about a robots.txt.

use std::fs;

use verger_answer::text::base64;
use verger_crawlers::{Purpose, Registry};
use verger_store::BodyHash;

use crate::narrow::assert_fits_narrow_screens;
use crate::past::{Past, day};
use crate::server::{Server, new_store, on_store, on_web, reply, robots};
use crate::verger::{file, verger, verger_on};

/// The elements that a page may have, each with its attributes.
const ELEMENTS: [(&str, &[&str]); 34] = [
    ("html", &["lang"]),
    ("head", &[]),
    ("meta", &["charset", "http-equiv", "content", "name"]),
    ("title", &["id"]),
    ("style", &[]),
    ("body", &[]),
    ("header", &[]),
    ("main", &[]),
    ("nav", &["aria-label"]),
    ("section", &["id", "aria-labelledby"]),
    ("h1", &[]),
    ("h2", &["id"]),
    ("h3", &[]),
    ("p", &["class"]),
    ("a", &["href"]),
    ("table", &["class"]),
    ("caption", &[]),
    ("thead", &[]),
    ("tbody", &[]),
    ("tr", &["id", "class"]),
    ("th", &["scope", "class", "rowspan"]),
    ("td", &["class", "data-label"]),
    ("div", &["class", "tabindex"]),
    ("span", &["class"]),
    ("code", &[]),
    ("pre", &[]),
    ("dl", &[]),
    ("dt", &[]),
    ("dd", &[]),
    ("svg", &["viewBox", "role", "aria-labelledby"]),
    ("text", &["x", "y"]),
    ("rect", &["class", "x", "y", "width", "height"]),
    ("path", &["class", "d"]),
    ("line", &["x1", "y1", "x2", "y2"]),
];

/// Fails if a page has a foreign element or attribute, if elements are not closed in order, or if a character could
/// harm a reader.
#[track_caller]
fn assert_safe(page: &str) {
    let rest = page.strip_prefix("<!DOCTYPE html>\n").unwrap();
    let style = rest.find("<style>").unwrap()..rest.find("</style>").unwrap();
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
            assert!(name != "href" || pair[1].starts_with('#'), "<{tag}>");
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
            "/c googlebot (as Google reads it) ✕ disallowed line 3: disallow: /c",
            "/c gptbot ✓ allowed no rule matches",
        ]
    );
    assert_eq!(
        rows(&page, "crawlers")[1..3],
        [
            "googlebot (as Google reads it) ◐ some rules: 2 Disallow *, line 1",
            "gptbot ◐ some rules: 1 Disallow *, line 1",
        ]
    );
    let stated = page_of(body, &format!("{arguments} -d rfc9309"));
    assert_eq!(
        rows(&stated, "verdicts")[1],
        "/c googlebot ✓ allowed no rule matches"
    );
}

#[test]
fn a_page_says_what_each_crawler_may_fetch() {
    let page = page_of(BODY, "-a GPTBot -a AhrefsBot --token x");
    let rows = rows(&page, "crawlers");
    assert_eq!(
        rows[..4],
        [
            "Crawler Disallowed Applies by",
            "GPTBot ✕ everything GPTBot, line 7",
            "AhrefsBot ✓ nothing AhrefsBot, line 9",
            "x ◐ some rules: 1 Disallow, 1 Allow *, line 2",
        ]
    );
    let of_training = rows.iter().position(|row| row.starts_with("ai-train "));
    let row = &rows[of_training.unwrap()];
    assert_eq!(row, "ai-train ✕ everything GPTBot, line 7 1: gptbot");
}

#[test]
fn a_page_fits_the_screen_of_a_telephone() {
    let long = "x".repeat(300);
    let arguments = format!("-a GPTBot --token x --url /private/{long} --url /?{long}");
    let page = page_of(format!("{BODY}Disallow: /{long}\n{long}\n"), &arguments);
    assert_fits_narrow_screens("report", &page);
}

#[test]
fn a_page_lists_what_lints_find() {
    let rows = rows(&page_of(BODY, ""), "lint");
    assert_eq!(rows[0], "Severity Where What Lint");
    let misspelt = rows.iter().find(|row| row.ends_with("misspelt-key"));
    assert!(
        misspelt.unwrap().starts_with("◐ warning line 12 "),
        "{rows:?}"
    );
    let clean = page_of("User-agent: *\nDisallow: /private\n", "");
    assert!(clean.contains("<p>✓ No lint findings.</p>"));
    // Messages repeat what a file says.
    let hostile = page_of("User-agent: *\nDisallow: <script>alert(1)</script>\n", "");
    assert!(hostile.contains("<code>missing-leading-slash</code>") && !hostile.contains("<script"));
    let groups = (0..400).map(|n| format!("User-agent: n{n}\nDisallow: /a\n"));
    let many = page_of(groups.collect::<String>().repeat(2), "");
    assert!(many.contains("more lint findings not listed</p>"));
}

#[test]
fn a_page_has_a_square_for_each_crawler_by_purpose() {
    let page = page_of(
        "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /a\n",
        "",
    );
    let of_purpose = Registry::bundled().by_purpose(Purpose::AiTrain);
    let count = of_purpose.filter(|it| !it.is_retired()).count();
    assert!(page.contains(&format!(">AI training ({count})</text>")));
    // The groups of `*` do not bind all of the others.
    assert!(page.contains("AI training: everything for 1, some for "));
    // One square of the legend, and GPTBot's of each of its purposes.
    let full = page.matches("class=\"all full\"").count();
    let gptbot = Registry::bundled().by_name("gptbot").unwrap();
    assert_eq!(full, 1 + gptbot.purposes().len());
    let empty = page_of("", "");
    assert!(empty.contains(&format!("AI training: nothing for {count} disallowed")));
}

#[test]
fn a_page_has_all_crawlers_in_use_by_purpose() {
    let page = page_of(BODY, "");
    let rows = rows(&page, "crawlers");
    for purpose in Purpose::ALL {
        let in_use = Registry::bundled().by_purpose(*purpose);
        let in_use = in_use.filter(|known| !known.is_retired()).count();
        let start = format!("{purpose} ");
        let of_purpose = rows.iter().skip_while(|row| !row.starts_with(&start));
        let names = Purpose::ALL.iter().filter(|other| *other != purpose);
        let names: Vec<_> = names.map(|name| format!("{name} ")).collect();
        let is_other = |row: &String| names.iter().any(|name| row.starts_with(name));
        let counts = of_purpose.take_while(|row| !is_other(row)).map(|row| {
            let before = row.split_once(": ").map(|(before, _)| before).unwrap();
            // `some rules: ` has a colon of its own.
            let before = if before.ends_with("some rules") {
                row.rsplit_once(": ").unwrap().0
            } else {
                before
            };
            let number = before.rsplit(' ').next().unwrap();
            number.parse::<usize>().unwrap()
        });
        assert_eq!(counts.sum::<usize>(), in_use, "{purpose}");
    }
}

#[test]
fn a_page_shows_the_file_with_what_was_ignored_beside_its_line() {
    let page = page_of(BODY, "");
    assert_eq!(
        rows(&page, "findings"),
        [
            "Where What Source",
            "line 12 the key is unknown, so the line is ignored. Google reads it as `disallow` \
             Verger&#39;s choice 16",
            "line 13 the line has no colon and is ignored RFC 9309, 2.3.1.5",
        ]
    );
    let lines = rows(&page, "file");
    assert_eq!(lines[1], "1 # for all");
    assert_eq!(lines[3], "3 1 Disallow: /private/");
    assert_eq!(lines[7], "7 2 Disallow: /");
    assert_eq!(
        lines[13],
        "13 no colon↳ the line has no colon and is ignored"
    );
    // A sitemap is for all crawlers, in whatever group it is.
    assert_eq!(lines[14], "14 Sitemap: https://h.example/s.xml");
    assert!(page.contains(
        "<tr id=\"L3\" class=\"odd\"><th scope=\"row\" class=\"n\">3</th><td class=\"g\">1</td>\
         <td><span class=\"key\">Disallow</span>: <span class=\"disallow\">/private/</span></td></tr>"
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
            "/private/press/1 GPTBot ✕ disallowed line 7: disallow: /",
            "/private/press/1 x ✓ allowed line 4: allow: /private/press/",
            "https://h.example/ GPTBot ✕ disallowed line 7: disallow: /",
            "https://h.example/ x ✓ allowed no rule matches",
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
fn a_page_loads_nothing_and_its_style_is_named_by_its_hash() {
    let page = page_of(BODY, "");
    let (start, end) = (
        page.find("<style>").unwrap() + 7,
        page.find("</style>").unwrap(),
    );
    let hash = base64(BodyHash::new(&page.as_bytes()[start..end]).bytes());
    let policy = format!(
        "content=\"default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; \
         form-action 'none'\""
    );
    assert!(page.contains(&policy));
    for loading in ["url(", "@import", "src=", "=\"http"] {
        assert!(!page.contains(loading), "{loading}");
    }
}

#[test]
fn a_page_has_a_bound_and_says_what_it_leaves_out() {
    let page = page_of("no colon\n".repeat(5001), "");
    assert!(page.contains("<tr id=\"L5000\"") && !page.contains("<tr id=\"L5001\""));
    assert!(
        page.contains("<p class=\"cut\">1 line more not shown</p>"),
        "lines"
    );
    assert!(page.contains("<p class=\"cut\">4801 more findings not listed</p>"));
    let page = page_of("no colon\n".repeat(200), "");
    assert!(!page.contains("class=\"cut\""));
    let page = page_of(format!("#{}\n", "é".repeat(1000)), "");
    assert!(page.contains("<span class=\"cut\"> … 1 more bytes</span>"));
    let page = page_of(format!("#{}\n", "e".repeat(1999)), "");
    assert!(!page.contains("class=\"cut\""));
    // A rule after the last line that is shown is named without a link.
    let body = format!("User-agent: *\n{}Disallow: /\n", "\n".repeat(5000));
    assert!(page_of(body, "").contains("<code>*</code>, line 5002</td>"));
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
        "<text x=\"0\" y=\"40\">successful</text><rect class=\"successful\" ",
        "<h3>2026-10-06 14:13:20 UTC: status 200, +1 −1 lines</h3>",
        "<span class=\"disallow\">-Disallow: /14&lt;b&gt;</span>\n\
         <span class=\"allow\">+Disallow: /15&lt;b&gt;</span>\n",
        "<p class=\"cut\">2 earlier changes not shown</p>",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert_fits_narrow_screens("site", &page);
    assert_eq!(page.matches("<h3>").count(), 10);
    assert_eq!(page.matches("<path class=\"change\"").count(), 12);
}

#[test]
fn a_stance_without_rules_is_said_of_all_crawlers_at_once() {
    let store = written("report-stance");
    for (time, verdict, told) in [
        (day(2), "disallowed", "Copy"),
        (
            day(3),
            "allowed",
            "✓ Nothing is disallowed</span> for any crawler",
        ),
        (
            day(15) + 86_401,
            "disallowed",
            "◐ Nothing may be fetched for now",
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
            assert_eq!(rows(&page, "crawlers"), [""; 0]);
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
    assert!(page.contains("✓ Nothing is disallowed</span> for any crawler"));
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
