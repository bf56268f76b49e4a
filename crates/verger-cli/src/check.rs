//! `verger check`: may these crawlers fetch these URLs, and why.
//!
//! | module | one line |
//! |---|---|
//! | `when` | which time is asked about, and whether anything is fetched |
//! | `answering` | a question to its answers, and what writes them |
//! | `batch` | questions and answers as JSON Lines |
//! | `web` | the check without `--robots` |
//! | `human`, `human_access` | answers for people; what is known about an authority |
//! | `human_explanation` | explanations for people |
//! | `with_warnings` | what is odd about files, before the answers |
//! | `matrix` | answers as a table of URLs and crawlers |

mod answering;
mod batch;
mod human;
mod human_access;
mod human_explanation;
mod matrix;
#[cfg(feature = "web")]
mod web;
#[cfg(feature = "web")]
pub(crate) mod when;
mod with_warnings;

use std::error::Error;
use std::ffi::OsString;

use clap::{ArgGroup, Args};
use verger::{Reading, RobotsTxt};
use verger_answer::{
    CheckAnswer, CheckTable, CheckedFile, Explaining, Readings, ResolvedCrawler, json,
};
use verger_files::{Source, UrlQuestions};

use crate::arguments::crawler::{CrawlerArguments, warn_of_misspellings};
use crate::arguments::fetch::FetchArguments;
use crate::arguments::reading::ReadingArguments;
#[cfg(not(feature = "web"))]
use crate::left_out::LeftOut;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::notice;
use crate::screen::output_format::{Format, FormatArguments, Formats};
use crate::screen::palette;
use crate::screen::progress::Counting;
use crate::screen::rendering::{Each, Rendering, json_output};
use answering::CheckRendering;
use human::Human;
use matrix::Matrix;
#[cfg(feature = "web")]
use web::WebCheck;
#[cfg(feature = "web")]
use when::WhenArguments;
use with_warnings::WithWarnings;

/// Say whether crawlers may fetch URLs, and which line says so
///
/// The robots.txt of each URL's authority is fetched, unless the stored one is still fresh; what was
/// seen is kept in a store. With `--robots` nothing is fetched. Every URL is checked for every
/// crawler. Exit code 0: all of them are allowed; 1: one is not. `verger help` lists the others.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, override_usage = USAGE)]
#[command(group = ArgGroup::new("questions").required(true).multiple(true))]
pub(crate) struct CheckArguments {
    /// The URLs; with `--robots` also a path alone, such as /a?b
    #[arg(value_name = "URL", group = "questions")]
    url_arguments: Vec<OsString>,

    /// The robots.txt, which is not fetched then; `-` for standard input
    #[arg(short, long, value_name = "FILE")]
    robots: Option<OsString>,

    /// A file with further URLs, one a line; `-` for standard input
    #[arg(short, long, value_name = "FILE", group = "questions")]
    urls: Option<OsString>,

    /// Read questions in JSON Lines, and answer in JSON Lines; `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = NOT_IN_BATCHES)]
    #[arg(group = "questions", hide_short_help = true)]
    batch: Option<OsString>,

    #[command(flatten)]
    crawlers: CrawlerArguments,

    #[command(flatten, next_help_heading = "What is printed")]
    format: FormatArguments<Self>,

    /// Show the group, the other rules that match, and which dialects answer otherwise
    #[arg(short, long)]
    explain: bool,

    /// Print a table of URLs and crawlers: yes, no or ?
    #[arg(long, conflicts_with_all = ["explain", "json"])]
    matrix: bool,

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
        "A table of URLs and crawlers, with the rules that decide",
    )];
}

/// All forms, since an error about a missing argument cannot know which one was meant.
const USAGE: &str = "\
verger check [-a NAME]... [OPTIONS] URL...
       verger check [-a NAME]... [OPTIONS] --urls FILE [URL]...
       verger check --robots FILE [-a NAME]... [OPTIONS] URL...
       verger check --batch FILE [-d DIALECT]";

const NOT_IN_BATCHES: [&str; 10] = [
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
];

