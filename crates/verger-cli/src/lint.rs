//! `verger lint`: likely mistakes in a robots.txt, with fixes.
//!
//! | module | one line |
//! |---|---|
//! | `lint_settings` | which lints apply: `verger.toml` and options |
//! | `served_site` | how a site serves its file, also under its other names and to crawlers |
//! | `read_body` | reads files, standard input and sites |
//! | `human` | findings at their lines |
//! | `fixing` | fixes, written into a file or shown |
//! | `threads` | work in several threads, with results in order |
//! | `listing` | the table of lints, and the page of one |

mod fixing;
mod human;
pub(crate) mod lint_settings;
mod listing;
mod read_body;
#[cfg(feature = "web")]
mod served_site;
mod threads;

use std::error::Error;
use std::io::{self, Write};

use clap::Args;
use verger_access::Authority;
use verger_answer::{NotASender, json, sending_crawler, written_site};
use verger_inputs::RunFilesError;
use verger_lint::report::{FileFindings, GithubAnnotations, LintSettings, SarifLog};
use verger_lint::{Fixing, Served, usual_header_of};

use crate::arguments::crawler_names::crawler_names;
use crate::arguments::fetch::FetchArguments;
use crate::arguments::reading::ReadingOptions;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::byte_text::{argument_bytes, write_out};
use crate::screen::message::Message;
use crate::screen::notice;
use crate::screen::output_format::{Format, FormatArguments, Formats};
use crate::screen::palette;
use crate::sources::robots_source::{RobotsSource, refuse_without_fetch, robots_source};
use crate::sources::site_client::SiteClient;
use lint_settings::SettingsArguments;
use read_body::{ReadBody, SiteQuestions};
use threads::in_threads;

/// Number of files to read before the findings of the first are printed.
const FILES_AT_ONCE: usize = 64;

/// Find likely mistakes in a robots.txt, and fix them
///
/// Reads files by RFC 9309, and compares other dialects with it. A `verger.toml` next to each file can set the
/// level of each lint. Exit code 0: no finding at or above `--fail-on`. 1: there is one. 2: a file or a site
/// could not be read.
///
/// For a URL, also checks how the file is served: status codes, redirects, headers, and other names of the
/// site. A site that answers without a file, for example with status 403, gets findings about that. A site that
/// cannot be reached is an error.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "options of a command line, each by its name"
)]
pub(crate) struct LintArguments {
    /// Files, `-` for standard input, or URLs of sites
    #[arg(value_name = "FILE|URL", required_unless_present_any = ["explain", "list"])]
    #[arg(value_parser = robots_source())]
    files: Vec<RobotsSource>,

    #[command(flatten)]
    format: FormatArguments<Self>,

    #[command(flatten)]
    settings: SettingsArguments,

    /// The site that serves the files, to tell its sitemaps from those of other sites
    #[arg(long, value_name = "URL|HOST", value_parser = written_site, hide_short_help = true)]
    site: Option<Authority>,

    /// Do not compare the other names of the site
    ///
    /// Without this option, the robots.txt of up to three other names is fetched and compared: http and
    /// https, with and without `www.`
    #[arg(long, hide_short_help = true)]
    no_variants: bool,

    /// Also fetch the robots.txt with this User-Agent header, or as these crawlers, separated by commas
    ///
    /// Reports answers that differ. This is only an indication, because many servers check the address of a
    /// crawler as well as its name. The results are not stored. `verger crawlers` lists the names. A text with
    /// a slash is a header: `--as 'MyBot/1.0 (+https://example.com/bot)'`. Repeatable.
    #[arg(long = "as", value_name = "NAME|HEADER", value_parser = crawler_names())]
    #[arg(hide_possible_values = true, hide_short_help = true)]
    as_crawlers: Vec<String>,

    /// Apply fixes that change no answer, then show what is left
    ///
    /// No answer by RFC 9309, in Google's library and by the draft of 2019. Answers by the draft of 1996 may
    /// change. For standard input, prints only the fixed file.
    #[arg(long)]
    fix: bool,

    /// Also apply fixes that change answers to what was probably meant
    #[arg(long, conflicts_with = "fix")]
    fix_all: bool,

