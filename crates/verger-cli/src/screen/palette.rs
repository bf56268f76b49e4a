//! The colours, and a standard output that drops them unless it is a terminal.

use std::io::{self, BufWriter, StdoutLock, Write};

use anstream::adapter::StripBytes;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use verger::Effect;

/// A URL that may be fetched.
pub(crate) const ALLOWED: Style = AnsiColor::Green.on_default();
/// A URL that may not be fetched.
pub(crate) const DISALLOWED: Style = AnsiColor::Red.on_default().bold();
/// A possible mistake.
pub(crate) const DOUBTFUL: Style = AnsiColor::Yellow.on_default();
/// A file that does not exist.
pub(crate) const ABSENT: Style = AnsiColor::Blue.on_default();
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// The line with the fix, below an error.
pub(crate) const HELP: Style = AnsiColor::Cyan.on_default();
pub(crate) const HEADING: Style = Style::new().bold();
/// The part that a reader looks for first.
pub(crate) const MARKED: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();

pub(crate) fn choose(choice: clap::ColorChoice) {
    let choice = match choice {
        clap::ColorChoice::Auto => ColorChoice::Auto,
        clap::ColorChoice::Always => ColorChoice::Always,
        clap::ColorChoice::Never => ColorChoice::Never,
    };
    choice.write_global();
}

pub(crate) fn of(effect: impl Into<Option<Effect>>) -> Style {
    match effect.into() {
        Some(Effect::Allow) => ALLOWED,
        Some(Effect::Disallow) => DISALLOWED,
        None => MARKED,
    }
}

const BUFFER_BYTES: usize = 64 << 10;

/// Returns standard output for people: buffered until it is flushed, full or dropped, and in colour
/// on a terminal unless `NO_COLOR` is set.
pub(crate) fn stdout() -> BufWriter<PeoplesOutput> {
    BufWriter::with_capacity(BUFFER_BYTES, PeoplesOutput::of(io::stdout().lock()))
}

/// Standard output, with colours or without. The stream that drops colours writes the text between
/// them piece by piece, and standard output writes each line on its own, so without a buffer after
/// them each write is a system call.
pub(crate) enum PeoplesOutput {
    Coloured(AutoStream<StdoutLock<'static>>),
    Plain(WithoutColours<StdoutLock<'static>>),
}

/// Drops escape sequences, and copies the text between two of them as a whole. `StripBytes` reads
/// from an escape to the `m` that ends our sequences.
pub(crate) struct WithoutColours<W: Write> {
    escapes: Box<StripBytes>,
    in_escape: bool,
    output: BufWriter<W>,
}

const ESCAPE: u8 = 0x1b;

impl PeoplesOutput {
    fn of(stdout: StdoutLock<'static>) -> Self {
        match AutoStream::choice(&stdout) {
            ColorChoice::Never => Self::Plain(WithoutColours::of(stdout)),
            choice => Self::Coloured(AutoStream::new(stdout, choice)),
        }
    }
}

impl Write for PeoplesOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Coloured(output) => output.write(bytes),
            Self::Plain(output) => output.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Coloured(output) => output.flush(),
            Self::Plain(output) => output.flush(),
        }
    }
}

impl<W: Write> WithoutColours<W> {
    fn of(output: W) -> Self {
        Self {
            escapes: Box::default(),
            in_escape: false,
            output: BufWriter::with_capacity(BUFFER_BYTES, output),
        }
    }
}

impl<W: Write> Write for WithoutColours<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let end = if self.in_escape {
                let end = memchr::memchr(b'm', rest).map(|last| last + 1);
                self.in_escape = end.is_none();
                let end = end.unwrap_or(rest.len());
                for text in self.escapes.strip_next(&rest[..end]) {
                    self.output.write_all(text)?;
                }
                end
            } else {
                let end = memchr::memchr(ESCAPE, rest);
                self.in_escape = end.is_some();
                let end = end.unwrap_or(rest.len());
                self.output.write_all(&rest[..end])?;
                end
            };
            rest = &rest[end..];
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes, and the number of calls.
    #[derive(Default)]
    struct Calls {
        bytes: Vec<u8>,
        calls: usize,
    }

    impl Write for &mut Calls {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.bytes.extend_from_slice(bytes);
            self.calls += 1;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_without_colours_go_out_together() {
        let mut calls = Calls::default();
        let plain = WithoutColours::of(&mut calls);
        let mut output = BufWriter::with_capacity(BUFFER_BYTES, plain);
        for number in 0..100_000 {
            writeln!(output, "{HEADING}{number:>6}{HEADING:#} {FAINT}é{FAINT:#}").unwrap();
        }
        output.flush().unwrap();
        drop(output);
        let lines = (0..100_000).map(|number| format!("{number:>6} é\n"));
        assert_eq!(calls.bytes, lines.collect::<String>().into_bytes());
        assert!(calls.calls <= calls.bytes.len() / BUFFER_BYTES + 2);
    }

    #[test]
    fn an_escape_is_left_out_wherever_a_write_ends() {
        let written = format!("a{HEADING}bm{HEADING:#}é{FAINT}m{FAINT:#}\n");
        for first in 0..=written.len() {
            for second in first..=written.len() {
                let mut calls = Calls::default();
                let mut plain = WithoutColours::of(&mut calls);
                let bytes = written.as_bytes();
                for piece in [&bytes[..first], &bytes[first..second], &bytes[second..]] {
                    plain.write_all(piece).unwrap();
                }
                drop(plain);
                assert_eq!(calls.bytes, "abmém\n".as_bytes(), "{first}, {second}");
            }
        }
    }

    #[test]
    fn a_flush_sends_what_was_written() {
        let mut calls = Calls::default();
        let plain = WithoutColours::of(&mut calls);
        let mut output = BufWriter::with_capacity(BUFFER_BYTES, plain);
        output.write_all(b"a").unwrap();
        output.flush().unwrap();
        assert_eq!(output.get_ref().output.get_ref().bytes, b"a");
    }
}
