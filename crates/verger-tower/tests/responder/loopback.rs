//! The responder in axum on loopback, with requests written to a socket.

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use verger_tower::RobotsTxtResponder;

const BODY: &str = "User-agent: *\nDisallow: /private/\n";

/// Sends each head on its own connection, and returns the replies.
async fn ask<const COUNT: usize>(app: Router, heads: [&str; COUNT]) -> [String; COUNT] {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(async move { axum::serve(listener, app).await });
    let mut replies = [const { String::new() }; COUNT];
    for (head, reply) in heads.into_iter().zip(&mut replies) {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let head = format!("{head}\r\nHost: h.example\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.read_to_string(reply).await.unwrap();
    }
    server.abort();
    replies
}

#[tokio::test]
async fn axum_serves_it_at_its_path() {
    let responder = RobotsTxtResponder::new(BODY);
    let app = Router::new().route_service("/robots.txt", responder);
    let [get, head, post, other] = ask(
        app,
        [
            "GET /robots.txt HTTP/1.1",
            "HEAD /robots.txt HTTP/1.1",
            "POST /robots.txt HTTP/1.1",
            "GET /other HTTP/1.1",
        ],
    )
    .await;
    assert!(get.starts_with("HTTP/1.1 200 OK\r\n"), "{get}");
    assert!(
        get.contains("content-type: text/plain; charset=utf-8\r\n"),
        "{get}"
    );
    assert!(get.ends_with(&format!("\r\n\r\n{BODY}")), "{get}");
    let lengths = get.matches("content-length: 34\r\n").count();
    assert_eq!(lengths, 1, "{get}");
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
    assert!(
        head.contains("content-length: 34\r\n") && head.ends_with("\r\n\r\n"),
        "{head}"
    );
    assert!(post.starts_with("HTTP/1.1 405 "), "{post}");
    assert!(post.contains("allow: GET, HEAD\r\n"), "{post}");
    assert!(other.starts_with("HTTP/1.1 404 "), "{other}");
}

#[tokio::test]
async fn axum_answers_304_to_a_current_copy() {
    let responder = RobotsTxtResponder::new(BODY);
    let request = Request::get("/robots.txt").body(Body::empty()).unwrap();
    let response = responder.respond(&request);
    let tag = response.headers()["etag"].to_str().unwrap();
    let app = Router::new().route_service("/robots.txt", responder);
    let head = format!("GET /robots.txt HTTP/1.1\r\nIf-None-Match: {tag}");
    let [reply] = ask(app, [head.as_str()]).await;
    assert!(
        reply.starts_with("HTTP/1.1 304 Not Modified\r\n"),
        "{reply}"
    );
    assert!(reply.contains(&format!("etag: {tag}\r\n")), "{reply}");
    assert!(reply.ends_with("\r\n\r\n"), "{reply}");
}

#[tokio::test]
async fn it_serves_as_a_fallback_service() {
    let app = Router::new().fallback_service(RobotsTxtResponder::new(BODY));
    let [file, other] = ask(app, ["GET /robots.txt HTTP/1.1", "GET / HTTP/1.1"]).await;
    assert!(file.starts_with("HTTP/1.1 200 OK\r\n"), "{file}");
    assert!(other.starts_with("HTTP/1.1 404 Not Found\r\n"), "{other}");
}
