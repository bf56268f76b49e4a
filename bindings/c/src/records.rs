//! Cursors over groups and sitemaps.

use std::ptr;
use std::sync::Arc;

use verger::{Group, RobotsTxt};
use verger_answer::RobotsFile;
use verger_extensions::sitemaps;

use crate::failure::{Failure, Problem};
use crate::guard::{guarded, quietly};
use crate::robots::Robots;
use crate::text::{Text, exclusive, not_null, object, put};

/// The kind of a record.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    /// A user-agent line of a group.
    UserAgent = 0,
    /// An allow rule of a group.
    Allow = 1,
    /// A disallow rule of a group.
    Disallow = 2,
    /// The URL of a sitemap.
    Sitemap = 3,
}

/// A record.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RecordItem {
    /// The kind.
    pub kind: RecordKind,
    /// The line number, counted from 1.
    pub line: u32,
    /// Index of its group in file order. 0 for a sitemap.
    pub group: u32,
    /// The value as written, without surrounding white space. It lives as long as the cursor.
    pub value: Text,
}

/// A cursor over records.
pub struct Records {
    /// Borrows `_file`, so it comes first: fields are dropped in order.
    rest: Box<dyn Iterator<Item = RecordItem> + Send>,
    _file: Arc<RobotsFile>,
}

/// Returns a cursor over all groups in file order: the user-agent lines of a group, then its rules.
///
/// Returns null if `robots` is null. Free it with verger_records_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_groups(robots: *const Robots, error: *mut Failure) -> *mut Records {
    // SAFETY: the contract.
    let make = || unsafe { cursor(robots, |robots| robots.groups().flat_map(of_group)) };
    // SAFETY: the contract.
    unsafe { guarded(error, ptr::null_mut(), make) }
}

/// Returns a cursor over the sitemaps that the file names, each URL once.
///
/// Returns null if `robots` is null. Free it with verger_records_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_sitemaps(
    robots: *const Robots,
    error: *mut Failure,
) -> *mut Records {
    let sitemaps = |robots: &'static RobotsTxt| {
        sitemaps(robots).map(|sitemap| RecordItem {
            kind: RecordKind::Sitemap,
            line: sitemap.line().get(),
            group: 0,
            value: Text::of(sitemap.url()),
        })
    };
    // SAFETY: the contract.
    let make = || unsafe { cursor(robots, sitemaps) };
    // SAFETY: the contract.
    unsafe { guarded(error, ptr::null_mut(), make) }
}

/// Gets the next record. Returns false at the end, or without moving the cursor if a pointer is
/// null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_records_next(
    records: *mut Records,
    record: *mut RecordItem,
) -> bool {
    let step = || {
        not_null(record)?;
        // SAFETY: the contract.
        let Some(next) = unsafe { exclusive(records) }?.rest.next() else {
            return Ok(false);
        };
        // SAFETY: the contract.
        unsafe { put(record, next) }.map(|()| true)
    };
    // SAFETY: null is allowed.
    unsafe { guarded(ptr::null_mut(), false, step) }
}

/// Frees a cursor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_records_free(records: *mut Records) {
    quietly(|| {
        if !records.is_null() {
            // SAFETY: the contract: `cursor` made it, and nothing uses it afterwards.
            drop(unsafe { Box::from_raw(records) });
        }
    });
}

/// # Safety
///
/// The contract.
unsafe fn cursor<I>(
    robots: *const Robots,
    items: impl FnOnce(&'static RobotsTxt) -> I,
) -> Result<*mut Records, Problem>
where
    I: Iterator<Item = RecordItem> + Send + 'static,
{
    // SAFETY: guaranteed by the caller.
    let file = Arc::clone(&unsafe { object(robots) }?.file);
    // SAFETY: the cursor keeps the file and its parsed tree longer than the iterator. The tree
    // neither moves nor changes. Texts point into it, and are documented to live as long as the
    // cursor.
    let forever: &'static RobotsTxt = unsafe { &*ptr::from_ref(file.tree()) };
    Ok(Box::into_raw(Box::new(Records {
        rest: Box::new(items(forever)),
        _file: file,
    })))
}

fn of_group(group: Group<'static>) -> impl Iterator<Item = RecordItem> + Send {
    let number = u32::try_from(group.index()).unwrap_or(u32::MAX);
    let agents = group.user_agents().map(move |agent| RecordItem {
        kind: RecordKind::UserAgent,
        line: agent.line().get(),
        group: number,
        value: Text::of(agent.value()),
    });
    let rules = group.rules().map(move |rule| RecordItem {
        kind: match rule.effect() {
            verger::Effect::Allow => RecordKind::Allow,
            verger::Effect::Disallow => RecordKind::Disallow,
        },
        line: rule.line().get(),
        group: number,
        value: Text::of(rule.pattern()),
    });
    agents.chain(rules)
}
