//! The four dialects. Every difference between them is a named enum, with the clause that permits
//! it.
//!
//! The other modules never test for a dialect. They match on the enums of a [`Reading`].

mod options;
mod several;

use core::fmt;
use core::str::FromStr;

pub use options::{AgentList, AllowLines, EncodingMismatch, LenientLines, OtherRecords};
pub use several::SeveralGroups;
pub(crate) use several::SeveralNames;

/// The document that a body is read by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dialect {
    /// RFC 9309 (and draft-koster-rep-12, its last draft).
    #[default]
    Rfc9309,
    /// Google's library `robots.cc`, bit for bit, including its quirks and line numbers.
    Google,
    /// draft-koster-rep-00 of July 2019.
    Draft2019,
    /// Martijn Koster's draft of November 1996.
    Koster1996,
}

impl Dialect {
    /// All dialects, in the order used in tables.
    pub const ALL: &'static [Self] = &[
        Self::Rfc9309,
        Self::Google,
        Self::Draft2019,
        Self::Koster1996,
    ];

    /// Returns the name used on the command line, in batches and in case files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rfc9309 => "rfc9309",
            Self::Google => "google",
            Self::Draft2019 => "draft2019",
            Self::Koster1996 => "koster1996",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, UnknownDialect> {
        let found = Self::ALL.iter().copied().find(|it| it.as_str() == name);
        found.ok_or(UnknownDialect)
    }
}

/// The name is not `rfc9309`, `google`, `draft2019` or `koster1996`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownDialect;

impl fmt::Display for UnknownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected one of rfc9309, google, draft2019, koster1996")
    }
}

impl core::error::Error for UnknownDialect {}

/// How a key must be spelled to be a defined record (V-16, GL-key-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeySpelling {
    /// The whole key must equal a string of the ABNF, in any case. R9309-2.2-2, D00-2.2-3,
    /// K96-3.3-4.
    Exact,
    /// Google: the key must *start* with a defined one or be a frequent misspelling.
    GooglePrefixes,
}

/// V-15, GL-key-2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub(crate) enum MissingColon {
    /// The grammar requires a colon, and only *other* records may be read leniently. R9309-2.2.4-2.
    NoRecord,
    /// Google: white space between exactly two words replaces the colon.
    TwoWords,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub(crate) enum WhiteSpace {
    /// The `WS` of the ABNF. D00-2.2-13.
    SpaceTab,
    /// The six characters of C's `isspace`, which include VT and FF.
    AsciiSix,
}

/// V-19.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub(crate) enum ByteOrderMark {
    /// EF BB BF, only together.
    Whole,
    /// Google: any prefix.
    AnyPrefix,
}

/// A control byte is 0x00 to 0x1F except TAB, before any comment (V-20).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub(crate) enum ControlByte {
    /// R9309-3-3.
    SpoilsTheLine,
    /// Google: NUL ends the line, because lines are C strings.
    NulEndsTheLine,
}

/// The meaning of a blank line (K96-3.2-1, V-12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlankLine {
    /// Blank lines are ignored. R9309-2.2-1, D00-2.2-1.
    Insignificant,
    /// A blank line ends the record. K96-3.2-1.
    EndsTheRecord,
}

/// How the value of a user-agent line names a crawler (V-2, V-6, V-7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AgentValue {
    /// The leading run of token bytes is compared, ignoring case. A bare `*` stands for every
    /// crawler. R9309-2.2.1-6, V-2, V-7.
    LeadingToken,
    /// The whole trimmed value is compared, ignoring case. A bare `*` stands for every crawler.
    /// K96-3.2.1-4.
    Whole,
    /// Google: the leading run of letters, `_` and `-` is compared. `*`, alone or before white
    /// space, stands for every crawler.
    GoogleIdentifier,
}

/// V-10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub(crate) enum GroupWithoutRules {
    /// R9309-2.1-4, D00-2.1-3.
    AllowsEverything,
    /// They do not name any crawler. K96-3.3-2.
    IsNoRecord,
}

/// Which of the matching rules decides (R9309-2.2.2-4, K96-3.2.2-2, V-35).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Precedence {
    /// The most specific rule decides. If two are equally specific, allow takes precedence.
    /// R9309-2.2.2-4, -6.
    MostSpecific,
    /// The first rule in the file decides. K96-3.2.2-2.
    FirstMatch,
}

