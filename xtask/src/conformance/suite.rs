//! One file of questions, in any line format.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde_json::Value;
use verger::{Dialect, RobotsTxt};

use super::case::{MatchCase, ModelCase, ModelQuery, UnitCase};
use super::explanation::{Against, Explanations};
use super::google_question::GoogleQuestion;
use super::tally::{Difference, Report, Tally};
use super::unit;
use crate::question::{Answer, ask, ask_union, effect, is_googles};

pub(super) struct Suite {
    path: PathBuf,
    name: String,
    shape: Shape,
}

/// Line format of a file, detected by the keys of the first line.
#[derive(Clone, Copy)]
enum Shape {
    Match,
    Model,
    Unit,
    /// Sitemaps, crawl delays, renderings and so on.
    NoVerdict,
}

impl Suite {
    pub(super) fn open(path: &Path) -> Result<Self, String> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let mut suite = Self {
            path: path.to_owned(),
            name: name.into_owned(),
            shape: Shape::NoVerdict,
        };
        let first = suite.lines::<Value>()?.next().transpose()?;
        if let Some(first) = first {
            let has = |key: &str| first.get(key).is_some();
            suite.shape = if has("queries") {
                Shape::Model
            } else if has("google") {
                Shape::Match
            } else if has("kind") && (has("input") || has("input_b64")) {
                Shape::Unit
            } else {
                Shape::NoVerdict
            };
        }
        Ok(suite)
    }

    pub(super) fn ask(
        &self,
        report: &mut Report,
        explanations: &mut Explanations,
    ) -> Result<(), String> {
        match self.shape {
            Shape::Match => self.ask_match_cases(report, explanations),
            Shape::Model => self.ask_model_cases(report),
            Shape::Unit => self.ask_unit_cases(report),
            Shape::NoVerdict => {
                let count = self.lines::<Value>()?.count();
                report
                    .skipped
                    .push(format!("{}: {count} expectations", self.name));
                Ok(())
            }
        }
    }

    /// Returns the questions answered by Google's library, in either format.
    pub(super) fn google_questions(&self) -> Result<Vec<GoogleQuestion>, String> {
        let mut questions = Vec::new();
        match self.shape {
            Shape::Match => {
                for case in self.lines::<MatchCase>()? {
                    let case = case?;
                    questions.push(GoogleQuestion {
                        body: case.robots()?,
                        agents: case.google_agents().to_vec(),
                        url: case.url()?,
                        allowed: case.google,
                        line: case.google_line,
                        id: case.id,
                    });
                }
            }
            Shape::Model => {
                for case in self.lines::<ModelCase>()? {
                    questions.extend(self.google_queries(&case?)?);
                }
            }
            Shape::Unit | Shape::NoVerdict => {}
        }
        Ok(questions)
    }

    fn google_queries(&self, case: &ModelCase) -> Result<Vec<GoogleQuestion>, String> {
        if case.dialect != Dialect::Google.as_str() {
            return Ok(Vec::new());
        }
        let body = case.robots()?;
        let queries = case.queries.iter().map(|query| GoogleQuestion {
            id: format!("{} {}", self.name, case.id),
            body: body.clone(),
            agents: vec![query.agent.clone()],
            url: query.url.clone().into_bytes(),
            allowed: query.allowed,
            line: query.line.unwrap_or_default(),
        });
        Ok(queries.collect())
    }

    fn ask_match_cases(
        &self,
        report: &mut Report,
        explanations: &mut Explanations,
    ) -> Result<(), String> {
        let mut google = Tally::new(&self.name, "Google's library");
        let mut source = Tally::new(&self.name, "its own parser");
        let (mut unanswered, mut several_names, mut merged) = (0, 0, 0);
        for case in self.lines::<MatchCase>()? {
            let case = case?;
            let number = case.number()?;
            let mut explain = |against| explanations.explain(against, &self.name, number).is_some();

            let difference = against_google(&case)?;
            let has_several_names = usize::from(case.google_agents().len() > 1);
            several_names += has_several_names;
            merged += has_several_names * usize::from(difference.is_some());
            let is_explained = difference.is_some() && explain(Against::Google);
            report.answer(&mut google, &case.id, difference, is_explained);

            let Some(expected) = case.expected else {
                unanswered += 1;
                continue;
            };
            let difference = against_source(&case, expected)?;
            let is_explained = difference.is_some() && explain(Against::Source);
            report.answer(&mut source, &case.id, difference, is_explained);
        }
        if unanswered > 0 {
            report.notes.push(format!(
                "{}: {unanswered} questions have no answer of its own parser",
                self.name
            ));
        }
        if several_names > 0 {
            report.notes.push(format!(
                "{}: {several_names} questions are asked for the union of several names; {merged} of \
                 the answers differ",
                self.name
            ));
        }
        report.tally(google);
        report.tally(source);
        Ok(())
    }

    fn ask_model_cases(&self, report: &mut Report) -> Result<(), String> {
        let mut tally = None;
        for case in self.lines::<ModelCase>()? {
            let case = case?;
            let dialect: Dialect = case
                .dialect
                .parse()
                .map_err(|error| format!("{} {}: {error}", self.name, case.id))?;
            let tally =
                tally.get_or_insert_with(|| Tally::new(&self.name, &format!("dialect {dialect}")));
            let robots = RobotsTxt::parse(case.robots()?, dialect);
            for query in &case.queries {
                let id = format!("{} {}", self.name, case.id);
                report.answer(tally, &id, against_model(&robots, query), false);
            }
        }
        if let Some(tally) = tally {
            report.tally(tally);
        }
        Ok(())
    }

    fn ask_unit_cases(&self, report: &mut Report) -> Result<(), String> {
        let mut tally = Tally::new(&self.name, "Google's library");
        for case in self.lines::<UnitCase>()? {
            let difference = unit::difference(&case?)?.map(|sentence| (false, sentence));
            report.answer(&mut tally, &self.name, difference, false);
        }
        report.tally(tally);
        Ok(())
    }

    /// Returns the lines of the file, each parsed lazily.
    fn lines<T: DeserializeOwned>(
        &self,
    ) -> Result<impl Iterator<Item = Result<T, String>>, String> {
        let file = File::open(&self.path)
            .map_err(|error| format!("cannot read {}: {error}", self.path.display()))?;
        let read = |(line, number): (io::Result<String>, usize)| {
            let line = line.map_err(|error| format!("{}:{number}: {error}", self.name))?;
            serde_json::from_str(&line).map_err(|error| format!("{}:{number}: {error}", self.name))
        };
        Ok(BufReader::new(file).lines().zip(1..).map(read))
    }
}

