//! The answers to one line: its body is read once in each dialect asked for, and crawlers
//! to which the same groups speak share their rules.

use std::collections::BTreeMap;
use std::io::{self, Write};

use verger::{Dialect, RobotsTxt};

use super::kept_policies::KeptPolicies;
use super::request::{Question, Request, RequestError, id_of};
use super::response::{Asked, Responses};
use crate::decision::Decision;
use crate::input_lines::{InputLineContent, LINE_OCTETS_MAX};
use crate::reading_arguments::ReadingArguments;

/// Answers one line of the input.
pub(super) fn answer_line(
    content: &InputLineContent<'_>,
    input_line: u64,
    reading: &ReadingArguments,
    responses: &mut Responses<impl Write>,
) -> io::Result<()> {
    let (id, request) = match content {
        InputLineContent::Octets(octets) => match read_request(octets) {
            Ok(request) => (request.id, Ok(request)),
            Err(error) => (id_of(octets), Err(error)),
        },
        InputLineContent::TooLong => (None, Err(RequestError::TooLong(LINE_OCTETS_MAX))),
    };
    let asked = Asked { id, input_line };
    let opened = request.and_then(|mut request| {
        let body = request.take_body()?;
        let dialect = request.dialect(reading.reading().dialect())?;
        Ok((body, request.questions(dialect)?))
    });
    let (body, questions) = match opened {
        Ok(opened) => opened,
        Err(error) => return responses.error(asked, None, &error),
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
    Ok(())
}

fn read_request(octets: &[u8]) -> Result<Request<'_>, RequestError> {
    let line = std::str::from_utf8(octets).map_err(RequestError::NotUtf8)?;
    Request::read(line)
}

/// One body, and what was made of it.
struct Desk<'a> {
    body: Vec<u8>,
    reading: &'a ReadingArguments,
    robots: BTreeMap<Dialect, RobotsTxt>,
    policies: KeptPolicies,
}

impl<'a> Desk<'a> {
    fn new(body: Vec<u8>, reading: &'a ReadingArguments) -> Self {
        Self {
            body,
            reading,
            robots: BTreeMap::new(),
            policies: KeptPolicies::default(),
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
        let crawler = question.agent.crawler(reading)?;
        let verdict = self.policies.of(&crawler, robots).decide(&target);
        Ok(Decision::of(&verdict, robots))
    }
}