/// How a path-pattern and a target are compared (V-28 to V-34).
///
/// This enum is exhaustive: code that works with comparison forms must handle each variant, so
/// adding one is a breaking change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// Units of the percent-encoded comparison form are compared. `*` and a final `$` are special.
    /// R9309-2.2.2-9, R9309-2.2.2-10, V-28.
    Units,
    /// Google: bytes are compared after the non-ASCII bytes of the rule have been escaped. `*` and
    /// a final `$` are special.
    Bytes,
    /// Bytes are compared after everything but `%2F` has been decoded. Nothing is special.
    /// K96-3.2.2-4.
    DecodedBytes,
}

/// GL-rank-2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub(crate) enum IndexPage {
    IsAPage,
    /// Google: if the rule does not match as written, `…/$` is tried instead.
    StandsForItsDirectory,
}

pub(crate) const ROBOTS_TXT: &[u8] = b"/robots.txt";

/// Whether rules apply to `/robots.txt` itself (V-39).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RobotsTxtItself {
    /// It is always allowed, whatever the rules are. R9309-2.2.2-8, D00-2.2.2-7.
    ImplicitlyAllowed,
    /// Google: it is a path like any other.
    IsAnOrdinaryPath,
}

impl RobotsTxtItself {
    #[inline]
    pub(crate) fn exempts(self, form: &[u8]) -> bool {
        match self {
            // "The /robots.txt URI is implicitly allowed."                     R9309-2.2.2-8
            Self::ImplicitlyAllowed => form == ROBOTS_TXT,
            Self::IsAnOrdinaryPath => false,
        }
    }
}

/// How much of a body is read (V-23).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BodyLimit {
    /// The first [`crate::limits::BODY_BYTES_MAX`] bytes, without an incomplete last line.
    /// R9309-2.5-1, -2.
    Bytes512000,
    /// Google: the whole body. The caller has to cut it.
    None,
}

/// GL-line-3, V-24.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub(crate) enum LineLimit {
    None,
    /// Google: the first [`crate::limits::GOOGLE_LINE_BYTES_MAX`] bytes. The rest is dropped.
    Bytes16663,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub(crate) enum EmptyLastLine {
    IsNoLine,
    /// Google: it has an event and a number.
    IsALine,
}

/// A dialect, spelled out as the enums of this module, with options that are off by default.
///
/// ```
/// use verger::dialect::AgentList;
/// use verger::{Dialect, Reading, RobotsTxt};
///
/// let reading = Reading::new(Dialect::Rfc9309).with_agent_list(AgentList::CommaSeparated);
/// let robots = RobotsTxt::parse("User-agent: a, b\nDisallow: /", reading);
/// assert_eq!(robots.groups().count(), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reading {
    dialect: Dialect,
    /// V-16, GL-key-3.
    pub(crate) key_spelling: KeySpelling,
    /// V-15, GL-key-2.
    pub(crate) missing_colon: MissingColon,
    /// V-14, V-20.
    pub(crate) white_space: WhiteSpace,
    /// V-19.
    pub(crate) byte_order_mark: ByteOrderMark,
    /// V-20.
    pub(crate) control_byte: ControlByte,
    /// K96-3.2-1, V-12.
    pub(crate) blank_line: BlankLine,
    /// V-2, V-6, V-7.
    pub(crate) agent_value: AgentValue,
    /// V-1, GL-group-2.
    pub(crate) several_names: SeveralNames,
    /// R9309-2.2.1-7, V-9.
    pub(crate) several_named_groups: SeveralGroups,
    /// V-8.
    pub(crate) several_star_groups: SeveralGroups,
    /// V-10.
    pub(crate) group_without_rules: GroupWithoutRules,
    /// R9309-2.2.2-4, K96-3.2.2-2, V-35.
    pub(crate) precedence: Precedence,
    /// V-28 to V-34.
    pub(crate) comparison: Comparison,
    /// GL-rank-2.
    pub(crate) index_page: IndexPage,
    /// V-39.
    pub(crate) robots_txt_itself: RobotsTxtItself,
    /// V-23.
    pub(crate) body_limit: BodyLimit,
    /// GL-line-3, V-24.
    pub(crate) line_limit: LineLimit,
    /// Affects line numbers only.
    pub(crate) empty_last_line: EmptyLastLine,
    pub(crate) other_records: OtherRecords,
    pub(crate) lenient_lines: LenientLines,
    pub(crate) allow_lines: AllowLines,
    pub(crate) encoding_mismatch: EncodingMismatch,
    pub(crate) agent_list: AgentList,
}

