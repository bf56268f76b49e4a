//! `verger_policy`.

use std::ffi::c_char;
use std::ptr;
use std::sync::OnceLock;

use verger::{Dialect, RuleId, TargetPath};
use verger_access::KeptAuthority;

use crate::crawler::CrawlerObject;
use crate::failure::{Failure, Problem};
use crate::guard::{guarded, guarded_as, quietly};
use crate::question::not_a_target;
use crate::robots::Robots;
use crate::text::{Text, bytes, object, put};
use crate::verdict::{Effect, Verdict, effect};

/// The rules of one robots.txt for one crawler: parse once, ask as often as you like. It never
/// changes, and needs neither the robots.txt nor the crawler any more.
#[derive(Debug)]
pub struct PolicyObject {
    rules: verger::Policy,
    dialect: Dialect,
    authority: KeptAuthority,
    /// The rules in the order in which they are listed, from the first such question on.
    order: OnceLock<Vec<RuleId>>,
}

const _: fn() = || {
    fn is_shareable<T: Send + Sync>() {}
    is_shareable::<PolicyObject>();
};

/// A rule.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// What it does.
    pub effect: Effect,
    /// The line number, counted from 1.
    pub line: u32,
    /// The path-pattern as written, without white space around it. It lives as long as the policy.
    pub pattern: Text,
}

/// The rules that apply to a crawler. Make the crawler in the dialect of the robots.txt.
///
/// Null where a pointer is. Free it with verger_policy_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_policy_new(
    robots: *const Robots,
    crawler: *const CrawlerObject,
    error: *mut Failure,
) -> *mut PolicyObject {
    let make = || {
        // SAFETY: the contract.
        let (robots, crawler) = unsafe { (object(robots)?, object(crawler)?) };
        let policy = PolicyObject {
            rules: robots.file.policy(crawler.resolved.crawler()),
            dialect: robots.file.reading().dialect(),
            authority: KeptAuthority::default(),
            order: OnceLock::new(),
        };
        Ok(Box::into_raw(Box::new(policy)))
    };
    // SAFETY: the contract.
    unsafe { guarded(error, ptr::null_mut(), make) }
}

/// Frees a policy, and with it the patterns that it gave out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_policy_free(policy: *mut PolicyObject) {
    quietly(|| {
        if !policy.is_null() {
            // SAFETY: the contract: `verger_policy_new` made it, and this is its end.
            drop(unsafe { Box::from_raw(policy) });
        }
    });
}

/// Whether the crawler may fetch the URL, which is absolute or starts with `/`.
///
/// False where it fails too: VERGER_STATUS_NOT_A_TARGET, and as for all texts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_policy_allowed(
    policy: *const PolicyObject,
    url: *const c_char,
    url_len: usize,
    error: *mut Failure,
) -> bool {
    let ask = || {
        // SAFETY: the contract.
        let (policy, url) = unsafe { (object(policy)?, bytes(url, url_len)?) };
        Ok(policy.rules.decide(&policy.target(url)?).is_allowed())
    };
    // SAFETY: the contract.
    unsafe { guarded(error, false, ask) }
}

/// Whether the crawler may fetch the URL, and why.
///
/// Where it fails, the verdict disallows and its `status` says why, as for verger_policy_allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_policy_decide(
    policy: *const PolicyObject,
    url: *const c_char,
    url_len: usize,
    error: *mut Failure,
) -> Verdict {
    let ask = || {
        // SAFETY: the contract.
        let (policy, url) = unsafe { (object(policy)?, bytes(url, url_len)?) };
        let verdict = policy.rules.decide(&policy.target(url)?);
        Ok(Verdict::of(&verdict, &policy.rules))
    };
    // SAFETY: the contract.
    unsafe { guarded_as(error, Verdict::failed, ask) }
}

/// How many rules the policy has. Rules that are empty or can match nothing are left out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_policy_rule_count(policy: *const PolicyObject) -> usize {
    // SAFETY: the contract.
    let count = || Ok(unsafe { object(policy) }?.rules.rule_count());
    // SAFETY: null is allowed.
    unsafe { guarded(ptr::null_mut(), 0, count) }
}

/// The rule of that number, counted from 0, those that take precedence first; false where there are
/// not so many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_policy_rule(
    policy: *const PolicyObject,
    number: usize,
    rule: *mut Rule,
) -> bool {
    let find = || {
        // SAFETY: the contract.
        let policy = unsafe { object(policy) }?;
        let order = || policy.rules.rule_ids().collect();
        let id = policy.order.get_or_init(order).get(number);
        let Some(found) = id.and_then(|id| policy.rules.rule(*id)) else {
            return Ok(false);
        };
        let found = Rule {
            effect: effect(found.effect),
            line: found.line.get(),
            pattern: Text::of(found.pattern),
        };
        // SAFETY: the contract.
        unsafe { put(rule, found) }.map(|()| true)
    };
    // SAFETY: null is allowed.
    unsafe { guarded(ptr::null_mut(), false, find) }
}

impl PolicyObject {
    fn target<'u>(&self, url: &'u [u8]) -> Result<TargetPath<'u>, Problem> {
        let target = self.authority.asked_target(url, self.dialect);
        target.map_err(not_a_target)
    }
}
