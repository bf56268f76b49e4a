//! `SiteClient`, in a build that fetches nothing.

use std::marker::PhantomData;

use crate::fetch_arguments::FetchArguments;
use crate::reading_arguments::ReadingOptions;

/// Fetches nothing.
pub(crate) struct SiteClient<'a>(PhantomData<&'a FetchArguments>);

impl<'a> SiteClient<'a> {
    pub(crate) fn new(_: &'a FetchArguments, _: ReadingOptions) -> Self {
        Self(PhantomData)
    }

    pub(crate) fn unconditional(self) -> Self {
        self
    }
}
