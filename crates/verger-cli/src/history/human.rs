//! A history for people: one line a snapshot.

use std::io::{self, Write};

use super::entry::{HistoryEntry, Rendering};
use super::meaning::Meaning;
use super::showing::Showing;
use crate::count_of::CountOf;
use crate::diff::write_comparison;
use crate::hunks::write_hunks;
use crate::octet_text::legible;
use crate::palette::FAINT;
use crate::readable_time::readable;

/// How many digits of a hash are shown: enough to tell the bodies of one site apart.
const HASH_DIGITS: usize = 12;

/// Writes lines for people.
pub(super) struct Human<W> {
    output: W,
    showing: Showing,
    site: Option<String>,
}

impl<W> Human<W> {
    /// Lines about `site`; `None` of several ones.
    pub(super) fn new(output: W, showing: Showing, site: Option<String>) -> Self {
        Self {
            output,
            showing,
            site,
        }
    }
}

impl<W: Write> Rendering for Human<W> {
    fn entry(&mut self, entry: &HistoryEntry) -> io::Result<()> {
        let HistoryEntry { snapshot, change } = entry;
        let (number, time) = (snapshot.id.0, readable(snapshot.attempt.at));
        let outcome = snapshot.attempt.outcome.to_string();
        let (octets, hash) = match snapshot.body {
            Some(body) => (
                CountOf(body.octets, "byte", "bytes").to_string(),
                body.hash.to_string(),
            ),
            None => Default::default(),
        };
        let hash = hash.get(..HASH_DIGITS).unwrap_or_default();
        let change = legible(change.to_string().as_bytes());
        writeln!(
            self.output,
            "{number:>6}  {time}  {outcome:<26}  {octets:>14}  \
             {FAINT}{hash:<HASH_DIGITS$}{FAINT:#}  {change}"
        )?;
        let lines = entry.change.body.lines();
        match lines.filter(|_| self.showing == Showing::Lines) {
            Some(lines) => {
                writeln!(self.output)?;
                write_hunks(&mut self.output, lines)?;
                writeln!(self.output)?;
                if let Some(comparison) = Meaning::of(lines).comparison() {
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

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
