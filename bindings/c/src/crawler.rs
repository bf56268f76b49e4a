//! `verger_crawler`.

use std::ffi::c_char;
use std::ptr;

use verger::Reading;
use verger_answer::{CrawlerQueryError, ResolvedCrawler};

use crate::dialect::dialect;
use crate::failure::{Failure, Problem};
use crate::guard::{guarded, quietly};
use crate::status::Status;
use crate::text::{Text, bytes, name, slice};

/// The crawler that questions are about. It never changes.
#[derive(Debug)]
pub struct CrawlerObject {
    pub(crate) resolved: ResolvedCrawler,
}

const _: fn() = || {
    fn is_shareable<T: Send + Sync>() {}
    is_shareable::<CrawlerObject>();
};

/// The crawler of product tokens in order: the groups of the first one that any group names apply, and
/// those for `*` where no group names one. In VERGER_DIALECT_GOOGLE every text is a name; elsewhere
/// each is a product token, or `*` for a crawler that no group names.
///
/// Null where it fails: VERGER_STATUS_NO_NAMES, VERGER_STATUS_NOT_A_TOKEN,
/// VERGER_STATUS_UNKNOWN_DIALECT, and as for all texts. Free it with verger_crawler_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_crawler_new(
    names: *const Text,
    name_count: usize,
    dialect: u32,
    error: *mut Failure,
) -> *mut CrawlerObject {
    // SAFETY: the contract.
    unsafe {
        of_names(
            names,
            name_count,
            dialect,
            error,
            ResolvedCrawler::from_tokens,
        )
    }
}

/// The crawler of all these names at once, as Google's library takes a vector of user agents: the
/// groups that name any of them apply, as one. VERGER_DIALECT_GOOGLE alone has it.
///
/// Null where it fails: VERGER_STATUS_NO_UNION in another dialect, VERGER_STATUS_NO_NAMES. A policy of
/// a body that was read in another dialect takes the names in order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_crawler_union(
    names: *const Text,
    name_count: usize,
    dialect: u32,
    error: *mut Failure,
) -> *mut CrawlerObject {
    // SAFETY: the contract.
    unsafe { of_names(names, name_count, dialect, error, ResolvedCrawler::from_union) }
}

/// The crawler of a name in the registry of known crawlers (`googlebot-news`), with the product tokens
/// that its operator documents; any other name is taken as by verger_crawler_new.
///
/// Null where it fails: as verger_crawler_new.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_crawler_known(
    name: *const c_char,
    name_len: usize,
    dialect: u32,
    error: *mut Failure,
) -> *mut CrawlerObject {
    // SAFETY: the contract.
    unsafe {
        made(error, || {
            let text = crate::text::name(bytes(name, name_len)?);
            let reading = crate::dialect::dialect(dialect)?.into();
            ResolvedCrawler::from_name(&text, reading).map_err(|error| problem(&error))
        })
    }
}

/// The known crawler that a `User-Agent` header names. A header is a claim, not a proof.
///
/// Null where it fails: VERGER_STATUS_UNKNOWN_CRAWLER where it names none, and as for all texts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_crawler_of_header(
    header: *const c_char,
    header_len: usize,
    error: *mut Failure,
) -> *mut CrawlerObject {
    // SAFETY: the contract.
    unsafe {
        made(error, || {
            let header = name(bytes(header, header_len)?);
            ResolvedCrawler::from_header(&header).map_err(|error| problem(&error))
        })
    }
}

/// Frees a crawler. Policies that were made for it stay.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_crawler_free(crawler: *mut CrawlerObject) {
    quietly(|| {
        if !crawler.is_null() {
            // SAFETY: the contract: `made` made it, and this is its end.
            drop(unsafe { Box::from_raw(crawler) });
        }
    });
}

/// # Safety
///
/// The contract.
unsafe fn of_names(
    names: *const Text,
    count: usize,
    number: u32,
    error: *mut Failure,
    resolve: fn(&[String], Reading) -> Result<ResolvedCrawler, CrawlerQueryError>,
) -> *mut CrawlerObject {
    let make = || {
        // SAFETY: the caller vouches for both.
        let names = unsafe { slice(names, count) }?.iter();
        let names = names.map(|text| {
            // SAFETY: as above.
            let bytes = unsafe { bytes(text.data, text.len) };
            bytes.map(|bytes| name(bytes).into_owned())
        });
        let names = names.collect::<Result<Vec<_>, _>>()?;
        resolve(&names, dialect(number)?.into()).map_err(|error| problem(&error))
    };
    // SAFETY: the caller vouches for `error`.
    unsafe { made(error, make) }
}

/// # Safety
///
/// `error` is null or valid for writes.
unsafe fn made(
    error: *mut Failure,
    make: impl FnOnce() -> Result<ResolvedCrawler, Problem>,
) -> *mut CrawlerObject {
    let boxed = || {
        let resolved = make()?;
        Ok(Box::into_raw(Box::new(CrawlerObject { resolved })))
    };
    // SAFETY: the caller vouches for `error`.
    unsafe { guarded(error, ptr::null_mut(), boxed) }
}

pub(crate) fn problem(error: &CrawlerQueryError) -> Problem {
    let status = match error {
        CrawlerQueryError::NotAToken(_) => Status::NotAToken,
        CrawlerQueryError::NoTokens => Status::NoNames,
        CrawlerQueryError::NoUnion(_) => Status::NoUnion,
        CrawlerQueryError::Several { .. } => Status::SeveralCrawlers,
        _ => Status::UnknownCrawler,
    };
    Problem::new(status, error)
}
