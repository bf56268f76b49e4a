//! Routes about a site: now, and in the past.

use axum::body::Body;
use http::Request;
use serde_json::json;
use vergerd::{Given, Server};

use crate::api::{Api, local};
use crate::site::Site;

const ROBOTS: &str = "User-agent: *\nDisallow: /private\nCrawl-delay: 3\n";

#[tokio::test]
async fn a_robots_txt_is_there_as_it_was_sent_and_as_facts() {
    let (site, api) = (Site::with(ROBOTS).await, Api::local());
    let uri = format!("/v1/robots/{}", site.segment());
    let path = "/v1/robots/{authority}";
    let answer = api.get(path, &uri).await;
    assert_eq!(answer.is_ok().text, ROBOTS);
    assert_eq!(answer.headers["x-verger-stance"], "rules");
    for name in ["etag", "x-verger-seen-at", "x-verger-fresh-until"] {
        assert!(answer.headers.contains_key(name), "{name}");
    }
    for (accept, is_json) in [
        ("application/json", true),
        ("text/html, application/json, text/plain;q=0.9", true),
        ("text/plain, application/json;q=0.1", false),
        ("application/json;q=0, */*", false),
        ("application/json; q=0.0, text/plain", false),
        (
            "text/plain;q=0.2, Application/JSON;charset=utf-8;q=0.3",
            true,
        ),
        ("application/jsonlines", false),
    ] {
        let request = Request::get(&uri).header("accept", accept);
        let known = api.send(path, request.body(Body::empty()).unwrap()).await;
        let is_as_sent = known.is_ok().text == ROBOTS;
        assert_eq!(is_as_sent, !is_json, "{accept}");
        assert!(is_as_sent || known.json()["stance"] == "rules", "{accept}");
    }
    let tag = answer.headers["etag"].to_str().unwrap();
    for (tags, status) in [
        (&*format!("\"x\", W/{tag}"), 304),
        ("*", 304),
        ("\"x\"", 200),
    ] {
        let request = Request::get(&uri).header("if-none-match", tags);
        let again = api.send(path, request.body(Body::empty()).unwrap()).await;
        assert_eq!(again.status, status, "{tags}");
        assert_eq!(again.headers["etag"], tag);
        assert_eq!(again.text.is_empty(), status == 304);
    }
    api.get(path, &format!("{uri}?at=1d"))
        .await
        .is_problem(404, "unknown");
    api.get(path, "/v1/robots/a%20b")
        .await
        .is_problem(400, "authority");
    api.get(path, "/v1/robots/%FF")
        .await
        .is_problem(400, "authority");
    let none = Site::with(ROBOTS).await;
    none.reply("/robots.txt", "404 Not Found", "");
    let uri = format!("/v1/robots/{}", none.segment());
    api.get(path, &uri).await.is_problem(404, "no-rules");
}

#[tokio::test]
async fn the_past_is_asked_without_a_fetch() {
    let (site, api) = (Site::with(ROBOTS).await, Api::local());
    let url = site.url("/private");
    let then = api
        .get("/v1/check", &format!("/v1/check?url={url}&at=1d"))
        .await;
    assert_eq!(then.is_ok().json()["reason"], "unknown");
    assert_eq!(site.requests(), 0);
    api.get("/v1/check", &format!("/v1/check?url={url}"))
        .await
        .is_ok();
    let now = api
        .get("/v1/check", &format!("/v1/check?url={url}&at=now"))
        .await;
    assert_eq!(now.is_ok().json()["line"], 2);
    for (at, word) in [("1d", "defer\n"), ("now", "disallow\n")] {
        let uri = format!("/v1/check?at={at}");
        let words = api.post(&uri, "text/plain", url.clone()).await;
        assert_eq!(words.is_ok().text, word);
    }
    assert_eq!(site.requests(), 1);
    let who = format!("/v1/who/{}?agents=%2A", site.segment());
    let who = api.get("/v1/who/{authority}", &who).await;
    assert_eq!(
        who.is_ok().lines()[0]["disallowed_url"],
        site.url("/private")
    );
    let who = format!("/v1/who/{}?at=1d", site.segment());
    api.get("/v1/who/{authority}", &who)
        .await
        .is_problem(404, "unknown");
    let diff = "/v1/diff/{authority}";
    let same = api
        .get(diff, &format!("/v1/diff/{}?since=now", site.segment()))
        .await;
    assert_eq!(same.is_ok().lines()[0]["same"], true);
    api.get(diff, &format!("/v1/diff/{}?since=1d", site.segment()))
        .await
        .is_problem(404, "unknown");
    api.get(diff, &format!("/v1/diff/{}", site.segment()))
        .await
        .is_problem(400, "parameter");
    assert_eq!(site.requests(), 1);
}

