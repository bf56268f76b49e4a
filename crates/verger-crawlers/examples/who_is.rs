//! Prints which known crawler a `User-Agent` header names, its operator, and the tokens it looks up:
//!
//! ```console
//! $ cargo run -p verger-crawlers --example who_is -- 'Mozilla/5.0 (compatible; GPTBot/1.3)'
//! ```

use verger_crawlers::{Registry, UserAgentHeader};

fn main() {
    for header in std::env::args().skip(1) {
        match Registry::bundled().named_by(&UserAgentHeader::new(&header)) {
            Some(crawler) => {
                let tokens: Vec<_> = crawler.tokens().iter().map(ToString::to_string).collect();
                let (name, operator) = (crawler.name(), crawler.operator());
                println!("{name} of {operator}: {}", tokens.join(", then "));
            }
            None => println!("no known crawler: {header}"),
        }
    }
}
