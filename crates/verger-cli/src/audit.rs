//! `verger audit`: access logs against robots.txt.
//!
//! | module | one line |
//! |---|---|
//! | `rules_argument` | `--robots`: a file, and from when it is in force |
//! | `checks` | what requests are checked with: published ranges, names of addresses |
//! | `line_block` | lines that wait for the names of addresses |
//! | `reading` | logs, read line by line |
//! | `audit_rows` | what was counted, in the order in which it is shown |
//! | `human` | for people |
//! | `json` | as JSON Lines |
//! | `page` | as a page with charts |
//! | `csv` | as a table for other programs |
//! | `parquet` | as columns; feature `bulk` |

mod audit_rows;
mod checks;
mod csv;
mod human;
mod json;
mod line_block;
mod page;
#[cfg(feature = "bulk")]
mod parquet;
mod reading;
mod rules_argument;

use std::error::Error;
use std::ffi::OsString;
use std::fmt;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use verger::{Dialect, Reading, RobotsTxt};
use verger_access::{Authority, Profile, Timestamp};
use verger_audit::{
    Audit, AuditSettings, FileRules, JsonField, LogFormat, RulesInForce, RulesSource, StoreRules,
};
use verger_files::Links;
use verger_store::SqliteStore;

use crate::authority_argument::authority;
use crate::count_of::CountOf;
use crate::file_replacement::put_file;
use crate::input::Source;
use crate::length_argument::length;
use crate::notice;
use crate::octet_text::legible;
use crate::outcome::{CommandResult, Outcome};
use crate::output_format::{Format, FormatArguments, Formats};
use crate::palette;
use crate::profile_names::profiles;
use crate::reading_arguments::ReadingOptions;
use crate::run_files::RunFiles;
use crate::store_arguments::StoreArguments;
use audit_rows::{AuditRows, FailOn};
use checks::{ChecksArguments, OpenChecks, Updated, day};
use reading::Logs;
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
    #[arg(
        long,
        value_name = "NAME=PATH",
        conflicts_with = "log_format",
        hide_short_help = true
    )]
    json_field: Vec<JsonField>,

    /// The site of requests in whose line no host is; with --robots, the only site that is held to it
    #[arg(long, value_name = "URL|HOST", value_parser = authority)]
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
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    fail_on: Vec<FailOn>,

    /// Shorten addresses to their networks: 24 bits of IPv4, 48 of IPv6
    #[arg(long, hide_short_help = true)]
    anonymize: bool,

    #[command(flatten)]
    options: ReadingOptions,

    #[command(flatten)]
    checks: ChecksArguments,
}

impl Formats for AuditArguments {
    const FORMATS: &'static [(Format, &'static str)] = &[
        (
            Format::Human,
            "A table, and the lines that disallowed something with samples",
        ),
        (
            Format::Json,
            "JSON Lines: one about the logs, one for each crawler (schema verger.audit/1, in docs/json.md)",
        ),
        (Format::Csv, "Comma-separated, a line for each crawler"),
    ];
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
    let is_whole = updated.as_ref().is_none_or(Updated::is_whole);
    let of_update = if is_whole {
        Outcome::Success
    } else {
        Outcome::Unanswered
    };
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
        return audit(arguments, sources, StoreRules::new(&store, &profile));
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
    fn existing_store(&self) -> Result<SqliteStore, Box<dyn Error>> {
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
        for log in logs {
            files.read_once(log)?;
        }
        for robots in &self.robots {
            files.read(&robots.file)?;
        }
        self.checks.add_to(&mut files);
        if self.robots.is_empty()
            && let Ok(store) = self.store.path()
        {
            files.read_store(&store);
        }
        if let Some(report) = &self.report {
            files.write(report)?;
        }
        #[cfg(feature = "bulk")]
        if let Some(parquet) = &self.parquet {
            files.write(parquet)?;
        }
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
        AuditSettings {
            site: self.site.clone(),
            grace: self.grace,
            reading: self.reading(),
            anonymous: self.anonymize,
        }
    }
}

fn audit<S: RulesSource>(
    arguments: &AuditArguments,
    sources: &[Source],
    rules: S,
) -> CommandResult {
    let OpenChecks {
        checks,
        ages,
        mut names,
    } = arguments.checks.open()?;
    let mut audit = Audit::new(arguments.settings(), checks, rules);
    let logs = Logs {
        sources,
        format: arguments.log_format.as_ref(),
        json_fields: &arguments.json_field,
        must_be_judged: !arguments.fail_on.is_empty(),
    };
    let read = logs.read_into(&mut audit, names.as_mut());
    if let Some(names) = names {
        names.keep()?;
    }
    let is_whole = read?;
    let rows = AuditRows::of(&audit, &ages, arguments.grace);
    warn_of_age(&rows);
    let mut output = palette::stdout();
    match arguments.format.format() {
        Format::Json => json::write(&mut output, &rows)?,
        Format::Csv => csv::write(&mut output, &rows)?,
        _ => human::write(&mut output, &rows)?,
    }
    output.flush()?;
    if let Some(report) = &arguments.report {
        let mut page = Vec::new();
        page::write(&mut page, &rows)?;
        put_file(report, &page, Links::Follow)?;
    }
    #[cfg(feature = "bulk")]
    if let Some(path) = &arguments.parquet {
        parquet::write(path, &rows)?;
    }
    if !is_whole {
        return Ok(Outcome::Unanswered);
    }
    if arguments.fail_on.iter().any(|what| rows.has(*what)) {
        return Ok(Outcome::Disallowed);
    }
    let undecided = arguments
        .fail_on
        .iter()
        .filter_map(|what| rows.undecided(*what));
    let mut outcome = Outcome::Success;
    for undecided in undecided {
        notice::error(undecided);
        outcome = Outcome::Unanswered;
    }
    Ok(outcome)
}

/// Says where ranges are too old to show impostors.
fn warn_of_age(rows: &AuditRows<'_>) {
    let Some(last) = rows.totals.span.last else {
        return;
    };
    let (old, all) = (rows.ages.too_old_at(last), rows.ages.documents());
    if old > 0 {
        let (were, they_show, them) = match old {
            1 => ("was", "it shows", "it"),
            _ => ("were", "they show", "them"),
        };
        notice::warning(format_args!(
            "{old} of {} of address ranges {were} not read within 30 days of the last request ({}), so \
             that {they_show} no impostors; `verger audit --update-checks` fetches {them}",
            CountOf(all, "document", "documents"),
            day(last)
        ));
    }
}

/// Nothing says which rules were in force: there is no store at this place, or no place for one.
#[derive(Clone, Debug)]
struct NoRules(Option<PathBuf>);

impl fmt::Display for NoRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "no rules to hold the requests to: give the robots.txt with `--robots FILE`, or what \
             `verger fetch` keeps with `--store FILE` or VERGER_STORE",
        )?;
        match &self.0 {
            Some(path) => write!(
                f,
                "; there is no store `{}` yet",
                legible(path.to_string_lossy().as_bytes())
            ),
            None => Ok(()),
        }
    }
}

impl Error for NoRules {}

/// Arguments that do not go together.
#[derive(Clone, Debug)]
enum NotTogether {
    StoreAndFiles,
    /// Two files that would be in force from the same time on.
    Files(Source, Source),
}

impl fmt::Display for NotTogether {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StoreAndFiles => f.write_str(
                "`--store` does not go with `--robots`: rules come from the store or from files",
            ),
            Self::Files(one, other) => write!(
                f,
                "{one} and {other} would be in force from the same time on: give a time, \
                 `--robots TIME=FILE`"
            ),
        }
    }
}

impl Error for NotTogether {}