#[tokio::test]
async fn a_history_has_its_lines_and_an_end() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store.db").display().to_string();
    let (site, api) = (
        Site::with(ROBOTS).await,
        Api::with(Given {
            store: Some(store),
            ..local()
        }),
    );
    let path = "/v1/history/{authority}";
    let uri = format!("/v1/history/{}", site.segment());
    assert_eq!(api.get(path, &uri).await.is_ok().text, "");
    // Both profiles may fetch, or share one fetch.
    for profile in ["rfc9309", "google"] {
        let uri = format!("/v1/check?url={}&profile={profile}", site.url("/"));
        api.get("/v1/check", &uri).await.is_ok();
    }
    let answer = api.get(path, &format!("{uri}?diff=true")).await;
    let lines = answer.is_ok().lines();
    assert_eq!(lines.len(), site.requests());
    assert_eq!(lines[0]["change"]["body"], "first");
    let none = api.get(path, &format!("{uri}?limit=0")).await;
    assert_eq!(none.is_ok().text, "");
    let since = none.headers["x-verger-more-since"].to_str().unwrap();
    let rest = api.get(path, &format!("{uri}?since={since}")).await;
    assert_eq!(rest.is_ok().lines().len(), lines.len());
    assert_eq!(
        api.get(path, &format!("{uri}?until=1d")).await.is_ok().text,
        ""
    );
    for query in ["limit=1001", "limit=-1", "limit=x", "diff=1", "since=x"] {
        let answer = api.get(path, &format!("{uri}?{query}")).await;
        let code = if query.starts_with("since") {
            "time"
        } else {
            "parameter"
        };
        answer.is_problem(400, code);
    }
}

#[tokio::test]
async fn pacing_is_a_value_with_bounds_and_reasons() {
    let (site, api) = (Site::with(ROBOTS).await, Api::local());
    let uri = format!("/v1/pacing/{}", site.segment());
    for (query, delay, bounded) in [
        ("", 3000, json!(null)),
        ("?max_ms=1000", 1000, json!("max")),
        ("?min_ms=5000", 5000, json!("min")),
        ("?agent=gptbot", 3000, json!(null)),
    ] {
        let answer = api
            .get("/v1/pacing/{authority}", &format!("{uri}{query}"))
            .await;
        let json = answer.is_ok().json();
        assert_eq!(
            (&json["delay_ms"], &json["bounded"]),
            (&json!(delay), &bounded),
            "{query}"
        );
        assert_eq!(json["reasons"][0]["line"], 3);
    }
    let answer = api
        .get("/v1/pacing/{authority}", &format!("{uri}?max_ms=x"))
        .await;
    answer.is_problem(400, "parameter");
}

