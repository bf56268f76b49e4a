//! Prints the known crawlers that a robots.txt blocks completely, and the deciding line:
//!
//! ```console
//! $ cargo run -p verger-owner --example blocked -- robots.txt
//! ```

use std::{env, fs, io};

use verger::{Dialect, RobotsTxt};
use verger_answer::ResolvedCrawler;
use verger_compare::{Budget, ExtentClass};
use verger_owner::who;

fn main() -> io::Result<()> {
    let body = fs::read(env::args_os().nth(1).unwrap_or_default())?;
    let crawlers = ResolvedCrawler::all_in_use();
    for row in who(
        RobotsTxt::parse(body, Dialect::Rfc9309),
        &crawlers,
        Budget::default(),
    ) {
        if row.extent.class() == Some(ExtentClass::EverythingDisallowed) {
            let by = row.disallowed_by.map(|line| format!(", by line {line}"));
            println!("{}{}", row.crawler.label(), by.unwrap_or_default());
        }
    }
    Ok(())
}
