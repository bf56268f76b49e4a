//! Logs, read line by line.

use std::error::Error;
use std::fmt;
use std::io;
use std::ops::AddAssign;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{HumanBytes, HumanCount};
use verger_audit::{
    Audit, HOSTS_MAX, JsonField, JsonFields, LogFormat, LogLine, LogLines, LogReader, LogTotals,
    RulesSource,
};

use super::checks::NameAsker;
use super::line_block::LineBlock;
use crate::count_of::HumanCountOf;
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
    /// Whether a log in which nothing of a crawler can be judged is an error, since something is to fail by what
    /// they did.
    pub(super) must_be_judged: bool,
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
        let lines = HumanCountOf(lines, "line", "lines");
        let octets = HumanBytes(octets / seconds);
        format!("{lines}, {octets} a second")
    }
}

impl Logs<'_> {
    /// Counts the lines of all logs; false where one could not be read to its end, or has another format. Which
    /// one is reported.
    pub(super) fn read_into<S: RulesSource>(
        &self,
        audit: &mut Audit<S>,
        mut names: Option<&mut NameAsker>,
    ) -> Result<bool, Box<dyn Error>> {
        let read = Arc::new(ReadSoFar::default());
        let shown = Arc::clone(&read);
        let _progress = Progress::alone(move |elapsed| shown.line(elapsed));
        let mut is_whole = true;
        let mut all = LinesRead::default();
        for source in self.sources {
            let counted = self.count(source, audit, names.as_deref_mut(), &read, &mut all);
            match counted {
                Ok(()) => {}
                Err(error) if error.is::<InputError>() || error.is::<WrongFormat>() => {
                    notice::error(&*error);
                    is_whole = false;
                }
                Err(error) => return Err(error),
            }
        }
        if all.unread > 0 {
            notice::warning(all);
        }
        let of_further_hosts = audit.totals().of_further_hosts;
        if of_further_hosts > 0 {
            notice::warning(format_args!(
                "{} of known crawlers went to hosts that came after {} others of which there are rules and {} not \
                 held to theirs: `--site` names a host that always is, or audit fewer logs at once",
                HumanCountOf(of_further_hosts, "request", "requests"),
                HumanCount(HOSTS_MAX as u64),
                if of_further_hosts == 1 { "is" } else { "are" }
            ));
        }
        Ok(is_whole)
    }

    /// Counts the lines of a log, and adds how many they are to `all`. Of a log that is damaged or cut, these are
    /// the lines before that place.
    fn count<S: RulesSource>(
        &self,
        source: &Source,
        audit: &mut Audit<S>,
        names: Option<&mut NameAsker>,
        read: &ReadSoFar,
        all: &mut LinesRead,
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
                let beginning = lines.beginning();
                let beginning = beginning.map_err(|error| unreadable(after_line(0, &error)))?;
                if beginning.is_empty() {
                    return Ok(());
                }
                let detected = LogFormat::detected(beginning);
                detected.ok_or_else(|| WrongFormat::Unknown(source.clone()))?
            }
        };
        let name = match source {
            Source::Stdin => "-".into(),
            Source::File(path) => path.to_string_lossy(),
        };
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
        let octets = read.octets.load(Ordering::Relaxed);
        let mut taken = 0;
        let ended = loop {
            let line = match lines.advance() {
                Ok(Some(line)) => line,
                Ok(None) => break Ok(()),
                Err(error) => break Err(unreadable(after_line(lines.number(), &error))),
            };
            taken += 1;
            counting.take(&line)?;
            if taken % LINES_BETWEEN_COUNTS == 0 {
                read.lines
                    .fetch_add(LINES_BETWEEN_COUNTS, Ordering::Relaxed);
                read.octets
                    .store(octets + lines.octets(), Ordering::Relaxed);
            }
        };
        read.octets
            .store(octets + lines.octets(), Ordering::Relaxed);
        counting.count_waiting()?;
        let has_whole_line = counting.has_whole_line;
        audit.count_blank(lines.blank());
        let counted = LinesRead::of(audit.totals()).since(LinesRead::of(&before));
        if ended.is_ok() && counted.unread > 0 && counted.unread == counted.lines {
            return Err(WrongFormat::NoLine(source.clone(), format, counted.lines).into());
        }
        *all += counted;
        ended?;
        self.hold_to_fields(source, format, (&before, audit.totals()), has_whole_line)
    }

    /// Reports a log in which no line has a field that an audit needs. Where any line has a time and a target, also
    /// one of a browser, the log has these fields, and only the lines of crawlers lack them.
    fn hold_to_fields(
        &self,
        source: &Source,
        format: LogFormat,
        (before, after): (&LogTotals, &LogTotals),
        has_whole_line: bool,
    ) -> Result<(), Box<dyn Error>> {
        let counted = LinesRead::of(after).since(LinesRead::of(before));
        let read = counted.lines - counted.unread;
        if read > 0 && after.without_header - before.without_header == read {
            return self.report(WrongFormat::NoUserAgent(source.clone(), format));
        }
        let of_crawlers = after.of_crawlers - before.of_crawlers;
        let unread = UnreadRequests {
            without_time: after.without_time - before.without_time,
            without_target: after.without_target - before.without_target,
        };
        if of_crawlers == 0 && unread.total() > 0 && !has_whole_line {
            return self.report(WrongFormat::NoRequest(source.clone(), format, unread));
        }
        if of_crawlers > 0 && after.without_address - before.without_address == of_crawlers {
            let requests = HumanCountOf(of_crawlers, "request", "requests");
            notice::warning(format_args!(
                "no line of {source} has one address of its client that can be read: {requests} of known \
                 crawlers cannot be verified"
            ));
        }
        Ok(())
    }

    /// Reports that nothing in a log can be judged, as an error or as a warning.
    fn report(&self, nothing: WrongFormat) -> Result<(), Box<dyn Error>> {
        if self.must_be_judged {
            return Err(nothing.into());
        }
        notice::warning(nothing);
        Ok(())
    }
}

