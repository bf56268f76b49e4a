//! `verger test`: holds a robots.txt to what its owner wants of it.
//!
//! | module | one line |
//! |---|---|
//! | `tested` | all that is shown about a run |
//! | `human`, `json`, `junit`, `github` | for people, as JSON Lines, as `JUnit` writes XML, as annotations |

mod github;
mod human;
mod json;
mod junit;
mod tested;

use std::error::Error;
use std::ffi::OsString;
use std::fmt;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use verger::{Dialect, Reading, RobotsTxt};
use verger_compare::Budget;
use verger_owner::{ClaimFile, FileComparison, check_claims, claims_of_file, crawlers_of};

use crate::budget_arguments::BudgetArguments;
use crate::fetch_arguments::FetchArguments;
use crate::input::Source;
use crate::outcome::{CommandResult, Outcome};
use crate::palette;
use crate::reading_arguments::ReadingArguments;
use crate::robots_source::{RobotsSource, SiteTime, of_argument, robots_source};
use crate::site_client::SiteClient;
use tested::Tested;

/// Hold a robots.txt to the claims in a file, for CI
///
/// A claim is about one URL, or about everything that a path-pattern matches; the latter is proven for
/// every URL. `--init` writes what a robots.txt does today as claims to begin with. Exit code 0: all
/// claims hold; 1: one fails; 2: a file could not be read, or a claim was not decided.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TestArguments {
    /// The claims
    #[arg(value_name = "FILE", default_value = "robots.test.toml")]
    claims: PathBuf,

    /// Hold the robots.txt of a site to them, as it is served now
    #[arg(long, value_name = "URL", value_parser = robots_source())]
    live: Option<RobotsSource>,

    /// With `--live`, also claim that what is served means for every crawler what the file in the
    /// repository means: a block that something in between adds fails
    #[arg(long, requires = "live")]
    same_meaning: bool,

    /// How the results are shown
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: TestFormat,

    /// Print claims that say what this robots.txt does today, and test nothing
    #[arg(long, value_name = "FILE|URL", value_parser = robots_source())]
    #[arg(conflicts_with_all = ["claims", "live"])]
    init: Option<RobotsSource>,

    #[command(flatten)]
    budget: BudgetArguments,

    #[command(flatten)]
    reading: ReadingArguments,

    #[command(flatten)]
    fetching: FetchArguments,
}

/// How results are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum TestFormat {
    /// What fails, and how many claims hold
    #[default]
    Human,
    /// JSON Lines, a line for each claim (schema verger.test/1, in docs/json.md)
    Json,
    /// XML as `JUnit` writes it
    Junit,
    /// Annotations of GitHub's workflows
    Github,
}

const EXAMPLES: &str = "\
Examples:
  verger test --init robots.txt > robots.test.toml
  verger test
  verger test --live https://example.com --same-meaning
  verger test --format junit robots.test.toml > results.xml";

/// Runs the command.
pub(crate) fn run(arguments: &TestArguments) -> CommandResult {
    let budget = arguments.budget.budget();
    if let Some(source) = &arguments.init {
        return init(arguments, source, budget);
    }
    let name = arguments.claims.as_path();
    let text = Source::from(name.as_os_str().to_owned()).read()?;
    let text = String::from_utf8(text).map_err(|_| NotClaims::of(name, "it is not UTF-8"))?;
    let file = ClaimFile::parse(&text).map_err(|error| NotClaims::of(name, &error))?;
    let reading = arguments.reading_of(&file);
    let beside = beside(name, file.robots().unwrap_or("robots.txt"))?;
    let source = arguments.live.as_ref().unwrap_or(&beside);
    let robots = arguments.read(source, reading)?;
    let own = arguments
        .same_meaning
        .then(|| arguments.read(&beside, reading));
    let own = own.transpose()?;
    let crawlers = own.as_ref().map(|own| crawlers_of([own, &robots]));
    let comparison = match (own, &crawlers) {
        (Some(own), Some(crawlers)) => {
            Some(FileComparison::of(own, robots.clone(), crawlers, budget)?)
        }
        _ => None,
    };
    let tested = Tested {
        file: name,
        robots: source.name(),
        claims: check_claims(file.claims(), robots, budget),
        comparison,
    };
    let mut output = palette::stdout();
    match arguments.format {
        TestFormat::Human => human::write(&mut output, &tested)?,
        TestFormat::Json => json::write(&mut output, &tested)?,
        TestFormat::Junit => junit::write(&mut output, &tested)?,
        TestFormat::Github => github::write(&mut output, &tested)?,
    }
    output.flush()?;
    Ok(tested.outcome())
}

fn init(arguments: &TestArguments, source: &RobotsSource, budget: Budget) -> CommandResult {
    let robots = arguments.read(source, arguments.reading.reading())?;
    let name = match source {
        RobotsSource::Input(Source::Stdin) => "robots.txt".to_owned(),
        RobotsSource::Input(Source::File(_)) | RobotsSource::Site(_) => source.name(),
    };
    let mut output = palette::stdout();
    output.write_all(claims_of_file(robots, &name, budget).as_bytes())?;
    output.flush()?;
    Ok(Outcome::Success)
}

impl TestArguments {
    /// The dialect of the claims, unless an argument names one.
    fn reading_of(&self, file: &ClaimFile) -> Reading {
        let dialect: Dialect = file.reading().dialect();
        self.reading.reading_unless_named(dialect)
    }

    fn read(&self, source: &RobotsSource, reading: Reading) -> Result<RobotsTxt, Box<dyn Error>> {
        let mut sites = SiteClient::new(&self.fetching, self.reading.options.clone());
        Ok(RobotsTxt::parse(
            source.read(&mut sites, SiteTime::Now)?,
            reading,
        ))
    }
}

/// The robots.txt that claims name: a URL, or a path from where their file is.
fn beside(claims: &Path, robots: &str) -> Result<RobotsSource, Box<dyn Error>> {
    let directory = claims.parent().unwrap_or(Path::new(""));
    let path: OsString = if robots.contains("://") {
        robots.into()
    } else {
        directory.join(robots).into()
    };
    Ok(of_argument(path)?)
}

/// The file is no file of claims.
#[derive(Debug)]
struct NotClaims(String);

impl NotClaims {
    fn of(file: &Path, why: &(impl fmt::Display + ?Sized)) -> Self {
        Self(format!("{}: {why}", file.display()))
    }
}

impl fmt::Display for NotClaims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for NotClaims {}
