//! Fetches pages as far as robots.txt allows. Its arguments are their URLs.

use std::error::Error;

use ureq::http::header::LOCATION;
use url::Url;
use verger_client::{BlockingClient, Client, Crawler, ProductToken};

const USER_AGENT: &str = "ExampleBot/1.0 (+https://example.com/bot)";
const REDIRECTS_MAX: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let robots = Client::builder(USER_AGENT).build_blocking()?;
    for url in std::env::args().skip(1) {
        println!("{}", fetch(&robots, url.parse()?)?);
    }
    Ok(())
}

/// Fetches a page and says what came of it. Every redirect leads to another URL, about which
/// robots.txt is asked again: it may be another site's.
fn fetch(robots: &BlockingClient, mut url: Url) -> Result<String, Box<dyn Error>> {
    let crawler = Crawler::from(ProductToken::new("ExampleBot")?);
    let settings = ureq::Agent::config_builder().user_agent(USER_AGENT);
    let settings = settings.max_redirects(0).http_status_as_error(false);
    let pages = settings.build().new_agent();

    for _ in 0..=REDIRECTS_MAX {
        let decision = robots.decide(&crawler, url.as_str())?;
        if !decision.is_allowed() {
            return Ok(format!("{url}: not fetched, {decision}"));
        }
        let mut page = pages.get(url.as_str()).call()?;
        match page.headers().get(LOCATION) {
            Some(location) if page.status().is_redirection() => {
                url = url.join(location.to_str()?)?;
            }
            _ => {
                let body = page.body_mut().read_to_vec()?;
                return Ok(format!("{url}: {}, {} bytes", page.status(), body.len()));
            }
        }
    }
    Ok(format!("{url}: not fetched, too many redirects"))
}

#[cfg(test)]
mod tests;
