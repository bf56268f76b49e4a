//! `verger_content_signal`.

use std::ptr;
use std::sync::Arc;
use std::vec;

use verger::RobotsTxt;
use verger_answer::RobotsFile;
use verger_extensions::{SignalPair, content_signal};

use crate::crawler::CrawlerObject;
use crate::failure::Failure;
use crate::guard::{guarded, quietly, status_of};
use crate::robots::Robots;
use crate::status::Status;
use crate::text::{Text, exclusive, not_null, object, put};

/// Whether a use of the content is granted.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// The file does not mention it: neither granted nor refused.
    Unstated = 0,
    /// `no`: refused.
    No = 1,
    /// `yes`: granted.
    Yes = 2,
}

/// Uses of the content, by the `Content-Signal` lines of the groups that apply to a crawler. If
/// they contradict each other, the use is refused.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ContentSignal {
    /// `search`: a search index with links and short excerpts.
    pub search: Signal,
    /// `ai-input`: input for a model that answers.
    pub ai_input: Signal,
    /// `ai-train`: training or tuning of models.
    pub ai_train: Signal,
}

/// One `key=value` of a `Content-Signal` line.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SignalItem {
    /// The key as written, never empty.
    pub key: Text,
    /// The value as written. Both texts live as long as the cursor.
    pub value: Text,
    /// The value as a signal. VERGER_SIGNAL_UNSTATED unless it is `yes` or `no`.
    pub signal: Signal,
    /// The line number, counted from 1.
    pub line: u32,
}

/// A cursor over the pairs of `Content-Signal` lines.
pub struct SignalPairs {
    /// Borrows `_file`, so it comes first: fields are dropped in order.
    rest: vec::IntoIter<SignalPair<'static>>,
    _file: Arc<RobotsFile>,
}

/// Gets the uses of the content that the file grants or refuses to a crawler. They do not affect
/// verdicts.
///
/// Returns VERGER_STATUS_OK, or VERGER_STATUS_ABSENT with all uses VERGER_SIGNAL_UNSTATED if no
/// line applies. On failure, returns the error and does not write `*signal`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_content_signal_for(
    robots: *const Robots,
    crawler: *const CrawlerObject,
    signal: *mut ContentSignal,
    error: *mut Failure,
) -> Status {
    let ask = || {
        // SAFETY: the contract.
        let (robots, crawler) = unsafe { (object(robots)?, object(crawler)?) };
        let said = content_signal(robots.file.tree(), crawler.resolved.crawler());
        let found = ContentSignal {
            search: of(said.search()),
            ai_input: of(said.ai_input()),
            ai_train: of(said.ai_train()),
        };
        // SAFETY: the contract.
        unsafe { put(signal, found) }?;
        Ok(match said.pairs() {
            [] => Status::Absent,
            _ => Status::Ok,
        })
    };
    // SAFETY: the contract.
    unsafe { status_of(error, ask) }
}

/// Returns a cursor over all pairs that apply to a crawler, including unknown keys, in file order.
///
/// Returns null if a pointer is null. Free it with verger_signal_pairs_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_signal_pairs_new(
    robots: *const Robots,
    crawler: *const CrawlerObject,
    error: *mut Failure,
) -> *mut SignalPairs {
    let make = || {
        // SAFETY: the contract.
        let (robots, crawler) = unsafe { (object(robots)?, object(crawler)?) };
        let file = Arc::clone(&robots.file);
        // SAFETY: the cursor keeps the file and its parsed tree longer than the pairs. The tree
        // neither moves nor changes. Texts point into it, and are documented to live as long as the
        // cursor.
        let forever: &'static RobotsTxt = unsafe { &*ptr::from_ref(file.tree()) };
        let said = content_signal(forever, crawler.resolved.crawler());
        Ok(Box::into_raw(Box::new(SignalPairs {
            rest: said.pairs().to_vec().into_iter(),
            _file: file,
        })))
    };
    // SAFETY: the contract.
    unsafe { guarded(error, ptr::null_mut(), make) }
}

/// Gets the next pair. Returns false at the end, or without moving the cursor if a pointer is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_signal_pairs_next(
    pairs: *mut SignalPairs,
    pair: *mut SignalItem,
) -> bool {
    let step = || {
        not_null(pair)?;
        // SAFETY: the contract.
        let Some(next) = unsafe { exclusive(pairs) }?.rest.next() else {
            return Ok(false);
        };
        let next = SignalItem {
            key: Text::of(next.key()),
            value: Text::of(next.value()),
            signal: of(next.signal()),
            line: next.line().get(),
        };
        // SAFETY: the contract.
        unsafe { put(pair, next) }.map(|()| true)
    };
    // SAFETY: null is allowed.
    unsafe { guarded(ptr::null_mut(), false, step) }
}

/// Frees a cursor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_signal_pairs_free(pairs: *mut SignalPairs) {
    quietly(|| {
        if !pairs.is_null() {
            // SAFETY: the contract: `verger_signal_pairs_new` made it, and nothing uses it
            // afterwards.
            drop(unsafe { Box::from_raw(pairs) });
        }
    });
}

/// Signals that a later engine adds are unstated here.
fn of(signal: Option<verger_extensions::Signal>) -> Signal {
    match signal {
        Some(verger_extensions::Signal::Yes) => Signal::Yes,
        Some(verger_extensions::Signal::No) => Signal::No,
        _ => Signal::Unstated,
    }
}
