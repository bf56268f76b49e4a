//! `verger_robots`.

use std::ffi::c_char;
use std::ptr;
use std::sync::Arc;

use verger_answer::RobotsFile;
use verger_extensions::crawl_delay;

use crate::crawler::CrawlerObject;
use crate::failure::Failure;
use crate::guard::{guarded, quietly, status_of};
use crate::status::Status;
use crate::text::{copied, object, put};

/// A robots.txt. Immutable.
#[derive(Debug)]
pub struct Robots {
    /// Shared with cursors, which may outlive this object.
    pub(crate) file: Arc<RobotsFile>,
}

const _: fn() = || {
    fn is_shareable<T: Send + Sync>() {}
    is_shareable::<Robots>();
};

/// Copies a robots.txt. Any bytes are valid. A policy is read from the copy in one pass. The first
/// other query parses the copy and keeps the result.
///
/// Returns null on failure: VERGER_STATUS_UNKNOWN_DIALECT, VERGER_STATUS_OUT_OF_MEMORY, or a text
/// error. Free it with verger_robots_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_parse(
    body: *const c_char,
    body_len: usize,
    dialect: u32,
    error: *mut Failure,
) -> *mut Robots {
    let parse = || {
        // SAFETY: the contract.
        let body = unsafe { copied(body, body_len) }?;
        let file = RobotsFile::new(body, crate::dialect::dialect(dialect)?);
        let file = Arc::new(file);
        Ok(Box::into_raw(Box::new(Robots { file })))
    };
    // SAFETY: the contract.
    unsafe { guarded(error, ptr::null_mut(), parse) }
}

/// Frees a robots.txt. Its policies, cursors and their texts remain valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_robots_free(robots: *mut Robots) {
    quietly(|| {
        if !robots.is_null() {
            // SAFETY: the contract: `verger_parse` made it, and nothing uses it afterwards.
            drop(unsafe { Box::from_raw(robots) });
        }
    });
}

/// Gets the delay between two requests, in milliseconds, from the groups that apply to the crawler.
/// If there are several, the largest. Does not affect verdicts.
///
/// Returns VERGER_STATUS_OK, VERGER_STATUS_ABSENT without a delay, or the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_crawl_delay(
    robots: *const Robots,
    crawler: *const CrawlerObject,
    milliseconds: *mut u64,
    error: *mut Failure,
) -> Status {
    let ask = || {
        // SAFETY: the contract.
        let (robots, crawler) = unsafe { (object(robots)?, object(crawler)?) };
        let Some(delay) = crawl_delay(robots.file.tree(), crawler.resolved.crawler()) else {
            return Ok(Status::Absent);
        };
        // SAFETY: the contract.
        unsafe { put(milliseconds, delay.milliseconds()) }.map(|()| Status::Ok)
    };
    // SAFETY: the contract.
    unsafe { status_of(error, ask) }
}
