//! `/v1/page`: a page that is given, and one that is fetched.

use serde_json::{Value, json};

use vergerd::Given;

use crate::api::{Answer, Api, local};
use crate::site::Site;

const ROBOTS: &str = "User-agent: *\nDisallow: /closed\nUser-agent: Verger\nDisallow: /\n\
    User-agent: vergerd\nDisallow: /not-for-vergerd\nUser-agent: fleetbot\nDisallow: /not-for-fleetbot\n";

async fn ask(api: &Api, question: &Value) -> Answer {
    api.post(
        "/v1/page?agent=bingbot",
        "application/json",
        question.to_string(),
    )
    .await
}

/// Returns state, reason and sentence of the answer.
async fn page(api: &Api, question: &Value) -> [String; 3] {
    let answer: Value = ask(api, question).await.is_ok().json();
    ["state", "reason", "because"].map(|key| answer["page"][key].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn a_given_page_is_joined_with_the_robots_txt_of_its_site() {
    let (site, api) = (Site::with(ROBOTS).await, Api::local());
    let head = "HTTP/2 200\nx-robots-tag: googlebot: noindex\ncontent-type: text/html\n\n";
    let html = "<title>A</title>\n<meta name=msnbot content=none>\n<body><meta name=robots content=noindex>";
    let open = json!({"url": site.url("/a"), "head": head, "html": html});
    assert_eq!(
        page(&api, &open).await,
        ["not-indexed", "directive", "none (meta for msnbot, line 2)"]
    );
    let own = json!({"url": site.url("/a"), "agent": "googlebot", "head": head});
    assert_eq!(
        page(&api, &own).await[2],
        "noindex (X-Robots-Tag for googlebot, line 2)"
    );
    let html_only = json!({"url": site.url("/a"), "html": "<p>"});
    assert_eq!(
        page(&api, &html_only).await[..2],
        ["indexable", "no-directive"]
    );

    let head_only = json!({"url": site.url("/a"), "head": head});
    assert_eq!(
        page(&api, &head_only).await[..2],
        ["unknown", "html-not-given"]
    );
    // A string in JSON is decoded already.
    let head = "HTTP/2 200\ncontent-type: text/html; charset=utf-16\n\n";
    let decoded = json!({"url": site.url("/a"), "head": head, "html": html});
    assert_eq!(
        page(&api, &decoded).await[..2],
        ["not-indexed", "directive"]
    );

    let closed = json!({"url": site.url("/closed/a"), "head": head, "html": html});
    let answer: Value = ask(&api, &closed).await.is_ok().json();
    assert_eq!(
        (&answer["allowed"], &answer["page"]["state"]),
        (&json!(false), &json!("unseen"))
    );
    assert_eq!(answer["page"]["indexable"], Value::Null);
    assert_eq!(site.requests(), 1, "only the robots.txt is fetched");
}

#[tokio::test]
async fn a_page_is_fetched_once_and_under_the_servers_own_name() {
    let (site, api) = (Site::with(ROBOTS).await, Api::local());
    site.reply("/a", "200 OK\r\nX-Robots-Tag: noindex", "<p>");
    site.reply("/moved", "301 Moved Permanently\r\nLocation: /a", "");
    site.reply("/down", "503 Service Unavailable", "");
    site.reply(
        "/meta",
        "200 OK\r\nContent-Type: text/html",
        "<meta name=robots content=noindex>",
    );
    for (path, state, reason) in [
        ("/a", "not-indexed", "directive"),
        ("/meta", "not-indexed", "directive"),
        ("/moved", "not-indexed", "redirect"),
        ("/down", "unknown", "status"),
        ("/missing", "not-indexed", "status"),
    ] {
        let found = page(&api, &json!({"url": site.url(path)})).await;
        assert_eq!(found[..2], [state, reason], "{path}: {}", found[2]);
    }
    assert_eq!(site.requests(), 6);
    for (path, state, reason) in [
        ("/closed/a", "unseen", "robots-txt"),
        ("/not-for-vergerd", "unknown", "not-fetched"),
    ] {
        let found = page(&api, &json!({"url": site.url(path)})).await;
        assert_eq!(found[..2], [state, reason], "{path}: {}", found[2]);
    }
    // The server may fetch what the crawler may not, but nothing that is disallowed to itself.
    assert_eq!(site.requests(), 7);
}

#[tokio::test]
async fn robots_txt_is_asked_about_the_product_in_the_servers_user_agent() {
    let site = Site::with(ROBOTS).await;
    let header = "Mozilla/5.0 (compatible; FleetBot/2.0; +https://fleet.example/bot)";
    let api = Api::with(Given {
        user_agent: Some(header.to_owned()),
        ..local()
    });
    for path in ["/not-for-vergerd", "/not-for-fleetbot"] {
        site.reply(path, "200 OK", "");
    }
    for (path, state, because) in [
        ("/not-for-vergerd", "indexable", "no directive forbids it"),
        (
            "/not-for-fleetbot",
            "unknown",
            "the page was not fetched: robots.txt does not let this program fetch it (disallowed by line 8)",
        ),
    ] {
        let found = page(&api, &json!({"url": site.url(path)})).await;
        assert_eq!([&found[0], &found[2]], [state, because], "{path}");
    }
    assert_eq!(site.requests(), 2);
}

#[tokio::test]
async fn a_turn_that_comes_too_late_is_a_problem_at_once() {
    let site = Site::with("User-agent: *\nCrawl-delay: 600\n").await;
    let (api, question) = (Api::local(), json!({"url": site.url("/")}));
    site.reply("/", "200 OK", "");
    assert_eq!(page(&api, &question).await[0], "indexable");
    let answer = ask(&api, &question).await;
    answer.is_problem(503, "fetch");
    assert!(
        answer.text.contains("wait of more than 30 s"),
        "{}",
        answer.text
    );
    assert_eq!(site.requests(), 2);
}

#[tokio::test]
async fn a_question_that_cannot_be_answered_is_a_problem() {
    let (site, api) = (Site::with(ROBOTS).await, Api::local());
    let url = site.url("/a");
    ask(&api, &json!({"head": ""}))
        .await
        .is_problem(400, "json");
    ask(&api, &json!({"url": "/a"}))
        .await
        .is_problem(400, "url");
    ask(&api, &json!({"url": url, "agent": "no such crawler"}))
        .await
        .is_problem(400, "agent");
    let answer = ask(&api, &json!({"url": url, "head": "<!doctype html>"})).await;
    answer.is_problem(400, "head");
    assert!(
        answer.text.contains("not a response head"),
        "{}",
        answer.text
    );
    let text = api.post("/v1/page", "text/plain", "x").await;
    text.is_problem(415, "media-type");
    let asked = json!({"url": url}).to_string();
    api.post("/v1/page?at=2026-11-01", "application/json", asked)
        .await
        .is_problem(400, "parameter");
    assert_eq!(site.requests(), 1, "only the robots.txt is fetched");
}
