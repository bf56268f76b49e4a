//! `verger test`: tests a robots.txt against the expectations of its owner.
//!
//! | module | one line |
//! |---|---|
//! | `human` | for people |

mod human;

use std::error::Error;
use std::ffi::OsString;
use std::fmt;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use verger::{Reading, RobotsTxt};
use verger_access::Authority;
#[cfg(feature = "web")]
use verger_access::Timestamp;
use verger_answer::{CrawlerQuery, CrawlerQueryError, json, written_site};
use verger_compare::Budget;
use verger_inputs::{InputError, Source, read_regular, url_without_scheme};
#[cfg(feature = "web")]
use verger_inputs::{KeptPages, SiteOwner};
use verger_owner::{
    CheckedPages, CheckedSitemap, ClaimFile, ClaimLine, ClaimReport, FileComparison,
    SitemapChecker, SitemapSource, SitemapToCheck, check_claims, claims_of_file, crawlers_of,
    unknown_names, write_github, write_junit,
};

use crate::arguments::budget::BudgetArguments;
use crate::arguments::crawler::warn_of_misspellings;
#[cfg(feature = "web")]
use crate::arguments::delay::DelayArguments;
use crate::arguments::fetch::FetchArguments;
use crate::arguments::reading::ReadingArguments;
use crate::arguments::time::now;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::byte_text::legible_path;
use crate::screen::message::Message;
use crate::screen::notice;
use crate::screen::output_format::{Format, FormatArguments, Formats};
use crate::screen::palette;
use crate::sources::robots_source::{
    RobotsSource, SiteTime, from_argument, refuse_all_but_profile, robots_source,
};
use crate::sources::site_client::SiteClient;
use crate::sources::site_sitemaps::SiteSitemaps;
use verger_inputs::repository_file::{self, Outside};

/// Test a robots.txt against expectations, for use in CI
///
/// A file of claims says which crawlers may fetch which URLs. A claim about a path-pattern is proven for every
/// URL that it matches. `--init` prints what a robots.txt does today as claims to start with. Exit code 0: all
/// claims hold. 1: one fails. 2: a file could not be read, or a claim was not decided.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TestArguments {
    /// File of claims [default: robots.test.toml, optional with `--sitemap`]
    #[arg(value_name = "FILE")]
    claims: Option<PathBuf>,

    /// Test the robots.txt that this site serves now
    #[arg(long, value_name = "URL", value_parser = robots_source())]
    live: Option<RobotsSource>,

    /// With `--live`, also require the same meaning as the file in the repository
    ///
    /// Finds, for example, a group that a CDN adds.
    #[arg(long, requires = "live")]
    same_meaning: bool,

    /// Also require that every URL in this sitemap is allowed (repeatable)
    ///
    /// Each URL is checked against the robots.txt of its own site. Reads XML, text, gzip, and the first 1,000
    /// sitemaps of an index. A sitemap of more than 50 MB (uncompressed) or 50,000 URLs, and an index in an
    /// index, violate the protocol, so the claim fails. The robots.txt of the claims, or the one in this
    /// directory, is used for the sitemap's site, or for the site of the first URL in a sitemap file. Those of
    /// other sites are fetched. If the index is a file, sitemaps are read from files next to it if they exist.
    #[arg(long = "sitemap", value_name = "FILE|URL")]
    sitemaps: Vec<OsString>,

    /// With `--sitemap`, also require that crawlers may index every URL
    ///
    /// Fetches each page once under Verger's own name if its robots.txt allows it, at the delay of its site. Reads the
    /// headers `X-Robots-Tag` and `Robots-Tag`, and the robots metas. Claims `indexable` and `not_indexed` do the same.
    #[cfg(feature = "web")]
    #[arg(long, requires = "sitemaps")]
    indexable: bool,

    /// Fetch pages even if robots.txt disallows them to Verger, because the sites are yours
    #[cfg(feature = "web")]
    #[arg(long, hide_short_help = true)]
    own_site: bool,

    /// Store fetched pages in this file, and use those from the last 24 hours again
    ///
    /// A test that was interrupted then continues with the other pages. Pages that answered 429 or 5xx are fetched
    /// again.
    #[cfg(feature = "web")]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    resume: Option<PathBuf>,

    #[cfg(feature = "web")]
    #[command(flatten)]
    delay: DelayArguments,

    /// Crawler for `--sitemap`, such as @search (repeatable) [default: googlebot, bingbot, `*`]
    #[arg(long = "crawler", value_name = "NAME", value_parser = crawler_or_star)]
    #[arg(requires = "sitemaps")]
    crawlers: Vec<CrawlerQuery>,

    /// The site of the local robots.txt, for sitemaps
    #[arg(long, value_name = "URL", value_parser = written_site, conflicts_with = "live")]
    #[arg(hide_short_help = true)]
    site: Option<Authority>,

    #[command(flatten)]
    format: FormatArguments<Self>,

    /// Print claims that this robots.txt fulfils, and test nothing
    #[arg(long, value_name = "FILE|URL", value_parser = robots_source())]
    #[arg(conflicts_with_all = ["claims", "live", "sitemaps", "site"])]
    init: Option<RobotsSource>,

    #[command(flatten)]
    budget: BudgetArguments,

    #[command(flatten)]
    reading: ReadingArguments,

    #[command(flatten)]
    fetching: FetchArguments,
}

