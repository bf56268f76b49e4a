//! `verger check`: may these crawlers fetch these URLs, and why.
//!
//! | module | one line |
//! |---|---|
//! | `when` | the time that is asked about, and whether anything is fetched |
//! | `answering` | answers a question and writes the answers |
//! | `batch` | questions and answers as JSON Lines |
//! | `web` | the check without `--robots` |
//! | `human`, `human_access` | answers for people; facts about an authority |
//! | `human_explanation` | explanations for people |
//! | `page` | whether pages may be indexed |
//! | `human_page` | answers about pages, for people |
//! | `with_warnings` | warnings about files, before the answers |
//! | `matrix` | answers as a table of URLs and crawlers |

mod answering;
mod batch;
mod human;
mod human_access;
mod human_explanation;
mod human_page;
mod matrix;
#[cfg(feature = "web")]
mod page;
#[cfg(feature = "web")]
pub(crate) mod web;
#[cfg(feature = "web")]
pub(crate) mod when;
mod with_warnings;

use std::error::Error;
use std::ffi::OsString;
use std::path::Path;

use clap::{ArgGroup, Args};
use verger::{Reading, RobotsTxt};
#[cfg(feature = "web")]
use verger_access::Authority;
use verger_access::Timestamp;
use verger_answer::{
    CheckAnswer, CheckTable, CheckedFile, CheckedFiles, Explaining, PageFacts, ResolvedCrawler,
    json,
};
use verger_inputs::{Source, UrlQuestions};

use crate::arguments::crawler::{CrawlerArguments, warn_of_misspellings};
use crate::arguments::delay::DelayArguments;
use crate::arguments::fetch::FetchArguments;
use crate::arguments::purpose::PurposeArguments;
use crate::arguments::reading::ReadingArguments;
use crate::arguments::time::now;
#[cfg(not(feature = "web"))]
use crate::left_out::left_out;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::byte_text::legible_path;
use crate::screen::message::Message;
use crate::screen::notice;
use crate::screen::output_format::{Format, FormatArguments, Formats};
use crate::screen::palette;
use crate::screen::progress::Counting;
use crate::screen::rendering::{Each, Rendering, json_output};
use answering::CheckRendering;
use human::Human;
use matrix::Matrix;
#[cfg(feature = "web")]
use page::PageArguments;
#[cfg(feature = "web")]
use web::WebCheck;
#[cfg(feature = "web")]
use when::WhenArguments;
use with_warnings::WithWarnings;

/// Check whether crawlers may fetch URLs, and show why
///
/// Checks every URL for every crawler. Fetches the robots.txt of each site unless the stored one is still
/// fresh, and stores the result. With `--robots`, nothing is fetched. Exit code 0: everything is allowed. 1:
/// something is disallowed. `verger --help` lists the others.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, after_long_help = LONG_EXAMPLES, override_usage = USAGE)]
#[command(group = ArgGroup::new("questions").required(true).multiple(true))]
pub(crate) struct CheckArguments {
    /// The URLs, or paths such as /private/ with `--robots`
    #[arg(value_name = "URL", group = "questions")]
    url_arguments: Vec<OsString>,

    /// Use this file and fetch nothing (`-` is standard input)
    #[arg(short, long, value_name = "FILE")]
    robots: Option<OsString>,

    /// More URLs, one on each line (`-` is standard input)
    #[arg(short, long, value_name = "FILE", group = "questions")]
    urls: Option<OsString>,

    /// Read questions and write answers as JSON Lines (`-` is standard input)
    #[arg(long, value_name = "FILE", conflicts_with_all = NOT_IN_BATCHES)]
    #[arg(group = "questions", hide_short_help = true)]
    batch: Option<OsString>,

    #[cfg(feature = "web")]
    #[command(flatten)]
    page: PageArguments,

    #[command(flatten)]
    crawlers: CrawlerArguments,

    #[command(flatten, next_help_heading = "Output")]
    format: FormatArguments<Self>,

    /// Show the group, other matching rules and dialects
    #[arg(short, long)]
    explain: bool,

    /// Print a table of URLs and crawlers with yes, no or ?
    #[arg(long, conflicts_with_all = ["explain", "json", "purpose"])]
    matrix: bool,

    #[command(flatten, next_help_heading = "Output")]
    delay: DelayArguments,

    #[command(flatten, next_help_heading = "Output")]
    purpose: PurposeArguments,

    #[cfg(feature = "web")]
    #[command(flatten)]
    when: WhenArguments,

    #[command(flatten)]
    fetching: FetchArguments,

    #[command(flatten)]
    reading: ReadingArguments,
}

impl Formats for CheckArguments {
    const HUMAN: &'static str = "A line for each answer";
    const JSON: &'static str = "JSON Lines (schema verger.check/1, in docs/json.md)";
    const OTHERS: &'static [(Format, &'static str)] = &[(
        Format::Csv,
        "A table of URLs and crawlers, with the deciding rules",
    )];
}

