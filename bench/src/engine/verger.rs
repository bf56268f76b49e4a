//! Verger, through its public API.

use std::cell::OnceCell;

use verger::{Crawler, Dialect, Effect, Policy, RobotsTxt, TargetPath};

use super::{Answerer, Engine, Kept, Pass, building, kept};
use crate::contestant::Contestant;
use crate::input::{Body, Question};

pub(crate) struct Verger {
    pub(super) name: &'static str,
    dialect: Dialect,
    /// The crawler of the agent, created on first use, as frequent callers do.
    crawler: OnceCell<(String, Crawler)>,
}

impl Verger {
    pub(super) fn rfc9309() -> Self {
        Self::new("verger", Dialect::Rfc9309)
    }

    pub(super) fn google() -> Self {
        Self::new("verger-google", Dialect::Google)
    }

    fn new(name: &'static str, dialect: Dialect) -> Self {
        Self {
            name,
            dialect,
            crawler: OnceCell::new(),
        }
    }

    fn crawler(&self, agent: &str) -> Option<&Crawler> {
        if self.crawler.get().is_none() {
            let crawler = Crawler::named(agent, self.dialect).ok()?;
            self.crawler.set((agent.to_owned(), crawler)).ok()?;
        }
        let (name, crawler) = self.crawler.get()?;
        (name == agent).then_some(crawler)
    }

    fn policy(&self, body: &Body, agent: &str) -> Option<Policy> {
        let crawler = self.crawler(agent)?;
        Some(RobotsTxt::parse(body.bytes(), self.dialect).policy(crawler))
    }

    fn target<'u>(&self, url: &'u str) -> Option<TargetPath<'u>> {
        TargetPath::new(url, self.dialect).ok()
    }
}

impl Engine for Verger {
    fn name(&self) -> &str {
        self.name
    }

    fn allowed(&self, body: &Body, agent: &str, url: &str) -> Option<bool> {
        if self.dialect == Dialect::Rfc9309 {
            return verger::allowed(body.bytes(), agent, url).ok();
        }
        let crawler = self.crawler(agent)?;
        let target = self.target(url)?;
        let effect = verger::scan::effect_for_crawler(body.bytes(), crawler, &target, self.dialect);
        Some(effect == Effect::Allow)
    }

    fn cold(&self) -> Vec<Pass<'_>> {
        let counted = |policy: Option<Policy>, urls: &[String]| {
            let is_allowed = |policy: &Policy, url: &str| {
                self.target(url)
                    .is_some_and(|target| policy.decide(&target).is_allowed())
            };
            policy.map_or(0, |policy| {
                urls.iter().filter(|url| is_allowed(&policy, url)).count()
            })
        };
        let read = Pass::new(self.name, move |files, agent| {
            super::allowed_count(files, |body, urls| {
                let crawler = self.crawler(agent);
                let read = |crawler| Policy::read(body.bytes(), crawler, self.dialect);
                counted(crawler.map(read), urls)
            })
        });
        let tree = Pass::new(format!("{}/tree", self.name), move |files, agent| {
            super::allowed_count(files, |body, urls| counted(self.policy(body, agent), urls))
        });
        let one_pass = self.pass();
        let label = format!("{}/one-pass", self.name);
        vec![read, tree, Pass { label, ..one_pass }]
    }

    fn parse<'i>(&'i self, question: Question<'i>) -> Vec<Contestant<'i>> {
        let Question { body, agent, .. } = question;
        let tree = building(self.name, || RobotsTxt::parse(body.bytes(), self.dialect));
        let label = format!("{}/policy", self.name);
        vec![tree, building(label, || self.policy(body, agent))]
    }

    fn compiled<'i>(&'i self, question: Question<'i>) -> Vec<Contestant<'i>> {
        let Question { body, agent, urls } = question;
        let Some(policy) = self.policy(body, agent) else {
            return Vec::new();
        };
        let prepared: Option<Vec<_>> = urls.iter().map(|url| self.target(url)).collect();
        let same = policy.clone();
        let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
        let whole = Contestant::new(self.name, urls, move |url| {
            TargetPath::new(url, self.dialect)
                .is_ok_and(|target| policy.decide(&target).is_allowed())
        });
        let prepared = prepared.map(|targets| {
            Contestant::new(format!("{}/prepared", self.name), targets, move |target| {
                same.decide(target).is_allowed()
            })
        });
        [whole].into_iter().chain(prepared).collect()
    }

    fn answerer<'i>(&'i self, question: Question<'i>) -> Option<Answerer<'i>> {
        let policy = self.policy(question.body, question.agent)?;
        let answer = move |url: &str| {
            self.target(url)
                .is_some_and(|target| policy.decide(&target).is_allowed())
        };
        Some(Box::new(answer))
    }

    fn kept<'i>(&'i self, question: Question<'i>) -> Vec<Kept<'i>> {
        let Question { body, agent, .. } = question;
        let tree = move || RobotsTxt::parse(body.bytes(), self.dialect);
        let policy = move || self.policy(body, agent);
        vec![
            kept(format!("{}/policy", self.name), policy),
            kept(format!("{}/tree", self.name), tree),
        ]
    }
}
