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

/// A robots.txt. It never changes.
#[derive(Debug)]
pub struct Robots {
    /// Cursors share it, so that they may be freed later.
    pub(crate) file: Arc<RobotsFile>,
}

const _: fn() = || {
    fn is_shareable<T: Send + Sync>() {}
    is_shareable::<Robots>();
};

/// Takes a robots.txt, of which it keeps a copy. Any bytes are one. Policies are read out of the copy in
/// one pass; the first other question parses it, and keeps what was parsed beside it.
///
/// Null where it fails: VERGER_STATUS_UNKNOWN_DIALECT, VERGER_STATUS_OUT_OF_MEMORY, and as for all
/// texts. Free it with verger_robots_free.
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

/// Frees a robots.txt. Policies and cursors that were made of it stay, and so do the texts of cursors
/// until they are freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_robots_free(robots: *mut Robots) {
    quietly(|| {
        if !robots.is_null() {
            // SAFETY: the contract: `verger_parse` made it, and this is its end.
            drop(unsafe { Box::from_raw(robots) });
        }
    });
}

/// The delay between two requests, in milliseconds, that the groups which apply to the crawler ask for;
/// of several the largest. It changes no verdict.
///
/// VERGER_STATUS_OK, or VERGER_STATUS_ABSENT where they ask for none; else what is wrong.
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