const USAGE: &str = "\
verger check [-a NAME]... [OPTIONS] URL...
       verger check --robots FILE [-a NAME]... [OPTIONS] URL...
       verger check --batch FILE [-d DIALECT]";

const NOT_IN_BATCHES: [&str; 13] = [
    "url_arguments",
    "robots",
    "urls",
    "agents",
    "tokens",
    "user_agents",
    "explain",
    "json",
    "format",
    "matrix",
    "min_delay",
    "max_delay",
    "purpose",
];

const EXAMPLES: &str = "\
Examples:
  verger check -a GPTBot https://example.com/private/
  verger check --robots robots.txt -a Googlebot --explain /private/
  verger check --matrix -a @search -a @ai-train https://example.com/";

const LONG_EXAMPLES: &str = "\
Examples:
  verger check -a GPTBot https://example.com/private/
  verger check --robots robots.txt -a Googlebot --explain /private/
  verger check --matrix -a @search -a @ai-train https://example.com/
  verger check --profile google --at 2026-11-01 --json https://example.com/
  curl -s https://example.com/robots.txt | verger check --robots - --urls urls.txt
  verger check --batch questions.jsonl > answers.jsonl";

pub(crate) fn run(arguments: &CheckArguments) -> CommandResult {
    arguments.refuse_mixture()?;
    arguments.refuse_file_as_url()?;
    let CheckArguments {
        explain, matrix, ..
    } = arguments;
    arguments.refuse_two_of_stdin()?;
    match arguments.format.format() {
        Format::Json => arguments.format.refuse(&[(*matrix, "--matrix")])?,
        #[cfg(feature = "web")]
        Format::Csv if let Some(option) = arguments.page.first_given() => {
            arguments.format.refuse(&[(true, option)])?;
        }
        Format::Csv => arguments.format.refuse(&[
            (*explain, "--explain"),
            (arguments.purpose.asked().is_some(), "--purpose"),
        ])?,
        _ => {}
    }
    if let Some(batch) = &arguments.batch {
        return batch::run(&Source::from(batch.clone()), &arguments.reading);
    }
    match &arguments.robots {
        Some(robots) => check_file(arguments, &Source::from(robots.clone())),
        #[cfg(feature = "web")]
        None => check_web(arguments),
        #[cfg(not(feature = "web"))]
        None => Err(left_out("web").into()),
    }
}

impl CheckArguments {
    fn explaining(&self) -> Explaining {
        if self.explain {
            Explaining::Yes
        } else {
            Explaining::No
        }
    }

    fn questions(&self) -> Result<UrlQuestions<'_>, Box<dyn Error>> {
        let urls = self.urls.clone().map(Source::from);
        Ok(UrlQuestions::new(&self.url_arguments, urls)?)
    }

    /// Rejects two inputs that both read standard input.
    fn refuse_two_of_stdin(&self) -> Result<(), Message> {
        let files = [(&self.robots, "--robots -"), (&self.urls, "--urls -")];
        #[cfg(feature = "web")]
        let files = files.into_iter().chain(self.page.files());
        let is_stdin = |file: &Option<OsString>| file.as_deref() == Some("-".as_ref());
        let mut of_stdin = files.into_iter().filter(|(file, _)| is_stdin(file));
        let (Some((_, one)), Some((_, other))) = (of_stdin.next(), of_stdin.next()) else {
            return Ok(());
        };
        let what = format!("`{one}` and `{other}` both read standard input");
        Err(Message::from(what).help("give one of them as a file"))
    }

    /// Rejects options about fetching if nothing is fetched.
    fn refuse_mixture(&self) -> Result<(), Message> {
        let fetching = self.fetching.first_given();
        #[cfg(feature = "web")]
        let fetching = self.when.first_given().or(fetching);
        #[cfg(feature = "web")]
        let fetching = match &self.batch {
            Some(_) => self.page.first_given().or(fetching),
            None => fetching,
        };
        #[cfg(feature = "web")]
        if self.batch.is_none() {
            let fetches = self.robots.is_none() && self.when.when().fetches();
            let is_one_url = self.url_arguments.len() == 1 && self.urls.is_none();
            self.page.refuse_mixture(fetches, is_one_url)?;
        }
        let (what, help) = match (&self.robots, &self.batch, fetching) {
            (_, Some(_), Some(option)) => (
                format!("`{option}` cannot be used with `--batch`: nothing is fetched"),
                format!("leave out `{option}`"),
            ),
            (Some(_), None, Some(option)) => (
                format!("`{option}` cannot be used with `--robots`: nothing is fetched"),
                format!("leave out `{option}` or `--robots`"),
            ),
            _ => return Ok(()),
        };
        Err(Message::from(what).help(help))
    }

    /// Rejects a file that is given as if it were a URL.
    fn refuse_file_as_url(&self) -> Result<(), Message> {
        if self.robots.is_some() {
            return Ok(());
        }
        let is_file = |name: &&OsString| Path::new(name).is_file();
        let Some(file) = self.url_arguments.iter().find(is_file) else {
            return Ok(());
        };
        let urls = self.url_arguments.iter().filter(|it| *it != file);
        let urls: Vec<String> = urls.map(legible_path).collect();
        let urls = if urls.is_empty() {
            "/".to_owned()
        } else {
            urls.join(" ")
        };
        let file = legible_path(file);
        let message = Message::new(format_args!("`{file}` is a file, not a URL"));
        Err(message.help(format_args!("run `verger check --robots {file} {urls}`")))
    }

    /// Returns the site of the URLs, if there is only one.
    #[cfg(feature = "web")]
    fn only_site(&self) -> Option<Authority> {
        let site = |url: &OsString| Authority::from_url(url.to_str()?).ok();
        let first = self.url_arguments.first().and_then(site)?;
        let has_others = self.urls.is_some()
            || (self.url_arguments.iter()).any(|url| site(url).as_ref() != Some(&first));
        (!has_others).then_some(first)
    }

    /// Returns a writer of answers, and prints notes about the crawlers.
    fn rendering(
        &self,
        crawlers: &[ResolvedCrawler],
        questions: &UrlQuestions<'_>,
        reading: Reading,
        files: &[&RobotsTxt],
    ) -> Box<dyn CheckRendering> {
        if self.format.is_json() {
            warn_of_misspellings(crawlers, files);
            let line = |output: &mut _, answer: &CheckAnswer<'_>| json::write_line(output, answer);
            return Box::new(Each::new(json_output(), line));
        }
        self.crawlers.note_resolutions(crawlers, reading, files);
        let output = palette::stdout();
        let answers: Box<dyn for<'a> Rendering<CheckAnswer<'a>>> = match self.format.format() {
            Format::Csv => Box::new(CheckTable::new(crawlers, output)),
            _ if self.matrix => Box::new(Matrix::new(crawlers, output)),
            _ => {
                let url_width = questions.argument_width();
                Box::new(Human::new(crawlers, self.explaining(), output, url_width))
            }
        };
        let given = self.robots.clone().map(Source::from);
        let given = given.map_or_else(String::new, |source| source.to_string());
        Box::new(WithWarnings::new(answers, given))
    }
}

