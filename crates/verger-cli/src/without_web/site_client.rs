//! A stand-in for `SiteClient` in a build that fetches nothing.

use std::marker::PhantomData;

use crate::arguments::fetch::FetchArguments;
use crate::arguments::reading::ReadingOptions;

/// Fetches nothing.
pub(crate) struct SiteClient<'a>(PhantomData<&'a FetchArguments>);

impl<'a> SiteClient<'a> {
    pub(crate) fn new(_: &'a FetchArguments, _: &ReadingOptions) -> Self {
        Self(PhantomData)
    }

    pub(crate) fn unconditional(self) -> Self {
        self
    }
}
