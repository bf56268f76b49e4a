//! Lines that changed, for people.

use std::io::{self, Write};

use verger_answer::{LineChange, LineChanges};

use crate::screen::palette::{ALLOWED, DISALLOWED, FAINT};

/// Writes a unified diff without its two headings.
pub(crate) fn write_hunks(output: &mut impl Write, changes: &LineChanges) -> io::Result<()> {
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
    Ok(())
}