impl Formats for TestArguments {
    const HUMAN: &'static str = "Failures, and how many claims hold";
    const JSON: &'static str =
        "JSON Lines, a line for each claim (schema verger.test/1, in docs/json.md)";
    const OTHERS: &'static [(Format, &'static str)] = &[
        (Format::Junit, "JUnit XML"),
        (Format::Github, "Annotations for a GitHub workflow"),
    ];
}

const EXAMPLES: &str = "\
Examples:
  verger test --init robots.txt > robots.test.toml
  verger test
  verger test --live https://example.com --same-meaning";

fn crawler_or_star(text: &str) -> Result<CrawlerQuery, CrawlerQueryError> {
    match text {
        "*" => Ok(CrawlerQuery::Unnamed),
        text => text.parse(),
    }
}

pub(crate) fn run(arguments: &TestArguments) -> CommandResult {
    let budget = arguments.budget.budget();
    if let Some(source) = &arguments.init {
        return init(arguments, source, budget);
    }
    let name = arguments.claims.as_deref();
    let name = name.unwrap_or(Path::new("robots.test.toml"));
    let file = arguments.claims_in(name)?;
    let read_as = file.read_as();
    let reading = read_as.reading();
    let beside = beside(name, file.robots().unwrap_or("robots.txt"))?;
    let source = arguments.live.as_ref().unwrap_or(&beside);
    arguments.refuse_unused(&file, [source, &beside])?;
    // For sitemaps alone there need not be a local file. Then every robots.txt is fetched.
    let is_absent = arguments.live.is_none() && beside.path().is_some_and(|path| !path.exists());
    let needs_none = !arguments.sitemaps.is_empty() && file.claims().is_empty();
    let robots = if is_absent && needs_none && file.robots().is_none() {
        None
    } else {
        Some(arguments.read(source, reading)?)
    };
    let (sitemaps, pages) = arguments.check_sitemaps(name, &file, source, robots.as_ref())?;
    let own = arguments
        .same_meaning
        .then(|| arguments.read(&beside, reading));
    let own = own.transpose()?;
    let served = robots
        .clone()
        .unwrap_or_else(|| RobotsTxt::parse("", reading));
    let crawlers = own.as_ref().map(|own| crawlers_of([own, &served], read_as));
    let both = own.zip(crawlers.as_ref());
    let comparison = both.map(|(own, of)| FileComparison::new(own, served.clone(), of, budget));
    let comparison = comparison.transpose()?;
    let site = source.site();
    let warnings = unknown_names(&file, &served);
    for (line, said) in &warnings {
        notice::warning(Message::from_text(format_args!(
            "{}, line {line}: {said}",
            legible_path(name)
        )));
    }
    let report = ClaimReport {
        file: name,
        robots: robots.map_or_else(
            || "the robots.txt of each site".to_owned(),
            |_| source.name(),
        ),
        robots_file: source.path(),
        beside: beside.path(),
        claims: check_claims(file.claims(), served, &site, budget),
        comparison: comparison.map(|it| it.of_site(site)),
        sitemaps,
        pages,
        warnings,
    };
    let mut output = palette::stdout();
    match arguments.format.format() {
        Format::Json => report.answers().try_for_each(|answer| {
            json::write_line(&mut output, &ClaimLine::new(answer, &report.robots))
        })?,
        Format::Junit => write_junit(&mut output, &report)?,
        Format::Github => write_github(&mut output, &report)?,
        _ => human::write(&mut output, &report)?,
    }
    output.flush()?;
    Ok(match report.holds() {
        Some(true) => Outcome::Success,
        Some(false) => Outcome::Warned,
        None => Outcome::Unanswered,
    })
}

