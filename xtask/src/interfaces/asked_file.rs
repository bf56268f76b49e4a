//! `AskedFile`: a file, its questions, and the answers of the engine.

use std::collections::BTreeMap;
use std::fmt;

use verger::{Crawler, Dialect, LineNumber, RobotsTxt, TargetPath};

use crate::corpus::sample::Question;
use crate::question::{self, Answer};

pub(super) struct AskedFile {
    name: String,
    pub(super) body: Vec<u8>,
    pub(super) dialect: Dialect,
    pub(super) tokens: Vec<String>,
    pub(super) urls: Vec<String>,
    as_given: Answers,
    as_sent: Answers,
}

/// How an interface treats URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Urls {
    /// Unchanged.
    AsGiven,
    /// Normalized as in a request: V-40.
    AsSent,
}

/// The answers by product token and URL.
pub(super) type Answers = BTreeMap<(String, String), Decided>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decided {
    pub(super) allowed: bool,
    /// Line of the rule that applies.
    pub(super) line: Option<u32>,
}

impl fmt::Display for Decided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { allowed, line } = *self;
        Answer::Decided { allowed, line }.fmt(f)
    }
}

impl AskedFile {
    /// Returns the file with the crawlers and URLs that the engine can answer, or `None` if the sample contains no
    /// absolute URL for it.
    pub(super) fn of(
        name: &str,
        body: &[u8],
        questions: &[Question],
        dialect: Dialect,
    ) -> Option<Self> {
        let robots = RobotsTxt::parse(body, dialect);
        let mut tokens = Vec::new();
        let mut urls = Vec::new();
        for Question { agent, url, .. } in questions {
            let is_absolute = url.starts_with("https://") || url.starts_with("http://");
            let answer = question::ask(&robots, std::slice::from_ref(agent), url.as_bytes());
            if is_absolute && matches!(answer, Answer::Decided { .. }) {
                tokens.push(agent.clone());
                urls.push(url.clone());
            }
        }
        for list in [&mut tokens, &mut urls] {
            list.sort();
            list.dedup();
        }
        let robots = &robots;
        let answers = |urls_are: Urls| -> Answers {
            pairs(&tokens, &urls)
                .filter_map(|question| {
                    Some((question.clone(), decided(robots, &question, urls_are)?))
                })
                .collect()
        };
        let (as_given, as_sent) = (answers(Urls::AsGiven), answers(Urls::AsSent));
        (!as_given.is_empty()).then(|| Self {
            name: name.to_owned(),
            body: body.to_owned(),
            dialect,
            tokens,
            urls,
            as_given,
            as_sent,
        })
    }

    /// Returns the answers of the engine.
    pub(super) fn answers(&self, urls_are: Urls) -> &Answers {
        match urls_are {
            Urls::AsGiven => &self.as_given,
            Urls::AsSent => &self.as_sent,
        }
    }

    /// Returns a sentence for each difference between `given` and the engine.
    pub(super) fn differences(
        &self,
        interface: &str,
        urls_are: Urls,
        mut given: Answers,
    ) -> Vec<String> {
        let mut differences = Vec::new();
        let mut differ = |(token, url): &(String, String), engine: &str, given: &str| {
            let (name, dialect) = (&self.name, self.dialect);
            differences.push(format!(
                "{name}, {dialect}, [{token}] {url}: engine: {engine}, {interface}: {given}"
            ));
        };
        for (question, expected) in self.answers(urls_are) {
            match given.remove(question) {
                Some(answer) if answer == *expected => {}
                Some(answer) => differ(question, &expected.to_string(), &answer.to_string()),
                None => differ(question, &expected.to_string(), "nothing"),
            }
        }
        for (question, answer) in &given {
            differ(question, "nothing", &answer.to_string());
        }
        differences
    }
}

fn decided(robots: &RobotsTxt, (token, url): &(String, String), urls_are: Urls) -> Option<Decided> {
    let crawler = Crawler::named_in_order([token.as_str()], robots.dialect()).ok()?;
    let target = match urls_are {
        Urls::AsGiven => TargetPath::new(url, robots.dialect()),
        Urls::AsSent => TargetPath::as_sent(url, robots.dialect()),
    };
    let verdict = robots.policy(&crawler).decide(&target.ok()?);
    Some(Decided {
        allowed: verdict.is_allowed(),
        line: verdict.line().map(LineNumber::get),
    })
}

/// Returns all pairs of the two lists.
fn pairs<'l>(
    firsts: &'l [String],
    others: &'l [String],
) -> impl Iterator<Item = (String, String)> + 'l {
    let of_first = |first: &'l String| {
        others
            .iter()
            .map(move |other| (first.clone(), other.clone()))
    };
    firsts.iter().flat_map(of_first)
}
