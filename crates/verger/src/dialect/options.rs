//! The options of a reading. Each is off by default and is a named enum with its clause.

/// Option: how the keys of *other* records must be spelled. R9309-2.2.4-2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OtherRecords {
    /// As their own documents spell them, in any case.
    #[default]
    AsSpelled,
    /// Hyphens, underscores and spaces may also be added or left out: `site-map`, `crawl delay`.
    Lenient,
}

/// Option: whether nonconforming lines are read. D00-2.2-15.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LenientLines {
    /// As the dialect defines: Google reads some of them, the others do not.
    #[default]
    AsTheDialectSays,
    /// As Google's library reads them, in every dialect: misspelled keys, keys that start with a
    /// defined one, and white space instead of the colon between two words. GL-key-2, GL-key-3,
    /// GL-key-4.
    Read,
}

/// Option: whether Allow lines are obeyed. K96-4.1-1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AllowLines {
    /// Allow lines are obeyed.
    #[default]
    Obeyed,
    /// Allow lines are in the tree and end a run of user-agent lines, but they do not allow
    /// anything. The crawler then avoids more than it must, which is safe.
    Ignored,
}

/// Option: how a body that is not UTF-8 is read. R9309-2.2.2-18, D00-2.2.2-17.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EncodingMismatch {
    /// Bytes are left as they are. A UTF-16 file then has no readable line.
    #[default]
    KeepBytes,
    /// UTF-16 with a byte order mark is decoded. Any other body that is not UTF-8 is read as
    /// Latin-1. The body of the tree is the converted text.
    Bridge,
}

/// Option: whether commas separate names on a user-agent line. RFC erratum 8895.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AgentList {
    /// A line names one crawler.
    #[default]
    OneName,
    /// A line may name several: `User-agent: a, b` names both.
    CommaSeparated,
}