/// Lines of known crawlers that cannot be read.
#[derive(Clone, Copy, Debug)]
struct UnreadRequests {
    without_time: u64,
    without_target: u64,
}

impl UnreadRequests {
    fn total(self) -> u64 {
        self.without_time + self.without_target
    }

    /// What none of them has.
    fn missing(self) -> &'static str {
        match (self.without_time, self.without_target) {
            (_, 0) => "a time that can be read",
            (0, _) => "a URL or a path",
            _ => "a time and a path that can be read",
        }
    }

    /// What brings it, in lines of a format.
    fn remedy(self, format: &str) -> &'static str {
        match (format, self.without_target) {
            ("json", 0) => "`--json-field time=PATH` says where it is",
            ("json", _) if self.without_time == 0 => "`--json-field target=PATH` says where it is",
            ("json", _) => "`--json-field` says where they are",
            ("w3c", 0) => "let the server log the fields date and time",
            ("w3c", _) => "let the server log the fields date, time and cs-uri-stem",
            _ => "name the fields with `--log-format` as the server's configuration does",
        }
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

/// Lines with requests, and how many of them cannot be read.
#[derive(Clone, Copy, Debug, Default)]
struct LinesRead {
    lines: u64,
    unread: u64,
}

impl LinesRead {
    fn of(totals: &LogTotals) -> Self {
        Self {
            lines: totals.lines - totals.without_request,
            unread: totals.not_read + totals.too_long,
        }
    }

    fn since(self, before: Self) -> Self {
        Self {
            lines: self.lines - before.lines,
            unread: self.unread - before.unread,
        }
    }
}

impl AddAssign for LinesRead {
    fn add_assign(&mut self, other: Self) {
        self.lines += other.lines;
        self.unread += other.unread;
    }
}

impl fmt::Display for LinesRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { lines, unread } = self;
        write!(
            f,
            "{} of {} cannot be read and {} not counted",
            HumanCount(*unread),
            HumanCountOf(*lines, "line", "lines"),
            if *unread == 1 { "is" } else { "are" }
        )
    }
}

/// A log that is being counted. Where name servers are asked, lines wait in a block: they are asked about
/// all its addresses at once, then its lines are counted. So a log is read once, and may be a pipe.
struct Counting<'a, S> {
    log: &'a str,
    reader: LogReader,
    /// Reads lines before they are counted; some lines change what the others mean.
    ahead: LogReader,
    /// Whether a line has time and target; lines are read for that until one does.
    has_whole_line: bool,
    audit: &'a mut Audit<S>,
    names: Option<&'a mut NameAsker>,
    waiting: LineBlock,
}

impl<S: RulesSource> Counting<'_, S> {
    fn take(&mut self, line: &LogLine<'_>) -> Result<(), Box<dyn Error>> {
        if !self.has_whole_line {
            let divided = line.octets.map(|octets| self.ahead.divide(octets));
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

/// A log has another format.
#[derive(Debug)]
enum WrongFormat {
    /// It is none that is known.
    Unknown(Source),
    /// None of its lines, so many, has the format that was named.
    NoLine(Source, LogFormat, u64),
    /// None of its lines has a `User-Agent` header.
    NoUserAgent(Source, LogFormat),
    /// None of its lines of known crawlers has time and target, and no other line has.
    NoRequest(Source, LogFormat, UnreadRequests),
}

impl fmt::Display for WrongFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(log) => write!(
                f,
                "the first lines of {log} have no format that is known: name it with `--log-format`"
            ),
            Self::NoLine(log, format, lines) => write!(
                f,
                "no line of {log} can be read as the format `{format}` ({}): name its own with `--log-format`",
                HumanCountOf(*lines, "line", "lines")
            ),
            Self::NoUserAgent(log, format) => write!(
                f,
                "no line of {log}, read as the format `{format}`, has a User-Agent header, so that no crawler \
                 can be found: {}",
                match &*format.to_string() {
                    "json" => "`--json-field user_agent=PATH` says where it is",
                    "w3c" => "let the server log the field cs(User-Agent)",
                    "common" => "let the server log it, as the format `combined` does",
                    _ => "each has nothing, or `-`, in its place",
                }
            ),
            Self::NoRequest(log, format, unread) => write!(
                f,
                "no line of a known crawler in {log}, read as the format `{format}`, has {}, so that none can be \
                 judged ({}): {}",
                unread.missing(),
                HumanCountOf(unread.total(), "line", "lines"),
                unread.remedy(&format.to_string())
            ),
        }
    }
}

impl Error for WrongFormat {}
