//! `--dialect`, and `--reading` with options that are off by default.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use verger::{Dialect, Reading};
use verger_answer::ReadingOption;

/// How robots.txt is read.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "How robots.txt is read")]
pub(crate) struct ReadingArguments {
    /// The dialect in which it is read [default: rfc9309]
    ///
    /// `google` is Google's library, which reads a file of any length. Googlebot reads the first 512,000
    /// bytes, as the other dialects do; where that changes an answer, `check` says so; `filter` and `bulk` warn.
    #[arg(short, long, value_name = "DIALECT", value_parser = dialects())]
    dialect: Option<Dialect>,

    #[command(flatten)]
    pub(crate) options: ReadingOptions,
}

/// What is read otherwise than the dialect says; also where a profile chooses the dialect.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "How robots.txt is read")]
pub(crate) struct ReadingOptions {
    /// What is read otherwise than the dialect says; several options with commas between them
    #[arg(long = "reading", value_name = "OPTION", value_delimiter = ',')]
    #[arg(value_parser = reading_options(), hide_short_help = true)]
    options: Vec<ReadingOption>,
}

impl ReadingArguments {
    /// The reading asked for.
    pub(crate) fn reading(&self) -> Reading {
        self.reading_unless_named(Dialect::default())
    }

    /// The reading asked for, in `dialect` where none is named.
    pub(crate) fn reading_unless_named(&self, dialect: Dialect) -> Reading {
        self.reading_of(self.dialect.unwrap_or(dialect))
    }

    /// Whether a dialect is named.
    pub(crate) fn names_dialect(&self) -> bool {
        self.dialect.is_some()
    }

    /// The same options in another dialect.
    pub(crate) fn reading_of(&self, dialect: Dialect) -> Reading {
        self.options.reading_of(dialect)
    }
}

impl ReadingOptions {
    /// The reading of a dialect with these options.
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
