use std::env;
use std::ffi::OsStr;

use terminal_size::{Width, terminal_size_of};

/// The width if none is known, in columns.
const WIDTH: u16 = 80;
/// Maximum width, in columns. Longer lines are hard to read.
const WIDTH_MAX: u16 = 500;

/// What standard output can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Terminal {
    /// Its width, in columns.
    pub(crate) width: u16,
    pub(crate) glyphs: Glyphs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Glyphs {
    Unicode,
    Ascii,
}

impl Terminal {
    /// Describes standard output. `COLUMNS` takes precedence over the width of the terminal, and
    /// `TERM=dumb` means plain ASCII.
    pub(crate) fn of_stdout() -> Self {
        let width = terminal_size_of(std::io::stdout()).map(|(Width(width), _)| width);
        let (columns, term) = (env::var_os("COLUMNS"), env::var_os("TERM"));
        Self::new(columns.as_deref(), width, term.as_deref())
    }

    fn new(columns: Option<&OsStr>, width: Option<u16>, term: Option<&OsStr>) -> Self {
        let columns = columns.and_then(|it| it.to_str()?.parse().ok());
        let widths = [columns, width, Some(WIDTH)];
        let width = widths.into_iter().flatten().find(|width| *width > 0);
        Self {
            width: width.unwrap_or(WIDTH).min(WIDTH_MAX),
            glyphs: if term.is_some_and(|term| term == "dumb") {
                Glyphs::Ascii
            } else {
                Glyphs::Unicode
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_width_is_that_of_the_environment_or_else_of_the_terminal() {
        for (columns, width, expected) in [
            (None, None, 80),
            (None, Some(120), 120),
            (None, Some(0), 80),
            (Some("60"), Some(120), 60),
            (Some("0"), Some(120), 120),
            (Some("wide"), None, 80),
            (Some("65535"), None, WIDTH_MAX),
        ] {
            let terminal = Terminal::new(columns.map(OsStr::new), width, None);
            assert_eq!(terminal.width, expected, "{columns:?} {width:?}");
        }
    }

    #[test]
    fn a_dumb_terminal_gets_ascii() {
        for (term, glyphs) in [
            (None, Glyphs::Unicode),
            (Some("xterm"), Glyphs::Unicode),
            (Some("dumb"), Glyphs::Ascii),
        ] {
            assert_eq!(
                Terminal::new(None, None, term.map(OsStr::new)).glyphs,
                glyphs
            );
        }
    }
}
