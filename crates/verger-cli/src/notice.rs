//! What goes to standard error: errors and notes, beside the answers on standard output.

use std::fmt;
use std::io::Write;

use crate::octet_text::legible;
use crate::palette;
use crate::progress::undrawn;

/// Prints an error.
pub(crate) fn error(message: impl fmt::Display) {
    let style = palette::ERROR;
    let message = legible(message.to_string().as_bytes());
    // If standard error is closed, there is nowhere to report it.
    let _ = undrawn(|| writeln!(anstream::stderr(), "{style}error:{style:#} {message}"));
}

/// Prints a note, such as how an argument was understood.
pub(crate) fn note(message: impl fmt::Display) {
    let style = palette::FAINT;
    let message = legible(message.to_string().as_bytes());
    let _ = undrawn(|| writeln!(anstream::stderr(), "{style}{message}{style:#}"));
}
