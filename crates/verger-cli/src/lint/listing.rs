//! The table of lints, and the page of one.

use std::io::{self, BufWriter, Write};

use verger_lint::{UnknownLint, all, by_code};

use crate::outcome::{CommandResult, Outcome};
use crate::screen::palette::{self, FAINT, HEADING};

pub(super) fn explain(code: &str) -> CommandResult {
    let lint = by_code(code).ok_or_else(|| UnknownLint::new(code))?;
    let mut output = palette::stdout();
    write!(output, "{lint}")?;
    output.flush()?;
    Ok(Outcome::Success)
}

pub(super) fn list(as_json: bool) -> CommandResult {
    if as_json {
        write_json()?;
        return Ok(Outcome::Success);
    }
    let mut output = palette::stdout();
    let width = all().iter().map(|lint| lint.code().len()).max();
    let width = width.unwrap_or(0);
    for lint in all() {
        let (code, severity) = (lint.code(), lint.severity());
        writeln!(
            output,
            "{HEADING}{code:<width$}{HEADING:#}  {FAINT}{severity:<7}{FAINT:#}  {}",
            lint.summary()
        )?;
    }
    output.flush()?;
    Ok(Outcome::Success)
}

fn write_json() -> io::Result<()> {
    let mut output = BufWriter::new(io::stdout().lock());
    let mut lints = all().iter();
    lints.try_for_each(|lint| verger_answer::json::write_line(&mut output, lint))?;
    output.flush()
}
