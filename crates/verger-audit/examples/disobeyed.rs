//! Prints how many requests of each crawler in an access log a robots.txt disallows:
//!
//! ```console
//! $ cargo run -p verger-audit --example disobeyed -- robots.txt access.log
//! ```

use std::error::Error;
use std::fs::{self, File};
use std::{env, io};

use verger::{Dialect, RobotsTxt};
use verger_access::Timestamp;
use verger_audit::{Audit, AuditSettings, FileRules, LogFormat, LogLines, LogReader};
use verger_audit::{RequestChecks, RulesInForce};

fn main() -> Result<(), Box<dyn Error>> {
    let [robots, log] = [1, 2].map(|at| env::args().nth(at).unwrap_or_default());
    let robots = RobotsTxt::parse(fs::read(robots)?, Dialect::Rfc9309);
    let from = Timestamp::from_unix_seconds(0);
    let rules = FileRules::new(None, vec![(from, RulesInForce::from_robots(robots))]);
    let settings = AuditSettings::new(Dialect::Rfc9309);
    let mut audit = Audit::new(settings, RequestChecks::default(), rules);

    let mut reader = LogReader::new("combined".parse::<LogFormat>()?);
    let mut lines = LogLines::new(io::BufReader::new(File::open(&log)?))?;
    while let Some(line) = lines.advance()? {
        audit.count(&log, &line, &mut reader)?;
    }
    let (_, crawlers) = audit.counted();
    for it in crawlers {
        let (requests, disallowed) = (it.tally.requests, it.tally.disallowed);
        println!("{}: {disallowed} of {requests} requests", it.crawler.name());
    }
    Ok(())
}
