//! `UrlsByAuthority`: which URLs of a call have one authority.

use core::hash::BuildHasher as _;
use core::ops::Range;
use std::borrow::Cow;
use std::hash::RandomState;

use verger_access::{Authority, AuthorityError};

/// A URL, by its index.
#[derive(Clone, Copy)]
pub(crate) struct UrlOf {
    /// The hash of the authority; later the index of the first URL that has the same hash.
    authority: u64,
    pub(crate) index: usize,
}

/// The URLs of a call, 16 bytes each, since there may be millions: by the hashes of their authorities, whose
/// names stay in the URLs.
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

    /// Puts the URLs of each hash together, in the order of the first ones.
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

    /// Returns the groups of [`UrlsByAuthority::in_order`], none of them empty.
    pub(crate) fn groups(&self) -> impl Iterator<Item = Range<usize>> {
        let groups = self.urls.chunk_by(|a, b| a.authority == b.authority);
        groups.scan(0, |start, group| {
            let group = *start..*start + group.len();
            *start = group.end;
            Some(group)
        })
    }
}

/// Whether two URLs have one authority.
pub(crate) fn is_same_authority(a: &str, b: &str) -> bool {
    matches!((name(a), name(b)), (Ok(a), Ok(b)) if a == b)
}

/// Returns the name of a URL's authority, as it is displayed.
fn name(url: &str) -> Result<Cow<'_, str>, AuthorityError> {
    match Authority::normal_prefix(url) {
        Some(name) => Ok(name.into()),
        None => Ok(Authority::from_url(url)?.to_string().into()),
    }
}
