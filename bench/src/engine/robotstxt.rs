//! `robotstxt`: a port of Google's library that parses the text for every URL.

use robotstxt::{DefaultMatcher, RobotsParseHandler, parse_robotstxt};

use super::{Answerer, Engine, Kept, building};
use crate::contestant::Contestant;
use crate::input::{Body, Question};

pub(super) struct Robotstxt;

struct Deaf;

impl RobotsParseHandler for Deaf {
    fn handle_robots_start(&mut self) {}
    fn handle_robots_end(&mut self) {}
    fn handle_user_agent(&mut self, _: u32, _: &str) {}
    fn handle_allow(&mut self, _: u32, _: &str) {}
    fn handle_disallow(&mut self, _: u32, _: &str) {}
    fn handle_sitemap(&mut self, _: u32, _: &str) {}
    fn handle_unknown_action(&mut self, _: u32, _: &str, _: &str) {}
}

impl Engine for Robotstxt {
    fn name(&self) -> &'static str {
        "robotstxt"
    }

    fn allowed(&self, body: &Body, agent: &str, url: &str) -> Option<bool> {
        let mut matcher = DefaultMatcher::default();
        Some(matcher.one_agent_allowed_by_robots(body.text(), agent, url))
    }

    fn parse<'i>(&'i self, question: Question<'i>) -> Vec<Contestant<'i>> {
        let parse = || parse_robotstxt(question.body.text(), &mut Deaf);
        vec![building("robotstxt/keeps-nothing", parse)]
    }

    fn compiled<'i>(&'i self, _: Question<'i>) -> Vec<Contestant<'i>> {
        Vec::new()
    }

    fn answerer<'i>(&'i self, _: Question<'i>) -> Option<Answerer<'i>> {
        None
    }

    fn kept<'i>(&'i self, _: Question<'i>) -> Vec<Kept<'i>> {
        Vec::new()
    }
}
