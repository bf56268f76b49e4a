//! `verger audit`: access logs against robots.txt.
//!
//! | module | one line |
//! |---|---|
//! | `rules_argument` | `--robots`: a file, and when it came into force |
//! | `checks` | directories with published address ranges and names of addresses |
//! | `human` | results for people |
//! | `parquet` | results as columns, with feature `bulk` |

mod checks;
mod human;
#[cfg(feature = "bulk")]
mod parquet;
mod rules_argument;

use std::error::Error;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use indicatif::HumanBytes;
use verger::RobotsTxt;
use verger_access::{Authority, Profile, Timestamp};
use verger_answer::{HumanCountOf, ReadAs, written_site};
use verger_audit::{
    Audit, AuditAnswer, AuditFinding, AuditSettings, FileRules, JsonField, LogFormat, LogObserver,
    LogRun, NameSource, RulesInForce, RulesSource, StoreRules, UpdatedRanges,
};
use verger_inputs::{Links, RunFiles, Source, put_file};
use verger_page::AuditPage;
use verger_store::{KeptStore, length};

use crate::arguments::profile_names::profiles;
use crate::arguments::reading::ReadingOptions;
use crate::arguments::store::StoreArguments;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::byte_text::legible_path;
use crate::screen::message::Message;
use crate::screen::notice;
use crate::screen::output_format::{Format, FormatArguments, Formats};
use crate::screen::palette;
use crate::screen::progress::{Counting, Drawing};
use crate::screen::shown_command::shown_command;
use checks::{ChecksArguments, OpenChecks};
use rules_argument::RulesArgument;

/// Check access logs against robots.txt, crawler by crawler
///
/// Counts which crawlers fetched disallowed URLs, by the rules in force at the time of each request. Crawlers
/// are recognised by the User-Agent header, and verified by the address ranges that operators publish and by
/// names of addresses. An address field with several public addresses, such as X-Forwarded-For, proves nothing.
/// A request with a crawler's true name is not counted for other crawlers. Requests within `--grace` of a change
/// of rules are not counted as disallowed. Exit code 0: done. 1: with `--fail-on`, there were such requests. 2:
/// a log could not be read, no line of it could, or with `--fail-on` there were none but not everything could be
/// checked. Some unreadable lines are only a warning.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, after_long_help = LONG_EXAMPLES)]
pub(crate) struct AuditArguments {
    /// Access logs: plain, gzip or Zstandard (`-` is standard input)
    #[arg(value_name = "LOG", required_unless_present = "update_checks")]
    logs: Vec<OsString>,

    /// Format of the logs [default: detected from the first lines]
    ///
    /// One of common, combined, vhost-combined, json, w3c, alb, or the text of nginx's `log_format` or Apache's
    /// `LogFormat`.
    #[arg(long, value_name = "FORMAT")]
    log_format: Option<LogFormat>,

    /// Place of a field in JSON lines, as user_agent=request.headers.User-Agent (repeatable)
    ///
    /// Other names: address, time, request, target, path, query, scheme, host, status.
    #[arg(long, value_name = "NAME=PATH")]
    #[arg(conflicts_with = "log_format", hide_short_help = true)]
    json_field: Vec<JsonField>,

    /// Site of requests without a host, and with `--robots` the only site checked
    #[arg(long, value_name = "URL|HOST", value_parser = written_site)]
    site: Option<Authority>,

    /// robots.txt in force, or since 2026-11-20=new.txt [default: the store]
    ///
    /// May be repeated. Without it, the rules come from the store.
    #[arg(long, value_name = "[TIME=]FILE", value_parser = RulesArgument::read)]
    robots: Vec<RulesArgument>,

    /// Rules for status codes, errors and expiry (see `verger profiles`) [default: rfc9309]
    #[arg(long, value_name = "NAME", value_parser = profiles(), hide_possible_values = true)]
    profile: Option<Box<Profile>>,

    #[command(flatten)]
    store: StoreArguments,

    /// Treat stored results as valid for this long, such as 7d
    ///
    /// Replaces the lifetimes of the profile and the 24 hours of a failure.
    #[arg(long, value_name = "LENGTH", value_parser = length, conflicts_with = "robots")]
    #[arg(hide_short_help = true)]
    hold: Option<Duration>,

    /// Time after a change in which a crawler may still follow the old rules
    #[arg(long, value_name = "LENGTH", default_value = "24h", value_parser = length)]
    #[arg(hide_short_help = true)]
    grace: Duration,

    #[command(flatten)]
    format: FormatArguments<Self>,

    /// Also write an HTML page with charts
    ///
    /// It shows requests of crawlers day by day, whether they were verified, and the lines that disallowed them
    /// with samples.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Also write Parquet, a row for each crawler and check (docs/columns.md)
    #[cfg(feature = "bulk")]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    parquet: Option<PathBuf>,

