//! The baseline of `measure`: axum with constant JSON.

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let json = std::env::args().nth(1).unwrap_or_default();
    let json: &'static str = json.leak();
    let answer = get(move || async move { ([(CONTENT_TYPE, "application/json")], json) });
    let router = Router::new().route("/v1/check", answer);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:7308").await?;
    axum::serve(listener, router).await
}
