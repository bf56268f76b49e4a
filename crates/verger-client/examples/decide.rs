//! Prints, for each URL in the arguments, whether the crawler may fetch it, and why.

use std::error::Error;

use verger_client::Client;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let client = Client::builder("ExampleBot/1.0 (+https://example.com/bot)").build()?;
    let crawler = "ExampleBot".parse()?;
    for url in std::env::args().skip(1) {
        let decision = client.decide(&crawler, &url).await?;
        println!("{url}: {decision}");
        if decision.is_allowed() {
            // Fetch the page. Decide again about every URL that it redirects to.
        }
    }
    Ok(())
}
