//! A history for people: a line for each snapshot.

use std::io::{self, Write};

use verger_answer::CountOf;
use verger_answer::text::readable_time;
use verger_owner::{ChangeMeaning, HistoryEntry};

use crate::diff::write_comparison;
use crate::screen::byte_text::legible;
use crate::screen::hunks::write_hunks;
use crate::screen::palette::FAINT;

/// Number of digits shown, enough to tell the bodies of a site apart.
const HASH_DIGITS: usize = 12;

pub(super) struct Human<W> {
    pub(super) output: W,
    /// Whether to show changed lines, and not only their number.
    pub(super) shows_lines: bool,
    /// The site, if the history is about one.
    pub(super) site: Option<String>,
}

impl<W: Write> Human<W> {
    pub(super) fn write(&mut self, entry: &HistoryEntry) -> io::Result<()> {
        let HistoryEntry {
            snapshot, change, ..
        } = entry;
        let (number, time) = (snapshot.id.0, readable_time(snapshot.attempt.at));
        let outcome = snapshot.attempt.outcome.to_string();
        let (bytes, hash) = match snapshot.body {
            Some(body) => (
                CountOf(body.bytes, "byte", "bytes").to_string(),
                body.hash.to_string(),
            ),
            None => Default::default(),
        };
        let hash = hash.get(..HASH_DIGITS).unwrap_or_default();
        let change = legible(change.to_string().as_bytes());
        writeln!(
            self.output,
            "{number:>6}  {time}  {outcome:<26}  {bytes:>14}  \
             {FAINT}{hash:<HASH_DIGITS$}{FAINT:#}  {change}"
        )?;
        let lines = entry.change.body.lines();
        match lines.filter(|_| self.shows_lines) {
            Some(lines) => {
                writeln!(self.output)?;
                write_hunks(&mut self.output, lines)?;
                writeln!(self.output)?;
                if let Some(comparison) = ChangeMeaning::new(lines).comparison() {
                    let comparison = match &self.site {
                        Some(site) => comparison.of_site(site),
                        None => comparison,
                    };
                    write_comparison(&mut self.output, &comparison)?;
                    writeln!(self.output)?;
                }
                Ok(())
            }
            None => Ok(()),
        }
    }
}