#[tokio::test]
async fn authz_holds_crawlers_that_name_themselves_to_the_file_of_the_site() {
    let site = Site::with("User-agent: gptbot\nDisallow: /\nAllow: /%FC\n").await;
    let of_site = Given {
        site: Some(vec![site.url("")]),
        ..local()
    };
    let api = Api::with(of_site);
    let host = site.address.to_string();
    let ask = |agent: &str, path: &str| {
        // Latin-1, as some clients send it.
        let latin = |text: &str| -> Vec<u8> { text.chars().map(|it| it as u8).collect() };
        let (agent, path) = (latin(agent), latin(path));
        let request = Request::get("/v1/authz")
            .header("user-agent", agent)
            .header("x-forwarded-proto", "http")
            .header("x-forwarded-host", &host)
            .header("x-forwarded-uri", path);
        api.send("/v1/authz", request.body(Body::empty()).unwrap())
    };
    let gptbot = "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)";
    let refused = ask(gptbot, "/a?b").await;
    refused.is_problem(403, "disallowed");
    assert_eq!(refused.headers["x-verger-crawler"], "gptbot");
    ask(&format!("{gptbot} \u{e9}"), "/\u{ff}")
        .await
        .is_problem(403, "disallowed");
    let passed = ask("Mozilla/5.0 (compatible; bingbot/2.0)", "/a").await;
    assert_eq!(
        (passed.status.as_u16(), &passed.headers["x-verger-crawler"]),
        (204, &"bingbot".parse().unwrap())
    );
    for (agent, path) in [
        ("Mozilla/5.0 Firefox/140.0", "/a"),
        ("", "/a"),
        (gptbot, "/robots.txt"),
        (gptbot, "/\u{fc}"),
    ] {
        assert_eq!(ask(agent, path).await.status, 204, "{agent} {path}");
    }
    let url = |url: &str| {
        Request::get("/v1/authz")
            .header("x-original-url", url)
            .body(Body::empty())
            .unwrap()
    };
    api.send("/v1/authz", url("http://other.example/"))
        .await
        .is_problem(404, "site");
    let both = Request::get("/v1/authz")
        .header("user-agent", gptbot)
        .header("x-original-url", site.url("/robots.txt"))
        .header("x-forwarded-proto", "http")
        .header("x-forwarded-host", &host)
        .header("x-forwarded-uri", "/a");
    api.send("/v1/authz", both.body(Body::empty()).unwrap())
        .await
        .is_problem(400, "headers");
    for hidden in ["#/a", "?/a", "\\/a"] {
        api.send("/v1/authz", url(&(site.url("") + hidden)))
            .await
            .is_problem(400, "url");
    }
    api.send("/v1/authz", url("/a"))
        .await
        .is_problem(400, "url");
    api.get("/v1/authz", "/v1/authz")
        .await
        .is_problem(400, "headers");
    assert_eq!(site.requests(), 1);
}

#[tokio::test]
async fn an_override_answers_for_every_profile_without_a_request() {
    let site = Site::with(ROBOTS).await;
    let host = site.url("");
    let api = Api::with(Given {
        overrides: Some(vec![format!("{}=open", host.trim_end_matches('/'))]),
        ..local()
    });
    for profile in ["rfc9309", "cautious"] {
        let url = site.url("/private/x");
        let uri = format!("/v1/check?url={url}&profile={profile}");
        let answer = api.get("/v1/check", &uri).await;
        let answer = answer.is_ok().json();
        assert_eq!(
            (&answer["allowed"], &answer["overridden"]),
            (&json!(true), &json!(true))
        );
        assert_eq!(answer["clause"], "V-89");
        assert_eq!(answer["seen_at"], json!(null));
    }
    let robots = format!("/v1/robots/{}", site.segment());
    let path = "/v1/robots/{authority}";
    api.get(path, &robots).await.is_problem(404, "no-rules");
    assert_eq!(site.requests(), 0);
}

#[tokio::test]
async fn overrides_that_are_reloaded_apply_to_what_is_in_memory() {
    let site = Site::with(ROBOTS).await;
    let host = site.url("").trim_end_matches('/').to_owned();
    let given = |effect: &str| Given {
        overrides: Some(vec![format!("{host}={effect}")]),
        ..local()
    };
    let server = Server::new(given("open").settings()).unwrap();
    let api = Api::of(&server);
    let uri = format!("/v1/check?url={}", site.url("/page"));
    for (effect, allowed) in [("open", true), ("closed", false), ("open", true)] {
        server.reload(&given(effect)).unwrap();
        for _ in 0..2 {
            let answer = api.get("/v1/check", &uri).await;
            assert_eq!(answer.is_ok().json()["allowed"], allowed, "{effect}");
        }
    }
    assert_eq!(site.requests(), 0);
}
