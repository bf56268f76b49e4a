//! `verger check`: may these crawlers fetch these URLs, and why.
//!
//! | module | one line |
//! |---|---|
//! | `question` | the URLs asked about, from arguments and from a list |
//! | `subject` | the body and the crawlers that all questions of a run are about |
//! | `answer` | one answer, and what writes it |
//! | `explanation` | what a verdict rests on, and what it was weighed against |
//! | `side` | one dialect's view of a question |
//! | `dialect_ways` | what a dialect does that an explanation has to know |
//! | `parting` | where two readings put what follows into different groups |
//! | `difference`, `difference_wording` | why another dialect answers otherwise |
//! | `human` | answers for readers |
//! | `human_explanation` | explanations for readers |
//! | `json` | answers as JSON Lines |

mod answer;
mod dialect_ways;
mod difference;
mod difference_wording;
mod explanation;
mod human;
mod human_explanation;
mod json;
mod parting;
mod question;
mod side;
mod subject;

use std::error::Error;
use std::ffi::OsString;
use std::fmt;

use clap::{ArgGroup, Args};

use crate::batch;
use crate::crawler_arguments::CrawlerArguments;
use crate::input::Source;
use crate::notice;
use crate::outcome::{CommandResult, Outcome};
use crate::palette;
use crate::reading_arguments::ReadingArguments;
use answer::{Answer, Rendering};
use question::Questions;
use subject::{Explaining, Subject};

/// Say whether crawlers may fetch URLs, and which line says so
///
/// Every URL is asked for every crawler. Exit code 0: all of them are allowed; 1: one is not;
/// 2: one could not be answered.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, override_usage = USAGE)]
#[command(group = ArgGroup::new("body").required(true).multiple(true))]
#[command(group = ArgGroup::new("questions").required(true).multiple(true))]
pub(crate) struct CheckArguments {
    /// The URLs, absolute or from the slash after the host on
    #[arg(value_name = "URL", group = "questions")]
    url_arguments: Vec<OsString>,

    /// The robots.txt; `-` for standard input
    #[arg(short, long, value_name = "FILE", group = "body")]
    robots: Option<OsString>,

    /// A file with further URLs, one a line; `-` for standard input
    #[arg(short, long, value_name = "FILE", group = "questions")]
    urls: Option<OsString>,

    #[command(flatten)]
    crawlers: CrawlerArguments,

    /// Show the group, the other rules that match, and which dialects answer otherwise
    #[arg(short, long)]
    explain: bool,

    /// Answer in JSON Lines (schema verger.check/1, in docs/json.md)
    #[arg(long)]
    json: bool,

    /// Read questions in JSON Lines, and answer in JSON Lines; `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = NOT_IN_BATCHES)]
    #[arg(groups = ["questions", "body"])]
    batch: Option<OsString>,

    #[command(flatten)]
    reading: ReadingArguments,
}

/// All ways to ask, since which one was meant is not known where something is missing.
const USAGE: &str = "\
verger check --robots FILE [-a NAME]... [OPTIONS] URL...
       verger check --robots FILE [-a NAME]... [OPTIONS] --urls FILE [URL]...
       verger check --batch FILE [-d DIALECT]";

const NOT_IN_BATCHES: [&str; 8] = [
    "url_arguments",
    "robots",
    "urls",
    "agents",
    "tokens",
    "user_agents",
    "explain",
    "json",
];

const EXAMPLES: &str = "\
Examples:
  verger check --robots robots.txt https://example.com/private/report.html
  verger check --robots robots.txt -a googlebot-news -a GPTBot /news/ /private/
  curl -s https://example.com/robots.txt | verger check --robots - --urls list.txt
  verger check --batch questions.jsonl > answers.jsonl";

/// Runs the command.
pub(crate) fn run(arguments: &CheckArguments) -> CommandResult {
    if let Some(batch) = &arguments.batch {
        return batch::run(&Source::from(batch.clone()), &arguments.reading);
    }
    let sources = [&arguments.robots, &arguments.urls];
    let [robots, urls] = sources.map(|name| name.clone().map(Source::from));
    if robots == Some(Source::Stdin) && urls == Some(Source::Stdin) {
        return Err(Box::new(BothFromStdin));
    }
    let reading = arguments.reading.reading();
    let crawlers = arguments.crawlers.crawlers(reading)?;
    let body = robots.map_or(Ok(Vec::new()), |source| source.read())?;
    let explaining = if arguments.explain {
        Explaining::Yes
    } else {
        Explaining::No
    };
    let subject = Subject::new(body, &arguments.reading, crawlers, explaining);
    let questions = Questions::new(&arguments.url_arguments, urls)?;
    if arguments.json {
        answer_all(&subject, questions, &mut json::JsonLines::new(&subject))
    } else {
        for asked in &subject.crawlers {
            if let Some(resolution) = asked.crawler.resolution() {
                notice::note(resolution);
            }
        }
        let url_width = questions.argument_width();
        answer_all(
            &subject,
            questions,
            &mut human::Human::new(&subject, palette::stdout(), url_width),
        )
    }
}

fn answer_all(
    subject: &Subject,
    mut questions: Questions<'_>,
    rendering: &mut impl Rendering,
) -> CommandResult {
    let mut outcome = Outcome::Success;
    loop {
        if questions.may_wait() {
            rendering.flush()?;
        }
        let Some(question) = questions.next()? else {
            break;
        };
        let target = match question.target(*subject.robots.reading()) {
            Ok(target) => target,
            Err(error) => {
                rendering.flush()?;
                notice::error(error);
                outcome = outcome.max(Outcome::Unanswered);
                continue;
            }
        };
        for nth in 0..subject.crawlers.len() {
            let side = subject.side(nth, &target);
            let answer = Answer {
                asked: &subject.crawlers[nth],
                question: &question,
                verdict: side.verdict,
                explanation: subject.explanation(nth, &question, &side),
            };
            if !answer.verdict.is_allowed() {
                outcome = outcome.max(Outcome::Disallowed);
            }
            rendering.answer(&answer)?;
        }
    }
    rendering.flush()?;
    Ok(outcome)
}

/// Standard input can be the robots.txt or the list of URLs.
#[derive(Clone, Copy, Debug)]
struct BothFromStdin;

impl fmt::Display for BothFromStdin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "`--robots -` and `--urls -` both read standard input; give one of them as a file",
        )
    }
}

impl Error for BothFromStdin {}
