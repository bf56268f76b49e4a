//! Shows what a new version of a robots.txt changes for crawlers that no group names, with example URLs:
//!
//! ```console
//! $ cargo run -p verger-compare --example difference -- old-robots.txt new-robots.txt
//! ```

use std::error::Error;
use std::{env, fs, io};

use verger::{Crawler, Dialect, Policy, RobotsTxt};
use verger_compare::{Budget, Difference, PolicySet};

fn main() -> Result<(), Box<dyn Error>> {
    let mut files = env::args_os().skip(1);
    let mut policy = || -> io::Result<Policy> {
        let body = fs::read(files.next().unwrap_or_default())?;
        Ok(RobotsTxt::parse(body, Dialect::Rfc9309).policy(&Crawler::unnamed()))
    };
    let (old, new) = (policy()?, policy()?);
    let (old, new) = (PolicySet::new(&old), PolicySet::new(&new));
    let difference = Difference::between(&old, &new, Budget::default())?;
    for (what, search) in [
        ("newly disallowed", difference.newly_disallowed()),
        ("newly allowed", difference.newly_allowed()),
    ] {
        match search.witness() {
            Some(url) => println!("{what}: {url}"),
            None if search.is_proven_absent() => println!("{what}: nothing"),
            None => println!("{what}: not found within the budget"),
        }
    }
    Ok(())
}
