//! Single-pass queries, targets and product tokens.

use std::ffi::c_char;

use verger::{Dialect, Effect, ProductToken, TargetPath};
use verger_access::{RequestedUrlError, asked_target};

use crate::buffer::{Buffer, place_of};
use crate::crawler::CrawlerObject;
use crate::failure::{Failure, Problem};
use crate::guard::{guarded, guarded_as};
use crate::status::Status;
use crate::text::{bytes, name, object};
use crate::verdict::Verdict;

/// Returns whether the crawler with one name may fetch a URL, in one pass over the body. The name
/// is read as in verger_crawler_new.
///
/// Returns false also on failure: VERGER_STATUS_NOT_A_TOKEN, VERGER_STATUS_NOT_A_TARGET,
/// VERGER_STATUS_UNKNOWN_DIALECT, or a text error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_allowed(
    body: *const c_char,
    body_len: usize,
    agent: *const c_char,
    agent_len: usize,
    url: *const c_char,
    url_len: usize,
    dialect: u32,
    error: *mut Failure,
) -> bool {
    let ask = || {
        // SAFETY: the contract.
        let (body, target, dialect) = unsafe { asked(body, body_len, url, url_len, dialect) }?;
        // SAFETY: the contract.
        let agent = unsafe { bytes(agent, agent_len) }?;
        let effect = verger::scan::effect_for_name(body, &name(agent), &target, dialect);
        let effect = effect.map_err(|error| Problem::new(Status::NotAToken, error))?;
        Ok(effect == Effect::Allow)
    };
    // SAFETY: the contract.
    unsafe { guarded(error, false, ask) }
}

/// Like verger_allowed, for any crawler.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_allowed_for(
    body: *const c_char,
    body_len: usize,
    crawler: *const CrawlerObject,
    url: *const c_char,
    url_len: usize,
    dialect: u32,
    error: *mut Failure,
) -> bool {
    let ask = || {
        // SAFETY: the contract.
        let (body, target, dialect) = unsafe { asked(body, body_len, url, url_len, dialect) }?;
        // SAFETY: the contract.
        let crawler = unsafe { object(crawler) }?;
        let effect =
            verger::scan::effect_for_crawler(body, crawler.resolved.crawler(), &target, dialect);
        Ok(effect == Effect::Allow)
    };
    // SAFETY: the contract.
    unsafe { guarded(error, false, ask) }
}

/// Like verger_allowed, but returns the reason, rule and group. The pattern points into the body.
///
/// On failure, the verdict disallows and its `status` is the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_decide(
    body: *const c_char,
    body_len: usize,
    agent: *const c_char,
    agent_len: usize,
    url: *const c_char,
    url_len: usize,
    dialect: u32,
    error: *mut Failure,
) -> Verdict {
    let ask = || {
        // SAFETY: the contract.
        let (body, target, dialect) = unsafe { asked(body, body_len, url, url_len, dialect) }?;
        // SAFETY: the contract.
        let agent = unsafe { bytes(agent, agent_len) }?;
        let verdict = verger::scan::verdict_for_name(body, &name(agent), &target, dialect);
        let verdict = verdict.map_err(|error| Problem::new(Status::NotAToken, error))?;
        Ok(Verdict::of_body(&verdict, body))
    };
    // SAFETY: the contract.
    unsafe { guarded_as(error, Verdict::failed, ask) }
}

/// Like verger_decide, for any crawler.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_decide_for(
    body: *const c_char,
    body_len: usize,
    crawler: *const CrawlerObject,
    url: *const c_char,
    url_len: usize,
    dialect: u32,
    error: *mut Failure,
) -> Verdict {
    let ask = || {
        // SAFETY: the contract.
        let (body, target, dialect) = unsafe { asked(body, body_len, url, url_len, dialect) }?;
        // SAFETY: the contract.
        let crawler = unsafe { object(crawler) }?;
        let verdict =
            verger::scan::verdict_for_crawler(body, crawler.resolved.crawler(), &target, dialect);
        Ok(Verdict::of_body(&verdict, body))
    };
    // SAFETY: the contract.
    unsafe { guarded_as(error, Verdict::failed, ask) }
}

/// Returns the part of a URL that rules are compared with: path and query, as the dialect finds
/// them.
///
/// Returns false on failure: VERGER_STATUS_NOT_A_TARGET, VERGER_STATUS_UNKNOWN_DIALECT, or a text
/// error. Free `*target`, which is empty on failure, with verger_buffer_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_target_path(
    url: *const c_char,
    url_len: usize,
    dialect: u32,
    target: *mut Buffer,
    error: *mut Failure,
) -> bool {
    let find = || {
        // SAFETY: the contract.
        let place = unsafe { place_of(target) }?;
        let dialect = crate::dialect::dialect(dialect)?;
        // SAFETY: the contract.
        let target = crate::question::target(unsafe { bytes(url, url_len) }?, dialect)?;
        *place = Buffer::of(target.as_bytes().to_vec());
        Ok(true)
    };
    // SAFETY: the contract.
    unsafe { guarded(error, false, find) }
}

/// Returns whether a text matches RFC 9309's grammar of product tokens: one or more letters, `_`
/// and `-`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_is_product_token(text: *const c_char, text_len: usize) -> bool {
    let check = || {
        // SAFETY: the contract.
        let text = name(unsafe { bytes(text, text_len) }?);
        Ok(ProductToken::verbatim(&text).is_identifier())
    };
    // SAFETY: null is allowed.
    unsafe { guarded(std::ptr::null_mut(), false, check) }
}

/// Returns the version of the library, such as `0.1.0`. It is NUL-terminated and static.
#[unsafe(no_mangle)]
pub extern "C" fn verger_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Reads the arguments that all queries about a body share.
///
/// # Safety
///
/// As [`bytes`], for both texts.
unsafe fn asked<'a>(
    body: *const c_char,
    body_len: usize,
    url: *const c_char,
    url_len: usize,
    dialect: u32,
) -> Result<(&'a [u8], TargetPath<'a>, Dialect), Problem> {
    let dialect = crate::dialect::dialect(dialect)?;
    // SAFETY: guaranteed by the caller.
    let (body, url) = unsafe { (bytes(body, body_len)?, bytes(url, url_len)?) };
    Ok((body, target(url, dialect)?, dialect))
}

pub(crate) fn target(url: &[u8], dialect: Dialect) -> Result<TargetPath<'_>, Problem> {
    asked_target(url, dialect).map_err(not_a_target)
}

pub(crate) fn not_a_target(error: RequestedUrlError) -> Problem {
    Problem::new(Status::NotATarget, error)
}
