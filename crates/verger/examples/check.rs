//! Checks whether a crawler may fetch URLs, by a robots.txt on disk:
//!
//! ```console
//! $ cargo run -p verger --example check -- examples/robots.txt GPTBot https://example.com/drafts/1
//! ```

use std::error::Error;
use std::{env, fs};

use verger::{Crawler, Dialect, ProductToken, RobotsTxt, TargetPath};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let [file, name] = [arguments.next(), arguments.next()].map(Option::unwrap_or_default);
    let robots = RobotsTxt::parse(fs::read(file)?, Dialect::Rfc9309);
    let crawler = Crawler::from(name.parse::<ProductToken>()?);
    let policy = robots.policy(&crawler);
    for url in arguments {
        let verdict = policy.decide(&TargetPath::new(&url, Dialect::Rfc9309)?);
        println!("{url}: {verdict}");
    }
    Ok(())
}
