//! Prints the findings about a robots.txt on disk, each with its line and its code:
//!
//! ```console
//! $ cargo run -p verger-lint --example findings -- robots.txt
//! ```

use std::{env, fs, io};

use verger_lint::{Linted, Served};

fn main() -> io::Result<()> {
    for path in env::args().skip(1) {
        let file = Linted::new(fs::read(&path)?, &Served::default());
        for finding in file.findings() {
            let line = file.position(finding.span().start).line;
            println!("{path}:{line}: {} ({})", finding.message, finding.code);
        }
    }
    Ok(())
}
