use core::hash::BuildHasher as _;
use core::ops::Range;
use std::borrow::Cow;
use std::hash::RandomState;

use verger_access::{Authority, AuthorityError};

#[derive(Clone, Copy)]
pub(crate) struct UrlOf {
    /// The hash of the authority, later replaced by the index of the first URL with that hash.
    authority: u64,
    pub(crate) index: usize,
}

/// The URLs of a call, grouped by the hash of their authority. A call may have millions of URLs, so
/// each takes only 16 bytes and the names stay in the URLs.
#[derive(Default)]
pub(crate) struct UrlsByAuthority {
    pub(crate) urls: Vec<UrlOf>,
    hashes: RandomState,
}

impl UrlsByAuthority {
    pub(crate) fn add(&mut self, url: &str, index: usize) -> Result<(), AuthorityError> {
        let authority = self.hashes.hash_one(name(url)?);
        self.urls.push(UrlOf { authority, index });
        Ok(())
    }

    /// Sorts the URLs into groups of equal hash, in the order of each group's first URL.
    pub(crate) fn in_order(mut self) -> Self {
        self.urls
            .sort_unstable_by_key(|url| (url.authority, url.index));
        for group in self.urls.chunk_by_mut(|a, b| a.authority == b.authority) {
            let first = group[0].index as u64;
            for url in group {
                url.authority = first;
            }
        }
        self.urls
            .sort_unstable_by_key(|url| (url.authority, url.index));
        self
    }

    pub(crate) fn groups(&self) -> impl Iterator<Item = Range<usize>> {
        let groups = self.urls.chunk_by(|a, b| a.authority == b.authority);
        groups.scan(0, |start, group| {
            let group = *start..*start + group.len();
            *start = group.end;
            Some(group)
        })
    }
}

pub(crate) fn is_same_authority(a: &str, b: &str) -> bool {
    matches!((name(a), name(b)), (Ok(a), Ok(b)) if a == b)
}

fn name(url: &str) -> Result<Cow<'_, str>, AuthorityError> {
    match Authority::normal_prefix(url) {
        Some(name) => Ok(name.into()),
        None => Ok(Authority::from_url(url)?.to_string().into()),
    }
}
