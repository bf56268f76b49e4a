//! The options of fetching, in a build that fetches nothing: there are none.

use clap::Args;
use verger_access::Profile;

use crate::arguments::reading::ReadingOptions;

/// No options.
#[derive(Args, Clone, Debug)]
pub(crate) struct FetchArguments {}

#[expect(clippy::unused_self, reason = "as where there are options")]
impl FetchArguments {
    /// The profile of a command that no option names one to.
    pub(crate) fn profile(&self, options: &ReadingOptions) -> Profile {
        let profile = Profile::RFC9309;
        Profile {
            reading: options.reading_of(profile.reading.dialect()),
            ..profile
        }
    }

    /// None of the options.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        None
    }
}
