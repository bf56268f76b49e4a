//! Fetches pages with reqwest, if robots.txt allows them. The arguments are their URLs.

use std::error::Error;
use std::time::Duration;

use verger_tower::reqwest::{denied, gated_with};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let user_agent = "ExampleBot/1.0 (+https://example.com/bot)";
    let crawler = "ExampleBot".parse()?;
    let http = gated_with(reqwest::Client::builder(), user_agent, crawler, |gate| {
        gate.least_delay(Duration::from_secs(1))
    })?;
    let http = http.build();
    for url in std::env::args().skip(1) {
        match http.get(&url).send().await {
            Ok(page) => println!("{url}: {}", page.status()),
            Err(error) => match denied(&error) {
                Some(denied) => println!("{denied}"),
                None => println!("{url}: {error}"),
            },
        }
    }
    Ok(())
}
