//! Serves a robots.txt along with the pages of a site, on port 8080.

use std::error::Error;

use axum::Router;
use axum::routing::get;
use tokio::net::TcpListener;
use verger_tower::RobotsTxtResponder;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let robots_txt = RobotsTxtResponder::new("User-agent: *\nDisallow: /cart\n");
    let site = Router::new()
        .route_service("/robots.txt", robots_txt)
        .route("/", get(async || "Welcome."));
    axum::serve(TcpListener::bind("127.0.0.1:8080").await?, site).await?;
    Ok(())
}
