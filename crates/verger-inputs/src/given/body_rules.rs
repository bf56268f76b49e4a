//! `BodyRules` makes rules from bodies, `GivenRules` from bodies by authority.

use std::fmt;
use verger_answer::ReadError;

use crate::rulebook::{Rules, RulesMaker};
use verger::RobotsTxt;

use super::bodies::Bodies;

type Observe = dyn Fn(&str, &RobotsTxt) + Send + Sync;

/// Makes rules from bodies.
pub struct BodyRules {
    maker: RulesMaker,
    observe: Option<Box<Observe>>,
}

impl From<RulesMaker> for BodyRules {
    /// Makes rules without an observer, so bodies need no syntax tree.
    fn from(maker: RulesMaker) -> Self {
        let observe = None;
        Self { maker, observe }
    }
}

impl BodyRules {
    /// Makes rules and passes each body with its name to `observe`, for example to warn about it.
    pub fn new(
        maker: RulesMaker,
        observe: impl Fn(&str, &RobotsTxt) + Send + Sync + 'static,
    ) -> Self {
        let observe: Option<Box<Observe>> = Some(Box::new(observe));
        Self { maker, observe }
    }

    /// Returns the rules of a body. `name` is its file or its authority.
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

/// Makes rules from bodies by authority.
#[derive(Debug)]
pub struct GivenRules {
    bodies: Bodies,
    maker: BodyRules,
}

impl GivenRules {
    /// Makes rules from these bodies.
    #[must_use]
    pub fn new(bodies: Bodies, maker: BodyRules) -> Self {
        Self { bodies, maker }
    }

    /// Returns the rules of an authority, or `None` if it has no body.
    ///
    /// # Errors
    ///
    /// Returns an error if the body cannot be read.
    pub fn rules(&self, authority: &str) -> Result<Option<Rules>, ReadError> {
        let body = self.bodies.body(authority)?;
        Ok(body.map(|body| self.maker.rules(body, authority)))
    }
}
