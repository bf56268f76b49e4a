//! Fixes, written into a file or shown as a diff.

use std::error::Error;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use verger_answer::{LineChange, LineChanges};
use verger_lint::Fixed;

use super::lint_source::LintSource;
use crate::count_of::CountOf;
use crate::notice;
use crate::octet_text::legible;
use crate::outcome::Outcome;
use crate::palette::{self, ALLOWED, DISALLOWED, FAINT, MARKED};

/// Shows what fixes change in a body.
pub(super) fn write_diff(source: &LintSource, body: &[u8], fixed: Fixed) -> io::Result<Outcome> {
    if *body == *fixed.body {
        return Ok(Outcome::Success);
    }
    let changes = LineChanges::between(Arc::from(body), Arc::from(fixed.body), None);
    let mut output = palette::stdout();
    writeln!(output, "{MARKED}--- {source}{MARKED:#}")?;
    writeln!(output, "{MARKED}+++ {source}{MARKED:#}")?;
    for hunk in changes.hunks() {
        writeln!(output, "{FAINT}{}{FAINT:#}", hunk.heading)?;
        for line in hunk.lines {
            match line.change {
                LineChange::Kept => write!(output, "{line}")?,
                LineChange::Removed => write!(output, "{DISALLOWED}{line}{DISALLOWED:#}")?,
                LineChange::Added => write!(output, "{ALLOWED}{line}{ALLOWED:#}")?,
            }
        }
    }
    output.flush()?;
    Ok(Outcome::Warned)
}

/// Writes a fixed body over its file, where something changed.
///
/// # Errors
///
/// Where the file cannot be written; then it is as it was.
pub(super) fn write_file(source: &LintSource, body: &[u8], fixed: &Fixed) -> Result<(), NotFixed> {
    let Some(path) = source.path().filter(|_| *body != *fixed.body) else {
        return Ok(());
    };
    replace(path, &fixed.body).map_err(|error| NotFixed(source.to_string(), error))?;
    let count = CountOf(
        u64::try_from(fixed.fixes).unwrap_or(u64::MAX),
        "fix",
        "fixes",
    );
    notice::note(format_args!("{source}: {count} written"));
    Ok(())
}

/// Puts another file in the place of one, so that a reader finds the one or the other.
fn replace(path: &Path, body: &[u8]) -> io::Result<()> {
    // What a link names is replaced, not the link.
    let path = fs::canonicalize(path)?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".verger-fix");
    let beside = path.with_file_name(name);
    let write = || -> io::Result<()> {
        let mut file = File::create_new(&beside)?;
        file.write_all(body)?;
        file.set_permissions(fs::metadata(&path)?.permissions())?;
        file.sync_all()?;
        fs::rename(&beside, &path)
    };
    let written = write();
    if written
        .as_ref()
        .is_err_and(|it| it.kind() != io::ErrorKind::AlreadyExists)
    {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// A file could not be written.
#[derive(Debug)]
pub(super) struct NotFixed(String, io::Error);

impl fmt::Display for NotFixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(name, error) = self;
        write!(f, "cannot write `{}`: {error}", legible(name.as_bytes()))
    }
}

impl Error for NotFixed {}
