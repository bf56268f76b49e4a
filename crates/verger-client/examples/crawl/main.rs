//! Fetches pages, as far as robots.txt allows. The arguments are their URLs.

use std::error::Error;
use std::thread;
use std::time::Duration;

use ureq::http::header::LOCATION;
use url::Url;
use verger_client::{BlockingClient, Client, Crawler};

const USER_AGENT: &str = "ExampleBot/1.0 (+https://example.com/bot)";
const REDIRECTS_MAX: usize = 5;
const LEAST_DELAY: Duration = Duration::from_secs(1);
const LONGEST_DELAY: Duration = Duration::from_secs(60);

fn main() -> Result<(), Box<dyn Error>> {
    let robots = Client::builder(USER_AGENT).build_blocking()?;
    let crawler = "ExampleBot".parse()?;
    for url in std::env::args().skip(1) {
        println!("{}", fetch(&robots, &crawler, url.parse()?)?);
        thread::sleep(delay(&robots, &crawler, &url)?);
    }
    Ok(())
}

/// Returns the wait before the next request to the site: the delay it asks for, but at least a second.
fn delay(
    robots: &BlockingClient,
    crawler: &Crawler,
    url: &str,
) -> Result<Duration, Box<dyn Error>> {
    let decision = robots.decide(crawler, url)?;
    Ok(decision.delay().clamp(LEAST_DELAY, LONGEST_DELAY))
}

/// Fetches a page and returns a line about it. A redirect may lead to another site, so each one
/// needs its own decision.
fn fetch(
    robots: &BlockingClient,
    crawler: &Crawler,
    mut url: Url,
) -> Result<String, Box<dyn Error>> {
    let settings = ureq::Agent::config_builder().user_agent(USER_AGENT);
    let settings = settings.max_redirects(0).http_status_as_error(false);
    let pages = settings.build().new_agent();

    for _ in 0..=REDIRECTS_MAX {
        let decision = robots.decide(crawler, url.as_str())?;
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
