//! Warnings about ignored, cut or reinterpreted lines, one on each line, as compilers print them.

use std::ffi::OsStr;
use std::io::{self, Write};

use verger::RobotsTxt;
use verger_answer::parsed::placed;

use crate::screen::byte_text::{argument_bytes, legible};
use crate::screen::palette::FAINT;

pub(super) fn write(output: &mut impl Write, robots: &RobotsTxt, name: &OsStr) -> io::Result<()> {
    let name = legible(&argument_bytes(name));
    for (place, diagnostic) in placed(robots) {
        write!(output, "{name}:")?;
        if let Some((line, column)) = place {
            write!(output, "{line}:{column}:")?;
        }
        let message = legible(diagnostic.kind.to_string().as_bytes());
        let clause = diagnostic.kind.clause();
        writeln!(output, " {message} {FAINT}({clause}){FAINT:#}")?;
    }
    Ok(())
}
