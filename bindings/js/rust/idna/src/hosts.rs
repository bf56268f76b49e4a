//! Host names that the caller knows, and those that are wanted.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Hosts as written, and each in ASCII; none where it is no host.
pub type Hosts = BTreeMap<String, Option<String>>;

thread_local! {
    static KNOWN: RefCell<Hosts> = const { RefCell::new(BTreeMap::new()) };
    static WANTED: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

/// Replaces what is known.
pub fn know(hosts: Hosts) {
    KNOWN.set(hosts);
}

/// Takes the hosts that were asked about and not known. An answer that was made meanwhile is none.
pub fn wanted() -> BTreeSet<String> {
    WANTED.take()
}

/// The ASCII that a host must not have: the forbidden domain code points of the WHATWG URL Standard.
#[derive(Clone, Copy, Debug)]
pub struct AsciiDenyList;

impl AsciiDenyList {
    /// The only list.
    pub const URL: Self = Self;
}

/// A text is no host.
#[derive(Clone, Copy, Debug)]
pub struct Errors;

/// Returns a host in ASCII and lower case.
///
/// # Errors
///
/// Where it is none, or wanted.
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

/// Returns the domain: nothing here shows one.
pub fn domain_to_unicode(domain: &str) -> (String, Result<(), Errors>) {
    (domain.to_owned(), Ok(()))
}

fn is_denied(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7f || b"%#/:<>?@[\\]^|".contains(&byte)
}

/// Whether the host is ASCII, and no label of it says that it is Punycode.
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
