//! Results for people: failures, and how many claims hold.

use std::io::{self, Write};

use verger_answer::CountOf;
use verger_owner::{ClaimEnd, ClaimReport, first_names};

use crate::screen::palette::{ALLOWED, DISALLOWED, DOUBTFUL, FAINT};

pub(super) fn write(output: &mut impl Write, report: &ClaimReport<'_>) -> io::Result<()> {
    let (mut holding, mut failing) = (0_usize, 0_usize);
    for shown in report.by_result() {
        let count = shown.crawlers.len().max(1);
        let (style, word, what) = match &shown.result {
            ClaimEnd::Holds => {
                holding += count;
                continue;
            }
            ClaimEnd::Fails(what) => (DISALLOWED, "fails", what),
            ClaimEnd::NotDecided(what) => (DOUBTFUL, "not decided", what),
        };
        failing += count;
        if count > 1 {
            let names = first_names(&shown.crawlers);
            writeln!(
                output,
                "{style}{word}{style:#} for {count} crawlers: {names}"
            )?;
            writeln!(output, "       {}", shown.statement)?;
        } else {
            writeln!(output, "{style}{word}{style:#}  {}", shown.claim())?;
        }
        writeln!(output, "       {what}")?;
        if let Some(why) = shown.why {
            writeln!(output, "       {FAINT}because: {why}{FAINT:#}")?;
        }
        if let Some(line) = shown.line {
            writeln!(
                output,
                "       {FAINT}{}:{line}{FAINT:#}",
                report.file.display()
            )?;
        }
    }
    let claims = CountOf(holding, "claim holds", "claims hold");
    let style = if failing == 0 { ALLOWED } else { DISALLOWED };
    write!(output, "{style}{claims}{style:#}")?;
    if failing > 0 {
        let failing = CountOf(failing, "does not", "do not");
        write!(output, ", {DISALLOWED}{failing}{DISALLOWED:#}")?;
    }
    writeln!(output, ": {}", report.robots)
}
