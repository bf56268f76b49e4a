//! Results as commands of GitHub's workflows, which show them beside the lines of the claims.

use std::io::{self, Write};

use super::tested::{Shows, Tested};

pub(super) fn write(output: &mut impl Write, tested: &Tested<'_>) -> io::Result<()> {
    let file = property(&tested.file.to_string_lossy());
    for shown in tested.shown() {
        let what = match &shown.result {
            Shows::Holds => continue,
            Shows::Fails(what) | Shows::NotDecided(what) => what,
        };
        let line = shown.line.unwrap_or(1);
        let message = data(&format!("{}, but {what}", shown.claim));
        writeln!(
            output,
            "::error file={file},line={line},title=robots.txt::{message}"
        )?;
    }
    Ok(())
}

/// The message of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// A property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
