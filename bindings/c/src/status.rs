//! `verger_status`.

/// What came of a call. Errors are negative.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// A URL is neither absolute nor a path; never in VERGER_DIALECT_GOOGLE.
    NotATarget = -5,
    /// No name was given.
    NoNames = -6,
    /// A header names no crawler of the registry.
    UnknownCrawler = -7,
    /// The dialect has no union of names; VERGER_DIALECT_GOOGLE alone has.
    NoUnion = -8,
    /// There is not enough memory for the body.
    OutOfMemory = -9,
    /// A defect of the library. The process may go on, the call did nothing.
    Internal = -10,
}
