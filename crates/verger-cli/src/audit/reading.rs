//! Logs, read line by line.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{HumanBytes, HumanCount};
use verger_audit::{
    Audit, JsonField, JsonFields, LogFormat, LogLine, LogLines, LogReader, RulesSource,
};

use super::checks::NameAsker;
use super::line_block::LineBlock;
use crate::input::{InputError, Source};
use crate::notice;
use crate::progress::Progress;

/// How many lines are read between two counts of the progress.
const LINES_BETWEEN_COUNTS: u64 = 4096;

/// The logs of a run, and how they are written.
pub(super) struct Logs<'a> {
    pub(super) sources: &'a [Source],
    pub(super) format: Option<&'a LogFormat>,
    pub(super) json_fields: &'a [JsonField],
}

/// What was read so far.
#[derive(Default)]
struct ReadSoFar {
    lines: AtomicU64,
    octets: AtomicU64,
}

impl ReadSoFar {
    fn line(&self, elapsed: Duration) -> String {
        let lines = self.lines.load(Ordering::Relaxed);
        let octets = self.octets.load(Ordering::Relaxed);
        let seconds = elapsed.as_secs().max(1);
        let (lines, octets) = (HumanCount(lines), HumanBytes(octets / seconds));
        format!("{lines} lines, {octets} a second")
    }
}

impl Logs<'_> {
    /// Counts the lines of all logs; false where one could not be read to its end, which was said.
    pub(super) fn read_into<S: RulesSource>(
        &self,
        audit: &mut Audit<S>,
        mut names: Option<&mut NameAsker>,
    ) -> Result<bool, Box<dyn Error>> {
        let read = Arc::new(ReadSoFar::default());
        let shown = Arc::clone(&read);
        let _progress = Progress::alone(move |elapsed| shown.line(elapsed));
        let mut is_whole = true;
        for source in self.sources {
            let counted = self.count(source, audit, names.as_deref_mut(), &read);
            match counted {
                Ok(()) => {}
                Err(error) if error.is::<InputError>() || error.is::<UnknownFormat>() => {
                    notice::error(&*error);
                    is_whole = false;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(is_whole)
    }

    fn count<S: RulesSource>(
        &self,
        source: &Source,
        audit: &mut Audit<S>,
        names: Option<&mut NameAsker>,
        read: &ReadSoFar,
    ) -> Result<(), Box<dyn Error>> {
        let unreadable = |error| source.unreadable(error);
        let mut lines = LogLines::new(source.open()?).map_err(unreadable)?;
        let format = match self.format {
            Some(format) => format.clone(),
            None if !self.json_fields.is_empty() => {
                let fields: JsonFields = self.json_fields.iter().cloned().collect();
                LogFormat::json(fields)
            }
            None => {
                let beginning = lines.beginning().map_err(unreadable)?;
                if beginning.is_empty() {
                    return Ok(());
                }
                let detected = LogFormat::detected(beginning);
                detected.ok_or_else(|| UnknownFormat(source.clone()))?
            }
        };
        let name = match source {
            Source::Stdin => "-".into(),
            Source::File(path) => path.to_string_lossy(),
        };
        let mut counting = Counting {
            log: &name,
            reader: LogReader::new(format.clone()),
            ahead: LogReader::new(format),
            audit,
            names,
            waiting: LineBlock::default(),
        };
        let (mut number, before) = (0, read.octets.load(Ordering::Relaxed));
        while let Some(line) = lines.advance().map_err(unreadable)? {
            number += 1;
            counting.take(&line)?;
            if number % LINES_BETWEEN_COUNTS == 0 {
                read.lines
                    .fetch_add(LINES_BETWEEN_COUNTS, Ordering::Relaxed);
                read.octets
                    .store(before + lines.octets(), Ordering::Relaxed);
            }
        }
        read.octets
            .store(before + lines.octets(), Ordering::Relaxed);
        counting.count_waiting()
    }
}

/// A log that is being counted. Where name servers are asked, lines wait in a block: they are asked about
/// all its addresses at once, then its lines are counted. So a log is read once, and may be a pipe.
struct Counting<'a, S> {
    log: &'a str,
    reader: LogReader,
    /// Reads lines before they are counted; some lines change what the others mean.
    ahead: LogReader,
    audit: &'a mut Audit<S>,
    names: Option<&'a mut NameAsker>,
    waiting: LineBlock,
}

impl<S: RulesSource> Counting<'_, S> {
    fn take(&mut self, line: &LogLine<'_>) -> Result<(), Box<dyn Error>> {
        let Some(names) = &self.names else {
            return self.audit.count(self.log, line, &mut self.reader);
        };
        let since = names.fresh_since();
        let address = self.audit.wants_names(line, &mut self.ahead, since);
        self.waiting.push(line, address);
        if self.waiting.is_full() {
            self.count_waiting()?;
        }
        Ok(())
    }

    fn count_waiting(&mut self) -> Result<(), Box<dyn Error>> {
        if let Some(names) = &mut self.names {
            names.ask(self.waiting.addresses(), self.audit.checks_mut());
        }
        for line in self.waiting.lines() {
            self.audit.count(self.log, &line, &mut self.reader)?;
        }
        self.waiting.clear();
        Ok(())
    }
}

/// The format of a log is none that is known.
#[derive(Debug)]
struct UnknownFormat(Source);

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the first lines of {} have no format that is known: name it with `--log-format`",
            self.0
        )
    }
}

impl Error for UnknownFormat {}