fn check_file(arguments: &CheckArguments, robots: &Source) -> CommandResult {
    let read_as = arguments.reading.read_as();
    let crawlers = arguments.crawlers.crawlers(read_as)?;
    let (reading, body) = (read_as.reading(), robots.read()?);
    let (bounds, at) = (arguments.delay.bounds(), now());
    let asked = arguments.purpose.asked();
    let files = CheckedFiles::new(
        reading,
        arguments.explaining(),
        &crawlers,
        |readings, of| {
            let file = CheckedFile::new(body.clone(), readings, of);
            file.with_delays(bounds, at).with_use(asked)
        },
    );
    let questions = arguments.questions()?;
    let robots: Vec<_> = files.files().iter().map(CheckedFile::robots).collect();
    let mut rendering = arguments.rendering(&crawlers, &questions, reading, &robots);
    #[cfg(feature = "web")]
    let page = arguments.page.given()?;
    #[cfg(not(feature = "web"))]
    let page = None;
    let page = page.as_ref().map(|facts| (facts, at));
    answer_all(&files, questions, page, &mut *rendering)
}

#[cfg(feature = "web")]
fn check_web(arguments: &CheckArguments) -> CommandResult {
    let CheckArguments { when, fetching, .. } = arguments;
    let read_as = arguments.fetching.read_as_of(&arguments.reading);
    let crawlers = arguments.crawlers.crawlers(read_as)?;
    let questions = arguments.questions()?;
    let profile = fetching.profile_of(&arguments.reading);
    let deciding = (profile, arguments.explaining());
    let delays = (arguments.delay.bounds(), when.at.unwrap_or_else(now));
    let asked = arguments.only_site();
    let mut check = WebCheck::new(
        fetching,
        deciding,
        when.when(),
        (crawlers.clone(), asked.as_ref()),
        (delays, arguments.purpose.asked()),
        &arguments.page,
    )?;
    let mut rendering = arguments.rendering(&crawlers, &questions, read_as.reading(), &[]);
    check.run(questions, &mut *rendering)
}

fn answer_all(
    files: &CheckedFiles,
    mut questions: UrlQuestions<'_>,
    page: Option<(&PageFacts, Timestamp)>,
    rendering: &mut dyn CheckRendering,
) -> CommandResult {
    let mut outcome = Outcome::Success;
    let progress = Counting::beside_answers("URLs answered");
    loop {
        if questions.may_wait() {
            rendering.flush()?;
        }
        let question = match questions.advance() {
            Ok(Some(question)) => question,
            Ok(None) => break,
            Err(error) => {
                rendering.finish()?;
                return Err(error.into());
            }
        };
        let answered = match answering::targets(files, &question) {
            Ok(targets) => answering::answer(files, None, &question, &targets, page, rendering)?,
            Err(error) => {
                rendering.flush()?;
                notice::error(Message::of_error(&error));
                Outcome::Unanswered
            }
        };
        outcome = outcome.max(answered);
        progress.add_one();
    }
    rendering.finish()?;
    Ok(outcome)
}
