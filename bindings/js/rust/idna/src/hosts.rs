//! Provided and missing hosts.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Hosts as written, each with its ASCII form, or `None` if invalid.
pub type Hosts = BTreeMap<String, Option<String>>;

thread_local! {
    static KNOWN: RefCell<Hosts> = const { RefCell::new(BTreeMap::new()) };
    static WANTED: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

/// Replaces the provided hosts.
pub fn know(hosts: Hosts) {
    KNOWN.set(hosts);
}

/// Takes the missing hosts. An answer computed before they are provided is invalid.
pub fn wanted() -> BTreeSet<String> {
    WANTED.take()
}

/// The forbidden domain code points of the WHATWG URL Standard.
#[derive(Clone, Copy, Debug)]
pub struct AsciiDenyList;

impl AsciiDenyList {
    /// The only list.
    pub const URL: Self = Self;
}

/// The error for an invalid host.
#[derive(Clone, Copy, Debug)]
pub struct Errors;

/// Returns a host in ASCII and lower case.
///
/// # Errors
///
/// Returns an error if the host is invalid or missing.
pub fn domain_to_ascii_from_cow(
    domain: Cow<'_, [u8]>,
    _: AsciiDenyList,
) -> Result<Cow<'_, str>, Errors> {
    let mut host = match domain {
        Cow::Borrowed(bytes) => std::str::from_utf8(bytes).map(Cow::Borrowed),
        Cow::Owned(bytes) => std::str::from_utf8(&bytes).map(|it| Cow::Owned(it.to_owned())),
    }
    .map_err(|_| Errors)?;
    if host.bytes().any(is_denied) {
        return Err(Errors);
    }
    if !is_plain(&host) {
        return known(&host).map(Cow::Owned);
    }
    if host.bytes().any(|byte| byte.is_ascii_uppercase()) {
        host.to_mut().make_ascii_lowercase();
    }
    Ok(host)
}

/// Returns the domain unchanged, because nothing here displays one.
pub fn domain_to_unicode(domain: &str) -> (String, Result<(), Errors>) {
    (domain.to_owned(), Ok(()))
}

fn is_denied(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7f || b"%#/:<>?@[\\]^|".contains(&byte)
}

/// Returns whether the host is ASCII without Punycode labels.
fn is_plain(host: &str) -> bool {
    let is_punycode = |label: &str| {
        let start = label.as_bytes().get(..4);
        start.is_some_and(|start| start.eq_ignore_ascii_case(b"xn--"))
    };
    host.is_ascii() && !host.split('.').any(is_punycode)
}

fn known(host: &str) -> Result<String, Errors> {
    let known = KNOWN.with_borrow(|hosts| hosts.get(host).cloned());
    known.flatten().ok_or_else(|| {
        KNOWN.with_borrow(|hosts| {
            if !hosts.contains_key(host) {
                WANTED.with_borrow_mut(|wanted| wanted.insert(host.to_owned()));
            }
        });
        Errors
    })
}
