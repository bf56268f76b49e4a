//! `BodyRules`: rules out of bodies, each of which is shown to an observer; `GivenRules`: the same by authority.

use std::fmt;
use verger_answer::ReadError;

use verger::RobotsTxt;
use verger_answer::rulebook::{Rules, RulesMaker};

use super::bodies::Bodies;

type Observe = dyn Fn(&str, &RobotsTxt) + Send + Sync;

/// Makes rules out of bodies.
pub struct BodyRules {
    maker: RulesMaker,
    observe: Option<Box<Observe>>,
}

impl From<RulesMaker> for BodyRules {
    /// Makes rules, which nothing observes: bodies need no tree.
    fn from(maker: RulesMaker) -> Self {
        let observe = None;
        Self { maker, observe }
    }
}

impl BodyRules {
    /// Makes rules; `observe` gets each body with its name, to warn about it for example.
    pub fn new(
        maker: RulesMaker,
        observe: impl Fn(&str, &RobotsTxt) + Send + Sync + 'static,
    ) -> Self {
        let observe: Option<Box<Observe>> = Some(Box::new(observe));
        Self { maker, observe }
    }

    /// The rules of a body; `name` is its file or its authority.
    pub fn rules(&self, body: impl Into<Vec<u8>> + AsRef<[u8]>, name: &str) -> Rules {
        let Some(observe) = &self.observe else {
            return self.maker.rules(&body);
        };
        let robots = self.maker.parse(body);
        observe(name, &robots);
        self.maker.rules_of(robots)
    }
}

impl fmt::Debug for BodyRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("BodyRules");
        shown.field("maker", &self.maker).finish_non_exhaustive()
    }
}

/// Bodies by authority, and what makes rules of them.
#[derive(Debug)]
pub struct GivenRules {
    bodies: Bodies,
    maker: BodyRules,
}

impl GivenRules {
    /// The rules of these bodies.
    #[must_use]
    pub fn new(bodies: Bodies, maker: BodyRules) -> Self {
        Self { bodies, maker }
    }

    /// The rules of an authority; `None` where it has no body.
    ///
    /// # Errors
    ///
    /// A sentence, where its body cannot be read.
    pub fn rules(&self, authority: &str) -> Result<Option<Rules>, ReadError> {
        let body = self.bodies.body(authority)?;
        Ok(body.map(|body| self.maker.rules(body, authority)))
    }
}
