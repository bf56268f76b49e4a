//! `LogRun`: counts whole logs.
//!
//! | module | one line |
//! |---|---|
//! | `line_block` | lines that wait for host names |
//! | `lines_read` | number of lines, and of unreadable lines |
//! | `wrong_format` | errors about the format of a log |

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
use verger_inputs::{InputError, Source};

use crate::audit::Audit;
use crate::authority_table::HOSTS_MAX;
use crate::checks::NameSource;
use crate::log::{JsonField, JsonFields, LogFormat, LogLine, LogLines, LogReader};
use crate::log_totals::LogTotals;
use crate::rules::RulesSource;
use line_block::LineBlock;
use lines_read::LinesRead;
use wrong_format::{UnreadRequests, WrongFormat};

/// Number of lines between two calls of [`LogObserver::read`].
const LINES_BETWEEN_COUNTS: u64 = 4096;

const BEGINNING_LINES: usize = 1000;

/// Receives the progress and the problems of a run.
pub trait LogObserver {
    /// Reports the number of lines and bytes read from all logs.
    fn read(&self, lines: u64, bytes: u64);

    /// Reports a log that could not be read to its end or has another format.
    fn error(&self, error: &dyn Error);

    /// Reports lines that are not counted.
    fn warning(&self, warning: &dyn Display);
}

/// The logs of a run, and their format.
#[derive(Clone, Copy, Debug)]
pub struct LogRun<'a> {
    /// The logs. Regular files are read in order of their start times. If one is a pipe, which can
    /// be opened only once, all logs are read in the given order.
    pub logs: &'a [Source],
    /// The format of the logs. If `None`, it is detected.
    pub format: Option<&'a LogFormat>,
    /// Paths of fields in lines of JSON.
    pub json_fields: &'a [JsonField],
    /// Whether a log without a request that can be judged is an error. Set this if findings fail
    /// the run.
    pub must_be_judged: bool,
}

#[derive(Default)]
struct ReadSoFar {
    lines: u64,
    bytes: u64,
}

/// Why a log was not counted to its end.
enum Stopped {
    /// A problem that does not affect other logs.
    ByLog(Box<dyn Error>),
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
    /// Counts the lines of all logs. Returns false if a log could not be read to its end or has
    /// another format, and reports it to `observer`. If there are `names`, they are queried before
    /// lines are counted.
    ///
    /// # Errors
    ///
    /// Returns an error if the rules cannot be read.
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
                "{} under a Crawl-delay came long after a later one in the logs, so the gap before {} is unknown: sort the lines by time{or}",
                HumanCountOf(out_of_order, "request", "requests"),
                if out_of_order == 1 { "it" } else { "them" }
            ));
        }
        let of_further_hosts = audit.totals().of_further_hosts;
        if of_further_hosts > 0 {
            observer.warning(&format_args!(
                "{} of known crawlers went to hosts beyond the first {} with rules and {} not judged: name an important host with `--site`, or audit fewer logs at once",
                HumanCountOf(of_further_hosts, "request", "requests"),
                grouped(HOSTS_MAX),
                if of_further_hosts == 1 { "is" } else { "are" }
            ));
        }
        Ok(is_whole)
    }

    /// Adds the number of lines to `all`. If the log is damaged or truncated, counts the lines
    /// before that point.
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
            // Lines that lack only a time do match the format.
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

    /// Returns the latest time among the first lines. A line may be late, for example after a long
    /// download.
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

    /// Returns `None` if the log is empty.
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

/// Returns why nothing can be judged, if no line has a required field. If any line has a time and a
/// target, even one of a browser, the log has these fields and only lines of crawlers lack them.
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

/// Warns if no line has a single address, because requests cannot be verified.
fn warn_of_addresses(
    log: &Source,
    (before, after): (&LogTotals, &LogTotals),
    observer: &dyn LogObserver,
) {
    let of_crawlers = after.of_crawlers - before.of_crawlers;
    if of_crawlers > 0 && after.without_address - before.without_address == of_crawlers {
        let requests = HumanCountOf(of_crawlers, "request", "requests");
        observer.warning(&format_args!(
            "no line of {log} has a single readable client address: {requests} of known crawlers cannot be verified"
        ));
    }
}

/// Adds to an error how far the log was read.
fn after_line(number: u64, error: &io::Error) -> io::Error {
    let read = match number {
        0 => "before the end of its first line".to_owned(),
        _ => format!("after line {number}"),
    };
    io::Error::new(error.kind(), format!("{error}, {read}"))
}

/// If names are queried, lines wait in a block until all its addresses have been queried. A log is
/// therefore read only once and may be a pipe.
struct Counting<'a, 'n, S> {
    log: &'a str,
    reader: LogReader,
    /// Parses lines before they are counted. It has its own state, because directives affect later
    /// lines.
    ahead: LogReader,
    /// Whether a line with time and target has been seen. Lines are parsed until one is.
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
