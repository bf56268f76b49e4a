//! `--dialect`, and `--reading` for options that are off by default.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use verger::{Dialect, Reading};
use verger_access::Profile;
use verger_answer::{ReadAs, ReadingOption};

/// How robots.txt is read.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "How robots.txt is read")]
pub(crate) struct ReadingArguments {
    /// rfc9309, google, draft2019 or koster1996 [default: as each crawler reads]
    ///
    /// Without it, each known crawler is judged as its operator reads: Google's crawlers by `google`, all others by
    /// `rfc9309`.
    /// `google` is Google's library, which reads files of any length. Googlebot itself, like the other
    /// dialects, reads only the first 512,000 bytes. If that changes an answer, `check` says so, and `filter`
    /// and `bulk` warn.
    #[arg(short, long, value_name = "DIALECT", value_parser = dialects())]
    #[arg(hide_possible_values = true)]
    dialect: Option<Dialect>,

    #[command(flatten)]
    pub(crate) options: ReadingOptions,
}

/// Exceptions to the dialect, which also apply if a profile chooses the dialect.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "How robots.txt is read")]
pub(crate) struct ReadingOptions {
    /// Exceptions to the dialect, separated by commas
    #[arg(long = "reading", value_name = "OPTION", value_delimiter = ',')]
    #[arg(value_parser = reading_options(), hide_short_help = true)]
    options: Vec<ReadingOption>,
}

impl ReadingArguments {
    /// Returns the reading of a file that says nothing about crawlers.
    pub(crate) fn reading(&self) -> Reading {
        self.reading_unless_named(Dialect::default())
    }

    /// Returns the reading of the dialect that is given, if any.
    pub(crate) fn stated(&self) -> Option<Reading> {
        self.dialect.map(|dialect| self.reading_of(dialect))
    }

    /// Returns the dialect given, or for each crawler that of its operator.
    pub(crate) fn read_as(&self) -> ReadAs {
        self.read_as_unless(None)
    }

    /// Returns the dialect given, that of a profile that is given, or for each crawler that of its
    /// operator.
    pub(crate) fn read_as_unless(&self, profile: Option<&Profile>) -> ReadAs {
        let stated = self.stated().map(ReadAs::Stated);
        stated.unwrap_or_else(|| self.options.read_as_unless(profile))
    }

    /// Uses `dialect` if the arguments name none.
    pub(crate) fn reading_unless_named(&self, dialect: Dialect) -> Reading {
        self.reading_of(self.dialect.unwrap_or(dialect))
    }

    pub(crate) fn reading_of(&self, dialect: Dialect) -> Reading {
        self.options.reading_of(dialect)
    }
}

impl ReadingOptions {
    /// Returns the dialect of a profile that is given, or for each crawler that of its operator.
    pub(crate) fn read_as_unless(&self, profile: Option<&Profile>) -> ReadAs {
        match profile {
            Some(profile) => ReadAs::Stated(self.reading_of(profile.reading.dialect())),
            None => ReadAs::Operator(self.reading_of(Dialect::default())),
        }
    }

    /// Returns the profile that is given, or that of RFC 9309, with these options.
    pub(crate) fn profile(&self, given: Option<&Profile>) -> Profile {
        let profile = given.unwrap_or(&Profile::RFC9309).clone();
        Profile {
            reading: self.reading_of(profile.reading.dialect()),
            ..profile
        }
    }

    pub(crate) fn reading_of(&self, dialect: Dialect) -> Reading {
        let options = self.options.iter();
        options.fold(Reading::new(dialect), |reading, it| it.set(reading))
    }
}

fn dialects() -> impl TypedValueParser<Value = Dialect> {
    PossibleValuesParser::new(Dialect::ALL.iter().copied().map(Dialect::as_str))
        .try_map(|name| name.parse::<Dialect>())
}

fn reading_options() -> impl TypedValueParser<Value = ReadingOption> {
    let values = ReadingOption::ALL.iter();
    let values = values.map(|it| PossibleValue::new(it.as_str()).help(it.sentence()));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<ReadingOption>())
}
