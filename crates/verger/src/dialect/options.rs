//! The options of a reading, each off by default and each a named enum with its clause.

/// Option: how the keys of *other* records must be spelled. R9309-2.2.4-2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OtherRecords {
    /// As written in their own documents, in any case.
    #[default]
    AsSpelled,
    /// Also with hyphens, underscores and spaces left out or put in: `site-map`, `crawl delay`.
    Lenient,
}

/// Option: whether lines that do not conform are read. D00-2.2-15.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LenientLines {
    /// As the dialect says: Google reads some of them, the others read none.
    #[default]
    AsTheDialectSays,
    /// As Google's library reads them, in every dialect: misspelt keys, keys that start with a defined
    /// one, and white space for the colon between two words. GL-key-2, GL-key-3, GL-key-4.
    Read,
}

/// Option: whether Allow lines are obeyed. K96-4.1-1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AllowLines {
    /// They are.
    #[default]
    Obeyed,
    /// They are in the tree and end a run of user-agent lines, but allow nothing: the robot
    /// avoids more than it must, which is safe.
    Ignored,
}

/// Option: what is done about a body that is not UTF-8. R9309-2.2.2-18, D00-2.2.2-17.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EncodingMismatch {
    /// Nothing: bytes are bytes, and a UTF-16 file has no readable line.
    #[default]
    KeepBytes,
    /// It is bridged: UTF-16 with a byte order mark is decoded, and any other body that is not
    /// UTF-8 is taken for Latin-1. The tree's body is then the bridged text.
    Bridge,
}

/// Option: whether a comma separates several names on one user-agent line. RFC erratum 8895.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AgentList {
    /// No: a line names one crawler.
    #[default]
    OneName,
    /// Yes: `User-agent: a, b` names both.
    CommaSeparated,
}
