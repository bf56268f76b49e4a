//! `PageConvention`: the documents by which directives are read.

use verger::Dialect;

/// How directives address crawlers and are combined.
///
/// | | `Google` | `RepExt` |
/// |---|---|---|
/// | fields | `X-Robots-Tag` | `X-Robots-Tag`, `Robots-Tag` |
/// | combining | the more restrictive rule applies, a named crawler's add to those for all | the union of all rules |
/// | meta elements | in the head and in the body | in the head |
/// | rules | those on Google's page | all |
/// | `indexifembedded` | with `noindex`: index where embedded | no effect |
///
/// Both agree that no directive lifts the restriction of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PageConvention {
    /// Google's "Robots meta tag, data-nosnippet, and X-Robots-Tag specifications".
    Google,
    /// draft-illyes-repext-03, the companion of RFC 9309.
    RepExt,
}

impl PageConvention {
    /// Returns `google` or `repext`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Google => "google",
            Self::RepExt => "repext",
        }
    }
}

impl From<Dialect> for PageConvention {
    /// Returns the convention of crawlers that read robots.txt in this dialect.
    fn from(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Google => Self::Google,
            _ => Self::RepExt,
        }
    }
}
