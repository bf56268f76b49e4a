//! `LogRun`: logs, read line by line and counted.
//!
//! | module | one line |
//! |---|---|
//! | `line_block` | lines that wait for the names of addresses |
//! | `lines_read` | lines with requests, and how many of them cannot be read |
//! | `wrong_format` | a log has another format, or lacks a field that an audit needs |

mod line_block;
mod lines_read;
mod wrong_format;

use std::error::Error;
use std::fmt::Display;
use std::io;
use verger_store::StoreError;

use verger_access::Timestamp;
use verger_answer::HumanCountOf;
use verger_answer::text::grouped;
use verger_files::{InputError, Source};

use crate::audit::Audit;
use crate::authority_table::HOSTS_MAX;
use crate::checks::NameSource;
use crate::log::{JsonField, JsonFields, LogFormat, LogLine, LogLines, LogReader};
use crate::log_totals::LogTotals;
use crate::rules::RulesSource;
use line_block::LineBlock;
use lines_read::LinesRead;
use wrong_format::{UnreadRequests, WrongFormat};

/// How many lines are read between two calls of [`LogObserver::read`].
const LINES_BETWEEN_COUNTS: u64 = 4096;

/// How many lines of a log show when it begins.
const BEGINNING_LINES: usize = 1000;

/// Gets the progress of a run, and the oddities of its logs.
pub trait LogObserver {
    /// So many lines and bytes were read of all logs.
    fn read(&self, lines: u64, bytes: u64);

    /// A log could not be read to its end, or has another format.
    fn error(&self, error: &dyn Error);

    /// Something of the logs is not counted.
    fn warning(&self, warning: &dyn Display);
}

/// The logs of a run, and how they are written.
#[derive(Clone, Copy, Debug)]
pub struct LogRun<'a> {
    /// The logs. Regular files are read in the order of the times at their beginnings; where one is a pipe, which can be
    /// opened once, all are read as they are given.
    pub logs: &'a [Source],
    /// How their lines are written; `None`: as is found out.
    pub format: Option<&'a LogFormat>,
    /// The places of fields in lines of JSON.
    pub json_fields: &'a [JsonField],
    /// Whether a log without a request of a crawler that can be judged is an error: where findings fail the run.
    pub must_be_judged: bool,
}

/// Lines and bytes that were read of all logs.
#[derive(Default)]
struct ReadSoFar {
    lines: u64,
    bytes: u64,
}

/// Why a log was not counted to its end.
enum Stopped {
    /// Something about the log, which the other logs do not suffer from.
    ByLog(Box<dyn Error>),
    /// The rules cannot be read.
    ByRules(StoreError),
}

impl From<InputError> for Stopped {
    fn from(error: InputError) -> Self {
        Self::ByLog(error.into())
    }
}

impl From<WrongFormat> for Stopped {
    fn from(error: WrongFormat) -> Self {
        Self::ByLog(error.into())
    }
}