    /// Exit with 1 if there are such requests (separated by commas)
    ///
    /// If there are none, requests that could not be checked make the exit code 2: without known rules, checks
    /// without an answer, unreadable lines of crawlers, a log without User-Agent headers.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = findings())]
    fail_on: Vec<AuditFinding>,

    /// Shorten addresses to networks: 24 bits for IPv4, 48 for IPv6
    #[arg(long, hide_short_help = true)]
    anonymize: bool,

    #[command(flatten)]
    options: ReadingOptions,

    #[command(flatten)]
    checks: ChecksArguments,
}

impl Formats for AuditArguments {
    const HUMAN: &'static str = "A table, then the disallowing lines with samples";
    const JSON: &'static str = "JSON Lines, one for the logs and one for each crawler (schema verger.audit/1, in docs/json.md)";
    const OTHERS: &'static [(Format, &'static str)] =
        &[(Format::Csv, "Comma-separated, a line for each crawler")];
}

const EXAMPLES: &str = "\
Examples:
  verger audit --robots robots.txt access.log
  verger audit --site example.com access.log.1.gz access.log
  verger audit --resolve --report audit.html --robots robots.txt access.log";

const LONG_EXAMPLES: &str = "\
Examples:
  verger audit --robots robots.txt access.log
  verger audit --site example.com access.log.1.gz access.log
  verger audit --update-checks && verger audit --resolve --report audit.html access.log
  verger audit --robots old.txt --robots 2026-11-20=robots.txt access.log
  verger audit --robots robots.txt --parquet audit.parquet access.log
  verger audit --format json --fail-on disallowed --robots robots.txt access.log
  verger audit --robots robots.txt access.log \\
    --log-format '$remote_addr [$time_local] \"$request\" $status \"$http_user_agent\"'";

pub(crate) fn run(arguments: &AuditArguments) -> CommandResult {
    let sources: Vec<Source> = arguments.logs.iter().cloned().map(Source::from).collect();
    arguments.hold_files_apart(&sources)?;
    let updated = arguments.checks.update()?;
    let is_whole = updated.as_ref().is_none_or(UpdatedRanges::is_whole);
    let of_update = Outcome::Unanswered.unless(is_whole);
    if let Some(updated) = updated {
        if arguments.logs.is_empty() {
            writeln!(palette::stdout(), "{updated}")?;
            return Ok(of_update);
        }
        notice::note(Message::new(updated));
    }
    Ok(audit_by_rules(arguments, &sources)?.max(of_update))
}

fn audit_by_rules(arguments: &AuditArguments, sources: &[Source]) -> CommandResult {
    if arguments.robots.is_empty() {
        let store = arguments.existing_store()?;
        let profile = arguments.profile();
        return audit(arguments, sources, StoreRules::new(&*store, &profile));
    }
    if arguments.store.is_given() {
        let message = Message::new("`--store` and `--robots` both give the rules");
        return Err(message.help("leave out one of them").into());
    }
    for (nth, robots) in arguments.robots.iter().enumerate() {
        let mut before = arguments.robots[..nth].iter();
        if let Some(same) = before.find(|before| before.from == robots.from) {
            let (old, new) = (&same.file, &robots.file);
            let message = Message::new(format_args!(
                "{old} and {new} would be in force from the same time on"
            ));
            let help = "give each a time: --robots 2026-11-20=robots.txt";
            return Err(message.help(help).into());
        }
    }
    let files = arguments.robots.iter().map(|robots| {
        let body = robots.file.read()?;
        let rules =
            RulesInForce::from_robots(RobotsTxt::parse(body, arguments.read_as().reading()));
        Ok::<_, Box<dyn Error>>((robots.from, rules))
    });
    let files = files.collect::<Result<Vec<(Timestamp, _)>, _>>()?;
    audit(
        arguments,
        sources,
        FileRules::new(arguments.site.clone(), files),
    )
}

impl AuditArguments {
    fn existing_store(&self) -> Result<KeptStore, Box<dyn Error>> {
        if self.store.named().is_some() {
            return self.store.read_existing();
        }
        let place = self.store.path().map_err(|_| no_rules(None))?;
        let found = self.store.find()?;
        found.ok_or_else(|| no_rules(Some(&place)).into())
    }

    /// Rejects an output that is also an input or another output, and a log that is given twice.
    fn hold_files_apart(&self, logs: &[Source]) -> Result<(), Box<dyn Error>> {
        let mut files = RunFiles::default();
        logs.iter().try_for_each(|log| files.read_once(log))?;
        let mut robots = self.robots.iter();
        robots.try_for_each(|robots| files.read(&robots.file))?;
        self.checks.directories().add_to(&mut files);
        if self.robots.is_empty()
            && let Ok(store) = self.store.path()
        {
            files.read_store(&store);
        }
        files.write_given(self.report.as_deref())?;
        #[cfg(feature = "bulk")]
        files.write_given(self.parquet.as_deref())?;
        Ok(())
    }

