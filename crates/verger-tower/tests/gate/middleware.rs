//! The reqwest middleware, over sockets on loopback.

use std::sync::Arc;

use reqwest::Method;
use reqwest::header::{AUTHORIZATION, COOKIE};
use reqwest_middleware::{Error, RequestBuilder};
use verger_access::{AccessResult, Outcome, TransportFailure};
use verger_client::Authority;
use verger_tower::reqwest::{FollowRedirects, ReqwestTransport, TooManyRedirects, denied, gated};
use verger_tower::{Client, Crawler, Gate, ProductToken};

use crate::site::Site;

fn crawler() -> Crawler {
    Crawler::from(ProductToken::new("ExampleBot").unwrap())
}

fn client() -> reqwest_middleware::ClientWithMiddleware {
    let user_agent = "ExampleBot/1.0 (+https://example.com/bot)";
    let http = gated(reqwest::Client::builder(), user_agent, crawler());
    http.unwrap().build()
}

/// Redirects as the path says: `/303/x` leads to `/x`.
fn usual(path: &str) -> (u16, String, &'static str) {
    let rules = "User-agent: *\nDisallow: /private\n";
    let status = path.get(1..4).and_then(|digits| digits.parse().ok());
    match (path, status) {
        ("/robots.txt", _) => (200, String::new(), rules),
        ("/loop", _) => (302, "Location: /loop\r\n".to_owned(), ""),
        ("/ftp", _) => (302, "Location: ftp://h.example/\r\n".to_owned(), ""),
        (_, Some(status)) => (status, format!("Location: {}\r\n", &path[4..]), ""),
        _ => (200, String::new(), "page"),
    }
}

fn first_lines(requests: &[String]) -> Vec<&str> {
    let lines = requests.iter().map(|it| it.split(" HTTP/").next().unwrap());
    lines.collect()
}

#[tokio::test]
async fn each_hop_is_asked_about() {
    let site = Site::start(usual).await;
    let http = client();
    let page = http.get(site.url("/301/302/a")).send().await.unwrap();
    assert_eq!(page.url().path(), "/a");
    assert_eq!(page.text().await.unwrap(), "page");
    let error = http.get(site.url("/307/private")).send().await.unwrap_err();
    let why = denied(&error).unwrap();
    assert_eq!(why.url(), site.url("/private"));
    let said = format!("{}: disallowed by line 2", site.url("/private"));
    assert_eq!(why.to_string(), said);
    let requests = site.page_requests();
    assert_eq!(
        first_lines(&requests),
        ["GET /301/302/a", "GET /302/a", "GET /a", "GET /307/private"]
    );
    assert_eq!(site.robots_txt_requests().len(), 1);
}

#[tokio::test]
async fn a_redirect_changes_the_method_as_its_status_says() {
    let site = Site::start(usual).await;
    let http = client();
    for status in [301, 302, 303, 307, 308] {
        let url = site.url(&format!("/{status}/a"));
        let page = http
            .post(url)
            .header("x-own", "1")
            .body("text")
            .send()
            .await
            .unwrap();
        assert_eq!(page.text().await.unwrap(), "page");
        let requests = site.page_requests();
        let last = requests.last().unwrap();
        let is_repeated = status >= 307;
        assert_eq!(
            last.starts_with("POST /a "),
            is_repeated,
            "{status}: {last}"
        );
        assert_eq!(
            last.ends_with("\r\n\r\ntext"),
            is_repeated,
            "{status}: {last}"
        );
        assert_eq!(
            last.to_lowercase().contains("content-length: 4"),
            is_repeated,
            "{last}"
        );
        assert!(last.contains("x-own: 1"), "{last}");
    }
    let head = http.head(site.url("/303/a")).send().await.unwrap();
    assert_eq!(head.url().path(), "/a");
    assert!(site.page_requests().last().unwrap().starts_with("HEAD /a "));
    for (method, status, sent) in [
        (Method::PUT, 301, "PUT /a"),
        (Method::DELETE, 302, "DELETE /a"),
        (Method::OPTIONS, 302, "OPTIONS /a"),
        (Method::PUT, 303, "GET /a"),
    ] {
        let url = site.url(&format!("/{status}/a"));
        http.request(method, url).send().await.unwrap();
        assert_eq!(first_lines(&site.page_requests()).last(), Some(&sent));
    }
}

