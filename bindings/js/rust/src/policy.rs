//! Policies.

use verger::{Effect, Reading, TargetPath};
use verger_access::KeptAuthority;

use crate::answer::answered;
use crate::asked::Asked;
use crate::failure::Failure;
use crate::host::or_hosts;
use crate::scratch::with_texts;
use crate::verdict::put_verdict;

/// A policy, and how its body was read.
#[derive(Debug)]
pub struct Policy {
    rules: verger::Policy,
    reading: Reading,
    authority: KeptAuthority,
}

impl Policy {
    fn target<'u>(&self, url: &'u [u8]) -> Result<TargetPath<'u>, Failure> {
        or_hosts(self.authority.asked_target(url, self.reading))
    }
}

/// Reads the rules of a body for a crawler. The texts are the names of the crawler and the body.
/// Returns [`FAILED`](crate::answer::FAILED) instead of a policy on failure.
#[unsafe(no_mangle)]
pub extern "C" fn policy_read(names: usize, body: usize, asked: u32) -> *mut Policy {
    let asked = Asked::of(asked);
    let read = |[names, body]: [&[u8]; 2]| {
        let reading = asked.reading();
        let rules = verger::Policy::read(body, &asked.crawler(names)?, reading);
        let authority = KeptAuthority::default();
        let policy = Policy {
            rules,
            reading,
            authority,
        };
        Ok(Box::into_raw(Box::new(policy)))
    };
    with_texts([names, body], read).unwrap_or_else(|failure| {
        // Policies are aligned, so `FAILED` is never the address of one.
        std::ptr::without_provenance_mut(answered(Err(failure)) as usize)
    })
}

/// Frees a policy.
///
/// # Safety
///
/// [`policy_read`] made it, and nothing uses it any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn policy_free(policy: *mut Policy) {
    // SAFETY: see above.
    drop(unsafe { Box::from_raw(policy) });
}

/// Returns whether the crawler may fetch the URL.
///
/// # Safety
///
/// [`policy_read`] made the policy, and it was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn policy_allowed(policy: *const Policy, url: usize) -> u32 {
    // SAFETY: see above.
    let policy = unsafe { &*policy };
    let ask = |[url]: [&[u8]; 1]| {
        let target = policy.target(url)?;
        Ok(policy.rules.decide(&target).is_allowed())
    };
    answered(with_texts([url], ask))
}

/// Like [`policy_allowed`], and puts the verdict into the words of the answer.
///
/// # Safety
///
/// As [`policy_allowed`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn policy_verdict(policy: *const Policy, url: usize) -> u32 {
    // SAFETY: see above.
    let policy = unsafe { &*policy };
    let ask = |[url]: [&[u8]; 1]| -> Result<bool, Failure> {
        let verdict = policy.rules.decide(&policy.target(url)?);
        let rule = verdict.rule().and_then(|id| policy.rules.rule(id));
        let rule = rule.map(|rule| (rule.line.get(), rule.pattern));
        put_verdict(verdict.effect(), verdict.reason(), rule, verdict.group());
        Ok(verdict.effect() == Effect::Allow)
    };
    answered(with_texts([url], ask))
}
