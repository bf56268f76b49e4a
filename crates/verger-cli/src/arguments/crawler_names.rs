//! Names of crawlers as arguments take them: any text, with the known ones for completions.

use std::ffi::OsStr;
use std::sync::LazyLock;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use verger_answer::CrawlerQuery;
use verger_crawlers::{Purpose, Registry};

/// Reads what `-a` names; completions list the registry and the purposes.
pub(crate) fn crawler_queries() -> impl TypedValueParser<Value = CrawlerQuery> {
    WithKnown {
        parser: StringValueParser::new().try_map(|text| text.parse::<CrawlerQuery>()),
        known: || known_names().chain(purposes()).collect(),
    }
}

/// Reads the name of one crawler; completions list the registry.
pub(crate) fn crawler_names() -> impl TypedValueParser<Value = String> {
    WithKnown {
        parser: StringValueParser::new(),
        known: || known_names().collect(),
    }
}

fn known_names() -> impl Iterator<Item = PossibleValue> {
    Registry::bundled()
        .iter()
        .map(|known| PossibleValue::new(known.name()))
}

/// Clap keeps names that do not end with the process alone.
static PURPOSES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let purposes = Purpose::ALL.iter();
    purposes.map(|purpose| format!("@{purpose}")).collect()
});

fn purposes() -> impl Iterator<Item = PossibleValue> {
    PURPOSES
        .iter()
        .map(|name| PossibleValue::new(name.as_str()))
}

/// A parser that accepts what another one does, and lists some of it.
#[derive(Clone)]
struct WithKnown<P> {
    parser: P,
    known: fn() -> Vec<PossibleValue>,
}

impl<P: TypedValueParser> TypedValueParser for WithKnown<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, Error> {
        self.parser.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.known)().into_iter()))
    }
}
