//! `verger lint`: what the owner of a robots.txt probably does not mean, with fixes.
//!
//! | module | one line |
//! |---|---|
//! | `lint_settings` | which lints count: `verger.toml` and options |
//! | `served_site` | how a site serves its file, under its other names and to crawlers as well |
//! | `read_body` | files, standard input and sites, read |
//! | `human` | findings beside the lines that they are about |
//! | `fixing` | fixes, written into a file or shown |
//! | `listing` | the table of lints, and the page of one |

mod fixing;
mod human;
pub(crate) mod lint_settings;
mod listing;
mod read_body;
#[cfg(feature = "web")]
mod served_site;

use std::error::Error;
use std::io::{self, Write};

use clap::Args;
use thiserror::Error;
use verger_access::Authority;
use verger_answer::{NotASender, json, sending_crawler, written_site};
use verger_files::RunFilesError;
use verger_lint::report::{FileFindings, GithubAnnotations, SarifLog};
use verger_lint::{Fixing, Served};

use crate::arguments::crawler_names::crawler_names;
use crate::arguments::fetch::FetchArguments;
use crate::arguments::reading::ReadingOptions;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::byte_text::{argument_bytes, write_out};
use crate::screen::notice;
use crate::screen::output_format::{Format, FormatArguments, Formats};
use crate::screen::palette;
use crate::sources::robots_source::{NothingFetched, RobotsSource, robots_source};
use crate::sources::site_client::SiteClient;
use lint_settings::SettingsArguments;
use read_body::{ReadBody, SiteQuestions};

/// Find what the owner of a robots.txt probably does not mean, and fix it
///
/// Every file is read by RFC 9309, and other dialects are compared with it. Exit code 0: nothing was
/// found at or above `--fail-on`; 1: something was; 2: a file or a site could not be read. Which lints
/// count can be set in a file `verger.toml` beside each file.
///
/// Of a URL, findings are also about how the file is served: statuses, redirects, headers, and the other
/// names of the site. One that answers without a file, for example with status 403, has findings about that;
/// one that cannot be reached is an error.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "options of a command line, each by its name"
)]
pub(crate) struct LintArguments {
    /// Files; `-` for standard input; URLs with `://` of sites whose robots.txt is fetched
    #[arg(value_name = "FILE|URL", required_unless_present_any = ["explain", "list"])]
    #[arg(value_parser = robots_source())]
    files: Vec<RobotsSource>,

    #[command(flatten)]
    format: FormatArguments<Self>,

    #[command(flatten)]
    settings: SettingsArguments,

    /// The site at which the files are served, which tells its sitemaps from those of others
    #[arg(long, value_name = "URL|HOST", value_parser = written_site, hide_short_help = true)]
    site: Option<Authority>,

    /// Look at the site under the name that is given alone. Otherwise the robots.txt of up to three other
    /// names is fetched, too, and compared: http and https, with and without `www.`
    #[arg(long, hide_short_help = true)]
    no_variants: bool,

    /// Fetch the robots.txt of a site once more in the name of each of these crawlers, and say where the
    /// answer is another one; names from `verger crawlers`, separated by commas
    ///
    /// It is an indication only: many servers check the address of a crawler as well as its name. Nothing
    /// of these requests is kept in the store.
    #[arg(long = "as", value_name = "NAME", value_delimiter = ',', value_parser = crawler_names())]
    #[arg(hide_possible_values = true, hide_short_help = true)]
    as_crawlers: Vec<String>,

    /// Put the fixes that change no answer into the files, then show what is left. Of standard input,
    /// the fixed file is printed and nothing else
    ///
    /// No answer by RFC 9309, in Google's library and by the draft of 2019; by that of 1996 some may change.
    #[arg(long)]
    fix: bool,

    /// Put in the fixes, also those that make the file answer as it seems to be meant
    #[arg(long, conflicts_with = "fix")]
    fix_all: bool,

    /// Show what `--fix` or `--fix-all` would change, and write nothing. Exit code 1: something
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
  verger lint --diff --fix-all robots.txt
  verger lint --format sarif --fail-on error site/robots.txt > robots.sarif
  verger lint --explain group-swallows-group
  verger lint https://example.com
  verger lint --as gptbot,claudebot,googlebot https://example.com";

impl Formats for LintArguments {
    const HUMAN: &'static str = "Beside the lines that they are about";
    const JSON: &'static str =
        "A line of JSON for each file (schema verger.lint/1, in docs/json.md)";
    const OTHERS: &'static [(Format, &'static str)] = &[
        (Format::Sarif, "One log of SARIF 2.1.0"),
        (Format::Github, "Annotations of a GitHub workflow"),
    ];
}

