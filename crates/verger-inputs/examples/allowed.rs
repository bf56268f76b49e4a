//! Reads URLs from standard input and prints those that a robots.txt allows a crawler to fetch:
//!
//! ```console
//! $ cargo run -p verger-inputs --features filter --example allowed -- robots.txt gptbot < urls.txt
//! ```

use std::error::Error;
use std::io::{self, Write as _};
use std::{env, fs, thread};

use verger::{Dialect, Reading};
use verger_answer::CrawlerQuery;
use verger_inputs::rulebook::{Keeping, RulesMaker};
use verger_inputs::{BodyRules, FilterLines, FilterObserver, FilterTerms, LinesOf};
use verger_inputs::{RuleSource, filter_urls};

struct Print;

impl FilterObserver for Print {
    fn answered(&mut self, lines: &[u8]) -> io::Result<()> {
        io::stdout().write_all(lines)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let [file, name] = [1, 2].map(|at| env::args().nth(at).unwrap_or_default());
    let reading = Reading::new(Dialect::Rfc9309);
    let crawlers = name.parse::<CrawlerQuery>()?.resolve(reading)?;
    let engine = crawlers.iter().map(|it| it.crawler().clone()).collect();
    let maker = BodyRules::new(RulesMaker::new(engine, reading, Keeping::Rules), |_, _| {});
    let rules = RuleSource::one(maker.rules(fs::read(&file)?, &file));
    let lines = FilterLines::new(LinesOf::Allowed, crawlers, reading);
    let terms = FilterTerms {
        rules: &rules,
        missing: None,
        lines: &lines,
    };
    filter_urls(
        io::stdin().lock(),
        terms,
        thread::available_parallelism()?,
        &mut Print,
    )?;
    Ok(())
}
