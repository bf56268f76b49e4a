//! Routes about URLs and files, with their problems.

use std::num::NonZeroU32;
use std::time::Duration;

use axum::body::Body;
use futures_util::StreamExt as _;
use futures_util::future::{join, join_all};
use http::Request;
use http::header::{ALLOW, AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE};
use serde_json::json;
use vergerd::Given;

use crate::api::{Api, local};
use crate::site::Site;

const ROBOTS: &str =
    "User-agent: *\nDisallow: /private\nCrawl-delay: 3\n\nUser-agent: gptbot\nDisallow: /\n";

const JSON: &str = "application/json";
const LINES: &str = "application/x-ndjson";
const TEXT: &str = "text/plain";

#[test]
fn the_committed_description_is_that_of_the_table() {
    let committed = include_str!("../../openapi.json");
    let advice = "renew it: cargo run -- --print-openapi > openapi.json";
    assert!(vergerd::openapi() == committed, "{advice}");
}

#[tokio::test]
async fn a_url_is_checked_and_explained() {
    let (site, api) = (Site::with(ROBOTS).await, Api::local());
    for (agent, path, allowed, line) in [
        ("", "/public", true, None),
        ("", "/private/a", false, Some(2)),
        ("&agent=gptbot", "/public", false, Some(6)),
        ("&agent=%2A&profile=google", "/private/a", false, Some(2)),
    ] {
        let uri = format!("/v1/check?url={}{agent}", site.url(path));
        let answer = api.get("/v1/check", &uri).await;
        let json = answer.is_ok().json();
        assert_eq!(
            (&json["allowed"], &json["line"]),
            (&json!(allowed), &json!(line)),
            "{uri}"
        );
    }
    let uri = format!("/v1/explain?url={}", site.url("/private/a"));
    let answer = api.get("/v1/explain", &uri).await;
    let json = answer.is_ok().json();
    assert_eq!(json["candidates"][0]["rule"], "Disallow: /private");
    assert_eq!(json["other_dialects"], json!([]));
    // One fetch for the default profile, and at most one more for this profile.
    assert!(site.requests() <= 2, "{}", site.requests());
}

#[tokio::test]
async fn answers_state_preferences_about_the_uses_of_the_content() {
    let robots = "User-agent: *\nContent-Signal: ai-train=no\nContent-Usage: /a search=y\nAllow: /\n\n\
                  User-agent: gptbot\nDisallow: /b\n";
    let (site, api) = (Site::with(robots).await, Api::local());
    let urls = [("/a", ""), ("/b", ""), ("/a", "&agent=gptbot")];
    let expected = [
        json!(["yes", "unstated", "no"]),
        json!(["unstated", "unstated", "no"]),
        json!([null, null, null]),
    ];
    for ((path, agent), expected) in urls.into_iter().zip(expected) {
        let uri = format!("/v1/check?url={}{agent}", site.url(path));
        let json = api.get("/v1/check", &uri).await.is_ok().json();
        let keys = ["search", "ai_input", "ai_train"];
        assert_eq!(
            json!(keys.map(|key| &json["preferences"][key])),
            expected,
            "{uri}"
        );
        assert_eq!(json.get("preferences").is_some(), agent.is_empty());
        let uri = format!("/v1/explain?url={}{agent}", site.url(path));
        let explained = api.get("/v1/explain", &uri).await.is_ok().json();
        assert_eq!(explained["preferences"], json["preferences"]);
    }
    let asked = format!("{{\"url\":\"{}\"}}\n", site.url("/a")).repeat(2);
    let answers = api.post("/v1/check", LINES, asked).await.is_ok().lines();
    assert_eq!(answers.len(), 2);
    for answer in answers {
        assert_eq!(
            answer["preferences"]["values"][1],
            json!({"line": 3, "kind": "content-usage", "key": "search", "value": "y"})
        );
    }
}

