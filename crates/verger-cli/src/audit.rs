//! `verger audit`: access logs against robots.txt.
//!
//! | module | one line |
//! |---|---|
//! | `rules_argument` | `--robots`: a file, and from when it is in force |
//! | `checks` | directories with published ranges and names of addresses |
//! | `human` | for people |
//! | `csv` | as a table for other programs |
//! | `parquet` | as columns; feature `bulk` |

mod checks;
mod human;
#[cfg(feature = "bulk")]
mod parquet;
mod rules_argument;

use std::error::Error;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use indicatif::HumanBytes;
use verger::{Dialect, Reading, RobotsTxt};
use verger_access::{Authority, Profile, Timestamp};
use verger_answer::{HumanCountOf, written_site};
use verger_audit::{
    Audit, AuditAnswer, AuditFinding, AuditSettings, FileRules, JsonField, LogFormat, LogObserver,
    LogRun, NameSource, RulesInForce, RulesSource, StoreRules, UpdatedRanges,
};
use verger_files::{Links, RunFiles, Source, put_file};
use verger_page::AuditPage;
use verger_store::{KeptStore, length};

use crate::arguments::profile_names::profiles;
use crate::arguments::reading::ReadingOptions;
use crate::arguments::store::StoreArguments;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::byte_text::legible_path;
use crate::screen::notice;
use crate::screen::output_format::{Format, FormatArguments, Formats};
use crate::screen::palette;
use crate::screen::progress::{Counting, Drawing};
use checks::{ChecksArguments, OpenChecks};
use rules_argument::RulesArgument;

/// Hold the requests in access logs to the robots.txt that was in force: who asked for what was disallowed
///
/// A crawler is found by the User-Agent header, and the header is checked where that is possible: by
/// the address ranges that operators publish, and by the names of addresses. Of an address field with several
/// public addresses, as X-Forwarded-For may have, none is a proof. What is counted against a crawler that sends its true
/// name is never counted against another one. Requests by rules that were changed less than `--grace`
/// before are not counted as disallowed. Exit code 0: done; 1: with `--fail-on`, there were such
/// requests; 2: a log could not be read, or no line of it, or with `--fail-on`, there were none and not everything
/// could be judged. Some lines that cannot be read are a warning.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AuditArguments {
    /// Access logs, plain, gzip or Zstandard; `-` for standard input
    #[arg(value_name = "LOG", required_unless_present = "update_checks")]
    logs: Vec<OsString>,

    /// How lines are written: common, combined, vhost-combined, json, w3c, alb, or the text of nginx's
    /// `log_format` or Apache's `LogFormat` [default: detected from the first lines]
    #[arg(long, value_name = "FORMAT")]
    log_format: Option<LogFormat>,

    /// Where a field is in lines of JSON, as user_agent=request.headers.User-Agent; other names:
    /// address, time, request, target, path, query, scheme, host, status; may be given several times
    #[arg(long, value_name = "NAME=PATH")]
    #[arg(conflicts_with = "log_format", hide_short_help = true)]
    json_field: Vec<JsonField>,

    /// The site of requests in whose line no host is; with --robots, the only site that is held to it
    #[arg(long, value_name = "URL|HOST", value_parser = written_site)]
    site: Option<Authority>,

    /// The robots.txt that was in force, or from a time on: 2026-11-20=new.txt; may be given several
    /// times [default: what the store has seen of each site]
    #[arg(long, value_name = "[TIME=]FILE", value_parser = RulesArgument::read)]
    robots: Vec<RulesArgument>,

    /// What follows from statuses, failures and age; `verger profiles` shows them [default: rfc9309]
    #[arg(long, value_name = "NAME", value_parser = profiles())]
    profile: Option<Box<Profile>>,

    #[command(flatten)]
    store: StoreArguments,

    /// Take what the store saw to stay so for this long, such as 7d, in place of the lifetimes of the profile
    /// and of the 24 hours of a failure
    #[arg(long, value_name = "LENGTH", value_parser = length, conflicts_with = "robots")]
    #[arg(hide_short_help = true)]
    hold: Option<Duration>,

    /// How long after a change a crawler may still go by the rules before
    #[arg(long, value_name = "LENGTH", default_value = "24h", value_parser = length)]
    #[arg(hide_short_help = true)]
    grace: Duration,

    #[command(flatten)]
    format: FormatArguments<Self>,

    /// Write a page with charts too, to be read in a browser: what crawlers asked for, day by day, whether
    /// they were those crawlers, and the lines that disallowed them with samples
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Write what is counted as Parquet too, a row for each crawler and check (docs/columns.md)
    #[cfg(feature = "bulk")]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    parquet: Option<PathBuf>,

    /// End with exit code 1 where there is such a request; several with commas between them. Where there is none, what
    /// could not be judged ends with 2: requests without known rules, checks without an answer, lines of crawlers that
    /// cannot be read, a log without User-Agent headers
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = findings())]
    fail_on: Vec<AuditFinding>,

    /// Shorten addresses to their networks: 24 bits of IPv4, 48 of IPv6
    #[arg(long, hide_short_help = true)]
    anonymize: bool,

    #[command(flatten)]
    options: ReadingOptions,

    #[command(flatten)]
    checks: ChecksArguments,
}