/// The other dialects are written as differences from it.
const RFC9309: Reading = Reading {
    dialect: Dialect::Rfc9309,
    key_spelling: KeySpelling::Exact,
    missing_colon: MissingColon::NoRecord,
    white_space: WhiteSpace::SpaceTab,
    byte_order_mark: ByteOrderMark::Whole,
    control_byte: ControlByte::SpoilsTheLine,
    blank_line: BlankLine::Insignificant,
    agent_value: AgentValue::LeadingToken,
    several_names: SeveralNames::InOrder,
    several_named_groups: SeveralGroups::Merged,
    several_star_groups: SeveralGroups::Merged,
    group_without_rules: GroupWithoutRules::AllowsEverything,
    precedence: Precedence::MostSpecific,
    comparison: Comparison::Units,
    index_page: IndexPage::IsAPage,
    robots_txt_itself: RobotsTxtItself::ImplicitlyAllowed,
    body_limit: BodyLimit::Bytes512000,
    line_limit: LineLimit::None,
    empty_last_line: EmptyLastLine::IsNoLine,
    other_records: OtherRecords::AsSpelled,
    lenient_lines: LenientLines::AsTheDialectSays,
    allow_lines: AllowLines::Obeyed,
    encoding_mismatch: EncodingMismatch::KeepBytes,
    agent_list: AgentList::OneName,
};

const GOOGLE: Reading = Reading {
    dialect: Dialect::Google,
    key_spelling: KeySpelling::GooglePrefixes,
    missing_colon: MissingColon::TwoWords,
    white_space: WhiteSpace::AsciiSix,
    byte_order_mark: ByteOrderMark::AnyPrefix,
    control_byte: ControlByte::NulEndsTheLine,
    agent_value: AgentValue::GoogleIdentifier,
    several_names: SeveralNames::UnionOnRequest,
    comparison: Comparison::Bytes,
    index_page: IndexPage::StandsForItsDirectory,
    robots_txt_itself: RobotsTxtItself::IsAnOrdinaryPath,
    body_limit: BodyLimit::None,
    line_limit: LineLimit::Bytes16663,
    empty_last_line: EmptyLastLine::IsALine,
    ..RFC9309
};

const DRAFT2019: Reading = Reading {
    dialect: Dialect::Draft2019,
    several_star_groups: SeveralGroups::First,
    ..RFC9309
};

const KOSTER1996: Reading = Reading {
    dialect: Dialect::Koster1996,
    blank_line: BlankLine::EndsTheRecord,
    agent_value: AgentValue::Whole,
    several_named_groups: SeveralGroups::First,
    several_star_groups: SeveralGroups::First,
    group_without_rules: GroupWithoutRules::IsNoRecord,
    precedence: Precedence::FirstMatch,
    comparison: Comparison::DecodedBytes,
    ..RFC9309
};

