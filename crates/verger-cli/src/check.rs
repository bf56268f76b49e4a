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

use clap::Args;
use verger::Reading;

use crate::asked_crawler::AskedCrawler;
use crate::batch;
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
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckArguments {
    /// The URLs, absolute or from the slash after the host on
    #[arg(value_name = "URL", required_unless_present_any = ["urls", "batch"])]
    url_arguments: Vec<OsString>,

    /// The robots.txt; `-` for standard input
    #[arg(short, long, value_name = "FILE", required_unless_present = "batch")]
    robots: Option<OsString>,

    /// A file with further URLs, one a line; `-` for standard input
    #[arg(short, long, value_name = "FILE")]
    urls: Option<OsString>,

    /// A product token, or a name from `verger crawlers`; may be given several times
    ///
    /// Without it, and without `--user-agent`, a crawler is meant that no group names.
    #[arg(short, long = "agent", value_name = "TOKEN")]
    agents: Vec<String>,

    /// A User-Agent header as it is sent; the known crawler that it names is asked for
    #[arg(long = "user-agent", value_name = "HEADER")]
    user_agents: Vec<String>,

    /// Show the group, the other rules that match, and which dialects answer otherwise
    #[arg(short, long)]
    explain: bool,

    /// Answer in JSON Lines (schema verger.check/1, in docs/json.md)
    #[arg(long)]
    json: bool,

    /// Read questions in JSON Lines, and answer in JSON Lines; `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = NOT_IN_BATCHES)]
    batch: Option<OsString>,

    #[command(flatten)]
    reading: ReadingArguments,
}

const NOT_IN_BATCHES: [&str; 7] = [
    "url_arguments",
    "robots",
    "urls",
    "agents",
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
    let crawlers = asked_crawlers(arguments, reading)?;
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

fn asked_crawlers(
    arguments: &CheckArguments,
    reading: Reading,
) -> Result<Vec<AskedCrawler>, Box<dyn Error>> {
    let mut crawlers = Vec::new();
    for name in &arguments.agents {
        crawlers.push(AskedCrawler::named(name, reading)?);
    }
    for header in &arguments.user_agents {
        crawlers.push(AskedCrawler::of_header(header)?);
    }
    if crawlers.is_empty() {
        crawlers.push(AskedCrawler::unnamed());
    }
    Ok(crawlers)
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
