//! `verger_pacing`.

use std::ptr;

use verger_extensions::{DayWindow, TimeOfDay};

use crate::crawler::CrawlerObject;
use crate::failure::Failure;
use crate::guard::{guarded, quietly};
use crate::robots::Robots;
use crate::text::{object, put};

/// When and how fast a crawler may send requests, by the groups that apply to it. Does not affect
/// verdicts. Immutable, and independent of the robots.txt and the crawler.
#[derive(Debug)]
pub struct PacingObject {
    pacing: verger_extensions::Pacing,
}

const _: fn() = || {
    fn is_shareable<T: Send + Sync>() {}
    is_shareable::<PacingObject>();
};

/// A part of the day in UTC, from the start of the first minute to the end of the last. If the
/// first is later than the last, it spans midnight.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Minutes since midnight, 0 to 1439.
    pub first_minute: u16,
    /// Minutes since midnight, 0 to 1439.
    pub last_minute: u16,
}

/// A maximum request rate.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RequestRate {
    /// Number of requests, at least 1.
    pub requests: u64,
    /// Number of seconds, at least 1.
    pub seconds: u64,
    /// Milliseconds between two requests at this rate, rounded up.
    pub interval_milliseconds: u64,
    /// The line number, counted from 1.
    pub line: u32,
    /// The part of the day in which it applies, 0 to 1439 for the whole day.
    pub window: Window,
}

/// A part of the day in which the crawler is welcome.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct VisitTime {
    /// The line number, counted from 1.
    pub line: u32,
    /// The part of the day.
    pub window: Window,
}

/// Returns the pacing for a crawler.
///
/// Returns null if a pointer is null. Free it with verger_pacing_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_pacing_new(
    robots: *const Robots,
    crawler: *const CrawlerObject,
    error: *mut Failure,
) -> *mut PacingObject {
    let make = || {
        // SAFETY: the contract.
        let (robots, crawler) = unsafe { (object(robots)?, object(crawler)?) };
        let pacing = verger_extensions::pacing(robots.file.tree(), crawler.resolved.crawler());
        Ok(Box::into_raw(Box::new(PacingObject { pacing })))
    };
    // SAFETY: the contract.
    unsafe { guarded(error, ptr::null_mut(), make) }
}

/// Frees a pacing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_pacing_free(pacing: *mut PacingObject) {
    quietly(|| {
        if !pacing.is_null() {
            // SAFETY: the contract: `verger_pacing_new` made it, and nothing uses it afterwards.
            drop(unsafe { Box::from_raw(pacing) });
        }
    });
}

/// Gets the delay between two requests in milliseconds, and its line. If there are several, the
/// largest. Returns false if none applies. Either output pointer may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_pacing_crawl_delay(
    pacing: *const PacingObject,
    milliseconds: *mut u64,
    line: *mut u32,
) -> bool {
    let find = || {
        // SAFETY: the contract.
        let Some(delay) = unsafe { object(pacing) }?.pacing.crawl_delay() else {
            return Ok(false);
        };
        if !milliseconds.is_null() {
            // SAFETY: the contract.
            unsafe { put(milliseconds, delay.milliseconds()) }?;
        }
        if !line.is_null() {
            // SAFETY: the contract.
            unsafe { put(line, delay.line().get()) }?;
        }
        Ok(true)
    };
    // SAFETY: null is allowed.
    unsafe { guarded(ptr::null_mut(), false, find) }
}

/// Returns the number of request rates.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_pacing_request_rate_count(pacing: *const PacingObject) -> usize {
    // SAFETY: the contract.
    let count = || Ok(unsafe { object(pacing) }?.pacing.request_rates().len());
    // SAFETY: null is allowed.
    unsafe { guarded(ptr::null_mut(), 0, count) }
}

/// Gets the request rate with that index in file order. Returns false past the last one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_pacing_request_rate(
    pacing: *const PacingObject,
    number: usize,
    rate: *mut RequestRate,
) -> bool {
    let find = || {
        // SAFETY: the contract.
        let Some(found) = unsafe { object(pacing) }?
            .pacing
            .request_rates()
            .get(number)
        else {
            return Ok(false);
        };
        let found = RequestRate {
            requests: found.requests(),
            seconds: found.seconds(),
            interval_milliseconds: found.interval_milliseconds(),
            line: found.line().get(),
            window: found.window().map_or(WHOLE_DAY, window),
        };
        // SAFETY: the contract.
        unsafe { put(rate, found) }.map(|()| true)
    };
    // SAFETY: null is allowed.
    unsafe { guarded(ptr::null_mut(), false, find) }
}

/// Returns the number of visit times. If 0, the crawler is always welcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_pacing_visit_time_count(pacing: *const PacingObject) -> usize {
    // SAFETY: the contract.
    let count = || Ok(unsafe { object(pacing) }?.pacing.visit_times().len());
    // SAFETY: null is allowed.
    unsafe { guarded(ptr::null_mut(), 0, count) }
}

/// Gets the visit time with that index in file order. Returns false past the last one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_pacing_visit_time(
    pacing: *const PacingObject,
    number: usize,
    visit_time: *mut VisitTime,
) -> bool {
    let find = || {
        // SAFETY: the contract.
        let Some(found) = unsafe { object(pacing) }?.pacing.visit_times().get(number) else {
            return Ok(false);
        };
        let found = VisitTime {
            line: found.line().get(),
            window: window(found.window()),
        };
        // SAFETY: the contract.
        unsafe { put(visit_time, found) }.map(|()| true)
    };
    // SAFETY: null is allowed.
    unsafe { guarded(ptr::null_mut(), false, find) }
}

/// Returns the milliseconds to wait between two requests at a time in seconds since 1970, to obey
/// the delay and all request rates of that minute of the day in UTC. 0 if none applies.
///
/// Returns UINT64_MAX if `pacing` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_pacing_wait_milliseconds(
    pacing: *const PacingObject,
    unix_seconds: u64,
) -> u64 {
    let ask = || {
        // SAFETY: the contract.
        let pacing = &unsafe { object(pacing) }?.pacing;
        Ok(pacing.wait_milliseconds(TimeOfDay::from_unix_seconds(unix_seconds)))
    };
    // SAFETY: null is allowed.
    unsafe { guarded(ptr::null_mut(), u64::MAX, ask) }
}

/// Returns whether the crawler is welcome at a time in seconds since 1970: in any of the visit
/// times, or always without any. Only the minute of the day in UTC matters.
///
/// Returns false if `pacing` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_pacing_is_welcome(
    pacing: *const PacingObject,
    unix_seconds: u64,
) -> bool {
    let ask = || {
        // SAFETY: the contract.
        let pacing = &unsafe { object(pacing) }?.pacing;
        Ok(pacing.is_welcome_at(TimeOfDay::from_unix_seconds(unix_seconds)))
    };
    // SAFETY: null is allowed.
    unsafe { guarded(ptr::null_mut(), false, ask) }
}

const WHOLE_DAY: Window = Window {
    first_minute: 0,
    last_minute: 24 * 60 - 1,
};

fn window(window: DayWindow) -> Window {
    let minute = |time: TimeOfDay| time.hours() * 60 + time.minutes();
    Window {
        first_minute: minute(window.first()),
        last_minute: minute(window.last()),
    }
}
