//! Decides many URLs on one thread, given the bodies of their authorities, and prints the time
//! taken:
//!
//! ```console
//! $ cargo run --release -p verger-inputs --features rulebook --example many_urls -- \
//!       ExampleBot bodies.jsonl urls.txt 5
//! ```
//!
//! The bodies are in the format of `verger filter --bodies`. The last argument is the number of
//! runs. Each run builds the rules anew. `bench/python/columns.py` compares Python's columns with
//! this example.

use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;
use std::{env, fs};

use serde::Deserialize;
use verger::{Crawler, Dialect, Reason, TargetPath};
use verger_inputs::rulebook::{
    BYTES_DEFAULT, Compared, Found, FoundCache, Keeping, RulesMaker, UrlAuthority, named_authority,
};

#[derive(Deserialize)]
struct Entry {
    authority: String,
    robots: String,
}

/// An answer: allowed, reason, line, and the end of its rule in the text of all rules. `None` if
/// there is no answer.
type Answer = Option<(bool, Reason, Option<u32>, usize)>;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [crawler, bodies, urls, rounds] = arguments.as_slice() else {
        return Err("give a crawler, a file of bodies, a file of URLs, and how often".into());
    };
    let crawler = Crawler::named(crawler, Dialect::Rfc9309)?;
    let maker = RulesMaker::new(vec![crawler], Dialect::Rfc9309.into(), Keeping::Rules);
    let bodies = read_bodies(&fs::read_to_string(bodies)?)?;
    let urls = fs::read_to_string(urls)?;
    let urls: Vec<&str> = urls.lines().collect();
    for _ in 0..rounds.parse()? {
        let start = Instant::now();
        let (answers, _rules) = answers(&maker, &bodies, &urls);
        let time = start.elapsed();
        let allowed = answers.iter().flatten().filter(|answer| answer.0).count();
        println!(
            "{} ns, {allowed} of {} allowed",
            time.as_nanos(),
            urls.len()
        );
    }
    Ok(())
}

fn read_bodies(lines: &str) -> Result<HashMap<String, String>, Box<dyn Error>> {
    let mut bodies = HashMap::new();
    for line in lines.lines() {
        let entry: Entry = serde_json::from_str(line)?;
        bodies.insert(named_authority(entry.authority.as_bytes())?, entry.robots);
    }
    Ok(bodies)
}

fn answers(
    maker: &RulesMaker,
    bodies: &HashMap<String, String>,
    urls: &[&str],
) -> (Vec<Answer>, String) {
    let mut rules_text = String::new();
    let cache = FoundCache::new(BYTES_DEFAULT);
    let mut authority = UrlAuthority::default();
    let mut found = Arc::new(Found::NoBody);
    let mut answer = |url: &str| {
        if authority.read(url.as_bytes()).ok()? == Compared::Other {
            let name = authority.name();
            found = cache.found(name.as_bytes(), || match bodies.get(name) {
                Some(body) => Found::Rules(maker.rules(body)),
                None => Found::NoBody,
            });
        }
        let Found::Rules(rules) = &*found else {
            return None;
        };
        let target = TargetPath::new(url, maker.readings()[0]).ok()?;
        let mut answer = None;
        rules.verdicts(&target.into(), |_, verdict, policy| {
            let rule = verdict.rule().and_then(|id| policy.rule(id));
            let line = rule.map(|rule| rule.line.get());
            if let Some(rule) = rule {
                // Writing to a string cannot fail.
                let _ = write!(rules_text, "{rule}");
            }
            let end = rules_text.len();
            answer = Some((verdict.is_allowed(), verdict.reason(), line, end));
        });
        answer
    };
    let answers = urls.iter().map(|url| answer(url)).collect();
    (answers, rules_text)
}
