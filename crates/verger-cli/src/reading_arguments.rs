//! `--dialect` and the options of reading, each off by default.

use clap::builder::{BoolishValueParser, PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args};
use verger::{
    AgentList, AllowLines, Dialect, EncodingMismatch, LenientLines, OtherRecords, Reading,
};

/// How robots.txt is read.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "How robots.txt is read")]
pub(crate) struct ReadingArguments {
    /// The dialect in which it is read [default: rfc9309]
    ///
    /// `google` is Google's library, which reads a file of any length. Googlebot reads the first 512,000
    /// bytes, as the other dialects do; where that changes an answer, the answer says so.
    #[arg(short, long, value_name = "DIALECT", value_parser = dialects())]
    dialect: Option<Dialect>,

    #[command(flatten)]
    pub(crate) options: ReadingOptions,
}

/// What is read otherwise than the dialect says; also where a profile chooses the dialect.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "How robots.txt is read")]
pub(crate) struct ReadingOptions {
    /// Also read misspelt other records, such as `site-map` (RFC 9309 2.2.4)
    #[arg(long, action = ArgAction::SetTrue, required = false)]
    #[arg(value_parser = flag(OtherRecords::AsSpelled, OtherRecords::Lenient))]
    lenient_other_records: OtherRecords,

    /// Read misspelt keys and missing colons as Google's library does
    #[arg(long, action = ArgAction::SetTrue, required = false)]
    #[arg(value_parser = flag(LenientLines::AsTheDialectSays, LenientLines::Read))]
    lenient_lines: LenientLines,

    /// Ignore Allow lines, so that more is disallowed (Koster 1996, 4.1)
    #[arg(long, action = ArgAction::SetTrue, required = false)]
    #[arg(value_parser = flag(AllowLines::Obeyed, AllowLines::Ignored))]
    ignore_allow: AllowLines,

    /// Decode UTF-16, and read other bytes that are not UTF-8 as Latin-1
    #[arg(long, action = ArgAction::SetTrue, required = false)]
    #[arg(value_parser = flag(EncodingMismatch::KeepOctets, EncodingMismatch::Bridge))]
    bridge_encodings: EncodingMismatch,

    /// Read several names on one user-agent line, separated by commas
    #[arg(long, action = ArgAction::SetTrue, required = false)]
    #[arg(value_parser = flag(AgentList::OneName, AgentList::CommaSeparated))]
    comma_agents: AgentList,
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
        Reading::of(dialect)
            .with_other_records(self.lenient_other_records)
            .with_lenient_lines(self.lenient_lines)
            .with_allow_lines(self.ignore_allow)
            .with_encoding_mismatch(self.bridge_encodings)
            .with_agent_list(self.comma_agents)
    }
}

fn dialects() -> impl TypedValueParser<Value = Dialect> {
    PossibleValuesParser::new(Dialect::ALL.map(Dialect::as_str))
        .try_map(|name| name.parse::<Dialect>())
}

fn flag<T: Clone + Send + Sync + 'static>(off: T, on: T) -> impl TypedValueParser<Value = T> {
    BoolishValueParser::new().map(move |is_on| if is_on { on.clone() } else { off.clone() })
}
