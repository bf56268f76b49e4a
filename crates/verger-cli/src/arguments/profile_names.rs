//! The names of the access profiles as arguments.

use std::borrow::Cow;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use verger_access::Profile;

/// Accepts the names of profiles. The error about another name lists them.
pub(crate) fn profile_names() -> PossibleValuesParser {
    let names = Profile::ALL.iter().map(|profile| profile.name.clone());
    PossibleValuesParser::new(names.filter_map(|name| match name {
        Cow::Borrowed(name) => Some(name),
        Cow::Owned(_) => None,
    }))
}

pub(crate) fn profiles() -> impl TypedValueParser<Value = Box<Profile>> {
    profile_names().try_map(|name| name.parse::<Profile>().map(Box::new))
}