#[tokio::test]
async fn many_questions_have_their_answers_in_order_in_every_form() {
    let (site, api) = (Site::with(ROBOTS).await, Api::local());
    let (allowed, disallowed) = (site.url("/a"), site.url("/private"));
    let one = json!({"url": allowed, "agent": "gptbot"}).to_string();
    let answer = api.post("/v1/check", JSON, one.clone()).await;
    assert_eq!(answer.is_ok().json()["allowed"], false);
    let asked: Vec<_> = (0..70)
        .map(|nth| match nth % 3 {
            0 => json!({"url": allowed}),
            1 => json!({"url": disallowed, "id": 7}),
            _ => json!({"url": "mailto:a@b"}),
        })
        .collect();
    let is_right = |answers: &[serde_json::Value]| {
        assert_eq!(answers.len(), 70);
        for (answer, number) in answers.iter().zip(1..) {
            match number % 3 {
                1 => assert_eq!(answer["allowed"], true),
                2 => assert_eq!(answer["allowed"], false),
                _ => assert_eq!(
                    (&answer["code"], &answer["input_line"]),
                    (&json!("url"), &json!(number))
                ),
            }
        }
    };
    let answer = api.post("/v1/check", JSON, json!(asked).to_string()).await;
    is_right(answer.is_ok().json().as_array().unwrap());
    assert_eq!(api.post("/v1/check", JSON, "[]").await.is_ok().text, "[]");
    let lines: Vec<String> = asked.iter().map(ToString::to_string).collect();
    let lines = lines.join("\n");
    is_right(&api.post("/v1/check", LINES, lines).await.is_ok().lines());
    let urls = format!("{allowed}\n\n{disallowed}\nmailto:a@b\r\n");
    let answer = api
        .post("/v1/check", "Text/Plain; charset=utf-8", urls)
        .await;
    let words: Vec<_> = answer
        .is_ok()
        .text
        .lines()
        .map(|it| it.split('\t').next().unwrap())
        .collect();
    assert_eq!(words, ["allow", "disallow", "error"]);
    assert_eq!(site.requests(), 1);
}

#[tokio::test]
async fn lines_that_cannot_be_read_are_problems_with_their_numbers() {
    let (site, api) = (Site::with(ROBOTS).await, Api::local());
    let good = json!({"url": site.url("/a")});
    let long = "x".repeat(70_000);
    let body = format!("{{\n{long}\n\n{good}\n{{\"url\":1}}");
    let lines = api.post("/v1/check", LINES, body).await.is_ok().lines();
    let codes: Vec<_> = lines
        .iter()
        .map(|it| (it["code"].as_str(), it["input_line"].as_u64()))
        .collect();
    let expected = [
        (Some("json"), Some(1)),
        (Some("line"), Some(2)),
        (None, None),
        (Some("json"), Some(5)),
    ];
    assert_eq!(codes, expected);
    let answer = api
        .post("/v1/check", TEXT, format!("{long}\n{}", site.url("/a")))
        .await;
    let text = &answer.is_ok().text;
    assert!(
        text.starts_with("error\tline too long: ") && text.ends_with("\nallow\n"),
        "{text}"
    );
    let bytes = [site.url("/\u{fc}").as_bytes(), b"\xFF"].concat();
    let answer = api.post("/v1/check", TEXT, bytes).await;
    let text = &answer.is_ok().text;
    assert!(text.starts_with("error\tline is not UTF-8: "), "{text}");
}

/// Blank lines are ignored, and a client that sends nothing else times out.
#[tokio::test(start_paused = true)]
async fn blank_lines_are_silence() {
    let blank = futures_util::stream::repeat("\n").then(|line| async move {
        tokio::time::sleep(Duration::from_secs(1)).await;
        Ok::<_, std::io::Error>(line)
    });
    // The body ends after this many lines.
    let body = Body::from_stream(blank.take(1000));
    let lines = Api::local().post("/v1/check", LINES, body).await;
    let lines = lines.is_ok().lines();
    assert_eq!((lines.len(), &lines[0]["code"]), (1, &json!("silence")));
}

/// Some lines are answered and others rejected while an unknown site is fetched.
#[tokio::test]
async fn questions_about_files_leave_room_to_those_about_sites() {
    let (site, api) = (Site::with(ROBOTS).await, Api::local());
    let rules: Vec<_> = (0..4000).map(|it| format!("Disallow: /*{it}*x")).collect();
    let file = format!("User-agent: *\n{}", rules.join("\n"));
    let lints = (0..64).map(|_| api.post("/v1/lint", TEXT, file.clone()));
    let uri = format!("/v1/check?url={}", site.url("/a"));
    let asked = join(join_all(lints), api.get("/v1/check", &uri));
    let (lints, check) = asked.await;
    check.is_ok();
    let (answered, refused): (Vec<_>, Vec<_>) = lints.into_iter().partition(|it| it.status == 200);
    assert!(answered.len() >= 16 && !refused.is_empty());
    for it in refused {
        it.is_problem(503, "files");
    }
}

