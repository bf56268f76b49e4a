//! The few colours, and the standard output that drops them where no terminal shows them.

use std::io::{self, BufWriter, StdoutLock};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use verger::Effect;

/// What may be fetched.
pub(crate) const ALLOWED: Style = AnsiColor::Green.on_default();
/// What may not.
pub(crate) const DISALLOWED: Style = AnsiColor::Red.on_default().bold();
/// An error.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// The heading of a list.
pub(crate) const HEADING: Style = Style::new().bold();
/// What a reader looks for first.
pub(crate) const MARKED: Style = Style::new().bold();
/// Details.
pub(crate) const FAINT: Style = Style::new().dimmed();

/// The colour of an effect.
pub(crate) fn of(effect: Effect) -> Style {
    match effect {
        Effect::Allow => ALLOWED,
        Effect::Disallow => DISALLOWED,
    }
}

/// Standard output for people: buffered, in colour on a terminal unless `NO_COLOR` is set.
pub(crate) fn stdout() -> BufWriter<AutoStream<StdoutLock<'static>>> {
    BufWriter::new(AutoStream::auto(io::stdout().lock()))
}
