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

/// The rules of one robots.txt for one crawler. Parse once, query often. Immutable, and independent
/// of the robots.txt and the crawler.
#[derive(Debug)]
pub struct PolicyObject {
    rules: verger::Policy,
    dialect: Dialect,
    authority: KeptAuthority,
    /// The rules by precedence, built when first listed.
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
    /// Whether it allows or disallows.
    pub effect: Effect,
    /// The line number, counted from 1.
    pub line: u32,
    /// The path-pattern as written, without surrounding white space. It lives as long as the
    /// policy.
    pub pattern: Text,
}

/// Returns the rules that apply to a crawler. Make the crawler in the dialect of the robots.txt.
///
/// Returns null if a pointer is null. Free it with verger_policy_free.
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

/// Frees a policy and its patterns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_policy_free(policy: *mut PolicyObject) {
    quietly(|| {
        if !policy.is_null() {
            // SAFETY: the contract: `verger_policy_new` made it, and nothing uses it afterwards.
            drop(unsafe { Box::from_raw(policy) });
        }
    });
}

/// Returns whether the crawler may fetch a URL, which is absolute or starts with `/`.
///
/// Returns false also on failure: VERGER_STATUS_NOT_A_TARGET, or a text error.
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

/// Like verger_policy_allowed, but returns the reason, rule and group.
///
/// On failure, the verdict disallows and its `status` is the error.
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

/// Returns the number of rules. Rules that are empty or cannot match are left out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_policy_rule_count(policy: *const PolicyObject) -> usize {
    // SAFETY: the contract.
    let count = || Ok(unsafe { object(policy) }?.rules.rule_count());
    // SAFETY: null is allowed.
    unsafe { guarded(ptr::null_mut(), 0, count) }
}

/// Gets the rule with that index by precedence. Returns false past the last one.
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