    /// Show what `--fix` or `--fix-all` would change, and write nothing
    #[arg(long)]
    diff: bool,

    /// Print the page of a lint
    #[arg(long, value_name = "CODE", conflicts_with_all = ["files", "list"])]
    explain: Option<String>,

    /// List all lints
    #[arg(long, conflicts_with = "files")]
    list: bool,

    #[command(flatten)]
    fetching: FetchArguments,
}

const EXAMPLES: &str = "\
Examples:
  verger lint robots.txt
  verger lint --fix robots.txt
  verger lint --as gptbot,googlebot https://example.com";

impl Formats for LintArguments {
    const HUMAN: &'static str = "Findings at their lines";
    const JSON: &'static str =
        "A line of JSON for each file (schema verger.lint/1, in docs/json.md)";
    const OTHERS: &'static [(Format, &'static str)] = &[
        (Format::Sarif, "A SARIF 2.1.0 log"),
        (Format::Github, "Annotations for a GitHub workflow"),
    ];
}

pub(crate) fn run(arguments: &LintArguments) -> CommandResult {
    if let Some(code) = &arguments.explain {
        return listing::explain(code);
    }
    if arguments.list {
        return listing::list(arguments.format.is_json());
    }
    let sources = &arguments.files;
    if sources.iter().filter(|source| source.is_stdin()).count() > 1 {
        return Err(RunFilesError::StdinTwice.into());
    }
    let has_sites = sources.iter().any(RobotsSource::is_site);
    if has_sites && (arguments.fixing().is_some() || arguments.diff) {
        let message =
            Message::new("a site cannot be fixed: `--fix`, `--fix-all` and `--diff` need a file");
        let help =
            "fetch the file first: run `verger fetch --body https://example.com > robots.txt`";
        return Err(message.help(help).into());
    }
    let about_sites = arguments.first_about_sites();
    let about_sites = about_sites.or_else(|| arguments.fetching.first_given());
    refuse_without_fetch(about_sites.filter(|_| !has_sites))?;
    let sites = SiteClient::new(&arguments.fetching, &ReadingOptions::default());
    Linting {
        arguments,
        questions: arguments.questions()?,
        sites: sites.unconditional(),
        sarif: SarifLog::default(),
    }
    .run(sources)
}

impl LintArguments {
    fn fixing(&self) -> Option<Fixing> {
        match (self.fix, self.fix_all, self.diff) {
            (_, true, _) => Some(Fixing::All),
            (true, false, _) | (false, false, true) => Some(Fixing::KeepingMeaning),
            (false, false, false) => None,
        }
    }

    /// Returns the first option that is given.
    fn first_about_sites(&self) -> Option<&'static str> {
        let variants = self.no_variants.then_some("--no-variants");
        variants.or(self.as_crawlers.first().map(|_| "--as"))
    }

    fn questions(&self) -> Result<SiteQuestions, NotASender> {
        let mut user_agents = Vec::new();
        for given in &self.as_crawlers {
            if given.contains('/') {
                user_agents.push([given.clone(), given.clone()]);
                continue;
            }
            for name in given.split(',') {
                let known = sending_crawler(name)?;
                user_agents.push([known.header_name().to_owned(), usual_header_of(known)]);
            }
        }
        Ok(SiteQuestions {
            of_variants: !self.no_variants,
            user_agents,
        })
    }

    fn served(&self) -> Served {
        Served {
            origin: self.site.as_ref().map(ToString::to_string),
            ..Served::default()
        }
    }
}

struct Linting<'a> {
    arguments: &'a LintArguments,
    questions: SiteQuestions,
    sites: SiteClient<'a>,
    sarif: SarifLog,
}

/// A file to lint.
struct Job<'a> {
    source: &'a RobotsSource,
    settings: LintSettings,
    read: ReadBody,
}

struct Found {
    findings: FileFindings,
    /// How they are printed.
    text: Vec<u8>,
    outcome: Outcome,
}

