//! Prints one line of JSON per crawler and URL, like `verger check --json`:
//!
//! ```console
//! $ cargo run -p verger-answer --example check_json -- examples/robots.txt gptbot https://example.com/drafts/1
//! ```

use std::error::Error;
use std::{env, fs};

use verger::{Dialect, TargetPath};
use verger_answer::{CheckLine, CheckedFile, CrawlerQuery, Explaining, Readings};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let [file, name] = [arguments.next(), arguments.next()].map(Option::unwrap_or_default);
    let readings = Readings::new(Dialect::Rfc9309.into(), Explaining::No);
    let crawlers = name.parse::<CrawlerQuery>()?.resolve(readings.own())?;
    let file = CheckedFile::new(fs::read(file)?, &readings, &crawlers);
    for url in arguments {
        let target = TargetPath::new(&url, readings.own())?;
        for crawler in 0..crawlers.len() {
            let answer = file.answer(crawler, url.as_bytes(), &target);
            println!("{}", serde_json::to_string(&CheckLine::new(&answer))?);
        }
    }
    Ok(())
}
