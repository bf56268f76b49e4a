//! Prints the sitemaps of a robots.txt on disk, and the pacing that it requests of a crawler:
//!
//! ```console
//! $ cargo run -p verger-extensions --example values -- examples/robots.txt GPTBot
//! ```

use std::error::Error;
use std::{env, fs};

use verger::{Crawler, Dialect, ProductToken, RobotsTxt};
use verger_extensions::{content_signal, crawl_delay, sitemaps};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let [file, name] = [arguments.next(), arguments.next()].map(Option::unwrap_or_default);
    let robots = RobotsTxt::parse(fs::read(file)?, Dialect::Rfc9309);
    let crawler = Crawler::from(name.parse::<ProductToken>()?);
    for sitemap in sitemaps(&robots) {
        println!("sitemap: {sitemap}");
    }
    if let Some(delay) = crawl_delay(&robots, &crawler) {
        println!("seconds between requests: {delay} (line {})", delay.line());
    }
    println!("content signal: {}", content_signal(&robots, &crawler));
    Ok(())
}
