//! The responder as a service without a port.

use std::time::Duration;

use http::{HeaderMap, Method, Request, Response, StatusCode};
use tower::ServiceExt;
use verger::DiagnosticKind;
use verger_tower::{ResponseBody, RobotsTxtResponder};

const BODY: &str = "User-agent: *\nDisallow: /private/\n";

fn respond(responder: &RobotsTxtResponder, method: Method, uri: &str) -> Response<ResponseBody> {
    let request = Request::builder().method(method).uri(uri).body(()).unwrap();
    responder.respond(&request)
}

fn header<'h>(headers: &'h HeaderMap, name: &str) -> &'h str {
    headers[name].to_str().unwrap()
}

#[test]
fn a_get_returns_the_file_with_all_its_headers() {
    let response = respond(&RobotsTxtResponder::new(BODY), Method::GET, "/robots.txt?x");
    assert_eq!(response.status(), StatusCode::OK);
    let headers = response.headers();
    assert_eq!(header(headers, "content-type"), "text/plain; charset=utf-8");
    assert_eq!(header(headers, "content-length"), BODY.len().to_string());
    assert_eq!(header(headers, "cache-control"), "public, max-age=3600");
    assert_eq!(header(headers, "x-content-type-options"), "nosniff");
    let tag = header(headers, "etag");
    assert!(tag.starts_with('"') && tag.ends_with('"'), "{tag}");
    assert_eq!(response.into_body().into_bytes(), BODY);
}

#[test]
fn a_head_has_the_headers_of_a_get_and_no_body() {
    for responder in [
        RobotsTxtResponder::new(BODY),
        RobotsTxtResponder::unavailable(Duration::from_secs(60)),
    ] {
        let get = respond(&responder, Method::GET, "/robots.txt");
        let head = respond(&responder, Method::HEAD, "/robots.txt");
        assert_eq!(head.status(), get.status());
        assert_eq!(head.headers(), get.headers());
        assert!(head.into_body().into_bytes().is_empty());
    }
}

#[test]
fn a_known_file_is_not_sent_again() {
    let responder = RobotsTxtResponder::new(BODY);
    let first = respond(&responder, Method::GET, "/robots.txt");
    let tag = header(first.headers(), "etag");
    let asked = |responder: &RobotsTxtResponder, method: Method, tag: &str| {
        let request = Request::builder()
            .method(method)
            .uri("/robots.txt")
            .header("if-none-match", tag);
        responder.respond(&request.body(()).unwrap())
    };
    for method in [Method::GET, Method::HEAD] {
        let second = asked(&responder, method, tag);
        assert_eq!(second.status(), StatusCode::NOT_MODIFIED);
        assert_eq!(second.headers()["etag"], first.headers()["etag"]);
        assert_eq!(
            second.headers()["cache-control"],
            first.headers()["cache-control"]
        );
        assert!(!second.headers().contains_key("content-length"));
        assert!(second.into_body().into_bytes().is_empty());
    }
    let changed = RobotsTxtResponder::new("User-agent: *\nDisallow: /\n");
    assert_eq!(asked(&changed, Method::GET, tag).status(), StatusCode::OK);
}

#[test]
fn other_methods_are_refused_and_other_paths_are_not_found() {
    let responder = RobotsTxtResponder::new(BODY);
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS] {
        let response = respond(&responder, method, "/robots.txt");
        assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
        assert_eq!(header(response.headers(), "allow"), "GET, HEAD");
    }
    for path in [
        "/",
        "/Robots.txt",
        "/robots.txt/",
        "//robots.txt",
        "/a/robots.txt",
        "/robots%2Etxt",
    ] {
        let response = respond(&responder, Method::GET, path);
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
        assert!(!response.headers().contains_key("etag"));
    }
    let absolute = respond(&responder, Method::GET, "http://h.example/robots.txt");
    assert_eq!(absolute.status(), StatusCode::OK);
}

#[test]
fn the_stated_lifetime_is_at_most_a_day() {
    let stated = |seconds| {
        let responder = RobotsTxtResponder::new(BODY).with_max_age(Duration::from_secs(seconds));
        let response = respond(&responder, Method::GET, "/robots.txt");
        header(response.headers(), "cache-control").to_owned()
    };
    assert_eq!(stated(0), "public, max-age=0");
    assert_eq!(stated(86_399), "public, max-age=86399");
    assert_eq!(stated(86_400), "public, max-age=86400");
    assert_eq!(stated(86_401), "public, max-age=86400");
    assert_eq!(stated(u64::MAX), "public, max-age=86400");
}

#[test]
fn another_lifetime_does_not_change_clones() {
    let one = RobotsTxtResponder::new(BODY);
    let _other = one.clone().with_max_age(Duration::ZERO);
    let response = respond(&one, Method::GET, "/robots.txt");
    assert_eq!(
        header(response.headers(), "cache-control"),
        "public, max-age=3600"
    );
}

#[test]
fn a_suspension_answers_every_path_and_is_not_cached() {
    let suspended = RobotsTxtResponder::unavailable(Duration::from_millis(119_001));
    let suspended = suspended.with_max_age(Duration::from_secs(60));
    for (method, path) in [(Method::GET, "/robots.txt"), (Method::POST, "/shop")] {
        let response = respond(&suspended, method, path);
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(header(response.headers(), "retry-after"), "120");
        assert_eq!(header(response.headers(), "cache-control"), "no-store");
    }
    assert!(suspended.warnings().is_empty());
}

#[test]
fn a_file_with_warnings_is_served_all_the_same() {
    let responder = RobotsTxtResponder::new(&b"<html>\xFF"[..]);
    let warnings: Vec<&str> = responder
        .warnings()
        .iter()
        .map(DiagnosticKind::as_str)
        .collect();
    assert_eq!(warnings, ["not-utf8", "looks-like-html"]);
    assert!(!responder.warnings()[0].to_string().is_empty());
    let response = respond(&responder, Method::GET, "/robots.txt");
    assert_eq!(response.into_body().into_bytes(), &b"<html>\xFF"[..]);
}

#[tokio::test]
async fn it_is_a_service_for_any_body() {
    fn is_service<S: Clone + Send + Sync + 'static>(_: &S) {}
    let responder = RobotsTxtResponder::new(BODY);
    is_service(&responder);
    let request = Request::get("/robots.txt").body("any").unwrap();
    let response = responder.clone().oneshot(request).await.unwrap();
    assert_eq!(response.into_body().into_bytes(), BODY);
    let request = Request::get("/robots.txt").body(vec![0]).unwrap();
    let response = responder.oneshot(request).await.unwrap();
    assert_eq!(response.into_body().into_bytes(), BODY);
}
