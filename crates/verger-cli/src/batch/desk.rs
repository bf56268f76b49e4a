//! The answers to one line: its body is read once in each dialect asked for, and each crawler's
//! rules are made once.

use std::collections::BTreeMap;
use std::io::{self, Write};

use verger::{Dialect, Policy, RobotsTxt};

use super::request::{Agent, Question, Request, RequestError, id_of};
use super::response::{Asked, Responses};
use crate::decision::Decision;
use crate::input_lines::{InputLineContent, LINE_OCTETS_MAX};
use crate::reading_arguments::ReadingArguments;

/// So many policies are kept for one line; beyond that they are made anew.
const POLICIES_MAX: usize = 256;

/// Answers one line of the input.
pub(super) fn answer_line(
    content: &InputLineContent<'_>,
    input_line: u64,
    reading: &ReadingArguments,
    responses: &mut Responses<impl Write>,
) -> io::Result<()> {
    let without_id = Asked {
        id: None,
        input_line,
    };
    let octets = match content {
        InputLineContent::Octets(octets) => octets,
        InputLineContent::TooLong => {
            return responses.error(without_id, None, &RequestError::TooLong(LINE_OCTETS_MAX));
        }
    };
    let id = id_of(octets);
    let asked = Asked { id, ..without_id };
    let answered = match std::str::from_utf8(octets) {
        Ok(line) => answer_request(line, asked, reading, responses)?,
        Err(error) => Err(RequestError::NotUtf8(error)),
    };
    match answered {
        Ok(()) => Ok(()),
        Err(error) => responses.error(asked, None, &error),
    }
}

/// Answers all questions of a line; what keeps the whole line from being answered is returned.
fn answer_request(
    line: &str,
    asked: Asked<'_>,
    reading: &ReadingArguments,
    responses: &mut Responses<impl Write>,
) -> io::Result<Result<(), RequestError>> {
    let read = || {
        let mut request = Request::read(line)?;
        let body = request.take_body()?;
        let dialect = request.dialect(reading.reading().dialect())?;
        Ok((body, request.questions(dialect)?))
    };
    let (body, questions) = match read() {
        Ok(request) => request,
        Err(error) => return Ok(Err(error)),
    };
    let mut desk = Desk::new(body, reading);
    for (query, question) in questions.enumerate() {
        let answered = question.and_then(|question| {
            let decision = desk.decide(&question)?;
            Ok((question, decision))
        });
        match answered {
            Ok((question, decision)) => responses.answer(asked, query, &question, &decision)?,
            Err(error) => responses.error(asked, Some(query), &error)?,
        }
    }
    Ok(Ok(()))
}

/// One body, and what was made of it.
struct Desk<'a> {
    body: Vec<u8>,
    reading: &'a ReadingArguments,
    robots: BTreeMap<Dialect, RobotsTxt>,
    policies: BTreeMap<(Dialect, Agent), Policy>,
}

impl<'a> Desk<'a> {
    fn new(body: Vec<u8>, reading: &'a ReadingArguments) -> Self {
        Self {
            body,
            reading,
            robots: BTreeMap::new(),
            policies: BTreeMap::new(),
        }
    }

    fn decide(&mut self, question: &Question) -> Result<Decision<'_>, RequestError> {
        let dialect = question.dialect;
        let reading = self.reading.reading_of(dialect);
        let target = question.url.target(reading)?;
        let robots = self
            .robots
            .entry(dialect)
            .or_insert_with(|| RobotsTxt::parse(self.body.as_slice(), reading));
        let key = (dialect, question.agent.clone());
        if !self.policies.contains_key(&key) {
            let policy = robots.policy(&question.agent.crawler(reading)?);
            if self.policies.len() == POLICIES_MAX {
                self.policies.clear();
            }
            self.policies.insert(key.clone(), policy);
        }
        let verdict = self.policies[&key].decide(&target);
        Ok(Decision::of(&verdict, robots))
    }
}