impl Reading {
    /// Creates the reading of a dialect, with every option off.
    #[must_use]
    pub const fn new(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Rfc9309 => RFC9309,
            Dialect::Google => GOOGLE,
            Dialect::Draft2019 => DRAFT2019,
            Dialect::Koster1996 => KOSTER1996,
        }
    }

    /// Returns the dialect.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns the reading of another dialect with the same options.
    #[must_use]
    pub const fn in_dialect(self, dialect: Dialect) -> Self {
        Self::new(dialect)
            .with_other_records(self.other_records)
            .with_lenient_lines(self.lenient_lines)
            .with_allow_lines(self.allow_lines)
            .with_encoding_mismatch(self.encoding_mismatch)
            .with_agent_list(self.agent_list)
    }

    /// Sets whether misspelled keys of other records are read.
    #[must_use]
    pub const fn with_other_records(mut self, spelling: OtherRecords) -> Self {
        self.other_records = spelling;
        self
    }

    /// Sets whether misspelled keys and missing colons are read as Google's library reads them, or
    /// as the dialect does. It has no effect in `google`.
    ///
    /// ```
    /// use verger::dialect::LenientLines;
    /// use verger::{Dialect, Reading, RobotsTxt};
    ///
    /// let reading = Reading::new(Dialect::Rfc9309).with_lenient_lines(LenientLines::Read);
    /// let robots = RobotsTxt::parse("Useragent: a\nDisallow /", reading);
    /// assert_eq!(robots.groups().next().unwrap().rules().count(), 1);
    /// ```
    #[must_use]
    pub const fn with_lenient_lines(mut self, lenient_lines: LenientLines) -> Self {
        let facts = match lenient_lines {
            LenientLines::AsTheDialectSays => Self::new(self.dialect),
            LenientLines::Read => GOOGLE,
        };
        self.key_spelling = facts.key_spelling;
        self.missing_colon = facts.missing_colon;
        self.lenient_lines = lenient_lines;
        self
    }

    /// Sets whether Allow lines are obeyed.
    #[must_use]
    pub const fn with_allow_lines(mut self, allow_lines: AllowLines) -> Self {
        self.allow_lines = allow_lines;
        self
    }

    /// Overrides how much of a body is read. Google's crawlers stop at the same limit as the other
    /// dialects, though the library that `google` follows reads everything. V-23, G-fmt-5.
    #[must_use]
    pub const fn with_body_limit(mut self, limit: BodyLimit) -> Self {
        self.body_limit = limit;
        self
    }

    /// Sets whether encodings other than UTF-8 are converted.
    #[must_use]
    pub const fn with_encoding_mismatch(mut self, mismatch: EncodingMismatch) -> Self {
        self.encoding_mismatch = mismatch;
        self
    }

    /// Sets whether user-agent lines may list several names, separated by commas.
    #[must_use]
    pub const fn with_agent_list(mut self, agent_list: AgentList) -> Self {
        self.agent_list = agent_list;
        self
    }
}

impl Reading {
    /// Returns how the keys of defined records must be spelled.
    #[must_use]
    pub const fn key_spelling(&self) -> KeySpelling {
        self.key_spelling
    }

    /// Returns the meaning of a blank line.
    #[must_use]
    pub const fn blank_line(&self) -> BlankLine {
        self.blank_line
    }

    /// Returns how a user-agent line names a crawler.
    #[must_use]
    pub const fn agent_value(&self) -> AgentValue {
        self.agent_value
    }

    /// Returns which of several groups for one crawler apply.
    #[must_use]
    pub const fn several_named_groups(&self) -> SeveralGroups {
        self.several_named_groups
    }

    /// Returns which of the matching rules decides.
    #[must_use]
    pub const fn precedence(&self) -> Precedence {
        self.precedence
    }

    /// Returns how a path-pattern and a target are compared.
    #[must_use]
    pub const fn comparison(&self) -> Comparison {
        self.comparison
    }

    /// Returns whether rules apply to `/robots.txt` itself.
    #[must_use]
    pub const fn robots_txt_itself(&self) -> RobotsTxtItself {
        self.robots_txt_itself
    }

    /// Returns how much of a body is read.
    #[must_use]
    pub const fn body_limit(&self) -> BodyLimit {
        self.body_limit
    }

    /// Returns how the keys of other records must be spelled.
    #[must_use]
    pub const fn other_records(&self) -> OtherRecords {
        self.other_records
    }

    /// Returns whether nonconforming lines are read.
    #[must_use]
    pub const fn lenient_lines(&self) -> LenientLines {
        self.lenient_lines
    }

    /// Returns whether Allow lines are obeyed.
    #[must_use]
    pub const fn allow_lines(&self) -> AllowLines {
        self.allow_lines
    }

    /// Returns how a body that is not UTF-8 is read.
    #[must_use]
    pub const fn encoding_mismatch(&self) -> EncodingMismatch {
        self.encoding_mismatch
    }

    /// Returns whether commas separate names on a user-agent line.
    #[must_use]
    pub const fn agent_list(&self) -> AgentList {
        self.agent_list
    }
}

impl Default for Reading {
    fn default() -> Self {
        RFC9309
    }
}

impl From<Dialect> for Reading {
    fn from(dialect: Dialect) -> Self {
        Self::new(dialect)
    }
}
