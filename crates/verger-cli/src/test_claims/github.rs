//! Results as commands of GitHub's workflows, which show them beside the lines of the claims.

use std::io::{self, Write};

use super::tested::{Shows, Tested};
use crate::workflow_command::{message, property};

pub(super) fn write(output: &mut impl Write, tested: &Tested<'_>) -> io::Result<()> {
    let file = property(&tested.file.to_string_lossy());
    for shown in tested.shown() {
        let what = match &shown.result {
            Shows::Holds => continue,
            Shows::Fails(what) | Shows::NotDecided(what) => what,
        };
        let line = shown.line.unwrap_or(1);
        let message = message(&format!("{}, but {what}", shown.claim));
        writeln!(
            output,
            "::error file={file},line={line},title=robots.txt::{message}"
        )?;
    }
    Ok(())
}