impl<'a> Linting<'a> {
    fn run(mut self, sources: &'a [RobotsSource]) -> CommandResult {
        let format = self.arguments.format.format();
        let mut outcome = Outcome::Success;
        // Notices of fixes and of sites come between the findings of the files.
        let is_quiet =
            self.arguments.fixing().is_none() && !sources.iter().any(RobotsSource::is_site);
        for sources in sources.chunks(if is_quiet { FILES_AT_ONCE } else { 1 }) {
            let jobs = sources.iter().map(|source| match self.read(source) {
                Ok(read) => Ok(Ok(read)),
                Err(error) if error.is::<io::Error>() => Err(error),
                Err(error) => Ok(Err(Message::of_error(&*error))),
            });
            let jobs = jobs.collect::<Result<Vec<_>, _>>()?;
            for linted in in_threads(jobs, |job| {
                job.map(|(job, fixed)| (job.map(|job| job.lint(format)), fixed))
            }) {
                outcome = outcome.max(match linted {
                    Ok((Some(found), fixed)) => fixed.max(self.write(&found?)?),
                    Ok((None, fixed)) => fixed,
                    Err(message) => {
                        notice::error(message);
                        Outcome::Unanswered
                    }
                });
            }
        }
        if format == Format::Sarif && !self.prints_files(sources) {
            let mut output = palette::stdout();
            json::to_writer_pretty(&mut output, &self.sarif)?;
            output.write_all(b"\n")?;
            output.flush()?;
        }
        Ok(outcome)
    }

    /// Returns whether standard output gets a fixed file or a diff instead of findings.
    fn prints_files(&self, sources: &[RobotsSource]) -> bool {
        let fixes_stdin = || sources.iter().any(RobotsSource::is_stdin);
        self.arguments.diff || (self.arguments.fixing().is_some() && fixes_stdin())
    }

    /// Reads a file, and fixes it if that is asked for. Returns no job if a diff or the fixed file
    /// was printed, and the outcome of fixing.
    fn read(
        &mut self,
        source: &'a RobotsSource,
    ) -> Result<(Option<Job<'a>>, Outcome), Box<dyn Error>> {
        let arguments = self.arguments;
        let settings = arguments.settings.settings_for(source)?;
        let fixing = arguments.fixing();
        if let (RobotsSource::Input(input), Some(_), false) = (source, fixing, arguments.diff) {
            input.check_regular()?;
        }
        let mut outcome = Outcome::Success;
        let mut read = ReadBody::of(source, &mut self.sites, arguments.served(), &self.questions)?;
        if let Some(fixing) = fixing {
            let wanted = |finding: &verger_lint::Finding| settings.severity(finding).is_some();
            let fixed = verger_lint::fixed(&read.body, &read.served, fixing, wanted);
            if !fixed.is_complete {
                let warning = Message::from(source.name() + ": some fixes are left");
                notice::warning(warning.help("run the command again"));
                outcome = Outcome::Warned;
            }
            if arguments.diff {
                return Ok((None, fixing::write_diff(source, &read.body, fixed)?));
            }
            if source.is_stdin() {
                write_out(&fixed.body)?;
                return Ok((None, outcome));
            }
            fixing::write_file(source, &read.body, &fixed)?;
            read.body = fixed.body;
        }
        let job = Job {
            source,
            settings,
            read,
        };
        Ok((Some(job), outcome))
    }

    fn write(&mut self, found: &Found) -> io::Result<Outcome> {
        if self.arguments.format.format() == Format::Sarif {
            self.sarif.add(&found.findings);
        }
        let mut output = palette::stdout();
        output.write_all(&found.text)?;
        output.flush()?;
        Ok(found.outcome)
    }
}

impl Job<'_> {
    fn lint(self, format: Format) -> io::Result<Found> {
        let name = argument_bytes(&self.source.written_name()).into_owned();
        let findings = FileFindings::new(name, self.read.body, self.read.served, &self.settings);
        let mut text = Vec::new();
        match format {
            Format::Sarif => {}
            Format::Json => json::write_line(&mut text, &findings)?,
            Format::Github => write!(text, "{}", GithubAnnotations(&findings))?,
            _ => human::write(&mut text, self.source, &findings)?,
        }
        let is_clean = findings.worst() < Some(self.settings.fail_on);
        Ok(Found {
            findings,
            text,
            outcome: Outcome::Warned.unless(is_clean),
        })
    }
}
