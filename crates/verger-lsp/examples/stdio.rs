//! A language server for robots.txt on standard input and output, for an editor to start.

use std::io;

use verger_lint::report::LintSettings;
use verger_lsp::{End, serve};

fn main() -> io::Result<()> {
    let settings = |_: &_| Ok(LintSettings::default());
    let end = serve(
        io::BufReader::new(io::stdin()),
        &mut io::stdout().lock(),
        settings,
    )?;
    if matches!(end, End::WithoutShutdown) {
        eprintln!("the editor closed the connection without `shutdown`");
    }
    Ok(())
}