fn init(arguments: &TestArguments, source: &RobotsSource, budget: Budget) -> CommandResult {
    if !source.is_site() {
        refuse_all_but_profile(&arguments.fetching)?;
    }
    let mut sites = SiteClient::new(&arguments.fetching, &arguments.reading.options);
    let body = source.read(&mut sites, SiteTime::Now)?;
    let robots = RobotsTxt::parse(body, arguments.reading.reading());
    let name = match source {
        RobotsSource::Input(Source::Stdin) => "robots.txt".to_owned(),
        _ => (source.written_name().into_string())
            .map_err(|_| format!("{}: its name is not UTF-8", source.name()))?,
    };
    let mut output = palette::stdout();
    let read_as = arguments.reading.read_as();
    let claims = claims_of_file(robots, read_as, (&name, &source.site()), budget);
    output.write_all(claims.as_bytes())?;
    output.flush()?;
    Ok(Outcome::Success)
}

impl TestArguments {
    /// Rejects options without an effect. The source of the robots.txt is the first of `sources`.
    fn refuse_unused(
        &self,
        file: &ClaimFile,
        sources: [&RobotsSource; 2],
    ) -> Result<(), Box<dyn Error>> {
        let has_sitemaps =
            !self.sitemaps.is_empty() || !file.sitemaps().is_empty() || !file.pages().is_empty();
        if self.site.is_some() && (sources[0].is_site() || !has_sitemaps) {
            let what =
                "`--site` has no effect: it names the site of a local robots.txt for `--sitemap`";
            return Err(Message::new(what)
                .help("leave out `--site`, or add `--sitemap sitemap.xml`")
                .into());
        }
        #[cfg(feature = "web")]
        if file.pages().is_empty() && !self.indexable {
            let given = self.own_site.then_some("--own-site");
            let given = given.or(self.resume.is_some().then_some("--resume"));
            if let Some(option) = given.or_else(|| self.delay.first_given()) {
                let what = format!("`{option}` has no effect: no claim is about pages");
                let help = "add `--indexable`, or a claim `indexable` or `not_indexed`";
                return Err(Message::from(what).help(help).into());
            }
        }
        if !has_sitemaps && !sources.into_iter().any(RobotsSource::is_site) {
            refuse_all_but_profile(&self.fetching)?;
        }
        Ok(())
    }

    /// Reads the file of claims. It need not exist if there are sitemaps.
    fn claims_in(&self, name: &Path) -> Result<ClaimFile, Box<dyn Error>> {
        if self.claims.is_none() && !self.sitemaps.is_empty() && !name.exists() {
            return Ok(ClaimFile::parse("", self.reading.stated())?);
        }
        let text = match Source::from(name.as_os_str().to_owned()) {
            Source::File(path) => {
                read_regular(&path).map_err(|error| self.no_claims(name, &error))?
            }
            stdin @ Source::Stdin => stdin.read()?,
        };
        let text = String::from_utf8(text).map_err(|_| not_claims(name, "it is not UTF-8"))?;
        let file = ClaimFile::parse(&text, self.reading.stated()).map_err(|error| {
            let is_body = name.extension().is_some_and(|it| it == "txt");
            not_claims(name, error).maybe_help(is_body.then_some(INIT))
        });
        Ok(file?)
    }

    fn no_claims(&self, name: &Path, error: &InputError) -> Message {
        let message = Message::of_error(error);
        if name.exists() || name.extension().is_some_and(|it| it == "toml") {
            let is_default = self.claims.is_none() && !name.exists();
            return message.maybe_help(is_default.then_some(INIT));
        }
        let text = name.to_string_lossy();
        let is_url = text.contains("://").then(|| text.to_string());
        let site = is_url.or_else(|| url_without_scheme(text.as_bytes()));
        let live = site.map(|site| format!("run `verger test --live {site}`"));
        message.maybe_help(live)
    }