fn against_google(case: &MatchCase) -> Result<Difference, String> {
    let robots = RobotsTxt::parse(case.robots()?, Dialect::Google);
    let answer = ask_union(&robots, case.google_agents(), &case.url()?);
    if is_googles(&answer, &robots, case.google, case.google_line) {
        return Ok(None);
    }
    let sentence = format!(
        "Google's library: {} by line {}, Verger: {answer}",
        effect(case.google),
        case.google_line
    );
    Ok(Some((is_refused(&answer), sentence)))
}

fn against_source(case: &MatchCase, expected: bool) -> Result<Difference, String> {
    let robots = RobotsTxt::parse(case.robots()?, Dialect::Rfc9309);
    let answer = ask(&robots, &case.agents, &case.url()?);
    if matches!(answer, Answer::Decided { allowed, .. } if allowed == expected) {
        return Ok(None);
    }
    let sentence = format!("expected {}, Verger: {answer}", effect(expected));
    Ok(Some((is_refused(&answer), sentence)))
}

fn against_model(robots: &RobotsTxt, query: &ModelQuery) -> Difference {
    let agents = [query.agent.clone()];
    let answer = ask(robots, &agents, query.url.as_bytes());
    let agrees = match query.line {
        Some(line) => is_googles(&answer, robots, query.allowed, line),
        None => matches!(answer, Answer::Decided { allowed, .. } if allowed == query.allowed),
    };
    if agrees {
        return None;
    }
    let line = query
        .line
        .map_or(String::new(), |line| format!(" by line {line}"));
    let sentence = format!(
        "[{}] {}: expected {}{line}, Verger: {answer}",
        query.agent,
        query.url.escape_debug(),
        effect(query.allowed),
    );
    Some((is_refused(&answer), sentence))
}

fn is_refused(answer: &Answer) -> bool {
    matches!(answer, Answer::Refused(_))
}