impl LogRun<'_> {
    /// Counts the lines of all logs; false where one could not be read to its end, or has another format. Which
    /// one is reported. Where there are `names`, these are asked for before lines are counted.
    ///
    /// # Errors
    ///
    /// Where the rules cannot be read.
    pub fn count_into<S: RulesSource>(
        &self,
        audit: &mut Audit<S>,
        mut names: Option<&mut dyn NameSource>,
        observer: &dyn LogObserver,
    ) -> Result<bool, StoreError> {
        let mut read = ReadSoFar::default();
        let mut is_whole = true;
        let mut all = LinesRead::default();
        for log in self.oldest_first() {
            let names = names
                .as_mut()
                .map(|names| &mut **names as &mut dyn NameSource);
            match self.count(log, audit, names, (&mut read, observer), &mut all) {
                Ok(()) => {}
                Err(Stopped::ByLog(error)) => {
                    observer.error(&*error);
                    is_whole = false;
                }
                Err(Stopped::ByRules(error)) => return Err(error),
            }
        }
        if all.unread > 0 {
            observer.warning(&all);
        }
        let out_of_order = audit.out_of_order();
        if out_of_order > 0 {
            let or = if self.may_be_sorted() {
                ""
            } else {
                ", or give older logs first"
            };
            observer.warning(&format_args!(
                "{} under a Crawl-delay came in the logs long after a later one, and what came before {} is not known: \
                 sort the lines by time{or}",
                HumanCountOf(out_of_order, "request", "requests"),
                if out_of_order == 1 { "it" } else { "them" }
            ));
        }
        let of_further_hosts = audit.totals().of_further_hosts;
        if of_further_hosts > 0 {
            observer.warning(&format_args!(
                "{} of known crawlers went to hosts that came after {} others of which there are rules and {} not \
                 held to theirs: `--site` names a host that always is, or audit fewer logs at once",
                HumanCountOf(of_further_hosts, "request", "requests"),
                grouped(HOSTS_MAX),
                if of_further_hosts == 1 { "is" } else { "are" }
            ));
        }
        Ok(is_whole)
    }

    /// Counts the lines of a log, and adds how many they are to `all`. In a log that is damaged or cut, these are
    /// the lines before that place.
    fn count<S: RulesSource>(
        &self,
        log: &Source,
        audit: &mut Audit<S>,
        names: Option<&mut dyn NameSource>,
        (read, observer): (&mut ReadSoFar, &dyn LogObserver),
        all: &mut LinesRead,
    ) -> Result<(), Stopped> {
        let unreadable = |error| Stopped::from(log.unreadable(error));
        let opened = log.open().map_err(Stopped::from)?;
        let mut lines = LogLines::new(opened).map_err(unreadable)?;
        let Some(format) = self.format_of(log, &mut lines)? else {
            return Ok(());
        };
        let name = log.name();
        let before = audit.totals().clone();
        let mut counting = Counting {
            log: &name,
            reader: LogReader::new(format.clone()),
            ahead: LogReader::new(format.clone()),
            audit,
            names,
            waiting: LineBlock::default(),
            has_whole_line: false,
        };
        let bytes = read.bytes;
        let ended = loop {
            let line = match lines.advance() {
                Ok(Some(line)) => line,
                Ok(None) => break Ok(()),
                Err(error) => break Err(unreadable(after_line(lines.number(), &error))),
            };
            read.lines += 1;
            counting.take(&line).map_err(Stopped::ByRules)?;
            if read.lines % LINES_BETWEEN_COUNTS == 0 {
                observer.read(read.lines, bytes + lines.bytes());
            }
        };
        read.bytes = bytes + lines.bytes();
        observer.read(read.lines, read.bytes);
        counting.count_waiting().map_err(Stopped::ByRules)?;
        let has_whole_line = counting.has_whole_line;
        audit.count_blank(lines.blank());
        let counted = LinesRead::of(audit.totals()).since(LinesRead::of(&before));
        let totals = (&before, audit.totals());
        let nothing = nothing_to_judge(log, &format, totals, has_whole_line);
        if ended.is_ok() && counted.unread > 0 && counted.unread == counted.lines {
            let (log, lines) = (log.to_string(), counted.lines);
            // Lines that lack a time alone have the format.
            let no_line = || WrongFormat::NoLine { log, format, lines };
            return Err(nothing.unwrap_or_else(no_line).into());
        }
        *all += counted;
        ended?;
        match nothing {
            Some(nothing) if self.must_be_judged => return Err(nothing.into()),
            Some(nothing) => observer.warning(&nothing),
            None => warn_of_addresses(log, totals, observer),
        }
        Ok(())
    }

    fn may_be_sorted(&self) -> bool {
        self.logs.iter().all(|log| match log {
            Source::File(path) => path.is_file(),
            Source::Stdin => false,
        })
    }

    fn oldest_first(&self) -> Vec<&Source> {
        let mut logs: Vec<_> = self.logs.iter().collect();
        if logs.len() > 1 && self.may_be_sorted() {
            logs.sort_by_cached_key(|log| {
                let time = self.beginning_of(log);
                (time.is_none(), time)
            });
        }
        logs
    }

    /// The latest time among the first lines of a log: a line may be late, as that of a long download.
    fn beginning_of(&self, log: &Source) -> Option<Timestamp> {
        let mut lines = LogLines::new(log.open().ok()?).ok()?;
        let mut reader = LogReader::new(self.format_of(log, &mut lines).ok()??);
        let mut latest = None;
        for _ in 0..BEGINNING_LINES {
            let Ok(Some(line)) = lines.advance() else {
                break;
            };
            if let Some(Ok(Some(divided))) = line.bytes.map(|bytes| reader.divide(bytes))
                && let Ok(request) = divided.read()
            {
                latest = latest.max(Some(request.time));
            }
        }
        latest
    }

    /// How the lines of a log are written; `None` where it has none.
    fn format_of(&self, log: &Source, lines: &mut LogLines) -> Result<Option<LogFormat>, Stopped> {
        if let Some(format) = self.format {
            return Ok(Some(format.clone()));
        }
        if !self.json_fields.is_empty() {
            let fields: JsonFields = self.json_fields.iter().cloned().collect();
            return Ok(Some(LogFormat::json(fields)));
        }
        let beginning = lines.beginning();
        let beginning =
            beginning.map_err(|error| Stopped::from(log.unreadable(after_line(0, &error))))?;
        if beginning.is_empty() {
            return Ok(None);
        }
        match LogFormat::detected(beginning) {
            Some(format) => Ok(Some(format)),
            None => Err(WrongFormat::Unknown {
                log: log.to_string(),
            }
            .into()),
        }
    }
}

