//! May a crawler index a page: one test for each row of the table of states.
#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};
use verger::TargetPath;
use verger_access::Timestamp;
use verger_answer::{
    CheckedFile, CrawlerQuery, Explaining, PageFacts, ReadAs, Readings, ResponseHead,
};

const ROBOTS: &str = "User-agent: *\nDisallow: /closed\n";

fn page(name: &str, path: &str, facts: &PageFacts) -> Value {
    let read_as = ReadAs::default();
    let crawler = CrawlerQuery::Name(name.to_owned())
        .resolve(read_as)
        .unwrap()
        .remove(0);
    let reading = crawler.reading(read_as.reading());
    let file = CheckedFile::new(
        ROBOTS.into(),
        &Readings::new(reading, Explaining::No),
        &[crawler],
    );
    let target = TargetPath::new(path, reading).unwrap();
    let at = Timestamp::from_unix_seconds(1_795_000_000);
    let answer = file
        .answer(0, path.as_bytes(), &target)
        .with_page(facts, at);
    let line = serde_json::to_value(&answer).unwrap();
    assert_eq!(
        line["allowed"],
        json!(path != "/closed"),
        "a page never changes `allowed`"
    );
    line["page"].clone()
}

fn response(text: &str) -> PageFacts {
    PageFacts::of_response(ResponseHead::parse(text.as_bytes()).unwrap().0)
}

fn of(page: &Value) -> [&str; 3] {
    ["state", "reason", "because"].map(|key| page[key].as_str().unwrap())
}

#[test]
fn robots_txt_decides_before_the_page() {
    for facts in [
        response("HTTP/1.1 200 OK\nX-Robots-Tag: noindex\n\n"),
        response("HTTP/1.1 404 Not Found\n\n"),
        PageFacts::not_fetched("nobody asked"),
        PageFacts::failed("the connection was reset"),
    ] {
        let page = page("googlebot", "/closed", &facts);
        let because =
            "robots.txt disallows it (line 2: Disallow: /closed), so no directive is seen";
        assert_eq!(of(&page), ["unseen", "robots-txt", because]);
        assert_eq!([&page["indexable"], &page["status"]], [&Value::Null; 2]);
        for directive in page["directives"].as_array().unwrap() {
            assert_eq!(directive["applies"], json!(false));
        }
    }
}

#[test]
fn the_response_decides_before_its_directives() {
    for (facts, expected) in [
        (
            PageFacts::not_fetched("nobody asked"),
            [
                "unknown",
                "not-fetched",
                "the page was not fetched: nobody asked",
            ],
        ),
        (
            PageFacts::failed("reset"),
            [
                "unknown",
                "fetch-failed",
                "the page could not be fetched: reset",
            ],
        ),
        (
            response("HTTP/2 301\nlocation: /b\nx-robots-tag: noindex\n\n"),
            ["not-indexed", "redirect", "status 301 redirects to /b"],
        ),
        (
            response("HTTP/2 301\n\n"),
            ["not-indexed", "status", "status 301"],
        ),
        (
            response("HTTP/2 304\n\n"),
            ["unknown", "status", "status 304"],
        ),
        (
            response("HTTP/2 404\n\n"),
            ["not-indexed", "status", "status 404"],
        ),
        (
            response("HTTP/2 429\n\n"),
            ["unknown", "status", "status 429"],
        ),
        (
            response("HTTP/2 503\nX-Robots-Tag: noindex\n\n"),
            ["unknown", "status", "status 503"],
        ),
        (
            response("HTTP/2 204\n\n"),
            ["not-indexed", "status", "status 204"],
        ),
        (
            response("HTTP/2 200\n\n"),
            ["indexable", "no-directive", "no directive forbids it"],
        ),
    ] {
        assert_eq!(of(&page("bingbot", "/open", &facts)), expected);
    }
}

