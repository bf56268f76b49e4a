//! `verger_explain_json`.

use std::ffi::c_char;

use verger_answer::explanation_json;

use crate::buffer::{Buffer, written};
use crate::crawler::CrawlerObject;
use crate::failure::{Failure, Problem};
use crate::question::target;
use crate::robots::Robots;
use crate::status::Status;
use crate::text::{bytes, object};

/// Explains an answer as a line of JSON (schema `verger.check/1`): the verdict, all matching rules,
/// and the dialects that answer differently. Reads the body four more times.
///
/// Returns false on failure: VERGER_STATUS_NOT_A_TARGET, or a text error. Free `*json`,
/// which is empty on failure, with verger_buffer_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_explain_json(
    robots: *const Robots,
    crawler: *const CrawlerObject,
    url: *const c_char,
    url_len: usize,
    json: *mut Buffer,
    error: *mut Failure,
) -> bool {
    let explain = || {
        // SAFETY: the contract.
        let (robots, crawler) = unsafe { (object(robots)?, object(crawler)?) };
        // SAFETY: the contract.
        let url = unsafe { bytes(url, url_len) }?;
        let target = target(url, robots.file.reading().dialect())?;
        let line = explanation_json(&robots.file, &crawler.resolved, url, &target);
        line.map_err(|error| Problem::new(Status::Internal, error))
    };
    // SAFETY: the contract.
    unsafe { written(json, error, explain) }
}