impl Formats for AuditArguments {
    const HUMAN: &'static str = "A table, and the lines that disallowed something with samples";
    const JSON: &'static str = "JSON Lines: one about the logs, one for each crawler (schema verger.audit/1, in docs/json.md)";
    const OTHERS: &'static [(Format, &'static str)] =
        &[(Format::Csv, "Comma-separated, a line for each crawler")];
}

const EXAMPLES: &str = "\
Examples:
  verger audit --robots robots.txt access.log
  verger audit --site example.com access.log.*.gz
  verger audit --robots old.txt --robots 2026-11-20=robots.txt access.log
  verger audit --log-format '$remote_addr [$time_local] \"$request\" $status \"$http_user_agent\"' \\
    --robots robots.txt - < access.log
  verger audit --update-checks && verger audit --resolve --report audit.html access.log
  verger audit --robots robots.txt --parquet audit.parquet access.log
  verger audit --format json --fail-on disallowed --robots robots.txt access.log";

/// Runs the command.
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
        notice::note(updated);
    }
    Ok(audit_by_rules(arguments, &sources)?.max(of_update))
}

/// Audits the logs against the rules of files or of the store.
fn audit_by_rules(arguments: &AuditArguments, sources: &[Source]) -> CommandResult {
    if arguments.robots.is_empty() {
        let store = arguments.existing_store()?;
        let profile = arguments.profile();
        return audit(arguments, sources, StoreRules::new(&*store, &profile));
    }
    if arguments.store.is_given() {
        return Err(NotTogether::StoreAndFiles.into());
    }
    for (nth, robots) in arguments.robots.iter().enumerate() {
        let mut before = arguments.robots[..nth].iter();
        if let Some(same) = before.find(|before| before.from == robots.from) {
            return Err(NotTogether::Files(same.file.clone(), robots.file.clone()).into());
        }
    }
    let files = arguments.robots.iter().map(|robots| {
        let body = robots.file.read()?;
        let rules = RulesInForce::of_robots(RobotsTxt::parse(body, arguments.reading()));
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
    /// Opens the store, whose history the requests are held to where no file is given.
    fn existing_store(&self) -> Result<KeptStore, Box<dyn Error>> {
        if self.store.named().is_some() {
            return self.store.read_existing();
        }
        let place = self.store.path().map_err(|_| NoRules(None))?;
        let found = self.store.find()?;
        found.ok_or_else(|| NoRules(Some(place)).into())
    }

    /// Refuses an output that is an input or the other output, and a log that is given twice.
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

    /// What decides: the profile that is named, which reads with these options.
    fn profile(&self) -> Profile {
        let profile = self.profile.as_deref().cloned().unwrap_or(Profile::RFC9309);
        let profile = Profile {
            reading: self.options.reading_of(profile.reading.dialect()),
            ..profile
        };
        match self.hold {
            Some(hold) => profile.with_lifetime(hold),
            None => profile,
        }
    }

    fn reading(&self) -> Reading {
        let profile = self.profile.as_deref();
        let dialect = profile.map_or(Dialect::default(), |profile| profile.reading.dialect());
        self.options.reading_of(dialect)
    }

    fn settings(&self) -> AuditSettings {
        let mut settings = AuditSettings::new(self.reading());
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
            notice::warning(unanswered);
        }
        names.keep()?;
    }
    let is_whole = read?;
    let answer = AuditAnswer::of(&audit);
    if let Some(old) = answer.old_ranges() {
        notice::warning(old);
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
        notice::error(undecided);
        outcome = Outcome::Unanswered;
    }
    Ok(outcome)
}

/// A line with how much was read so far, and what is odd about logs on standard error.
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
        notice::error(error);
    }

    fn warning(&self, warning: &dyn Display) {
        notice::warning(warning);
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
            AuditPage(answer).write(&mut page)?;
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

/// Reads what makes the command end with 1.
fn findings() -> impl TypedValueParser<Value = AuditFinding> {
    let findings = AuditFinding::ALL.iter();
    let names = findings.map(|it| PossibleValue::new(it.as_str()).help(it.in_words()));
    PossibleValuesParser::new(names).try_map(|name| {
        let mut findings = AuditFinding::ALL.iter().copied();
        findings.find(|it| it.as_str() == name).ok_or("no finding")
    })
}

/// Nothing says which rules were in force: there is no store at this place, or no place for one.
#[derive(Clone, Debug, thiserror::Error)]
#[error(
    "no rules to hold the requests to: give the robots.txt with `--robots FILE`, or what `verger fetch` keeps with \
     `--store FILE` or VERGER_STORE{}",
    .0.as_ref().map(|path| format!("; there is no store `{}` yet", legible_path(path))).unwrap_or_default()
)]
struct NoRules(Option<PathBuf>);

/// Arguments that do not go together.
#[derive(Clone, Debug, thiserror::Error)]
enum NotTogether {
    #[error("`--store` does not go with `--robots`: rules come from the store or from files")]
    StoreAndFiles,
    /// Two files that would be in force from the same time on.
    #[error(
        "{0} and {1} would be in force from the same time on: give a time, `--robots TIME=FILE`"
    )]
    Files(Source, Source),
}