#[test]
fn a_directive_is_told_with_its_place() {
    let mut facts = response(
        "HTTP/1.1 200 OK\nX-Robots-Tag: otherbot: none\nx-robots-tag: GoogleBot: max-snippet: 20\n\n",
    );
    facts.add_meta("googlebot-news", "noindex", 7, true);
    facts.add_meta("description", "follow the white rabbit", 8, true);
    let web = page("googlebot", "/open", &facts);
    assert_eq!(of(&web)[0], "indexable");
    assert_eq!(
        (&web["max_snippet"], &web["ai_input"]),
        (&json!(20), &json!("snippet"))
    );
    let news = page("googlebot-news", "/open", &facts);
    assert_eq!(
        of(&news),
        [
            "not-indexed",
            "directive",
            "noindex (meta for googlebot-news, line 7)"
        ]
    );
    let directives = json!([
        {"name": "none", "value": null, "agent": "otherbot", "source": "x-robots-tag", "line": 2, "applies": false},
        {"name": "max-snippet", "value": "20", "agent": "googlebot", "source": "x-robots-tag", "line": 3, "applies": true},
        {"name": "noindex", "value": null, "agent": "googlebot-news", "source": "meta", "line": 7, "applies": true},
    ]);
    assert_eq!(news["directives"], directives);
}

#[test]
fn the_conventions_differ_and_both_are_told() {
    let mut facts = response("HTTP/1.1 200 OK\nRobots-Tag: *;noindex\n\n");
    let google = page("googlebot", "/open", &facts);
    assert_eq!(of(&google)[0], "indexable");
    assert_eq!(
        [&google["convention"], &google["otherwise"]],
        ["google", "not-indexed"]
    );
    let bing = page("bingbot", "/open", &facts);
    assert_eq!(
        of(&bing),
        ["not-indexed", "directive", "noindex (Robots-Tag, line 2)"]
    );
    assert_eq!(
        [&bing["convention"], &bing["otherwise"]],
        ["repext", "indexable"]
    );

    facts.add_meta("robots", "noindex", 1, true);
    assert_eq!(of(&page("adsbot-google", "/open", &facts))[0], "indexable");
    facts.add_meta("AdsBot-Google", "noindex", 2, true);
    assert_eq!(
        of(&page("adsbot-google", "/open", &facts))[0],
        "not-indexed"
    );
}

#[test]
fn a_page_is_not_indexed_after_its_date() {
    for (date, state) in [
        ("25 Jun 2010 15:00:00 PST", "not-indexed"),
        ("Fri, 25 Jun 2010 15:00:00 PST", "not-indexed"),
        ("2100-01-01", "indexable"),
        ("9999999", "indexable"),
    ] {
        let facts = response(&format!(
            "HTTP/1.1 200\nX-Robots-Tag: unavailable_after: {date}, nofollow\n\n"
        ));
        assert_eq!(of(&page("googlebot", "/open", &facts))[0], state, "{date}");
        assert_eq!(facts.directives().iter().count(), 2);
    }
}

#[test]
fn values_that_are_recorded_only_have_their_place() {
    let mut facts = response(
        "HTTP/1.1 200 OK\nTDM-Reservation: 1\nLink: </a>; rel=next, <https://l.example/x>; rel=\"license\"\nContent-Usage: train-ai=n\n\n",
    );
    facts.add_meta("tdm-policy", "https://p.example/", 3, true);
    facts.add_link("License", "/rsl.xml", 4, true);
    facts.add_meta("tdm-reservation", "1", 0, true);
    let recorded = page("googlebot", "/open", &facts)["recorded"].clone();
    assert_eq!(
        recorded,
        json!([
            {"name": "tdm-reservation", "value": "1", "source": "header", "line": 2},
            {"name": "license", "value": "https://l.example/x", "source": "header", "line": 3},
            {"name": "content-usage", "value": "train-ai=n", "source": "header", "line": 4},
            {"name": "tdm-policy", "value": "https://p.example/", "source": "meta", "line": 3},
            {"name": "license", "value": "/rsl.xml", "source": "link", "line": 4},
            {"name": "tdm-reservation", "value": "1", "source": "meta", "line": null},
        ])
    );
}

#[test]
fn a_line_that_is_not_known_is_left_out() {
    let mut facts = response("HTTP/1.1 200 OK\n\n");
    facts.add_meta("robots", "noindex", 0, true);
    let page = page("googlebot", "/open", &facts);
    assert_eq!(of(&page), ["not-indexed", "directive", "noindex (meta)"]);
    assert_eq!(page["directives"][0]["line"], Value::Null);
}