#[tokio::test]
async fn what_cannot_be_asked_is_a_problem() {
    let api = Api::with(Given {
        body_max: NonZeroU32::new(1000),
        ..local()
    });
    for (uri, code) in [
        ("/v1/check", "parameter"),
        ("/v1/check?url=http://h.example/%FF", "parameter"),
        ("/v1/check?url=/a", "url"),
        ("/v1/check?url=mailto:a@b", "url"),
        ("/v1/check?url=gopher://a.example/", "scheme"),
        ("/v1/check?url=http://h.example/&colour=1", "parameter"),
        (
            "/v1/check?url=http://h.example/&url=http://h.example/",
            "parameter",
        ),
        ("/v1/check?url=http://h.example/&agent=two%20words", "agent"),
        ("/v1/check?url=http://h.example/&agent=@ai-train", "agent"),
        ("/v1/check?url=http://h.example/&profile=none", "profile"),
        ("/v1/check?url=http://h.example/&at=tomorrow", "time"),
        ("/v1/check?url=http://h.example/&at=2999-01-01", "time"),
    ] {
        api.get("/v1/check", uri).await.is_problem(400, code);
    }
    let long = format!(
        "/v1/check?url=http://127.0.0.1:1/&agent={}",
        "a".repeat(600)
    );
    api.get("/v1/check", &long).await.is_problem(400, "agent");
    for (media_type, body, status, code) in [
        (JSON, "{", 400, "json"),
        (JSON, "[1]", 400, "json"),
        (JSON, "{}", 400, "json"),
        ("text/html", "", 415, "media-type"),
        ("", "", 415, "media-type"),
    ] {
        api.post("/v1/check", media_type, body)
            .await
            .is_problem(status, code);
    }
    let long = "x".repeat(1001);
    for uri in ["/v1/lint", "/v1/who"] {
        api.post(uri, TEXT, long.clone())
            .await
            .is_problem(413, "body");
        // The limit also applies without Content-Length.
        let chunks =
            futures_util::stream::iter([Ok::<_, std::io::Error>(long.clone()), Ok("y".into())]);
        api.post(uri, TEXT, Body::from_stream(chunks))
            .await
            .is_problem(413, "body");
        api.post(uri, JSON, "").await.is_problem(415, "media-type");
    }
    api.post("/v1/diff", JSON, "{\"old\":\"\"}")
        .await
        .is_problem(400, "json");
    api.post("/v1/lint?site=a%20b", TEXT, "")
        .await
        .is_problem(400, "authority");
    let many = vec!["a"; 33].join(",");
    api.post(&format!("/v1/who?agents={many}"), TEXT, "")
        .await
        .is_problem(400, "agent");
}

#[tokio::test]
async fn a_body_in_a_coding_is_a_problem() {
    let api = Api::local();
    for (uri, coding) in [
        ("/v1/check", &b"gzip"[..]),
        ("/v1/lint", b"gzip"),
        ("/v1/lint", b"\xff"),
    ] {
        let coding = http::HeaderValue::from_bytes(coding).unwrap();
        let request = Request::post(uri)
            .header(CONTENT_TYPE, TEXT)
            .header(CONTENT_ENCODING, coding);
        let answer = api.send(uri, request.body(Body::empty()).unwrap()).await;
        answer.is_problem(415, "media-type");
    }
}

#[tokio::test]
async fn other_paths_and_methods_are_problems_too() {
    let api = Api::local();
    for (request, status, code) in [
        (Request::get("/v2"), 404, "path"),
        (Request::get("/"), 404, "path"),
        (Request::delete("/v1/check"), 405, "method"),
        (Request::get("/v1/lint"), 405, "method"),
    ] {
        let response = api.raw(request.body(Body::empty()).unwrap()).await;
        assert_eq!(response.status(), status);
        assert_eq!(response.headers()[CONTENT_TYPE], "application/problem+json");
        assert_eq!(response.headers().contains_key(ALLOW), status == 405);
        let body = axum::body::to_bytes(response.into_body(), 1000)
            .await
            .unwrap();
        let json: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(json["code"], code);
    }
}