/// Why nothing can be judged of a log in which no line has a field that an audit needs. Where any line has a time and
/// a target, also one of a browser, the log has these fields, and only the lines of crawlers lack them.
fn nothing_to_judge(
    log: &Source,
    format: &LogFormat,
    (before, after): (&LogTotals, &LogTotals),
    has_whole_line: bool,
) -> Option<WrongFormat> {
    let counted = LinesRead::of(after).since(LinesRead::of(before));
    let read = counted.lines - counted.unread;
    let (log, format) = (log.to_string(), format.clone());
    if read > 0 && after.without_header - before.without_header == read {
        return Some(WrongFormat::NoUserAgent { log, format });
    }
    let unread = UnreadRequests {
        without_time: after.without_time - before.without_time,
        without_target: after.without_target - before.without_target,
    };
    let is_none_read = after.of_crawlers == before.of_crawlers && !has_whole_line;
    (is_none_read && unread.total() > 0).then_some(WrongFormat::NoRequest {
        log,
        format,
        unread,
    })
}

/// Warns of a log whose requests cannot be verified, since no line of a crawler has one address.
fn warn_of_addresses(
    log: &Source,
    (before, after): (&LogTotals, &LogTotals),
    observer: &dyn LogObserver,
) {
    let of_crawlers = after.of_crawlers - before.of_crawlers;
    if of_crawlers > 0 && after.without_address - before.without_address == of_crawlers {
        let requests = HumanCountOf(of_crawlers, "request", "requests");
        observer.warning(&format_args!(
            "no line of {log} has one address of its client that can be read: {requests} of known crawlers cannot be \
             verified"
        ));
    }
}

/// The same error with how far the log was read.
fn after_line(number: u64, error: &io::Error) -> io::Error {
    let read = match number {
        0 => "before the end of its first line".to_owned(),
        _ => format!("after line {number}"),
    };
    io::Error::new(error.kind(), format!("{error}, {read}"))
}

/// A log that is being counted. Where name servers are asked, lines wait in a block: they are asked about
/// all its addresses at once, then its lines are counted. So a log is read once, and may be a pipe.
struct Counting<'a, 'n, S> {
    log: &'a str,
    reader: LogReader,
    /// Reads lines before they are counted; some lines change what the others mean.
    ahead: LogReader,
    /// Whether a line has time and target; lines are read for that until one does.
    has_whole_line: bool,
    audit: &'a mut Audit<S>,
    names: Option<&'n mut dyn NameSource>,
    waiting: LineBlock,
}

impl<S: RulesSource> Counting<'_, '_, S> {
    fn take(&mut self, line: &LogLine<'_>) -> Result<(), StoreError> {
        if !self.has_whole_line {
            let divided = line.bytes.map(|bytes| self.ahead.divide(bytes));
            let divided = divided.and_then(|divided| divided.ok()?);
            self.has_whole_line = divided.is_some_and(|divided| divided.read().is_ok());
        }
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

    fn count_waiting(&mut self) -> Result<(), StoreError> {
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