#[tokio::test]
async fn credentials_stay_with_their_origin() {
    fn elsewhere(path: &str) -> (u16, String, &'static str) {
        let port = path.rsplit('/').next().unwrap_or_default();
        match path {
            "/robots.txt" => (404, String::new(), ""),
            _ => (302, format!("Location: http://127.0.0.1:{port}/a\r\n"), ""),
        }
    }
    let (first, second) = (Site::start(elsewhere).await, Site::start(usual).await);
    let url = first.url(&format!("/to/{}", second.address.port()));
    let http = gated(reqwest::Client::builder(), "ExampleBot/1.0", crawler()).unwrap();
    let http = http.with_init(|it: RequestBuilder| it.header(AUTHORIZATION, "of each"));
    let request = http.build().get(url).header(COOKIE, "secret");
    assert_eq!(request.send().await.unwrap().text().await.unwrap(), "page");
    let said = &first.page_requests()[0];
    assert!(
        said.contains("secret") && said.contains("of each"),
        "{said}"
    );
    for site in [&first, &second] {
        assert!(!site.robots_txt_requests()[0].contains("of each"));
    }
    assert!(!second.page_requests()[0].contains("of each"));
    assert_eq!(second.page_requests().len(), 1);
    assert!(!second.page_requests()[0].contains("secret"));
}

#[tokio::test]
async fn redirects_end() {
    let site = Site::start(usual).await;
    let error = client().get(site.url("/loop")).send().await.unwrap_err();
    let Error::Middleware(error) = error else {
        panic!("{error}");
    };
    let error = error.downcast_ref::<TooManyRedirects>().unwrap();
    assert_eq!(error.url().as_str(), site.url("/loop"));
    assert_eq!(site.page_requests().len(), 11);

    let other = client().get(site.url("/ftp")).send().await.unwrap();
    assert_eq!(other.status(), 302);

    let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
    let none = reqwest_middleware::ClientBuilder::new(http.build().unwrap());
    let none = none.with(FollowRedirects::up_to(0)).build();
    assert!(none.get(site.url("/a")).send().await.is_ok());
    assert!(none.get(site.url("/302/a")).send().await.is_err());
}

/// If a client follows redirects by itself, the robots.txt of another URL is never used.
#[tokio::test]
async fn a_transport_that_redirects_by_itself_is_found_out() {
    fn redirected(path: &str) -> (u16, String, &'static str) {
        match path {
            "/robots.txt" => (301, "Location: /other\r\n".to_owned(), ""),
            _ => (200, String::new(), ""),
        }
    }
    let site = Site::start(redirected).await;
    let transport = ReqwestTransport::new(reqwest::Client::new());
    let robots = Client::over(Arc::new(transport)).build().unwrap();
    let authority = Authority::from_url(&site.url("/")).unwrap();
    let answer = robots.answer(&authority).await.unwrap();
    let failed = Outcome::Failed(TransportFailure::Protocol);
    assert_eq!(
        answer.access_result(),
        Some(AccessResult::Unreachable(failed))
    );
    let gate = Gate::new(robots, crawler());
    assert!(gate.pass(&site.url("/a")).await.is_err());
}

#[tokio::test]
async fn a_site_that_is_not_there_is_closed() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/a", listener.local_addr().unwrap());
    drop(listener);
    let error = client().get(&url).send().await.unwrap_err();
    let why = denied(&error).unwrap();
    assert!(why.decision().rule().is_none(), "{why}");
    assert_eq!(
        why.to_string(),
        format!("{url}: disallowed: unreachable (the connection failed)")
    );
}
