//! Names of crawlers as arguments: any text, with the known names for completions.

use std::ffi::OsStr;
use std::sync::LazyLock;

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use verger_answer::CrawlerQuery;
use verger_crawlers::{Purpose, Registry};

/// Parses the value of `-a`. Completions list the registry and the purposes.
pub(crate) fn crawler_queries() -> impl TypedValueParser<Value = CrawlerQuery> {
    WithKnown {
        parser: StringValueParser::new().try_map(|text| text.parse::<CrawlerQuery>()),
        known: || known_names().chain(purposes()).collect(),
    }
}

/// Parses the name of one crawler. Completions list the registry.
pub(crate) fn crawler_names() -> impl TypedValueParser<Value = String> {
    WithKnown {
        parser: StringValueParser::new(),
        known: || known_names().collect(),
    }
}

/// Parses a purpose. Help, errors and completions list the names.
pub(crate) fn purpose_names() -> impl TypedValueParser<Value = Purpose> {
    let names = PossibleValuesParser::new(Purpose::ALL.iter().map(|it| it.as_str()));
    names.try_map(|name| name.parse::<Purpose>())
}

fn known_names() -> impl Iterator<Item = PossibleValue> {
    Registry::bundled()
        .iter()
        .map(|known| PossibleValue::new(known.name()))
}

/// clap needs names that live as long as the process.
static PURPOSES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let purposes = Purpose::ALL.iter();
    purposes.map(|purpose| format!("@{purpose}")).collect()
});

fn purposes() -> impl Iterator<Item = PossibleValue> {
    PURPOSES
        .iter()
        .map(|name| PossibleValue::new(name.as_str()))
}

/// A parser that lists some of the values that it accepts.
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
