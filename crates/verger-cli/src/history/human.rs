//! A history for readers: one line a snapshot.

use std::io::{self, Write};

use super::chapter::{Chapter, Teller};
use super::showing::Showing;
use crate::octet_text::legible;
use crate::palette::FAINT;
use crate::readable_time::readable;

/// So many digits of a hash tell bodies apart that are looked at together.
const HASH_DIGITS: usize = 12;

/// Writes lines for readers.
pub(super) struct Human<W> {
    output: W,
    showing: Showing,
}

impl<W> Human<W> {
    pub(super) fn new(output: W, showing: Showing) -> Self {
        Self { output, showing }
    }
}

impl<W: Write> Teller for Human<W> {
    fn tell(&mut self, chapter: &Chapter) -> io::Result<()> {
        let Chapter { snapshot, change } = chapter;
        let (number, time) = (snapshot.id.0, readable(snapshot.attempt.at));
        let outcome = snapshot.attempt.outcome.to_string();
        let (octets, hash) = match snapshot.body {
            Some(body) => (format!("{} octets", body.octets), body.hash.to_string()),
            None => Default::default(),
        };
        let hash = hash.get(..HASH_DIGITS).unwrap_or_default();
        let change = legible(change.to_string().as_bytes());
        writeln!(
            self.output,
            "{number:>6}  {time}  {outcome:<26}  {octets:>14}  \
             {FAINT}{hash:<HASH_DIGITS$}{FAINT:#}  {change}"
        )?;
        let lines = chapter.change.body.lines();
        match lines.filter(|_| self.showing == Showing::Lines) {
            Some(lines) => {
                writeln!(self.output)?;
                lines.write_hunks(&mut self.output)?;
                writeln!(self.output)
            }
            None => Ok(()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
