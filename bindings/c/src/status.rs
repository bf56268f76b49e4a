//! `verger_status`.

/// The outcome of a call. Errors are negative.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    not(feature = "owner"),
    expect(dead_code, reason = "the header has all of them")
)]
pub enum Status {
    /// The call succeeded.
    Ok = 0,
    /// The call succeeded, but there is nothing to return.
    Absent = 1,
    /// A required pointer is null.
    NullPointer = -1,
    /// A length or count is over PTRDIFF_MAX.
    TooLong = -2,
    /// The number is not a verger_dialect.
    UnknownDialect = -3,
    /// A name is not a product token. Never in VERGER_DIALECT_GOOGLE.
    NotAToken = -4,
    /// A URL is neither absolute nor a path, its host cannot be queried, or it contains a tab or
    /// line end. Never in VERGER_DIALECT_GOOGLE.
    NotATarget = -5,
    /// No name was given.
    NoNames = -6,
    /// A header, purpose or operator names no crawler of the registry.
    UnknownCrawler = -7,
    /// The dialect does not support unions of names. Only VERGER_DIALECT_GOOGLE does.
    NoUnion = -8,
    /// There is not enough memory for the body.
    OutOfMemory = -9,
    /// A bug in the library. The call did nothing, and the process can continue.
    Internal = -10,
    /// A URL does not belong to a site. `https://example.com` and its pages do.
    NotASite = -11,
    /// A name means several crawlers, but the query takes one.
    SeveralCrawlers = -12,
    /// The lint settings are not a valid verger.toml, or name an unknown lint.
    BadSettings = -13,
    /// The text is not the output of `verger store export`.
    NotAnExport = -14,
    /// The text is not the head of an HTTP response.
    NotAHead = -15,
}
