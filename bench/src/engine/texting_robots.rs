//! `texting_robots`: parses for one agent, with one regular expression per rule, and checks URLs as text.

use texting_robots::Robot;

use super::{Answerer, Engine, Kept, Pass, building, kept};
use crate::contestant::Contestant;
use crate::input::{Body, Question};

pub(super) struct TextingRobots;

/// Returns `None` if it rejects the file, for example because one pattern is too large.
fn robot(body: &Body, agent: &str) -> Option<Robot> {
    Robot::new(agent, body.bytes()).ok()
}

impl Engine for TextingRobots {
    fn name(&self) -> &'static str {
        "texting_robots"
    }

    fn allowed(&self, body: &Body, agent: &str, url: &str) -> Option<bool> {
        Some(robot(body, agent)?.allowed(url))
    }

    fn cold(&self) -> Vec<Pass<'_>> {
        vec![Pass::new(self.name(), |files, agent| {
            super::allowed_count(files, |body, urls| {
                robot(body, agent).map_or(0, |robot| {
                    urls.iter().filter(|url| robot.allowed(url)).count()
                })
            })
        })]
    }

    fn parse<'i>(&'i self, question: Question<'i>) -> Vec<Contestant<'i>> {
        let Question { body, agent, .. } = question;
        vec![building(self.name(), || robot(body, agent))]
    }

    fn compiled<'i>(&'i self, question: Question<'i>) -> Vec<Contestant<'i>> {
        let Question { body, agent, urls } = question;
        let Some(robot) = robot(body, agent) else {
            return Vec::new();
        };
        let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
        vec![Contestant::new(self.name(), urls, move |url| {
            robot.allowed(url)
        })]
    }

    fn answerer<'i>(&'i self, question: Question<'i>) -> Option<Answerer<'i>> {
        let robot = robot(question.body, question.agent)?;
        Some(Box::new(move |url| robot.allowed(url)))
    }

    fn kept<'i>(&'i self, question: Question<'i>) -> Vec<Kept<'i>> {
        let Question { body, agent, .. } = question;
        vec![kept(self.name(), move || robot(body, agent))]
    }
}
