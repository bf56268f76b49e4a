//! An answer as JSON.

use std::ffi::c_char;

use verger::Reading;
use verger_answer::{CheckLine, CheckedFile, Explaining, Readings};

use crate::buffer::Buffer;
use crate::crawler::CrawlerObject;
use crate::failure::{Failure, Problem};
use crate::guard::guarded;
use crate::question::{place_of, target};
use crate::robots::Robots;
use crate::status::Status;
use crate::text::{object, octets};

/// An answer and why, as one object of JSON (schema `verger.check/1`): the verdict, all rules that
/// match, and the dialects that answer otherwise. It reads the body four times more.
///
/// False where it fails: VERGER_STATUS_NOT_A_TARGET, and as for all texts. Free `*json` with
/// verger_buffer_free; it is empty where it fails.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_explain(
    robots: *const Robots,
    crawler: *const CrawlerObject,
    url: *const c_char,
    url_len: usize,
    json: *mut Buffer,
    error: *mut Failure,
) -> bool {
    let explain = || {
        // SAFETY: the contract.
        let place = unsafe { place_of(json) }?;
        // SAFETY: the contract.
        let (robots, crawler) = unsafe { (object(robots)?, object(crawler)?) };
        // SAFETY: the contract.
        let url = unsafe { octets(url, url_len) }?;
        let own = *robots.robots.reading();
        let target = target(url, own.dialect())?;
        let readings = Readings::new(own, Explaining::Yes, Reading::of);
        let crawlers = std::slice::from_ref(&crawler.resolved);
        let file = CheckedFile::new(robots.robots.body().to_vec(), &readings, crawlers);
        let answer = file.answer(0, url, &target);
        let line = verger_answer::json::to_string(&CheckLine::of(&answer));
        *place = Buffer::of(
            line.map_err(|error| Problem::new(Status::Internal, error))?
                .into_bytes(),
        );
        Ok(true)
    };
    // SAFETY: the contract.
    unsafe { guarded(error, false, explain) }
}