#[tokio::test]
async fn files_are_linted_and_compared_and_crawlers_listed() {
    let api = Api::local();
    let answer = api
        .post("/v1/lint", TEXT, "Disallow: /a\nUser-agent: *\n")
        .await;
    assert!(
        !answer.is_ok().json()["findings"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    let who = api.post("/v1/who?agents=gptbot,%2A", TEXT, ROBOTS).await;
    let disallowed: Vec<_> = who
        .is_ok()
        .lines()
        .iter()
        .map(|it| it["disallowed"].clone())
        .collect();
    assert_eq!(disallowed, ["everything", "some"]);
    assert!(
        api.post("/v1/who", TEXT, ROBOTS)
            .await
            .is_ok()
            .lines()
            .len()
            > 100
    );
    let change = json!({"old": ROBOTS, "new": "User-agent: *\nDisallow: /\n"}).to_string();
    let lines = api
        .post("/v1/diff?agents=*", JSON, change)
        .await
        .is_ok()
        .lines();
    assert_eq!(lines[0]["newly_disallowed"]["found"], true);
    assert_eq!(lines.last().unwrap()["same"], false);
    api.post("/v1/who?agents=@nobody", TEXT, "")
        .await
        .is_problem(400, "agent");
    let all = api
        .get("/v1/crawlers", "/v1/crawlers")
        .await
        .is_ok()
        .lines();
    let some = api
        .get(
            "/v1/crawlers",
            "/v1/crawlers?purpose=ai-train&operator=openai",
        )
        .await;
    let some = some.is_ok().lines();
    assert!(!some.is_empty() && some.len() < all.len());
    api.get("/v1/crawlers", "/v1/crawlers?purpose=x")
        .await
        .is_problem(400, "purpose");
    assert!(
        api.get("/v1/profiles", "/v1/profiles")
            .await
            .is_ok()
            .lines()
            .len()
            > 2
    );
}

#[tokio::test]
async fn the_server_tells_of_itself() {
    let (site, api) = (Site::with(ROBOTS).await, Api::local());
    assert_eq!(api.get("/healthz", "/healthz").await.is_ok().text, "ok\n");
    let ready = api.get("/readyz", "/readyz").await;
    assert_eq!(
        ready.is_ok().json(),
        json!({"ready": true, "store_up": true})
    );
    api.get("/v1/openapi.json", "/v1/openapi.json")
        .await
        .is_ok();
    let uri = format!("/v1/check?url={}", site.url("/a"));
    for _ in 0..3 {
        api.get("/v1/check", &uri).await.is_ok();
    }
    let metrics = api.get("/metrics", "/metrics").await;
    let text = &metrics.is_ok().text;
    for line in [
        "vergerd_requests_total{route=\"check\",status=\"2xx\"} 3",
        "vergerd_answers_total{from=\"memory\"} 2",
        "vergerd_answers_total{from=\"waited\"} 1",
        "vergerd_fetches_total{outcome=\"successful\"} 1",
        "vergerd_store_seconds_count{call=\"put\"} 1",
        "vergerd_store_up 1",
    ] {
        assert!(text.lines().any(|it| it == line), "{line} in {text}");
    }
    let names: std::collections::BTreeSet<_> =
        text.lines().map(|it| it.split(' ').next()).collect();
    let samples = text.lines().filter(|it| !it.starts_with('#'));
    let heads = names.iter().filter(|name| **name == Some("#")).count();
    assert_eq!(
        names.len() - heads,
        samples.count(),
        "a sample is there twice"
    );
}

#[tokio::test]
async fn a_token_is_asked_for_where_there_are_any_and_has_its_rate() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokens");
    std::fs::write(
        &path,
        "# who\nfleet 0123456789abcdef\nother fedcba9876543210\n",
    )
    .unwrap();
    let api = Api::with(Given {
        tokens: Some(path.clone()),
        rate: Some(2),
        ..local()
    });
    let ask = |token: &str| {
        let request = Request::get("/v1/profiles").header(AUTHORIZATION, token);
        api.send("/v1/profiles", request.body(Body::empty()).unwrap())
    };
    for token in [
        "",
        "Bearer",
        "Bearer 0123456789abcdee",
        "Bearer 0123",
        "Basic 0123456789abcdef",
    ] {
        let answer = ask(token).await;
        answer.is_problem(401, "token");
        assert_eq!(answer.headers["www-authenticate"], "Bearer");
    }
    ask("bearer 0123456789abcdef").await.is_ok();
    // The budget grows by one request every half second.
    let mut answer = ask("Bearer 0123456789abcdef").await;
    for _ in 0..1000 {
        if answer.status == 200 {
            answer = ask("Bearer 0123456789abcdef").await;
        }
    }
    answer.is_problem(429, "rate");
    ask("Bearer fedcba9876543210").await.is_ok();
    api.get("/healthz", "/healthz").await.is_ok();
    api.get("/metrics", "/metrics")
        .await
        .is_problem(401, "token");
    for text in ["", "name short", "0123456789abcdef"] {
        std::fs::write(&path, text).unwrap();
        let given = Given {
            tokens: Some(path.clone()),
            ..local()
        };
        assert!(vergerd::Server::new(given.settings()).is_err(), "{text}");
    }
}
