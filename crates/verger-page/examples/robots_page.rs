//! Writes a page about a robots.txt to standard output:
//!
//! ```console
//! $ cargo run -p verger-page --example robots_page -- robots.txt > robots.html
//! ```

use std::{env, fs, io};

use verger::{Dialect, GroupIndex, RobotsTxt};
use verger_page::RobotsPage;

fn main() -> io::Result<()> {
    let title = env::args().nth(1).unwrap_or_default();
    let file = GroupIndex::new(RobotsTxt::parse(fs::read(&title)?, Dialect::Rfc9309));
    let page = RobotsPage {
        title: &title,
        file: &file,
        site: None,
        read_as: verger_answer::ReadAs::default(),
        named: &[],
        urls: &[],
    };
    page.write(&mut io::stdout().lock())
}
