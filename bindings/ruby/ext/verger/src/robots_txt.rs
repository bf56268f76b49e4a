//! `Verger::RobotsTxt`.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use magnus::typed_data::Obj;
use magnus::value::ReprValue;
use magnus::{
    DataTypeFunctions, Error, RArray, RString, Ruby, Symbol, TryConvert, TypedData, Value,
};
use verger::{Dialect, Effect, Group};
use verger_answer::{RobotsFile, explanation_json};
use verger_extensions::crawl_delay;

use crate::agent::{crawler, resolved};
use crate::bytes::{frozen_string, string, with_bytes};
use crate::dialect_name::dialect;
use crate::exception::internal_error;
use crate::guard::guarded;
use crate::heap_charge::HeapCharge;
use crate::policy::Policy;
use crate::symbol_name::effect_name;
use crate::target::with_target;
use crate::verdict_parts::VerdictParts;

#[derive(TypedData)]
#[magnus(class = "Verger::RobotsTxt", free_immediately, size, frozen_shareable)]
pub(crate) struct RobotsTxt {
    file: RobotsFile,
    charge: HeapCharge,
}

impl DataTypeFunctions for RobotsTxt {
    fn size(&self) -> usize {
        size_of::<Self>() + self.charge.bytes()
    }
}

const _: fn() = || {
    fn is_shareable<T: Send + Sync>() {}
    is_shareable::<(RobotsTxt, Policy)>();
};

impl RobotsTxt {
    /// `RobotsTxt.read(body, dialect)`, private.
    pub(crate) fn read(ruby: &Ruby, body: Value, name: Value) -> Result<Obj<Self>, Error> {
        let (body, dialect) = (string(ruby, body)?, dialect(ruby, name)?);
        guarded(ruby, || {
            let file = with_bytes([body], |[body]| RobotsFile::new(body, dialect));
            let charge = HeapCharge::new(ruby, file.heap_bytes());
            let object = ruby.obj_wrap(Self { file, charge });
            object.freeze();
            Ok(object)
        })
    }

    fn dialect(&self) -> Dialect {
        self.file.reading().dialect()
    }

    /// Returns the tree, and reports its memory to Ruby's collector when it is built.
    fn tree(&self, ruby: &Ruby) -> &verger::RobotsTxt {
        if let Some(tree) = self.file.made_tree() {
            return tree;
        }
        let tree = self.file.tree();
        self.charge.raise_to(ruby, self.file.heap_bytes());
        tree
    }

    pub(crate) fn dialect_name(ruby: &Ruby, robots: &Self) -> Symbol {
        ruby.to_symbol(robots.dialect().as_str())
    }

    /// `#==(other)` and `#eql?(other)`: whether both have the same body and dialect.
    pub(crate) fn is_equal(&self, other: Value) -> bool {
        <&Self>::try_convert(other).is_ok_and(|other| self.file == other.file)
    }

    pub(crate) fn hash(&self) -> i64 {
        let mut hasher = DefaultHasher::new();
        self.file.hash(&mut hasher);
        hasher.finish().cast_signed()
    }

    /// `#ask(url, agent)`, private: whether the URL is allowed, in one pass over the body.
    pub(crate) fn ask(ruby: &Ruby, robots: &Self, url: Value, agent: Value) -> Result<bool, Error> {
        let url = string(ruby, url)?;
        guarded(ruby, || {
            let (file, dialect) = (&robots.file, robots.dialect());
            let crawler = crawler(ruby, agent, dialect)?;
            with_target(ruby, url, dialect, |target| {
                file.effect(&crawler, target) == Effect::Allow
            })
        })
    }

    /// `#decide(url, agent)`, private: the values of a `Verger::Verdict`, in one pass over the
    /// body.
    pub(crate) fn decide(
        ruby: &Ruby,
        robots: &Self,
        url: Value,
        agent: Value,
    ) -> Result<RArray, Error> {
        let url = string(ruby, url)?;
        guarded(ruby, || {
            let (file, dialect) = (&robots.file, robots.dialect());
            let crawler = crawler(ruby, agent, dialect)?;
            let parts = with_target(ruby, url, dialect, |target| {
                VerdictParts::of_body(&file.verdict(&crawler, target))
            })?;
            Ok(parts.array(ruby))
        })
    }

    /// `#explain_json(url, agent)`, private: an explanation as a line of JSON.
    pub(crate) fn explain_json(
        ruby: &Ruby,
        robots: &Self,
        url: Value,
        agent: Value,
    ) -> Result<RString, Error> {
        let url = string(ruby, url)?;
        guarded(ruby, || {
            let bytes = with_bytes([url], |[url]| url.to_vec());
            let crawler = resolved(ruby, agent, robots.dialect())?;
            let file = &robots.file;
            let line = with_target(ruby, url, robots.dialect(), |target| {
                explanation_json(file, &crawler, &bytes, target)
            })?;
            line.map(|json| frozen_string(ruby, json.as_bytes()))
                .map_err(|error| internal_error(ruby, &error))
        })
    }

    pub(crate) fn policy(ruby: &Ruby, robots: &Self, agent: Value) -> Result<Obj<Policy>, Error> {
        guarded(ruby, || {
            let crawler = crawler(ruby, agent, robots.dialect())?;
            let policy = robots.file.policy(&crawler);
            Ok(Policy::wrap(ruby, policy, robots.dialect()))
        })
    }

    pub(crate) fn sitemaps(ruby: &Ruby, robots: &Self) -> Result<RArray, Error> {
        guarded(ruby, || {
            let sitemaps = ruby.ary_new();
            for sitemap in verger_extensions::sitemaps(robots.tree(ruby)) {
                sitemaps.push(frozen_string(ruby, sitemap.url()))?;
            }
            Ok(sitemaps)
        })
    }

    /// `#crawl_delay(agent)`, in seconds.
    #[expect(clippy::cast_precision_loss, reason = "exact up to 285 millennia")]
    pub(crate) fn crawl_delay(
        ruby: &Ruby,
        robots: &Self,
        agent: Value,
    ) -> Result<Option<f64>, Error> {
        guarded(ruby, || {
            let crawler = crawler(ruby, agent, robots.dialect())?;
            let delay = crawl_delay(robots.tree(ruby), &crawler);
            Ok(delay.map(|delay| delay.milliseconds() as f64 / 1000.0))
        })
    }

    /// `#group_parts`, private: for each group its line, its names and its rules. Each rule is an
    /// effect, a pattern and a line.
    pub(crate) fn group_parts(ruby: &Ruby, robots: &Self) -> Result<RArray, Error> {
        guarded(ruby, || {
            let groups = ruby.ary_new();
            for group in robots.tree(ruby).groups() {
                groups.push(parts(ruby, &group)?)?;
            }
            Ok(groups)
        })
    }
}

fn parts(ruby: &Ruby, group: &Group<'_>) -> Result<(u32, RArray, RArray), Error> {
    let user_agents = ruby.ary_new();
    for user_agent in group.user_agents() {
        user_agents.push(frozen_string(ruby, user_agent.value()))?;
    }
    let rules = ruby.ary_new();
    for rule in group.rules() {
        rules.push((
            effect_name(ruby, rule.effect()),
            frozen_string(ruby, rule.pattern()),
            rule.line().get(),
        ))?;
    }
    Ok((group.line().get(), user_agents, rules))
}
