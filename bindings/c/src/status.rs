//! `verger_status`.

/// What came of a call. Errors are negative.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    not(feature = "owner"),
    expect(dead_code, reason = "the header has all of them")
)]
pub enum Status {
    /// It succeeded.
    Ok = 0,
    /// It succeeded: there is none of what was asked for.
    Absent = 1,
    /// A pointer is null that must not be.
    NullPointer = -1,
    /// A length or a number of texts is over PTRDIFF_MAX.
    TooLong = -2,
    /// The number is not that of a dialect.
    UnknownDialect = -3,
    /// A name is not a product token; never in VERGER_DIALECT_GOOGLE.
    NotAToken = -4,
    /// A URL is neither absolute nor a path, its host cannot be asked, or it has a TAB or a line end; never in
    /// VERGER_DIALECT_GOOGLE.
    NotATarget = -5,
    /// No name was given.
    NoNames = -6,
    /// A header, or an `@` and a purpose or an operator, names no crawler of the registry.
    UnknownCrawler = -7,
    /// The dialect has no union of names; VERGER_DIALECT_GOOGLE alone has.
    NoUnion = -8,
    /// There is not enough memory for the body.
    OutOfMemory = -9,
    /// A defect of the library. The process may go on, the call did nothing.
    Internal = -10,
    /// A URL is not that of a site: `https://example.com`, or a page of it.
    NotASite = -11,
    /// A name means several crawlers where the question is about one.
    SeveralCrawlers = -12,
    /// The settings of lints are no verger.toml, or name a lint that there is not.
    BadSettings = -13,
    /// The text is not one that `verger store export` writes.
    NotAnExport = -14,
}