const EXAMPLES: &str = "\
Examples:
  verger check -a GPTBot https://example.com/private/report.html
  verger check --profile google --at 2026-11-01T00:00:00Z --json https://example.com/
  verger check --robots robots.txt -a googlebot-news -a GPTBot /news/ /private/
  verger check -a @ai-train -a @openai https://example.com/
  verger check --matrix -a @ai-train https://example.com/ https://example.com/news/
  curl -s https://example.com/robots.txt | verger check --robots - --urls list.txt
  verger check --batch questions.jsonl > answers.jsonl";

/// Runs the command.
pub(crate) fn run(arguments: &CheckArguments) -> CommandResult {
    arguments.refuse_mixture()?;
    let CheckArguments {
        explain, matrix, ..
    } = arguments;
    match arguments.format.format() {
        Format::Json => arguments.format.refuse(&[(*matrix, "--matrix")])?,
        Format::Csv => arguments.format.refuse(&[(*explain, "--explain")])?,
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
        None => Err(LeftOut("web").into()),
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

    /// Refuses options that are about fetching where nothing is fetched, and the other way round.
    fn refuse_mixture(&self) -> Result<(), Mixture> {
        let fetching = self.fetching.first_given();
        #[cfg(feature = "web")]
        let fetching = self.when.first_given().or(fetching);
        match (&self.robots, &self.batch, fetching) {
            (None, None, _) if self.reading.names_dialect() => Err(Mixture::DialectOfFetched),
            (_, Some(_), Some(option)) => Err(Mixture::FetchingInBatches(option)),
            (Some(_), None, Some(option)) => Err(Mixture::FetchingOfGiven(option)),
            _ => Ok(()),
        }
    }

    /// What writes the answers; notes what the crawlers were resolved to.
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
    let urls = arguments.urls.clone().map(Source::from);
    if *robots == Source::Stdin && urls == Some(Source::Stdin) {
        return Err(Mixture::BothFromStdin.into());
    }
    let reading = &arguments.reading;
    let readings = Readings::new(reading.reading(), arguments.explaining());
    let crawlers = arguments.crawlers.crawlers(readings.own())?;
    let file = CheckedFile::new(robots.read()?, &readings, &crawlers);
    let questions = arguments.questions()?;
    let mut rendering =
        arguments.rendering(&crawlers, &questions, readings.own(), &[file.robots()]);
    answer_all(&file, questions, &mut *rendering)
}

#[cfg(feature = "web")]
fn check_web(arguments: &CheckArguments) -> CommandResult {
    let CheckArguments { when, fetching, .. } = arguments;
    let options = &arguments.reading.options;
    let profile = fetching.profile(options);
    let crawlers = arguments.crawlers.crawlers(profile.reading)?;
    let questions = arguments.questions()?;
    let reading = profile.reading;
    let readings = Readings::new(reading, arguments.explaining());
    let deciding = (profile, readings);
    let mut check = WebCheck::new(fetching, deciding, when.when(), crawlers.clone())?;
    let mut rendering = arguments.rendering(&crawlers, &questions, reading, &[]);
    check.run(questions, &mut *rendering)
}

fn answer_all(
    file: &CheckedFile,
    mut questions: UrlQuestions<'_>,
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
        let answered = match question.target(*file.robots().reading()) {
            Ok(target) => answering::answer(file, None, &question, &target, rendering)?,
            Err(error) => {
                rendering.flush()?;
                notice::error(error);
                Outcome::Unanswered
            }
        };
        outcome = outcome.max(answered);
        progress.add_one();
    }
    rendering.finish()?;
    Ok(outcome)
}

/// Options that do not go together.
#[derive(Clone, Copy, Debug, thiserror::Error)]
enum Mixture {
    #[error(
        "`--dialect` goes with `--robots` or `--batch`: what is fetched is read in the dialect of its profile, so \
         choose one with `--profile`"
    )]
    DialectOfFetched,
    #[error("`{0}` does not go with `--robots`: where the robots.txt is given, nothing is fetched")]
    FetchingOfGiven(&'static str),
    #[error("`{0}` does not go with `--batch`: its questions contain their robots.txt")]
    FetchingInBatches(&'static str),
    #[error("`--robots -` and `--urls -` both read standard input; give one of them as a file")]
    BothFromStdin,
}
