//! A single check of a body.

use magnus::{Error, Module, Object, RArray, RModule, RString, Ruby, Value, method};
use verger::{Dialect, Effect};
use verger_access::asked_target;

use crate::agent::crawler;
use crate::bytes::{string, with_bytes};
use crate::dialect_name::dialect;
use crate::guard::guarded;
use crate::target::target_error;
use crate::verdict_parts::VerdictParts;

/// `Verger.allowed?`, with positional arguments.
pub(crate) fn allowed(
    ruby: &Ruby,
    body: Value,
    agent: Value,
    url: Value,
    name: Value,
) -> Result<bool, Error> {
    let dialect = dialect(ruby, name)?;
    let (body, url) = (string(ruby, body)?, string(ruby, url)?);
    guarded(ruby, || ask(ruby, body, agent, url, dialect))
}

/// The values of `Verger.verdict`, with positional arguments.
pub(crate) fn decide(
    ruby: &Ruby,
    body: Value,
    agent: Value,
    url: Value,
    name: Value,
) -> Result<RArray, Error> {
    let dialect = dialect(ruby, name)?;
    let (body, url) = (string(ruby, body)?, string(ruby, url)?);
    guarded(ruby, || {
        let crawler = crawler(ruby, agent, dialect)?;
        let parts = with_bytes([body, url], |[body, url]| {
            let target = asked_target(url, dialect)?;
            let verdict = verger::scan::verdict_for_crawler(body, &crawler, &target, dialect);
            Ok(VerdictParts::of_body(&verdict))
        });
        let parts = parts.map_err(|error| target_error(ruby, &error, url))?;
        Ok(parts.array(ruby))
    })
}

/// Defines `allowed_by_robots` as a module function and an instance method of a module.
pub(crate) fn add_allowed_by_robots(robotstxt: RModule) -> Result<(), Error> {
    let method = method!(allowed_by_robots, 3);
    robotstxt.define_method("allowed_by_robots", method)?;
    robotstxt.define_singleton_method("allowed_by_robots", method)
}

/// `Robotstxt.allowed_by_robots`: decides like Google's `RobotsMatcher::OneAgentAllowedByRobots`.
fn allowed_by_robots(
    ruby: &Ruby,
    _receiver: Value,
    content: Value,
    user_agent: Value,
    url: Value,
) -> Result<bool, Error> {
    let content = string(ruby, content)?;
    string(ruby, user_agent)?;
    let url = string(ruby, url)?;
    guarded(ruby, || {
        ask(ruby, content, user_agent, url, Dialect::Google)
    })
}

fn ask(
    ruby: &Ruby,
    body: RString,
    agent: Value,
    url: RString,
    dialect: Dialect,
) -> Result<bool, Error> {
    let crawler = crawler(ruby, agent, dialect)?;
    with_bytes([body, url], |[body, url]| {
        asked_target(url, dialect).map(|target| {
            verger::scan::effect_for_crawler(body, &crawler, &target, dialect) == Effect::Allow
        })
    })
    .map_err(|error| target_error(ruby, &error, url))
}
