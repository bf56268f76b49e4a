//! Fixes, written into a file or shown as a diff.

use std::io::{self, Write};
use std::sync::Arc;

use verger_answer::{CountOf, LineChanges};
use verger_inputs::{Links, NotWritten, put_file};
use verger_lint::Fixed;

use crate::outcome::Outcome;
use crate::screen::hunks::write_hunks;
use crate::screen::notice;
use crate::screen::palette::{self, MARKED};
use crate::sources::robots_source::RobotsSource;

pub(super) fn write_diff(source: &RobotsSource, body: &[u8], fixed: Fixed) -> io::Result<Outcome> {
    if *body == *fixed.body {
        return Ok(Outcome::Success);
    }
    let changes = LineChanges::between(Arc::from(body), Arc::from(fixed.body), None);
    let (name, mut output) = (source.name(), palette::stdout());
    writeln!(output, "{MARKED}--- {name}{MARKED:#}")?;
    writeln!(output, "{MARKED}+++ {name}{MARKED:#}")?;
    write_hunks(&mut output, &changes)?;
    output.flush()?;
    Ok(Outcome::Warned)
}

/// Replaces the file if something changed. A file that cannot be written stays unchanged.
pub(super) fn write_file(
    source: &RobotsSource,
    body: &[u8],
    fixed: &Fixed,
) -> Result<(), NotWritten> {
    let Some(path) = source.path().filter(|_| *body != *fixed.body) else {
        return Ok(());
    };
    put_file(path, &fixed.body, Links::WithinDirectory)?;
    let name = source.name();
    let count = CountOf(
        u64::try_from(fixed.fixes).unwrap_or(u64::MAX),
        "fix",
        "fixes",
    );
    notice::note(format_args!("{name}: {count} written"));
    Ok(())
}