#[test]
fn a_head_is_read_as_curl_prints_it() {
    let text = "HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n\
                HTTP/1.1 302 Found\r\nX-Robots-Tag: noindex,\r\n  nofollow\r\nno field\r\nLocation:  /b \r\n\r\n<p>";
    let (head, rest) = ResponseHead::parse(text.as_bytes()).unwrap();
    assert_eq!((head.status, rest), (302, &b"<p>"[..]));
    let field = head.fields_named("x-robots-tag").next().unwrap();
    assert_eq!((&*field.value, field.line), (&b"noindex, nofollow"[..], 7));
    assert_eq!(head.values("LOCATION").next().unwrap(), b"/b");
    for (text, error) in [
        (
            "",
            "not a response head: expected a status line such as `HTTP/1.1 200 OK`, found ``",
        ),
        (
            "<!doctype html>\u{1b}[2J",
            "not a response head: expected a status line such as `HTTP/1.1 200 OK`, found `<!doctype html>\\x1b[2J`",
        ),
        (
            "HTTP/1.1 20\n",
            "not a response head: expected a status line such as `HTTP/1.1 200 OK`, found `HTTP/1.1 20`",
        ),
    ] {
        let found = ResponseHead::parse(text.as_bytes())
            .unwrap_err()
            .to_string();
        assert_eq!(found, error);
    }
    let long = format!("HTTP/1.1 200 OK\n{}", "a: b\n".repeat(1 << 18));
    assert!(ResponseHead::parse(long.as_bytes()).is_err());
}

#[test]
fn a_page_that_is_read_in_part_may_have_a_directive() {
    let cut = [
        "unknown",
        "page-cut",
        "only the start was read, and no directive there forbids it",
    ];
    let mut facts = response("HTTP/1.1 200 OK\n\n");
    facts.set_cut();
    assert_eq!(of(&page("googlebot", "/open", &facts)), cut);
    facts.add_meta("robots", "noindex", 2, true);
    let state = page("googlebot", "/open", &facts)["state"].clone();
    assert_eq!(state, "not-indexed");

    let fields = |count: usize| "X-Robots-Tag: nofollow\n".repeat(count);
    let of_fields = |count| {
        let facts = response(&format!("HTTP/1.1 200 OK\n{}\n", fields(count)));
        page("bingbot", "/open", &facts)["reason"].clone()
    };
    assert_eq!(
        [of_fields(1_000), of_fields(1_001)],
        ["no-directive", "page-cut"]
    );
}

#[test]
fn a_page_without_its_html_is_unknown_unless_a_header_decides() {
    let answer = |set: fn(&mut PageFacts), fields: &str| {
        let mut facts = response(&format!("HTTP/1.1 200 OK\n{fields}\n"));
        set(&mut facts);
        page("googlebot", "/open", &facts)
    };
    let not_given = answer(PageFacts::set_html_not_given, "X-Robots-Tag: nosnippet\n");
    let because = "the HTML was not given, and no header forbids it";
    assert_eq!(of(&not_given), ["unknown", "html-not-given", because]);
    assert_eq!(not_given["max_snippet"], 0);
    let compressed = answer(PageFacts::set_html_compressed, "");
    let because = "the body is compressed: give it decoded, as `curl --compressed` saves it";
    assert_eq!(of(&compressed), ["unknown", "html-compressed", because]);
    for set in [
        PageFacts::set_html_not_given,
        PageFacts::set_html_compressed,
    ] {
        let decided = answer(set, "X-Robots-Tag: noindex\n");
        assert_eq!(of(&decided)[..2], ["not-indexed", "directive"]);
    }
}

#[test]
fn an_answer_has_no_long_text_of_the_page() {
    let long = "x".repeat(20_000);
    let facts = response(&format!(
        "HTTP/1.1 200 OK\nX-Robots-Tag: {long}: {long}{}\nX-Robots-Tag: unavailable_after: {long}\n\n",
        ", a".repeat(500)
    ));
    let page = page("googlebot", "/open", &facts);
    assert!(page["directives"].as_array().unwrap().len() > 2);
    assert!(page.to_string().len() < 400_000);

    // A redirect is followed by its whole target.
    let facts = response(&format!("HTTP/1.1 301 Moved\nLocation: /{long}\n\n"));
    let page = self::page("googlebot", "/open", &facts);
    assert_eq!(page["location"], format!("/{long}"));
}
