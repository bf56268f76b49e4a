//! The options of fetching in a build that fetches nothing. There are none.

use clap::Args;
use verger_access::Profile;
use verger_answer::ReadAs;

use crate::arguments::reading::{ReadingArguments, ReadingOptions};

/// No options.
#[derive(Args, Clone, Debug)]
pub(crate) struct FetchArguments {}

#[expect(clippy::unused_self, reason = "the same interface as with options")]
impl FetchArguments {
    /// Returns the default profile with these reading options.
    pub(crate) fn profile(&self, options: &ReadingOptions) -> Profile {
        options.profile(None)
    }

    /// Returns the dialect given, or for each crawler that of its operator.
    pub(crate) fn read_as_of(&self, reading: &ReadingArguments) -> ReadAs {
        reading.read_as()
    }

    /// Returns the dialect of a profile that is given, or for each crawler that of its operator.
    pub(crate) fn read_as(&self, options: &ReadingOptions) -> ReadAs {
        options.read_as_unless(None)
    }

    /// Returns `None`, because there are no options.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        None
    }
}
