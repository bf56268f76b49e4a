//! `PageConvention`: the document that defines directives.

use verger::Dialect;

/// How directives address crawlers and are combined.
///
/// | | `Google` | `RepExt` |
/// |---|---|---|
/// | fields | `X-Robots-Tag` | `X-Robots-Tag`, `Robots-Tag` |
/// | combining | the most restrictive rule applies, and rules for a crawler are added to the rules for all | the union of all rules |
/// | meta elements | in the head and in the body | in the head |
/// | rules | rules that Google documents | all known rules. Bing obeys only rules that Microsoft documents |
/// | `indexifembedded` | with `noindex`: index where embedded | no effect |
///
/// In both, a directive cannot lift a restriction.
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