    fn profile(&self) -> Profile {
        let profile = self.options.profile(self.profile.as_deref());
        match self.hold {
            Some(hold) => profile.with_lifetime(hold),
            None => profile,
        }
    }

    fn read_as(&self) -> ReadAs {
        self.options.read_as_unless(self.profile.as_deref())
    }

    fn settings(&self) -> AuditSettings {
        let mut settings = AuditSettings::new(self.read_as());
        settings.site.clone_from(&self.site);
        settings.profile = self.profile.as_deref().unwrap_or(&Profile::RFC9309).clone();
        settings.grace = self.grace;
        settings.anonymous = self.anonymize;
        settings
    }
}

fn audit<S: RulesSource>(
    arguments: &AuditArguments,
    sources: &[Source],
    rules: S,
) -> CommandResult {
    let OpenChecks { checks, mut names } = arguments.checks.open()?;
    let mut audit = Audit::new(arguments.settings(), checks, rules);
    let logs = LogRun {
        logs: sources,
        format: arguments.log_format.as_ref(),
        json_fields: &arguments.json_field,
        must_be_judged: !arguments.fail_on.is_empty(),
    };
    let asked = names.as_mut().map(|names| names as &mut dyn NameSource);
    let read = logs.count_into(&mut audit, asked, &LogProgress::start());
    if let Some(names) = names {
        if let Some(unanswered) = names.unanswered() {
            notice::warning(Message::from_text(unanswered));
        }
        names.keep()?;
    }
    let is_whole = read?;
    let answer = AuditAnswer::of(&audit);
    if let Some(old) = answer.old_ranges() {
        notice::warning(Message::from_text(old));
    }
    arguments.write(&answer)?;
    if !is_whole {
        return Ok(Outcome::Unanswered);
    }
    if arguments.fail_on.iter().any(|what| answer.has(*what)) {
        return Ok(Outcome::Disallowed);
    }
    let fail_on = arguments.fail_on.iter();
    let undecided = fail_on.filter_map(|what| answer.undecided(*what));
    let mut outcome = Outcome::Success;
    for undecided in undecided {
        notice::error(Message::from_text(undecided));
        outcome = Outcome::Unanswered;
    }
    Ok(outcome)
}

struct LogProgress(Counting<2>);

impl LogProgress {
    fn start() -> Self {
        Self(Counting::new(Drawing::Alone, |[lines, bytes], elapsed| {
            let lines = HumanCountOf(lines, "line", "lines");
            let bytes = HumanBytes(bytes / elapsed.as_secs().max(1));
            format!("{lines}, {bytes} a second")
        }))
    }
}

impl LogObserver for LogProgress {
    fn read(&self, lines: u64, bytes: u64) {
        self.0.set(0, lines);
        self.0.set(1, bytes);
    }

    fn error(&self, error: &dyn Error) {
        notice::error(Message::from_text(error));
    }

    fn warning(&self, warning: &dyn Display) {
        notice::warning(Message::from_text(warning));
    }
}

impl AuditArguments {
    fn write(&self, answer: &AuditAnswer<'_>) -> Result<(), Box<dyn Error>> {
        let mut output = palette::stdout();
        match self.format.format() {
            Format::Json => write_lines(&mut output, answer)?,
            Format::Csv => answer.write_csv(&mut output)?,
            _ => human::write(&mut output, answer)?,
        }
        output.flush()?;
        if let Some(report) = &self.report {
            let mut page = Vec::new();
            let command = &shown_command();
            AuditPage { answer, command }.write(&mut page)?;
            put_file(report, &page, Links::Follow)?;
        }
        #[cfg(feature = "bulk")]
        if let Some(path) = &self.parquet {
            parquet::write(path, answer)?;
        }
        Ok(())
    }
}

fn write_lines(output: &mut impl Write, answer: &AuditAnswer<'_>) -> io::Result<()> {
    let mut lines = answer.lines();
    lines.try_for_each(|line| verger_answer::json::write_line(&mut *output, &line))
}

fn findings() -> impl TypedValueParser<Value = AuditFinding> {
    let findings = AuditFinding::ALL.iter();
    let names = findings.map(|it| PossibleValue::new(it.as_str()).help(it.in_words()));
    PossibleValuesParser::new(names).try_map(|name| {
        let mut findings = AuditFinding::ALL.iter().copied();
        findings.find(|it| it.as_str() == name).ok_or("no finding")
    })
}

/// Reports that there is no store at this place, or no place for one.
fn no_rules(place: Option<&Path>) -> Message {
    let store = place.map(|path| format!(", and there is no store `{}`", legible_path(path)));
    Message::new(format_args!(
        "no rules to check the requests against: there is no `--robots`{}",
        store.unwrap_or_default()
    ))
    .help("give the file with `--robots robots.txt`, or a store of `verger fetch` with `--store FILE`")
}
