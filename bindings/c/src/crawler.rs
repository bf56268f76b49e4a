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

/// The crawler to answer for. Immutable.
#[derive(Debug)]
pub struct CrawlerObject {
    pub(crate) resolved: ResolvedCrawler,
}

const _: fn() = || {
    fn is_shareable<T: Send + Sync>() {}
    is_shareable::<CrawlerObject>();
};

/// Returns a crawler with product tokens in lookup order. The groups that name the first matching
/// token apply, or those for `*` if no token matches. In VERGER_DIALECT_GOOGLE, any text is a name.
/// Elsewhere, each must be a product token, or `*` for a crawler that no group names.
///
/// Returns null on failure: VERGER_STATUS_NO_NAMES, VERGER_STATUS_NOT_A_TOKEN,
/// VERGER_STATUS_UNKNOWN_DIALECT, or a text error. Free it with verger_crawler_free.
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

/// Returns a crawler with all these names at once, like the vector of user agents in Google's
/// library. All groups that name any of them apply as one. Requires VERGER_DIALECT_GOOGLE.
///
/// Returns null on failure: VERGER_STATUS_NO_UNION in another dialect, or VERGER_STATUS_NO_NAMES.
/// If the body was read in another dialect, a policy looks up the names in order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_crawler_union(
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
            ResolvedCrawler::from_union,
        )
    }
}

/// Returns the known crawler with a registry name (`googlebot-news`) and the product tokens that
/// its operator documents. Other names are treated as in verger_crawler_new.
///
/// Returns null on failure, as verger_crawler_new does.
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
            let reading: verger::Reading = crate::dialect::dialect(dialect)?.into();
            ResolvedCrawler::from_name(&text, reading).map_err(|error| problem(&error))
        })
    }
}

/// Returns the known crawler that a `User-Agent` header names. A header is a claim, not a proof.
///
/// Returns null on failure: VERGER_STATUS_UNKNOWN_CRAWLER if it names none, or a text error.
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

/// Frees a crawler. Its policies remain valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_crawler_free(crawler: *mut CrawlerObject) {
    quietly(|| {
        if !crawler.is_null() {
            // SAFETY: the contract: `made` made it, and nothing uses it afterwards.
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
        // SAFETY: guaranteed by the caller.
        let names = unsafe { slice(names, count) }?.iter();
        let names = names.map(|text| {
            // SAFETY: as above.
            let bytes = unsafe { bytes(text.data, text.len) };
            bytes.map(|bytes| name(bytes).into_owned())
        });
        let names = names.collect::<Result<Vec<_>, _>>()?;
        resolve(&names, dialect(number)?.into()).map_err(|error| problem(&error))
    };
    // SAFETY: guaranteed by the caller.
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
    // SAFETY: guaranteed by the caller.
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