    fn check_sitemaps(
        &self,
        name: &Path,
        file: &ClaimFile,
        source: &RobotsSource,
        robots: Option<&RobotsTxt>,
    ) -> Result<(Vec<CheckedSitemap>, Vec<CheckedPages>), Box<dyn Error>> {
        let mut wanted = Vec::new();
        for claim in file.sitemaps() {
            let fail = |error: &dyn fmt::Display| {
                not_claims(name, format_args!("line {}: {error}", claim.line))
            };
            let path = path_beside(name, &claim.sitemap).map_err(|error| fail(&error))?;
            let sitemap = SitemapSource::from_argument(&path).map_err(|error| fail(&error))?;
            wanted.push(SitemapToCheck {
                crawlers: claim.crawlers.clone(),
                sitemap,
                why: claim.why.clone(),
                line: Some(claim.line),
                indexable: false,
            });
        }
        #[cfg(feature = "web")]
        let indexable = self.indexable;
        #[cfg(not(feature = "web"))]
        let indexable = false;
        let crawlers = SitemapToCheck::crawlers_of(&self.crawlers, file.read_as())?;
        warn_of_misspellings(&crawlers, robots.as_slice());
        for sitemap in &self.sitemaps {
            wanted.push(SitemapToCheck {
                crawlers: crawlers.clone(),
                sitemap: SitemapSource::from_argument(sitemap).map_err(|error| {
                    let text = legible_path(sitemap);
                    Message::of_value(format!("`{text}` is not a sitemap"), &text, &error)
                })?,
                why: None,
                line: None,
                indexable,
            });
        }
        if wanted.is_empty() && file.pages().is_empty() {
            return Ok(Default::default());
        }
        let sites = SiteClient::new(&self.fetching, &self.reading.options);
        let files = SiteSitemaps::new(sites);
        #[cfg(feature = "web")]
        let owner = SiteOwner::asks(self.own_site);
        #[cfg(feature = "web")]
        let files = files.with_pages((self.delay.bounds(), owner, self.kept_pages()?));
        let mut checker = SitemapChecker::new(files, file.read_as().reading(), now());
        let site = match source {
            RobotsSource::Site(site) => Some(site),
            RobotsSource::Input(_) => self.site.as_ref(),
        };
        if let Some(robots) = robots {
            checker.take_robots(robots.clone(), site);
        }
        checker.claim_pages(file.pages().iter().cloned());
        let sitemaps = wanted.into_iter().map(|it| checker.check(it)).collect();
        let site = site.map(ToString::to_string);
        Ok((sitemaps, checker.into_pages(site.as_deref())))
    }

    #[cfg(feature = "web")]
    fn kept_pages(&self) -> Result<KeptPages, Message> {
        let Some(path) = &self.resume else {
            return Ok(KeptPages::default());
        };
        let since = now().unix_seconds().saturating_sub(KEPT_SECONDS);
        KeptPages::open(path, Timestamp::from_unix_seconds(since)).map_err(|error| {
            let message =
                Message::new(format_args!("cannot use `{}`: {error}", legible_path(path)));
            message.help("name a new file with `--resume`")
        })
    }

    fn read(&self, source: &RobotsSource, reading: Reading) -> Result<RobotsTxt, Box<dyn Error>> {
        let mut sites = SiteClient::new(&self.fetching, &self.reading.options);
        let body = match source.path() {
            Some(path) => read_regular(path).map_err(|error| Message::of_error(&error))?,
            None => source.read(&mut sites, SiteTime::Now)?,
        };
        Ok(RobotsTxt::parse(body, reading))
    }
}

/// Returns the robots.txt that claims name: a URL, or a path relative to their file.
fn beside(claims: &Path, robots: &str) -> Result<RobotsSource, Box<dyn Error>> {
    let path = path_beside(claims, robots).map_err(|error| not_claims(claims, error))?;
    Ok(from_argument(path)?)
}

/// Returns a URL, or a path relative to the file of claims.
fn path_beside(claims: &Path, text: &str) -> Result<OsString, Outside> {
    if text.contains("://") {
        return Ok(text.into());
    }
    Ok(repository_file::beside(claims, text)?.into())
}

/// Number of seconds in which a page of `--resume` is not fetched again.
#[cfg(feature = "web")]
const KEPT_SECONDS: u64 = 24 * 3600;

const INIT: &str = "write a file of claims: run `verger test --init robots.txt > robots.test.toml`";

fn not_claims(file: &Path, why: impl fmt::Display) -> Message {
    Message::from_text(format_args!("{}: {why}", legible_path(file)))
}
