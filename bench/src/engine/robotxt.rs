//! `robotxt`: parses for one agent, and checks a parsed URL.

use robotxt::Robots;
use url::Url;

use super::{Answerer, Engine, Kept, Pass, building, kept};
use crate::contestant::Contestant;
use crate::input::{Body, Question};

pub(super) struct Robotxt;

fn robots(body: &Body, agent: &str) -> Robots {
    Robots::parse(body.bytes(), agent)
}

fn parsed(urls: &[String]) -> Option<Vec<Url>> {
    urls.iter().map(|url| Url::parse(url).ok()).collect()
}

fn url_allowed(robots: &Robots, url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| robots.is_url_allowed(&url))
}

impl Engine for Robotxt {
    fn name(&self) -> &'static str {
        "robotxt"
    }

    fn allowed(&self, body: &Body, agent: &str, url: &str) -> Option<bool> {
        let url = Url::parse(url).ok()?;
        Some(robots(body, agent).is_url_allowed(&url))
    }

    fn cold(&self) -> Vec<Pass<'_>> {
        vec![Pass::new(self.name(), |files, agent| {
            super::allowed_count(files, |body, urls| {
                let robots = robots(body, agent);
                urls.iter().filter(|url| url_allowed(&robots, url)).count()
            })
        })]
    }

    fn one_shot<'i>(&'i self, question: Question<'i>) -> Vec<Contestant<'i>> {
        let Question { body, agent, urls } = question;
        let prepared = parsed(urls).map(|urls| {
            Contestant::new("robotxt/prepared", urls, move |url| {
                robots(body, agent).is_url_allowed(url)
            })
        });
        let whole = super::rereading(self, self.name(), question);
        [whole].into_iter().chain(prepared).collect()
    }

    fn parse<'i>(&'i self, question: Question<'i>) -> Vec<Contestant<'i>> {
        let Question { body, agent, .. } = question;
        vec![building(self.name(), || robots(body, agent))]
    }

    fn compiled<'i>(&'i self, question: Question<'i>) -> Vec<Contestant<'i>> {
        let Question { body, agent, urls } = question;
        let kept = robots(body, agent);
        let same = robots(body, agent);
        let prepared = parsed(urls).map(|urls| {
            Contestant::new("robotxt/prepared", urls, move |url| {
                same.is_url_allowed(url)
            })
        });
        let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
        let whole = Contestant::new(self.name(), urls, move |url| url_allowed(&kept, url));
        [whole].into_iter().chain(prepared).collect()
    }

    fn answerer<'i>(&'i self, question: Question<'i>) -> Option<Answerer<'i>> {
        let robots = robots(question.body, question.agent);
        Some(Box::new(move |url| url_allowed(&robots, url)))
    }

    fn kept<'i>(&'i self, question: Question<'i>) -> Vec<Kept<'i>> {
        let Question { body, agent, .. } = question;
        vec![kept(self.name(), move || robots(body, agent))]
    }
}