/// Runs the command.
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
        return Err(Box::new(FixingOfSite));
    }
    let about_sites = arguments.first_about_sites();
    let about_sites = about_sites.or_else(|| arguments.fetching.first_given());
    NothingFetched::refuse(about_sites.filter(|_| !has_sites))?;
    let sites = SiteClient::new(&arguments.fetching, ReadingOptions::default());
    Linting {
        arguments,
        questions: arguments.questions()?,
        sites: sites.unconditional(),
        sarif: SarifLog::default(),
    }
    .run(sources)
}

impl LintArguments {
    /// Which fixes are wanted.
    fn fixing(&self) -> Option<Fixing> {
        match (self.fix, self.fix_all, self.diff) {
            (_, true, _) => Some(Fixing::All),
            (true, false, _) | (false, false, true) => Some(Fixing::KeepingMeaning),
            (false, false, false) => None,
        }
    }

    /// The first of the options that are about sites, where one is given.
    fn first_about_sites(&self) -> Option<&'static str> {
        let variants = self.no_variants.then_some("--no-variants");
        variants.or(self.as_crawlers.first().map(|_| "--as"))
    }

    /// What is fetched of a site beside its file.
    fn questions(&self) -> Result<SiteQuestions, NotASender> {
        let crawlers = self.as_crawlers.iter();
        let crawlers = crawlers.map(|name| sending_crawler(name));
        Ok(SiteQuestions {
            of_variants: !self.no_variants,
            crawlers: crawlers.collect::<Result<_, _>>()?,
        })
    }

    /// Where files are served.
    fn served(&self) -> Served {
        Served {
            origin: self.site.as_ref().map(ToString::to_string),
            ..Served::default()
        }
    }
}

/// One run over all sources.
struct Linting<'a> {
    arguments: &'a LintArguments,
    questions: SiteQuestions,
    sites: SiteClient<'a>,
    sarif: SarifLog,
}

impl Linting<'_> {
    fn run(mut self, sources: &[RobotsSource]) -> CommandResult {
        let mut outcome = Outcome::Success;
        for source in sources {
            outcome = outcome.max(match self.lint(source) {
                Ok(outcome) => outcome,
                Err(error) if error.is::<io::Error>() => return Err(error),
                Err(error) => {
                    notice::error(&*error);
                    Outcome::Unanswered
                }
            });
        }
        if self.arguments.format.format() == Format::Sarif && !self.prints_files(sources) {
            let mut output = palette::stdout();
            json::to_writer_pretty(&mut output, &self.sarif)?;
            output.write_all(b"\n")?;
            output.flush()?;
        }
        Ok(outcome)
    }

    /// Whether standard output gets a fixed file or a diff in the place of findings.
    fn prints_files(&self, sources: &[RobotsSource]) -> bool {
        let fixes_stdin = || sources.iter().any(RobotsSource::is_stdin);
        self.arguments.diff || (self.arguments.fixing().is_some() && fixes_stdin())
    }

    fn lint(&mut self, source: &RobotsSource) -> Result<Outcome, Box<dyn Error>> {
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
                notice::warning(source.name() + ": some fixes are left: run it again");
                outcome = Outcome::Warned;
            }
            if arguments.diff {
                return Ok(fixing::write_diff(source, &read.body, fixed)?);
            }
            if source.is_stdin() {
                write_out(&fixed.body)?;
                return Ok(outcome);
            }
            fixing::write_file(source, &read.body, &fixed)?;
            read.body = fixed.body;
        }
        let name = source.written_name();
        let found = FileFindings::new(argument_bytes(&name), read.body, read.served, &settings);
        self.write(source, &found)?;
        let is_clean = found.worst() < Some(settings.fail_on);
        Ok(outcome.max(Outcome::Warned.unless(is_clean)))
    }

    fn write(&mut self, source: &RobotsSource, found: &FileFindings) -> io::Result<()> {
        let mut output = palette::stdout();
        match self.arguments.format.format() {
            Format::Sarif => self.sarif.add(found),
            Format::Json => json::write_line(&mut output, found)?,
            Format::Github => write!(output, "{}", GithubAnnotations(found))?,
            _ => human::write(&mut output, source, found)?,
        }
        output.flush()
    }
}

/// Arguments that do not go together.
#[derive(Clone, Copy, Debug, Error)]
#[error("only files can be fixed: fetch the file first (`verger fetch --body`)")]
struct FixingOfSite;
